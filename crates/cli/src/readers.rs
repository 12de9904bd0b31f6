//! Built-in readers for the conditions of one suite: trained on patients simulated for training alone.

use crate::library::Library;
use std::sync::{Arc, OnceLock};
use waterjar_agents::{AgentKind, AgentOpening, ModelKind};
use waterjar_charts::advice::Advisor;
use waterjar_core::{Agent, CaseSource, ChatModel, ConditionId, Observation, Seed, Sex};
use waterjar_engine::plan::{SubjectMaker, WantedAgent};
use waterjar_knowledge::{Differential, KnowledgeBase, Reading, narrative, simulate::Simulated};
use waterjar_models::embedded::{self, BuiltIn, Example, Guess, Needs, Ranked, Reader};

/// Narratives per condition a reader learns from.
const TRAINING: u64 = 60;

pub const REFERENCE: &str = "reference";
/// In place of a model: the agent goes by its own rules, and its first sight is that of `gestalt`.
pub const RULES: &str = "rules";
const FIRST_SIGHT: &str = "gestalt";

pub struct Readers {
    base: Arc<KnowledgeBase>,
    seed: Seed,
    /// How the suite's rule judge reads, so that `reference` is that judge.
    judge: Reading,
    examples: OnceLock<Vec<Example>>,
    fingerprint: OnceLock<String>,
    rehearsing: bool,
}

impl Readers {
    pub fn new(base: Arc<KnowledgeBase>, seed: Seed, judge: Reading) -> Self {
        Self { base, seed, judge, examples: OnceLock::new(), fingerprint: OnceLock::new(), rehearsing: false }
    }

    /// Agents made here ask no service what they could look up.
    pub fn for_rehearsal(self) -> Self {
        Self { rehearsing: true, ..self }
    }

    fn examples(&self) -> &[Example] {
        self.examples.get_or_init(|| {
            let patients = Simulated::for_training(Arc::clone(&self.base), self.seed, TRAINING);
            let name = |id: &ConditionId| self.base.condition(id).map_or(id.to_string(), |it| it.name.clone());
            let example = |case: waterjar_core::Case| {
                Some(Example { label: name(&case.facts.as_ref()?.condition), text: case.text })
            };
            patients.cases().filter_map(|case| example(case.ok()?)).collect()
        })
    }

    fn reader(&self, id: &str) -> Result<Box<dyn Reader>, String> {
        match id {
            "prior" => Ok(self.ranking(|_| Vec::new(), Reading::JUDGE)),
            RULES => self.reader(FIRST_SIGHT),
            REFERENCE => Ok(self.ranking(|findings| findings, self.judge)),
            id => embedded::train(id, self.examples()).map_err(|error| error.to_string()),
        }
    }

    /// A reader that consults the knowledge base: it reads the narrative back into findings and ranks by what is left
    /// of them after `use_of`.
    fn ranking(&self, use_of: fn(Vec<Observation>) -> Vec<Observation>, reading: Reading) -> Box<dyn Reader> {
        let base = Arc::clone(&self.base);
        let words = narrative::Reader::new(&base);
        Box::new(Ranked::new(move |text| {
            let told = words.read(text);
            let (sex, age) = (told.sex.unwrap_or(Sex::F), told.age.unwrap_or(40));
            let findings = use_of(told.findings);
            let differential = Differential::of_findings(&base, sex, age, &findings, &reading);
            let guess = |it: waterjar_core::Candidate| {
                Some(Guess { label: base.condition(&it.condition)?.name.clone(), confidence: it.probability })
            };
            differential.candidates().into_iter().filter_map(guess).collect()
        }))
    }
}

impl SubjectMaker for Readers {
    fn agent(&self, wanted: &WantedAgent) -> Result<Arc<dyn Agent>, String> {
        if self.base.conditions().is_empty() && ids().contains(&wanted.model) {
            return Err(format!(
                "model: `{}` rests on a knowledge base, and finished pairs come without one; name a language model",
                wanted.model
            ));
        }
        if ["react", "retrieved"].contains(&wanted.id) {
            return Err(format!("agent: `{}` reads charts; it is for the suite `sensitivity`", wanted.id));
        }
        if Advisor::named(wanted.model).is_some() {
            return Err(format!(
                "model: `{}` recommends for charts and names no diagnosis; it is for the suite `sensitivity`",
                wanted.model
            ));
        }
        for (others, what, suite) in [
            (crate::vignettes::ids(), "reads vignettes", "parity"),
            (crate::letters::ids(), "answers letters", "consult"),
        ] {
            if others.contains(&wanted.model) {
                return Err(format!("model: `{}` {what}; it is for the suite `{suite}`", wanted.model));
            }
        }
        let kind = agent_for(wanted.id, wanted.model)?;
        let library = Library { base: &self.base, privacy: wanted.privacy, rehearsing: self.rehearsing };
        let opening = AgentOpening {
            settings: wanted.settings,
            rules: wanted.model == RULES,
            seed: self.seed,
            folder: wanted.folder,
            asked: wanted.asked,
            base: &self.base,
            library: &library,
        };
        Ok((kind.open)(&opening)?.into())
    }

    fn model(&self, model: &str) -> Result<Arc<dyn ChatModel>, String> {
        Ok(Arc::new(BuiltIn::new(model, self.reader(model)?)))
    }

    fn fingerprint(&self, model: &str) -> String {
        let known = self.fingerprint.get_or_init(|| self.base.fingerprint());
        let reading = if model == REFERENCE { format!("{:?}", self.judge) } else { String::new() };
        format!("{model} v{} {TRAINING} {} {known} {reading}", embedded::VERSION, self.seed.0)
    }
}

/// The agent of that name, if it can think with that model.
pub fn agent_for(id: &str, model: &str) -> Result<&'static AgentKind, String> {
    let kind = waterjar_agents::all().iter().find(|kind| kind.id == id);
    let kind = kind.ok_or_else(|| format!("agent: no agent is called `{id}`"))?;
    let thinks = match model {
        RULES => ModelKind::Rules,
        reader if ids().contains(&reader) => ModelKind::Reader,
        _ => ModelKind::Language,
    };
    kind.check_model(model, thinks)?;
    Ok(kind)
}

pub fn ids() -> Vec<&'static str> {
    embedded::all().iter().map(|kind| kind.id).chain([RULES]).collect()
}

/// For `waterjar show models`.
pub fn table() -> Vec<(&'static str, String)> {
    let needs = |needs| match needs {
        Needs::Examples => "trained on simulated patients",
        Needs::Ranking => "consults the knowledge base",
    };
    let rules = (RULES, format!("no model: an agent's own rules, with `{FIRST_SIGHT}` for its first sight"));
    let row = |kind: &embedded::ReaderKind| (kind.id, format!("{} ({})", kind.about, needs(kind.needs)));
    embedded::all().iter().map(row).chain([rules]).collect()
}
