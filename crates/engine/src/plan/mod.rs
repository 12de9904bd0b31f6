//! study file → plan: every name looked up, every setting checked, before anything is written or asked.

mod idle;
pub mod suggest;

use crate::EngineError;
use crate::gateway::{GatewaySettings, LimitSettings, Prices};
use crate::key::key_of;
use crate::study::{Bound, Privacy, StudyFile, SubjectEntry};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use toml::Spanned;
use waterjar_core::{Agent, CaseSource, ChatModel, Embedder, Seed, SubjectId, Suite, SuiteId};

/// What a study may name. The program puts it together; the engine knows no concrete part.
pub trait Catalog {
    fn suite_kinds(&self) -> Vec<&'static str>;
    /// Opens a suite. The error is a problem with the table, as `key: problem` where it is about one key.
    fn open_suite(&self, table: &toml::Table, seed: Seed, folder: &Path) -> Result<OpenedSuite, SuiteProblem>;
    fn agent_ids(&self) -> Vec<&'static str>;
    fn model_ids(&self) -> Vec<&'static str>;
    /// Whether a model is the judge itself, printed for orientation only.
    fn is_reference(&self, model: &str) -> bool;
    /// Opens a model that is not built in: `vendor/model`, or one the study describes. The error says what to do.
    fn vendor_model(&self, id: &str, spec: Option<&toml::Table>, privacy: Privacy) -> Result<VendorModel, String> {
        let _ = (spec, privacy);
        Err(format!("no model is called `{id}`"))
    }
    /// Opens what says how alike two texts are: one of ours, or a model as `vendor_model` opens it. The error says what to do.
    fn embedder(&self, id: &str, spec: Option<&toml::Table>, privacy: Privacy) -> Result<Arc<dyn Embedder>, String> {
        let _ = (spec, privacy);
        Err(format!("no embedder is called `{id}`"))
    }
    /// Whether a table that describes a model can be read, also where no subject uses it. The error is as `vendor_model`'s.
    fn check_model(&self, table: &toml::Table) -> Result<(), String> {
        let _ = table;
        Ok(())
    }
    /// Whether its models cost money: those of a rehearsal do not.
    fn spends(&self) -> bool {
        true
    }
    /// What tokens cost.
    fn prices(&self) -> Prices {
        Prices::default()
    }
}

/// A model reached over a network, and what the gateway must know of it.
pub struct VendorModel {
    pub model: Arc<dyn ChatModel>,
    /// Models at one endpoint share its limits.
    pub endpoint: String,
    /// Changes whenever it would be asked differently under the same name.
    pub identity: String,
    /// Its own limits, where the study gives it some.
    pub limits: Option<LimitSettings>,
    /// For one attempt, where the study gives it one of its own.
    pub timeout: Option<Duration>,
    /// What of the study's wishes it cannot do.
    pub notes: Vec<String>,
}

impl VendorModel {
    /// Its identity without its address. Where a model is reached does not change what it says: a server may move.
    pub fn wherever(&self) -> serde_json::Value {
        let mut identity = serde_json::from_str(&self.identity).unwrap_or_else(|_| self.identity.clone().into());
        if let Some(parts) = serde_json::Value::as_object_mut(&mut identity) {
            parts.remove("url");
        }
        identity
    }
}

/// What a suite's table opened to.
pub struct OpenedSuite {
    pub suite: Arc<dyn Suite>,
    pub source: Arc<dyn CaseSource>,
    pub makes: Arc<dyn SubjectMaker>,
}

/// Makes agents and built-in models for the conditions of one suite.
pub trait SubjectMaker: Send + Sync {
    /// The error is a problem with the subject's table, as `key: problem` where it is about one key.
    fn agent(&self, wanted: &WantedAgent) -> Result<Arc<dyn Agent>, String>;
    /// Called once per model, and only if something is to be asked.
    fn model(&self, id: &str) -> Result<Arc<dyn ChatModel>, String>;
    /// Changes whenever the model would answer differently; part of every key.
    fn fingerprint(&self, model: &str) -> String;
}

