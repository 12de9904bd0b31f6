//! Ways of using a model to answer a prompt. A new agent is a folder here and a row in `all()`.

pub mod direct;
pub mod dylan;
pub mod ecr;
pub mod mdagents;
pub mod medagents;
pub mod plain;
pub mod react;
pub mod retrieved;
pub mod warned;

mod asking;
mod names;
mod once;
mod opinion;
mod treatments;

pub use direct::Direct;
pub use dylan::Dylan;
pub use mdagents::MdAgents;
pub use medagents::MedAgents;
pub use plain::Plain;
pub use react::React;
pub use retrieved::Retrieved;
pub use warned::Warned;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;
use waterjar_core::{Agent, Seed, in_plain_words};
use waterjar_knowledge::KnowledgeBase;

/// One row of the table of agents.
#[derive(Clone, Copy, Debug)]
pub struct AgentKind {
    /// The name of the agent's folder.
    pub id: &'static str,
    pub about: &'static str,
    pub needs: Needs,
    /// The error is a problem with the settings, as `key: problem` where it is about one key.
    pub open: fn(&AgentOpening) -> Result<Box<dyn Agent>, String>,
    /// The shape of what it takes beside agent, model and name.
    pub settings: fn(&mut SchemaGenerator) -> Schema,
}

/// What an agent can think with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Anything that answers in text, a built-in reader as well.
    AnyModel,
    /// A model that can be told what to do.
    LanguageModel,
    /// The same, or the agent's own rules.
    RulesOrLanguageModel,
}

/// What a study names as a subject's model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// None: the agent's own rules.
    Rules,
    /// Built in: it takes all it is told for the patient.
    Reader,
    Language,
}

impl AgentKind {
    /// Whether the agent can think with it. The error says what it could think with.
    pub fn check_model(&self, model: &str, kind: ModelKind) -> Result<(), String> {
        let problem = match (self.needs, kind) {
            (Needs::AnyModel, ModelKind::Reader)
            | (Needs::RulesOrLanguageModel, ModelKind::Rules)
            | (_, ModelKind::Language) => return Ok(()),
            (_, ModelKind::Rules) => format!("`{}` has no rules of its own", self.id),
            (_, ModelKind::Reader) => {
                format!("`{}` gives instructions to its model, and the built-in reader `{model}` takes none", self.id)
            }
        };
        let remedy = match self.needs {
            Needs::AnyModel => "name a model: \"vendor/model\", or one of `waterjar show models`",
            Needs::LanguageModel => "name a language model: \"vendor/model\"",
            Needs::RulesOrLanguageModel => "name a language model, \"vendor/model\", or \"rules\"",
        };
        Err(format!("model: {problem}; {remedy}"))
    }
}

/// What an agent is made from.
pub struct AgentOpening<'a> {
    /// What the subject's table says beside agent, model and name.
    pub settings: &'a toml::Table,
    /// Whether the study asks for the agent's own rules in place of a language model; the model then answers at first sight.
    pub rules: bool,
    pub seed: Seed,
    /// Relative paths in the settings start here.
    pub folder: &'a Path,
    /// Whether it may be asked. If not, what it has learnt and where it looks things up need not be there any more.
    pub asked: bool,
    /// The words of findings and conditions. What it says of probabilities is the judge's.
    pub base: &'a Arc<KnowledgeBase>,
    /// Where things can be looked up.
    pub library: &'a dyn ecr::evidence::Library,
}

impl AgentOpening<'_> {
    /// The agent's settings; a key it does not know is an error.
    pub fn settings<T: for<'de> Deserialize<'de>>(&self) -> Result<T, String> {
        T::deserialize(self.settings.clone()).map_err(|error| in_plain_words(error.message()))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoSettings {}

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// An agent that has no settings and asks a model.
fn simple<A: Agent + Default + 'static>(opening: &AgentOpening) -> Result<Box<dyn Agent>, String> {
    let NoSettings {} = opening.settings()?;
    Ok(Box::new(A::default()))
}

