//! The agent as a whole.

use super::evidence::{Evidence, LookedUp, Nothing};
use super::evolve::Evolution;
use super::pipeline::Thought;
use super::reasoner::rules::RulesCritic;
use super::reasoner::stages::Verdict;
use super::reasoner::stages::{Intuition, Knowledge, KnowledgeNode, Opinion, Reexamination, Relations, Representation};
use super::reasoner::{Auditing, Differing, Reasoner, Relating};
use super::sample::{FirstSight, base, origin, pipeline, prompt, training};
use super::*;
use std::sync::Mutex;

const PAIR: [&str; 2] = ["Gout", "Pseudogout"];
const FIVE: [&str; 5] = ["Gout", "Pseudogout", "Septic arthritis", "Rheumatoid arthritis", "Reactive arthritis"];

/// An agent that has learnt ten cases each of gout and pseudogout.
async fn learnt(settings: Settings, folder: &std::path::Path) -> Ecr {
    let mut evolution =
        Evolution::open(folder, origin(), pipeline(settings.clone()), Arc::new(RulesCritic)).await.unwrap();
    for case in training(&FIVE, 10) {
        evolution.learn(&FirstSight::of(&[case.condition.as_str()]), &case).await.unwrap();
    }
    evolution.save().unwrap();
    let table = toml::Table::from_iter([("memory".to_owned(), toml::Value::from(folder.to_str().unwrap()))]);
    opened(&table).unwrap()
}

fn opened(settings: &toml::Table) -> Result<Ecr, String> {
    let base = base();
    let folder = std::path::Path::new(".");
    let opening = AgentOpening {
        settings,
        rules: true,
        seed: waterjar_core::Seed(1),
        folder,
        asked: true,
        base: &base,
        library: &Nothing,
    };
    ready(&opening)
}

/// A patient whose story is pseudogout's, by all that is learnt.
fn pseudogout() -> String {
    training(&["Pseudogout"], 12).pop().unwrap().prompt.text
}

#[tokio::test]
async fn a_wrong_first_impression_is_overturned_and_the_reasons_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let agent = learnt(Settings::default(), folder.path()).await;
    let conclusion = agent.answer(&FirstSight::of(&PAIR), &prompt(&pseudogout()), 0).await.unwrap();
    assert!(conclusion.text.starts_with("1. Pseudogout ("), "{}", conclusion.text);
    let record: Record = serde_json::from_value(conclusion.record.unwrap()).unwrap();
    assert_eq!((record.audit.verdict, record.audit.intuition.as_str()), (Verdict::Overturn, "Gout"));
    assert!(conclusion.reasoning.unwrap().contains("Verified pivots between the two: “"));
}

#[tokio::test]
async fn without_knowledge_the_first_impression_stands_unexamined() {
    let agent = opened(&toml::Table::new()).unwrap();
    let conclusion = agent.answer(&FirstSight::of(&PAIR), &prompt(&pseudogout()), 0).await.unwrap();
    assert!(conclusion.text.starts_with("1. Gout ("), "{}", conclusion.text);
    let record: Record = serde_json::from_value(conclusion.record.unwrap()).unwrap();
    assert!(record.audit.reasons[0].contains("stands unexamined"));
    assert_eq!(record.audit.evidence, None);
}

#[tokio::test]
async fn a_narrative_the_memory_was_grown_from_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let agent = learnt(Settings::default(), folder.path()).await;
    let known = training(&["Gout"], 1).remove(0).prompt;
    let told = agent.answer(&FirstSight::of(&PAIR), &known, 0).await.unwrap_err().to_string();
    assert!(told.contains("grown from this very narrative"), "{told}");
}

#[tokio::test]
async fn a_patient_the_memory_was_grown_from_is_known_in_other_words() {
    let folder = tempfile::tempdir().unwrap();
    let agent = learnt(Settings::default(), folder.path()).await;
    let known = training(&["Gout"], 1).remove(0).patient;
    let told = agent.has_seen(&"t".into(), "Other words.", known.as_deref()).unwrap();
    assert!(told.contains("grown from the patient of the test case `t`"), "{told}");
    assert_eq!(agent.has_seen(&"t".into(), "Other words.", Some("another")), None);
}

#[tokio::test]
async fn a_record_is_small_and_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let agent = learnt(Settings::default(), folder.path()).await;
    for case in training(&PAIR, 60).iter().skip(20) {
        let conclusion = agent.answer(&FirstSight::of(&FIVE), &case.prompt, 0).await.unwrap();
        let record = conclusion.record.unwrap();
        assert!(record.to_string().len() < 8192, "{} bytes", record.to_string().len());
        let text = Record::read(&record).unwrap().render();
        assert!(text.contains("Evidence balance sheet") && text.contains("first impression"), "{text}");
    }
    assert_eq!(Record::read(&serde_json::json!({"schema": "something else"})), None);
}

#[tokio::test]
async fn the_fingerprint_follows_settings_and_memory() {
    let folder = tempfile::tempdir().unwrap();
    let evolved = learnt(Settings::default(), folder.path()).await.fingerprint();
    let bare = opened(&toml::Table::new()).unwrap().fingerprint();
    let other = opened(&toml::from_str("audit = false").unwrap()).unwrap().fingerprint();
    assert!(evolved != bare && bare != other);
}