/// What a subject's table says about its agent.
pub struct WantedAgent<'a> {
    pub id: &'a str,
    pub model: &'a str,
    pub settings: &'a toml::Table,
    /// Relative paths in the settings start here.
    pub folder: &'a Path,
    /// Whether the command may ask it.
    pub asked: bool,
    /// Where an agent that looks things up may send requests.
    pub privacy: Privacy,
}

pub enum SuiteProblem {
    /// Something in the table; names the key first where it is about one.
    Table(String),
    /// Something outside it: a source that cannot be read.
    Outside(EngineError),
}

/// Whom a command may have to ask. Only their models are opened, so only their keys are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    Everybody,
    /// Who writes pairs and votes on them.
    Writers,
    Subjects,
    /// Who judges and audits answers.
    Judges,
    Nobody,
}

pub struct Plan {
    pub name: String,
    pub seed: Seed,
    pub repeats: u32,
    /// The study as it is run, for the record.
    pub text: String,
    /// Of all that decides what is asked: runs with different ones do not mix.
    pub identity: String,
    /// Who writes pairs and votes on them, and how they are asked; by model. Empty where they are not opened.
    pub writers: BTreeMap<String, serde_json::Value>,
    pub suites: Vec<PlannedSuite>,
    pub bounds: BTreeMap<String, Bound>,
    /// Every model that is not built in, by the name the study uses.
    pub vendors: BTreeMap<String, VendorModel>,
    pub gateway: GatewaySettings,
    pub prices: Prices,
    /// What of the study has no effect, and was probably meant to have one.
    pub idle: Vec<String>,
    /// The study was declared before it was run, and what was declared is what is run.
    pub registered: bool,
}

pub struct PlannedSuite {
    pub opened: OpenedSuite,
    pub subjects: Vec<PlannedSubject>,
    /// What the suite's roles name, where the command judges.
    pub embedder: Option<Arc<dyn Embedder>>,
}

pub struct PlannedSubject {
    pub id: SubjectId,
    pub agent: Arc<dyn Agent>,
    pub model: String,
    pub reference: bool,
}

impl PlannedSuite {
    pub fn suite(&self) -> &dyn Suite {
        self.opened.suite.as_ref()
    }

    pub fn id(&self) -> &SuiteId {
        self.opened.suite.id()
    }

    /// The models that write pairs and vote on them.
    pub fn writers(&self) -> Vec<String> {
        let roles = self.suite().roles();
        roles.author.into_iter().chain(roles.judges).collect()
    }
}

impl StudyFile {
    pub fn resolve(&self, catalog: &dyn Catalog) -> Result<Plan, EngineError> {
        self.resolve_for(catalog, Asks::Everybody)
    }

