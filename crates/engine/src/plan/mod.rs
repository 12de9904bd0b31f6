//! study file → plan: every name looked up, every setting checked, before anything is written or asked.

mod bounds;
mod catalog;
mod elsewhere;
mod idle;
mod subjects;
pub mod suggest;
mod vendors;

pub use catalog::{
    Catalog, OpenedSuite, SubjectMaker, SuiteProblem, VendorModel, WantedAgent, WantedEmbedder, WantedModel,
    WantedSuite,
};
pub use elsewhere::ELSEWHERE;

use crate::EngineError;
use crate::gateway::{GatewaySettings, Prices};
use crate::key::key_of;
use crate::passes::{AT_ONCE, PAGE};
use crate::study::{Bound, StopRule, StudyFile};
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::Spanned;
use waterjar_core::{Agent, Embedder, FamilyVerdict, ModelId, Seed, SubjectId, Suite, SuiteId};

/// A family with its answers takes some 20 kB.
const MOST_JUDGED: u32 = 4096;

/// The keys of a suite's table that change verdicts alone, which have keys of their own: they may change on a finished run.
pub(crate) const OF_VERDICTS: [&str; 3] = ["auditor", "judge", "embedder"];

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
    /// The fingerprint of each suite's source.
    pub sources: BTreeMap<String, String>,
    pub bounds: BTreeMap<String, Bound>,
    /// When a subject is asked no more.
    pub stopping: BTreeMap<String, StopRule>,
    /// The figures that these are about.
    pub demanded: Vec<Demanded>,
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
    /// Its name, where it is at an address: what it is sent is paid for.
    pub remote_embedder: Option<ModelId>,
}

pub struct PlannedSubject {
    pub id: SubjectId,
    pub agent: Arc<dyn Agent>,
    pub model: String,
    /// One of our readers: it answers here and has no name of a vendor's.
    pub built_in: bool,
    pub reference: bool,
}

/// A figure that the study demands something of, and where, for messages.
pub struct Demanded {
    /// `suite.metric`, or `suite.metric.stratum`
    pub figure: String,
    /// `bound`, `stopping`
    pub what: &'static str,
    pub place: String,
}

impl Plan {
    /// What is odd about the cases, and about what suites were given beside them. Goes through all cases.
    pub fn doubts(&self) -> Vec<String> {
        let of = |it: &PlannedSuite| {
            let name = it.id().clone();
            let doubts = it.suite().doubts().into_iter().chain(it.opened.source.doubts());
            doubts.map(move |told| format!("suite `{name}`: {told}"))
        };
        self.suites.iter().flat_map(of).collect()
    }

    /// The models that are asked in batches.
    pub fn in_batches(&self) -> impl Iterator<Item = &str> {
        self.vendors.iter().filter(|(_, vendor)| vendor.batches.is_some()).map(|(id, _)| id.as_str())
    }

    /// Units of work under way at once: enough to fill the batches of every model that has some.
    pub(crate) fn at_once(&self) -> usize {
        let batches = self.vendors.values().filter_map(|vendor| vendor.batches.as_ref());
        AT_ONCE.max(batches.map(|plan| plan.settings.requests).sum())
    }

    /// Families judged at a time: the same, but for what they take in memory.
    pub(crate) fn page(&self) -> u32 {
        let most = u32::try_from(self.at_once()).unwrap_or(u32::MAX);
        if self.at_once() > AT_ONCE { most.min(MOST_JUDGED) } else { PAGE }
    }
}

impl PlannedSuite {
    pub fn suite(&self) -> &dyn Suite {
        self.opened.suite.as_ref()
    }

    pub fn id(&self) -> &SuiteId {
        self.opened.suite.id()
    }

    /// Whether a verdict is one of those that figures are made of. A run also keeps what other judges said, and what was said of subjects
    /// and repeats that the study no longer has.
    pub(crate) fn counts(&self, verdict: &FamilyVerdict, repeats: u32) -> bool {
        let is_subject = || self.subjects.iter().any(|it| it.id == verdict.subject);
        verdict.repeat < repeats && verdict.judge == self.suite().judge_id() && is_subject()
    }