#[test]
fn wrong_settings_name_their_key() {
    let told = |text: &str| opened(&toml::from_str(text).unwrap()).err().unwrap();
    assert!(told("memory = \"nowhere\"").starts_with("memory: "));
    assert!(told("evidence = \"nowhere\"").starts_with("evidence: "));
    assert!(told("weights = { match = -1.0 }").starts_with("weights: "));
    assert!(told("candidates = 0").starts_with("candidates: "));
    assert!(told("wieghts = 1").contains("wieghts"));
}

/// Passes every question on and writes it down.
struct Counting {
    rules: Arc<dyn Reasoner>,
    asked: Mutex<Vec<&'static str>>,
}

impl Counting {
    fn note(&self, stage: &'static str) -> &dyn Reasoner {
        self.asked.lock().unwrap().push(stage);
        &*self.rules
    }
}

#[async_trait]
impl Reasoner for Counting {
    fn fingerprint(&self) -> String {
        self.rules.fingerprint()
    }
    async fn intuit(&self, sight: &Sight<'_>, most: usize) -> Result<Intuition, AgentError> {
        self.note("intuit").intuit(sight, most).await
    }
    async fn represent(&self, sight: &Sight<'_>) -> Result<Representation, AgentError> {
        self.note("represent").represent(sight).await
    }
    async fn tell_apart(&self, sight: &Sight<'_>, about: &Differing<'_>) -> Result<Knowledge, AgentError> {
        self.note("tell apart").tell_apart(sight, about).await
    }
    async fn relate(&self, sight: &Sight<'_>, about: &Relating<'_>) -> Result<Relations, AgentError> {
        self.note("relate").relate(sight, about).await
    }
    async fn reexamine(&self, sight: &Sight<'_>, expected: &[&KnowledgeNode]) -> Result<Reexamination, AgentError> {
        self.note("reexamine").reexamine(sight, expected).await
    }
    async fn audit(&self, sight: &Sight<'_>, about: &Auditing<'_>) -> Result<Opinion, AgentError> {
        self.note("audit").audit(sight, about).await
    }
}

async fn stages(settings: Settings) -> (Vec<&'static str>, Thought) {
    let folder = tempfile::tempdir().unwrap();
    let memory = learnt(Settings::default(), folder.path()).await.memory;
    let mut counted = pipeline(settings);
    let counting = Arc::new(Counting { rules: Arc::clone(&counted.reasoner), asked: Mutex::default() });
    counted.reasoner = Arc::clone(&counting) as Arc<dyn Reasoner>;
    let (model, prompt) = (FirstSight::of(&PAIR), prompt(&pseudogout()));
    let sight = Sight { model: &model, prompt: &prompt, repeat: 0, feedback: &[] };
    let thought = counted.think(&memory, &sight).await.unwrap();
    let asked = counting.asked.lock().unwrap().clone();
    (asked, thought)
}

#[tokio::test]
async fn a_case_takes_six_questions() {
    let (asked, _) = stages(Settings::default()).await;
    assert_eq!(asked, ["intuit", "represent", "tell apart", "relate", "reexamine", "audit"]);
}

#[tokio::test]
async fn an_ablation_leaves_its_stage_out() {
    let (asked, thought) = stages(Settings { backward: false, ..Settings::default() }).await;
    assert!(!asked.contains(&"reexamine"));
    assert!(thought.sheet.candidates.iter().all(|it| it.shadows.is_empty() && it.score.shadow == 0.0));
    let (asked, _) = stages(Settings { audit: false, ..Settings::default() }).await;
    assert!(!asked.contains(&"audit"));
    let (_, thought) = stages(Settings { pivots: false, ..Settings::default() }).await;
    assert!(thought.sheet.candidates.iter().all(|it| it.won.is_empty() && it.score.pivot == 0.0));
    let (_, thought) = stages(Settings { exemplars: false, ..Settings::default() }).await;
    assert!(thought.exemplars.is_empty() && thought.streams.experience.is_none());
}

/// Is down.
struct Down;

#[async_trait]
impl Evidence for Down {
    fn fingerprint(&self) -> String {
        String::new()
    }
    async fn about(&self, _: &str) -> LookedUp {
        LookedUp { passages: Vec::new(), down: vec!["pubmed: it does not answer".to_owned()] }
    }
}

#[tokio::test]
async fn a_source_that_is_down_is_noted_and_gone_without() {
    let mut pipeline = pipeline(Settings::default());
    pipeline.evidence = Arc::new(Down);
    let (model, prompt) = (FirstSight::of(&PAIR), prompt(&pseudogout()));
    let sight = Sight { model: &model, prompt: &prompt, repeat: 0, feedback: &[] };
    let thought = pipeline.think(&Memory::default(), &sight).await.unwrap();
    assert_eq!(thought.notes, ["answered without pubmed: it does not answer"], "said once, whatever the candidates");
}
