//! What tests of this agent share. The only other place that may look at a base.

use super::evidence::Nothing;
use super::evolve::Training;
use super::lexical::Lexical;
use super::lexicon::Lexicon;
use super::likeness::Likeness;
use super::memory::Origin;
use super::pipeline::Pipeline;
use super::reasoner::rules::Rules;
use super::reasoner::stages::{
    Bearing, BearingKind, FeatureKind, KnowledgeNode, Link, LinkKind, PatientNode, Relations, Representation, Status,
};
use super::settings::Settings;
use async_trait::async_trait;
use std::sync::{Arc, OnceLock};
use waterjar_core::{CaseSource, ChatModel, ChatReply, ChatRequest, ModelError, ModelId, Prompt, Seed};
use waterjar_knowledge::{KnowledgeBase, simulate::Simulated, starter};

pub fn base() -> Arc<KnowledgeBase> {
    static BASE: OnceLock<Arc<KnowledgeBase>> = OnceLock::new();
    Arc::clone(BASE.get_or_init(|| Arc::new(starter::base().unwrap())))
}

pub fn lexicon() -> Arc<Lexicon> {
    static LEXICON: OnceLock<Arc<Lexicon>> = OnceLock::new();
    Arc::clone(LEXICON.get_or_init(|| Arc::new(Lexicon::of(&base()))))
}

pub fn likeness() -> Arc<Likeness> {
    Arc::new(Likeness::new(Arc::new(Lexical), lexicon(), 0.9))
}

pub fn pipeline(settings: Settings) -> Pipeline {
    let likeness = likeness();
    let reasoner = Arc::new(Rules::new(lexicon(), Arc::clone(&likeness)));
    Pipeline { settings, lexicon: lexicon(), likeness, reasoner, evidence: Arc::new(Nothing) }
}

/// Says the same ranked list to everything.
pub struct FirstSight {
    id: ModelId,
    says: String,
}

impl FirstSight {
    pub fn of(names: &[&str]) -> Self {
        let line = |(name, place): (&&str, usize)| format!("{place}. {name} ({:.2})", 0.5 / place as f64);
        Self { id: "rules".into(), says: names.iter().zip(1..).map(line).collect::<Vec<_>>().join("\n") }
    }
}

#[async_trait]
impl ChatModel for FirstSight {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, _: &ChatRequest) -> Result<ChatReply, ModelError> {
        Ok(ChatReply::text(self.says.as_str()))
    }
}

pub fn prompt(text: &str) -> Prompt {
    Prompt::new("Name the condition.", text)
}

/// Patients of the named conditions, `each` of every one.
pub fn training(names: &[&str], each: u64) -> Vec<Training> {
    let base = base();
    let name = |case: &waterjar_core::Case| {
        let condition = &case.facts.as_ref().unwrap().condition;
        base.condition(condition).unwrap().name.clone()
    };
    let cases = Simulated::for_training(Arc::clone(&base), Seed(3), each);
    let all = cases.cases().map(|case| case.unwrap());
    all.filter(|case| names.contains(&name(case).as_str()))
        .map(|case| Training {
            id: case.id.to_string(),
            condition: name(&case),
            prompt: prompt(&case.text),
            patient: case.facts.as_ref().map(waterjar_core::Facts::patient),
        })
        .collect()
}

pub fn origin() -> Origin {
    Origin {
        seed: 3,
        source: "starter".to_owned(),
        source_fingerprint: "f".to_owned(),
        reasoner: "rules".to_owned(),
        embedder: "lexical".to_owned(),
        per_condition: 20,
    }
}

/// A patient who has the first two features and denies the third, and two candidates: the first feature is a pivot for the first
/// candidate, the others are expected in the second.
pub fn small_graph() -> super::graph::CausalGraph {
    let fact =
        |content: &str, status| PatientNode { content: content.to_owned(), original: content.to_owned(), status };
    let patient = Representation {
        one_liner: "A patient.".to_owned(),
        nodes: vec![
            fact("swollen calf", Status::Present),
            fact("cough", Status::Present),
            fact("fever", Status::Absent),
            fact("rash", Status::Missing),
        ],
    };
    let feature = |content: &str, kind, supports: &[u32], rules_out: &[u32]| KnowledgeNode {
        content: content.to_owned(),
        kind,
        importance: 1.0,
        supports: supports.to_vec(),
        rules_out: rules_out.to_vec(),
    };
    let features = vec![
        feature("swollen calf", FeatureKind::Pivot, &[0], &[1]),
        feature("cough", FeatureKind::General, &[0, 1], &[]),
        feature("fever", FeatureKind::General, &[1], &[]),
        feature("green phlegm", FeatureKind::General, &[1], &[]),
    ];
    let link = |patient, feature, kind| Link { patient, feature, kind };
    let bearing =
        |feature, candidate, kind, strength, if_denied| Bearing { feature, candidate, kind, strength, if_denied };
    let relations = Relations {
        links: vec![link(0, 0, LinkKind::Match), link(1, 1, LinkKind::Match), link(2, 2, LinkKind::Conflict)],
        bearings: vec![
            bearing(0, 0, BearingKind::Support, 0.8, 0.1),
            bearing(0, 1, BearingKind::RuleOut, 1.0, 0.0),
            bearing(1, 0, BearingKind::Support, 0.5, 0.1),
            bearing(1, 1, BearingKind::Support, 0.9, 0.5),
            bearing(2, 1, BearingKind::Support, 0.9, 0.95),
            bearing(3, 1, BearingKind::Support, 0.7, 0.4),
        ],
    };
    let candidates = ["Pulmonary embolism".to_owned(), "Pneumonia".to_owned()];
    super::graph::CausalGraph::new(&patient, features, &candidates, &relations)
}