    /// The models that write pairs and vote on them.
    pub fn writers(&self) -> Vec<String> {
        let roles = self.suite().roles();
        roles.author.into_iter().chain(roles.voters).collect()
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
            let opened = self.open(catalog, written, asks)?;
            // A suite's name becomes part of metric names and file names.
            let name = opened.suite.id().as_str();
            if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') {
                let problem = format!("a suite cannot be called `{name}`");
                return Err(EngineError::study(self.place_of_suite_key(written, "name"), problem)
                    .with_hint("use letters, digits, - and _"));
            }
            if suites.iter().any(|known| known.id() == opened.suite.id()) {
                let problem = format!("two suites are called `{}`", opened.suite.id());
                return Err(EngineError::study(self.place(written.span()), problem)
                    .with_hint("give one of them a `name` of its own"));
            }
            let subjects = self.subjects(catalog, &opened, asks)?;
            let named = opened.suite.roles().embedder.filter(|_| [Asks::Everybody, Asks::Judges].contains(&asks));
            let embedder = named.as_deref().map(|id| catalog.embedder(&self.wanted_embedder(id))).transpose();
            let embedder =
                embedder.map_err(|why| EngineError::study(self.place_of_suite_key(written, "embedder"), why))?;
            let remote_embedder = named.filter(|id| self.is_vendor(id)).map(ModelId::new);
            suites.push(PlannedSuite { opened, subjects, embedder, remote_embedder });
        }
        self.check_suites_of_subjects(&suites)?;
        let vendors = self.vendors(catalog, &suites, asks)?;
        let fingerprint = |planned: &PlannedSuite| (planned.id().to_string(), planned.opened.source.fingerprint());
        let sources: BTreeMap<String, String> = suites.iter().map(fingerprint).collect();
        let plan = Plan {
            name: self.study.name.clone(),
            seed,
            repeats: self.study.repeats,
            identity: self.identity(&suites, &sources),
            text: self.text.clone(),
            bounds: self.bounds.iter().map(|(key, bound)| (key.clone(), bound.get_ref().clone())).collect(),
            stopping: self.stopping.iter().map(|(key, rule)| (key.clone(), rule.get_ref().clone())).collect(),
            demanded: self.demanded(),
            writers: writers(&suites, &vendors),
            vendors,
            gateway: self.gateway.clone(),
            prices: catalog.prices().overridden_by(self.prices.clone()),
            idle: self.idle(catalog, &suites)?,
            registered: false,
            suites,
            sources,
        };
        if catalog.spends() {
            self.check_budget(&plan)?;
        }
        self.check_bounds(&plan, asks)?;
        self.check_stopping(&plan, asks)?;
        Ok(plan)
    }

    fn open(
        &self,
        catalog: &dyn Catalog,
        written: &Spanned<toml::Table>,
        asks: Asks,
    ) -> Result<OpenedSuite, EngineError> {
        let table = written.get_ref();
        let kept = self.kept(table, asks);
        let kinds = catalog.suite_kinds();
        let here = || self.place(written.span());
        let kind = match table.get("kind").map(|kind| kind.as_str()) {
            Some(Some(kind)) => kind,
            Some(None) => {
                return Err(EngineError::study(self.place_of_suite_key(written, "kind"), "`kind` is not a string"));
            }
            None => {
                return Err(EngineError::study(here(), "a suite without a `kind`")
                    .with_hint(format!("the suites are: {}", kinds.join(", "))));
            }
        };
        if !kinds.contains(&kind) {
            return Err(EngineError::study(
                self.place_of_suite_key(written, "kind"),
                format!("no suite is called `{kind}`"),
            )
            .with_hint(suggest::hint(kind, "suites", kinds)));
        }
        let seed = Seed(self.study.seed);
        let wanted = WantedSuite { table, seed, folder: self.folder(), kept: kept.as_ref() };
        catalog.open_suite(&wanted).map_err(|problem| match problem {
            SuiteProblem::Outside(error) => error,
            SuiteProblem::Table { suite, problem } => {
                let key = named_key(table, &problem);
                let place = key.map_or_else(here, |key| self.place_of_suite_key(written, key));
                match suggest::unknown_field_of(&suite, &problem) {
                    Some((problem, hint)) => EngineError::study(place, problem).with_hint(hint).lacking_key(),
                    None => EngineError::study(place, problem.trim()),
                }
            }
        })
    }

    /// Subjects, bounds and repeats may change from one start to the next: they add work but do not change what was done.
    fn identity(&self, suites: &[PlannedSuite], sources: &BTreeMap<String, String>) -> String {
        let versions: Vec<u32> = suites.iter().map(|planned| planned.suite().card().version).collect();
        let tables: Vec<toml::Table> = self.suites.iter().map(|written| asked(written.get_ref())).collect();
        let sources: Vec<&String> = suites.iter().filter_map(|planned| sources.get(planned.id().as_str())).collect();
        // As text: canonical JSON knows only doubles, and two large seeds must not be one.
        key_of(&(&self.study.name, self.study.seed.to_string(), tables, versions, sources))
    }
}

fn writers(suites: &[PlannedSuite], vendors: &BTreeMap<String, VendorModel>) -> BTreeMap<String, serde_json::Value> {
    let known = suites.iter().flat_map(PlannedSuite::writers).filter_map(|id| Some((vendors.get(&id)?, id)));
    known.map(|(vendor, id)| (id, vendor.wherever())).collect()
}

/// A suite's table without what changes verdicts alone.
fn asked(table: &toml::Table) -> toml::Table {
    table
        .iter()
        .filter(|(key, _)| !OF_VERDICTS.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// The key of the table a message is about: the first it quotes or starts with.
fn named_key<'a>(table: &'a toml::Table, message: &str) -> Option<&'a str> {
    let mut named = message.split('`').skip(1).step_by(2).chain(message.split(':').take(1));
    named.find_map(|word| table.keys().find(|key| key.as_str() == word.trim()).map(String::as_str))
}
