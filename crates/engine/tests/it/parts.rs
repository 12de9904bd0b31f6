//! A suite, agents and models small enough to see through. They do what the `World` says and count what is asked.

use async_trait::async_trait;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use waterjar_core::metric::Share;
use waterjar_core::{
    Agent, AgentError, AgentId, Audited, Better, Case, CaseId, CaseSource, ChatModel, ChatReply, ChatRequest, Check,
    Conclusion, ConditionId, Edit, Expectation, Family, FamilyId, FamilyVerdict, Figure, Intervention, JudgeId, Loss,
    Measured, Metric, MetricColumn, MetricKind, ModelError, ModelId, Outcome, Prompt, Quota, Ruling, Seed, Sharing,
    SourceError, Strata, SubjectResult, Suite, SuiteCard, SuiteContext, SuiteError, SuiteId, Variant, VariantId,
    Varied,
};
use waterjar_engine::plan::{OpenedSuite, SubjectMaker, SuiteProblem, WantedAgent, WantedSuite};
use waterjar_engine::{Catalog, Stop};

/// What the parts do, and what was asked of them.
#[derive(Default)]
pub struct World {
    /// How often each question was asked, by `text #repeat`.
    pub asked: Mutex<BTreeMap<String, u32>>,
    pub judged: AtomicU32,
    pub models_made: AtomicU32,
    /// What the suite says to do.
    pub task: Mutex<String>,
    /// What the suite reads answers by.
    pub reads_by: Mutex<Option<String>>,
    /// A wish to stop, raised by the question of this number.
    pub stop: Mutex<Option<(u32, Stop)>>,
    /// The variant on which the agent `panicky` panics.
    pub panics_on: Mutex<Option<String>>,
    /// Work takes this long, each thing another part of it.
    pub delay: Mutex<Duration>,
}

impl World {
    pub fn asked(&self) -> BTreeMap<String, u32> {
        self.asked.lock().unwrap().clone()
    }

    pub fn asked_in_all(&self) -> u32 {
        self.asked().values().sum()
    }

    /// Questions that were asked more than once.
    pub fn asked_twice(&self) -> Vec<String> {
        self.asked().into_iter().filter(|(_, n)| *n > 1).map(|(question, _)| question).collect()
    }

    fn count(&self, question: String) {
        let in_all: u32 = {
            let mut asked = self.asked.lock().unwrap();
            *asked.entry(question).or_default() += 1;
            asked.values().sum()
        };
        if let Some((at, stop)) = &*self.stop.lock().unwrap()
            && in_all == *at
        {
            stop.request();
        }
    }

    /// Later things often end earlier.
    async fn work(&self, thing: &str) {
        let delay = *self.delay.lock().unwrap();
        let part = Seed(1).rank("delay", thing).rem_euclid(8) as u32;
        if !delay.is_zero() {
            tokio::time::sleep(delay * part / 8).await;
        }
    }
}

pub struct Parts(pub Arc<World>);

impl Catalog for Parts {
    fn suite_kinds(&self) -> Vec<&'static str> {
        vec!["tiny", "other"]
    }

    fn open_suite(&self, wanted: &WantedSuite<'_>) -> Result<OpenedSuite, SuiteProblem> {
        let WantedSuite { table, seed, .. } = *wanted;
        let wrong = |problem: &str| SuiteProblem::Table { suite: "tiny".to_owned(), problem: problem.to_owned() };
        let settings = Settings::deserialize(table.clone()).map_err(|error| wrong(error.message()))?;
        if settings.groups == 0 {
            return Err(wrong("groups: 0 is too few"));
        }
        let world = Arc::clone(&self.0);
        let id = SuiteId::new(settings.name.clone().unwrap_or_else(|| settings.kind.clone()));
        Ok(OpenedSuite {
            source: Arc::new(Numbers { settings: settings.clone() }),
            suite: Arc::new(Tiny { id, settings, world: Arc::clone(&world) }),
            makes: Arc::new(Maker { world, seed }),
            leans_on: Default::default(),
        })
    }

    fn agent_ids(&self) -> Vec<&'static str> {
        vec!["plain", "panicky"]
    }

    fn model_ids(&self) -> Vec<&'static str> {
        vec!["echo", "mumble", "refusing", "late", "unreachable", "unusable", "reference"]
    }

    fn is_reference(&self, model: &str) -> bool {
        model == "reference"
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    kind: String,
    name: Option<String>,
    cases: u32,
    groups: u32,
    families: Option<u64>,
    per_group: Option<u64>,
    version: u32,
    /// Every case is lost.
    hopeless: bool,
    /// The source gives this case twice.
    twice: Option<u32>,
    /// The source breaks off after so many cases.
    broken_after: Option<u32>,
    /// The suite cannot vary this case.
    poison: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            kind: "tiny".to_owned(),
            name: None,
            cases: 40,
            groups: 4,
            families: None,
            per_group: None,
            version: 1,
            hopeless: false,
            twice: None,
            broken_after: None,
            poison: None,
        }
    }
}