    /// The same for a command that may not have to ask everybody.
    pub fn resolve_for(&self, catalog: &dyn Catalog, asks: Asks) -> Result<Plan, EngineError> {
        let seed = Seed(self.study.seed);
        let mut suites: Vec<PlannedSuite> = Vec::new();
        for written in &self.suites {
            let opened = self.open(catalog, written, seed)?;
            // A suite's name becomes part of metric names and file names.
            let name = opened.suite.id().as_str();
            if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') {
                let problem = format!("a suite cannot be called `{name}`");
                return Err(EngineError::study(self.place_of_key(written.span(), "name"), problem)
                    .with_hint("use letters, digits, - and _"));
            }
            if suites.iter().any(|known| known.id() == opened.suite.id()) {
                let problem = format!("two suites are called `{}`", opened.suite.id());
                return Err(EngineError::study(self.place(written.span()), problem)
                    .with_hint("give one of them a `name` of its own"));
            }
            let subjects = self.subjects(catalog, &opened, asks)?;
            let embedder = match opened.suite.roles().embedder {
                Some(id) if [Asks::Everybody, Asks::Judges].contains(&asks) => Some(
                    catalog
                        .embedder(&id, self.models.get(&id).map(Spanned::get_ref), self.privacy)
                        .map_err(|why| EngineError::study(self.place_of_key(written.span(), "embedder"), why))?,
                ),
                _ => None,
            };
            suites.push(PlannedSuite { opened, subjects, embedder });
        }
        self.check_suites_of_subjects(&suites)?;
        let vendors = self.vendors(catalog, &suites, asks)?;
        let plan = Plan {
            name: self.study.name.clone(),
            seed,
            repeats: self.study.repeats,
            identity: self.identity(&suites),
            text: self.text.clone(),
            bounds: self.bounds.iter().map(|(key, bound)| (key.clone(), bound.get_ref().clone())).collect(),
            writers: writers(&suites, &vendors),
            vendors,
            gateway: self.gateway.clone(),
            prices: catalog.prices().overridden_by(self.prices.clone()),
            idle: self.idle(catalog, &suites)?,
            registered: false,
            suites,
        };
        if catalog.spends() {
            self.check_budget(&plan)?;
        }
        self.check_bounds(&plan)?;
        Ok(plan)
    }

    fn open(
        &self,
        catalog: &dyn Catalog,
        written: &Spanned<toml::Table>,
        seed: Seed,
    ) -> Result<OpenedSuite, EngineError> {
        let table = written.get_ref();
        let kinds = catalog.suite_kinds();
        let here = || self.place(written.span());
        let kind = match table.get("kind").map(|kind| kind.as_str()) {
            Some(Some(kind)) => kind,
            Some(None) => {
                return Err(EngineError::study(self.place_of_key(written.span(), "kind"), "`kind` is not a string"));
            }
            None => {
                return Err(EngineError::study(here(), "a suite without a `kind`")
                    .with_hint(format!("the suites are: {}", kinds.join(", "))));
            }
        };
        if !kinds.contains(&kind) {
            return Err(EngineError::study(
                self.place_of_key(written.span(), "kind"),
                format!("no suite is called `{kind}`"),
            )
            .with_hint(suggest::hint(kind, "suites", kinds)));
        }
        catalog.open_suite(table, seed, self.folder()).map_err(|problem| match problem {
            SuiteProblem::Outside(error) => error,
            SuiteProblem::Table(message) => {
                let (problem, hint) = suggest::unknown_field(&message);
                let key = named_key(table, &message);
                let place = key.map_or_else(here, |key| self.place_of_key(written.span(), key));
                let error = EngineError::study(place, problem);
                hint.into_iter().fold(error, EngineError::with_hint)
            }
        })
    }

    fn subjects(
        &self,
        catalog: &dyn Catalog,
        opened: &OpenedSuite,
        asks: Asks,
    ) -> Result<Vec<PlannedSubject>, EngineError> {
        let mut subjects: Vec<PlannedSubject> = Vec::new();
        for written in &self.subjects {
            let entry = written.get_ref();
            if !entry.answers(opened.suite.id().as_str()) {
                continue;
            }
            let at = |key: &str| self.place_of_key(written.span(), key);
            let agents = catalog.agent_ids();
            if !agents.contains(&entry.agent.as_str()) {
                return Err(EngineError::study(at("agent"), format!("no agent is called `{}`", entry.agent))
                    .with_hint(suggest::hint(&entry.agent, "agents", agents)));
            }
            let models = catalog.model_ids();
            if !models.contains(&entry.model.as_str()) && !self.is_vendor(&entry.model) {
                return Err(EngineError::study(at("model"), format!("no model is called `{}`", entry.model))
                    .with_hint(suggest::hint(&entry.model, "built-in models", models)));
            }
            let id = self.subject_id(written)?;
            if subjects.iter().any(|known| known.id == id) {
                return Err(EngineError::study(
                    self.place(written.span()),
                    format!("the subject `{id}` is there twice"),
                )
                .with_hint("give one of them a `name` of its own"));
            }
            let wanted = WantedAgent {
                id: &entry.agent,
                model: &entry.model,
                settings: &entry.settings,
                folder: self.folder(),
                asked: matches!(asks, Asks::Everybody | Asks::Subjects),
                privacy: self.privacy,
            };
            let agent = opened.makes.agent(&wanted).map_err(|message| {
                let (problem, hint) = suggest::unknown_field_beside(&message, &["agent", "model", "name", "suites"]);
                let of_model = message.starts_with("model: ").then_some("model");
                let key = of_model.or_else(|| named_key(&entry.settings, &message));
                let place = key.map_or_else(|| self.place(written.span()), at);
                let problem = format!("subject `{id}`: {problem}");
                hint.into_iter().fold(EngineError::study(place, problem), EngineError::with_hint)
            })?;
            subjects.push(PlannedSubject {
                id,
                agent,
                model: entry.model.clone(),
                reference: catalog.is_reference(&entry.model),
            });
        }
        Ok(subjects)
    }

    /// Every suite has somebody to ask, and nobody is for a suite that is not there.
    fn check_suites_of_subjects(&self, suites: &[PlannedSuite]) -> Result<(), EngineError> {
        let known: Vec<&str> = suites.iter().map(|planned| planned.id().as_str()).collect();
        for written in &self.subjects {
            let named = written.get_ref().suites.iter().flatten();
            if let Some(unknown) = named.into_iter().find(|name| !known.contains(&name.as_str())) {
                let place = self.place_of_key(written.span(), "suites");
                return Err(EngineError::study(place, format!("the study has no suite `{unknown}`"))
                    .with_hint(suggest::hint(unknown, "suites of this study", known)));
            }
        }
        if let Some((planned, written)) = suites.iter().zip(&self.suites).find(|(it, _)| it.subjects.is_empty()) {
            let problem = format!("no subject answers the suite `{}`", planned.id());
            return Err(EngineError::study(self.place(written.span()), problem)
                .with_hint("add its name to the `suites` of a subject, or leave `suites` out"));
        }
        Ok(())
    }

    fn subject_id(&self, written: &Spanned<SubjectEntry>) -> Result<SubjectId, EngineError> {
        let entry = written.get_ref();
        let name = entry.name();
        if name.trim().is_empty() || name.contains(char::is_control) {
            let place = self.place_of_key(written.span(), "name");
            return Err(EngineError::study(place, "a subject's name is a line of text"));
        }
        Ok(SubjectId::new(name.trim()))
    }

    /// A name with a slash is `vendor/model`; others must be described in the study.
    fn is_vendor(&self, model: &str) -> bool {
        model.contains('/') || self.models.contains_key(model)
    }

    /// Opens every model that is not built in, so that a missing key or a forbidden address is told before anything
    /// is asked.
    fn vendors(
        &self,
        catalog: &dyn Catalog,
        suites: &[PlannedSuite],
        asks: Asks,
    ) -> Result<BTreeMap<String, VendorModel>, EngineError> {
        let asked = |who: Asks| asks == Asks::Everybody || asks == who;
        let mut wanted: Vec<(String, String)> = Vec::new();
        for written in self.subjects.iter().filter(|_| asked(Asks::Subjects)) {
            wanted.push((written.get_ref().model.clone(), self.place_of_key(written.span(), "model")));
        }
        for (planned, written) in suites.iter().zip(&self.suites) {
            let roles = planned.suite().roles();
            let place = self.place(written.span());
            let both = [Asks::Writers, Asks::Judges];
            let author = roles.author.into_iter().map(|model| (&both[..1], model));
            let judges = roles.judges.into_iter().map(|model| (&both[..], model));
            for (who, model) in author.chain(judges).chain(roles.auditor.map(|model| (&both[1..], model))) {
                if !self.is_vendor(&model) {
                    let hint = "readers only answer; to write, judge or audit, name \"vendor/model\" or \"rules\"";
                    let problem = format!("`{model}` is no language model");
                    return Err(EngineError::study(place, problem).with_hint(hint));
                }
                if who.iter().any(|who| asked(*who)) {
                    wanted.push((model, place.clone()));
                }
            }
        }
        let mut vendors = BTreeMap::new();
        for (id, place) in wanted {
            if vendors.contains_key(&id) {
                continue;
            }
            if let Some(opened) = self.vendor(catalog, &id, place)? {
                vendors.insert(id, opened);
            }
        }
        Ok(vendors)
    }

    /// Opens a model that is not built in; `None` for one that is. `place` is where the study names it.
    pub fn vendor(&self, catalog: &dyn Catalog, id: &str, place: String) -> Result<Option<VendorModel>, EngineError> {
        if !self.is_vendor(id) {
            return Ok(None);
        }
        let spec = self.models.get(id);
        let opened = catalog.vendor_model(id, spec.map(Spanned::get_ref), self.privacy);
        let opened = opened.map_err(|message| match spec {
            Some(spec) => self.of_model(spec, &message),
            None => EngineError::study(place, message),
        })?;
        Ok(Some(opened))
    }

    /// A problem with a model's table, at the key it is about.
    fn of_model(&self, table: &Spanned<toml::Table>, message: &str) -> EngineError {
        let (problem, hint) = suggest::unknown_field(message);
        let key = named_key(table.get_ref(), message);
        let place = key.map_or_else(|| self.place(table.span()), |key| self.place_of_key(table.span(), key));
        hint.into_iter().fold(EngineError::study(place, problem), EngineError::with_hint)
    }

    /// Subjects, bounds and repeats may change from one start to the next: they add work but do not change what was done.
    fn identity(&self, suites: &[PlannedSuite]) -> String {
        let versions: Vec<u32> = suites.iter().map(|planned| planned.suite().card().version).collect();
        let tables: Vec<toml::Table> = self.suites.iter().map(|written| asked(written.get_ref())).collect();
        let sources: Vec<String> = suites.iter().map(|planned| planned.opened.source.fingerprint()).collect();
        // As text: canonical JSON knows only doubles, and two large seeds must not be one.
        key_of(&(&self.study.name, self.study.seed.to_string(), tables, versions, sources))
    }

    fn check_bounds(&self, plan: &Plan) -> Result<(), EngineError> {
        for (key, bound) in &self.bounds {
            let bad =
                |problem: String| EngineError::study(self.place(bound.span()), format!("bound `{key}`: {problem}"));
            let Some((suite, metric)) = key.split_once('.') else {
                return Err(bad("it is written \"suite.metric\"".to_owned()));
            };
            let Some(planned) = plan.suites.iter().find(|planned| planned.id().as_str() == suite) else {
                let known: Vec<&str> = plan.suites.iter().map(|planned| planned.id().as_str()).collect();
                return Err(bad(format!("the study has no suite `{suite}`")).with_hint(suggest::hint(
                    suite,
                    "suites of this study",
                    known,
                )));
            };
            let columns = planned.suite().card().columns;
            let stem = metric.split('.').next().unwrap_or(metric);
            if columns.iter().all(|column| column.name != stem) {
                let known: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
                return Err(
                    bad(format!("`{suite}` has no metric `{stem}`")).with_hint(suggest::hint(stem, "metrics", known))
                );
            }
            let bound = bound.get_ref();
            if bound.max.is_none() && bound.min.is_none() {
                return Err(bad("it has neither `max` nor `min`".to_owned()));
            }
            // Every comparison with it is false, so it would let everything pass.
            if [bound.max, bound.min].into_iter().flatten().any(f64::is_nan) {
                return Err(bad("`nan` is not a number".to_owned()));
            }
            if bound.subject.is_none() && planned.subjects.iter().all(|known| known.reference) {
                return Err(bad("it concerns nobody: the study has no subject but references".to_owned())
                    .with_hint("name a `subject`"));
            }
            if let Some(subject) = &bound.subject
                && planned.subjects.iter().all(|known| known.id.as_str() != subject)
            {
                let known: Vec<&str> = planned.subjects.iter().map(|known| known.id.as_str()).collect();
                return Err(bad(format!("the study has no subject `{subject}`"))
                    .with_hint(suggest::hint(subject, "subjects", known)));
            }
        }
        Ok(())
    }
}

fn writers(suites: &[PlannedSuite], vendors: &BTreeMap<String, VendorModel>) -> BTreeMap<String, serde_json::Value> {
    let known = suites.iter().flat_map(PlannedSuite::writers).filter_map(|id| Some((vendors.get(&id)?, id)));
    known.map(|(vendor, id)| (id, vendor.wherever())).collect()
}

/// A suite's table without what changes verdicts alone, which have keys of their own: a finished run may be audited by
/// another than before.
fn asked(table: &toml::Table) -> toml::Table {
    table
        .iter()
        .filter(|(key, _)| !["auditor", "judge", "embedder"].contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// The key of the table a message is about: the first it quotes or starts with.
fn named_key<'a>(table: &'a toml::Table, message: &str) -> Option<&'a str> {
    let mut named = message.split('`').skip(1).step_by(2).chain(message.split(':').take(1));
    named.find_map(|word| table.keys().find(|key| key.as_str() == word.trim()).map(String::as_str))
}