pub fn all() -> &'static [AgentKind] {
    const ALL: &[AgentKind] = &[
        AgentKind {
            id: "direct",
            about: "asks once for the ranked list alone, without reasoning",
            needs: Needs::AnyModel,
            open: simple::<Direct>,
            settings: schema_of::<NoSettings>,
        },
        AgentKind {
            id: "dylan",
            about: "physicians debate, score each other, and the best two go on (DyLAN; 3 to 11 calls)",
            needs: Needs::LanguageModel,
            open: Dylan::open,
            settings: schema_of::<dylan::Settings>,
        },
        AgentKind {
            id: "mdagents",
            about: "one physician, a panel or teams, by how hard the case is (MDAgents; 2 to 63 calls)",
            needs: Needs::LanguageModel,
            open: MdAgents::open,
            settings: schema_of::<mdagents::Settings>,
        },
        AgentKind {
            id: "medagents",
            about: "consultants agree on a report, and the diagnosis is made from it (MedAgents; 13 to 41 calls)",
            needs: Needs::LanguageModel,
            open: MedAgents::open,
            settings: schema_of::<medagents::Settings>,
        },
        AgentKind {
            id: ecr::ID,
            about: "a causal graph between patient and candidates, an audit of the first impression, a memory that grows (MedEinst; 6 calls)",
            needs: Needs::RulesOrLanguageModel,
            open: ecr::open,
            settings: schema_of::<ecr::Settings>,
        },
        AgentKind {
            id: "plain",
            about: "asks once, step by step, for a ranked list (zero-shot chain of thought)",
            needs: Needs::AnyModel,
            open: simple::<Plain>,
            settings: schema_of::<NoSettings>,
        },
        AgentKind {
            id: "react",
            about: "reads a chart section by section through a tool, then recommends (Causal Sensitivity Score; up to 10 calls)",
            needs: Needs::LanguageModel,
            open: React::open,
            settings: schema_of::<react::Settings>,
        },
        AgentKind {
            id: "retrieved",
            about: "recommends from the sections another run's `react` read, without the loop (Causal Sensitivity Score)",
            needs: Needs::LanguageModel,
            open: Retrieved::open,
            settings: schema_of::<retrieved::Settings>,
        },
        AgentKind {
            id: "warned",
            about: "as plain, told beforehand that a typical picture may mislead",
            needs: Needs::AnyModel,
            open: simple::<Warned>,
            settings: schema_of::<NoSettings>,
        },
    ];
    ALL
}

#[cfg(test)]
mod tests {
    use super::ecr::evidence::Nothing;
    use super::*;
    use std::path::Path;

    #[test]
    fn every_folder_is_in_the_table_and_has_a_readme() {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for entry in std::fs::read_dir(&src).unwrap() {
            let folder = entry.unwrap().path();
            if !folder.is_dir() {
                continue;
            }
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            assert!(
                all().iter().any(|kind| kind.id == name),
                "agents/src/{name} is not in the table yet: add a row for it to `all()` in agents/src/lib.rs"
            );
            assert!(
                folder.join("README.md").is_file(),
                "agents/src/{name} has no README.md yet: say what the agent is, its paper, where we differ, and its version"
            );
        }
    }

    #[test]
    fn an_agent_without_settings_says_so() {
        let base = Arc::new(waterjar_knowledge::starter::base().unwrap());
        let told = |settings: &str| {
            let settings = toml::from_str(settings).unwrap();
            let folder = Path::new(".");
            let opening = AgentOpening {
                settings: &settings,
                rules: false,
                seed: Seed(1),
                folder,
                asked: true,
                base: &base,
                library: &Nothing,
            };
            simple::<Plain>(&opening).err()
        };
        assert_eq!(told(""), None);
        assert!(told("memory = \"here\"").unwrap().contains("memory"));
    }

    fn check(agent: &str, kind: ModelKind, told: Option<&str>) {
        let found = all().iter().find(|it| it.id == agent).unwrap().check_model("gestalt", kind).err();
        match told {
            None => assert_eq!(found, None),
            Some(told) => assert!(found.as_ref().unwrap().contains(told), "{found:?}"),
        }
    }

    #[test]
    fn an_agent_says_what_it_cannot_think_with() {
        for kind in all() {
            check(kind.id, ModelKind::Language, None);
        }
        check("plain", ModelKind::Reader, None);
        check("plain", ModelKind::Rules, Some("`plain` has no rules of its own; name a model"));
        check("dylan", ModelKind::Reader, Some("the built-in reader `gestalt` takes none; name a language model"));
        check("dylan", ModelKind::Rules, Some("`dylan` has no rules of its own"));
        check("ecr", ModelKind::Rules, None);
        check("ecr", ModelKind::Reader, Some("name a language model, \"vendor/model\", or \"rules\""));
    }

    #[test]
    fn every_agent_goes_by_the_name_of_its_row_and_folder() {
        let (settings, base) = (toml::Table::new(), Arc::new(waterjar_knowledge::starter::base().unwrap()));
        let opening = AgentOpening {
            settings: &settings,
            rules: false,
            seed: Seed(1),
            folder: Path::new("."),
            asked: true,
            base: &base,
            library: &Nothing,
        };
        for kind in all() {
            // It follows another run and cannot be opened without one.
            if kind.id == "retrieved" {
                continue;
            }
            assert_eq!((kind.open)(&opening).unwrap().id().as_str(), kind.id);
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(kind.id);
            assert!(folder.is_dir(), "`{}` is in the table but has no folder agents/src/{}", kind.id, kind.id);
        }
    }
}