struct Numbers {
    settings: Settings,
}

impl CaseSource for Numbers {
    fn name(&self) -> &str {
        "numbers"
    }

    fn fingerprint(&self) -> String {
        String::new()
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        let Settings { cases, twice, broken_after, .. } = &self.settings;
        let case = |number: u32| Case {
            id: CaseId::new(format!("case-{number:03}")),
            source: "numbers".to_owned(),
            text: number.to_string(),
            facts: None,
            made: Vec::new(),
        };
        let good = (0..*cases).chain(*twice).map(move |number| match broken_after {
            Some(last) if number >= *last => Err(SourceError::new(format!("numbers, line {number}"), "cut off")),
            _ => Ok(case(number)),
        });
        Box::new(good)
    }
}

/// One case in five is not eligible, one in seven of the others is lost.
struct Tiny {
    id: SuiteId,
    settings: Settings,
    world: Arc<World>,
}

impl Tiny {
    fn number(case: &Case) -> u32 {
        case.text.parse().unwrap()
    }
}

#[async_trait]
impl Suite for Tiny {
    fn id(&self) -> &SuiteId {
        &self.id
    }

    fn card(&self) -> SuiteCard {
        let column = MetricColumn {
            name: "right".to_owned(),
            title: "Right".to_owned(),
            better: Better::Higher,
            kind: MetricKind::Share,
            explanation: "Share of traps echoed.".to_owned(),
            phrase: None,
            primary: true,
            drawn: false,
        };
        SuiteCard {
            kind: "tiny",
            version: self.settings.version,
            title: "Tiny",
            about: "Echoes.",
            columns: vec![column],
        }
    }

    fn strata(&self, _: &str) -> Option<Strata> {
        Some(Strata { keys: vec!["group"], ..Strata::none() })
    }

    fn quota(&self) -> Quota {
        Quota { families: self.settings.families, per_group: self.settings.per_group }
    }

    fn screen(&self, case: &Case) -> Result<String, Loss> {
        let number = Self::number(case);
        if number % 5 == 4 { Err(Loss::new("easy")) } else { Ok(format!("group {}", number % self.settings.groups)) }
    }

    async fn vary(&self, _: &SuiteContext, case: &Case) -> Result<Varied, SuiteError> {
        self.world.work(case.id.as_str()).await;
        let number = Self::number(case);
        if self.settings.poison == Some(number) {
            return Err(SuiteError::Case { case: case.id.to_string(), problem: "is poison".to_owned() });
        }
        assert_ne!(self.world.panics_on.lock().unwrap().as_deref(), Some(case.id.as_str()), "the suite gives up");
        if self.settings.hopeless || number % 7 == 3 {
            return Ok(Varied::Lost(Loss::new("unlucky")));
        }
        let condition = ConditionId::from("x");
        let variant = |role: &str, change: Option<Intervention>| Variant {
            id: VariantId::new(format!("{}/{role}", case.id)),
            family: FamilyId::new(case.id.as_str()),
            case: case.id.clone(),
            text: format!("{}/{role}", case.id),
            facts: None,
            intervention: change,
            expectation: Expectation::Names { condition: condition.clone() },
            strata: BTreeMap::from([("group".to_owned(), (number % self.settings.groups).to_string())]),
            record: serde_json::Value::Null,
        };
        let edits = vec![Edit { removed: "control".to_owned(), inserted: "trap".to_owned() }];
        let change = Intervention { name: "trap".to_owned(), edits };
        Ok(Varied::Family(vec![variant("control", None), variant("trap", Some(change))]))
    }

    fn audit(&self, _: &SuiteContext, families: &mut dyn Iterator<Item = Vec<Variant>>) -> Audited {
        let n = families.count() as u64;
        vec![Check { name: "counted".to_owned(), value: 1.0, low: 1.0, high: 1.0, n, reading: "Counted.".to_owned() }]
            .into()
    }

    fn ask(&self, variant: &Variant) -> Prompt {
        Prompt::new(self.world.task.lock().unwrap().clone(), variant.text.clone())
    }

    fn judge_id(&self) -> JudgeId {
        JudgeId::from("rules")
    }

    fn reads_by(&self) -> Option<String> {
        self.world.reads_by.lock().unwrap().clone()
    }

    async fn judge(&self, _: &SuiteContext, family: &Family) -> Result<FamilyVerdict, SuiteError> {
        self.world.judged.fetch_add(1, Ordering::SeqCst);
        let rulings = family.members.iter().map(|member| {
            let outcome = match member.conclusion() {
                None => Outcome::Missing,
                Some(said) if said.text == member.variant.text => Outcome::Right,
                Some(_) => Outcome::Missed,
            };
            Ruling { listed: 1, ..Ruling::new(member.variant.id.clone(), member.variant.role(), outcome, "") }
        });
        Ok(FamilyVerdict {
            family: family.id.clone(),
            subject: family.subject.clone(),
            repeat: family.repeat,
            judge: self.judge_id(),
            rulings: rulings.collect(),
            strata: BTreeMap::new(),
        })
    }

    fn measure(&self, ctx: &SuiteContext, verdicts: &mut dyn Iterator<Item = FamilyVerdict>) -> Measured {
        let mut measured = Measured::default();
        let mut sharing = Sharing::new(ctx.taker.clone());
        let (mut n, mut part) = (0, 0.0);
        for verdict in verdicts {
            measured.n += 1;
            measured.missing += u64::from(verdict.is_incomplete());
            if !verdict.is_incomplete() {
                let right = verdict.rulings.iter().all(|ruling| ruling.outcome == Outcome::Right);
                let share = Share::new(verdict.family, f64::from(right), 1.0);
                (n, part) = (n + 1, part + share.part);
                sharing.push("right", &share);
            }
        }
        let value = (n > 0).then(|| part / n as f64);
        measured.metrics.insert("right".to_owned(), Metric { value, n, ..Metric::default() });
        measured.shares = sharing.rest();
        measured
    }

    fn figures(&self, _: &[SubjectResult], _: &[Check]) -> Vec<Figure> {
        Vec::new()
    }

    fn title_of(&self, _: &[Variant]) -> String {
        "tiny".to_owned()
    }

    fn name_of(&self, condition: &ConditionId) -> String {
        condition.to_string()
    }
}

/// Asks once. As `panicky` it panics where the world says so.
struct Asks {
    id: AgentId,
    mood: String,
    world: Arc<World>,
}

#[async_trait]
impl Agent for Asks {
    fn id(&self) -> &AgentId {
        &self.id
    }

    fn fingerprint(&self) -> String {
        self.mood.clone()
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        let panics =
            self.id.as_str() == "panicky" && self.world.panics_on.lock().unwrap().as_ref() == Some(&prompt.text);
        assert!(!panics, "the agent gives up");
        let reply = model.chat(&ChatRequest::new(prompt.task.as_str(), prompt.text.as_str(), repeat)).await?;
        Ok(Conclusion { text: reply.text, reasoning: None, record: None })
    }
}

struct Maker {
    world: Arc<World>,
    seed: Seed,
}

impl SubjectMaker for Maker {
    fn agent(&self, wanted: &WantedAgent) -> Result<Arc<dyn Agent>, String> {
        if let Some(key) = wanted.settings.keys().find(|key| *key != "mood") {
            return Err(format!("unknown field `{key}`, expected `mood`"));
        }
        let mood = wanted.settings.get("mood").map(ToString::to_string).unwrap_or_default();
        Ok(Arc::new(Asks { id: AgentId::from(wanted.id), mood, world: Arc::clone(&self.world) }))
    }

    fn model(&self, model: &str) -> Result<Arc<dyn ChatModel>, String> {
        self.world.models_made.fetch_add(1, Ordering::SeqCst);
        if model == "unusable" {
            return Err("there are no weights".to_owned());
        }
        Ok(Arc::new(Says { id: ModelId::from(model), world: Arc::clone(&self.world) }))
    }

    fn fingerprint(&self, model: &str) -> String {
        format!("{model} {}", self.seed.0)
    }
}

struct Says {
    id: ModelId,
    world: Arc<World>,
}

#[async_trait]
impl ChatModel for Says {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let text = request.last_user_text();
        self.world.count(format!("{} {text} #{}", self.id, request.repeat));
        self.world.work(text).await;
        match self.id.as_str() {
            "mumble" => Ok(ChatReply::text("hm")),
            "refusing" => Err(ModelError::Refused("no advice".to_owned())),
            "late" => Err(ModelError::Timeout("after 1 s".to_owned())),
            "unreachable" => Err(ModelError::Transport("no route".to_owned())),
            _ => Ok(ChatReply::text(text)),
        }
    }
}

/// The families a file of variants holds.
pub fn families(jsonl: &str) -> HashSet<String> {
    let family =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["family"].as_str().unwrap().to_owned();
    jsonl.lines().map(family).collect()
}
