//! Sources as the ECR agent asks them: by the name of a condition, and never with a word of the patient's. What a model calls a condition may
//! hold such words, so services on a network are asked only about conditions of the knowledge base, by the base's own names.

use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use waterjar_agents::ecr::evidence as ecr;
use waterjar_evidence::{EvidenceSource, Found, Passage, Query, Sources};
use waterjar_knowledge::KnowledgeBase;

/// Passages looked at, and kept, of each source. The first are the best.
const LOOKED_AT: usize = 8;
const KEPT: usize = 3;

/// A source as a study names it.
pub struct Opened {
    pub source: Arc<dyn EvidenceSource>,
    /// On a network, whoever runs it.
    pub is_service: bool,
}

pub struct Shelf {
    /// For conditions of the base.
    all: Sources,
    /// For names that nobody knows: those that answer here.
    here: Sources,
    has_services: bool,
    /// Name → id and all its names, in lower case.
    conditions: HashMap<String, (String, Vec<String>)>,
    /// What was found about a condition. Whoever asks while somebody else does waits for that answer.
    known: Mutex<HashMap<String, Asked>>,
}

type Asked = Arc<tokio::sync::Mutex<Option<Vec<ecr::Passage>>>>;

/// How surely a passage is about a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    /// It says so itself: by the condition's id, or by its title.
    Itself,
    /// The title names the condition among other words, as titles of papers do.
    InTitle,
    InText,
}

impl Shelf {
    pub fn new(opened: Vec<Opened>, base: &KnowledgeBase) -> Self {
        let names = |it: &waterjar_knowledge::Condition| {
            let all = it.synonyms.iter().chain([&it.name]).map(|name| name.to_lowercase()).collect();
            (it.name.clone(), (it.id.to_string(), all))
        };
        let conditions = base.conditions().iter().map(names).collect();
        let here = opened.iter().filter(|it| !it.is_service).map(|it| Arc::clone(&it.source)).collect();
        Self {
            has_services: opened.iter().any(|it| it.is_service),
            all: Sources::new(opened.into_iter().map(|it| it.source).collect()),
            here: Sources::new(here),
            conditions,
            known: Mutex::default(),
        }
    }

    /// Of each source the passages that are most surely about the condition; those that are about it in no way are left.
    fn kept(&self, condition: &str, found: Found) -> Vec<ecr::Passage> {
        let unknown = (String::new(), vec![condition.to_lowercase()]);
        let (id, names) = self.conditions.get(condition).unwrap_or(&unknown);
        let mut kept = Vec::new();
        for source in self.all.ids() {
            let own = found.passages.iter().filter(|it| it.source == source);
            let mut sure: Vec<(About, &Passage)> = own.filter_map(|it| Some((about(it, id, names)?, it))).collect();
            sure.sort_by_key(|(about, _)| *about);
            let best = sure.first().map(|(about, _)| *about);
            let sure = sure.into_iter().filter(|(about, _)| Some(*about) == best).take(KEPT);
            kept.extend(sure.map(|(_, it)| passage(it)));
        }
        kept
    }
}

fn passage(it: &Passage) -> ecr::Passage {
    ecr::Passage { text: it.text.clone(), source: format!("{}: {}", it.source, it.title) }
}

fn about(passage: &Passage, id: &str, names: &[String]) -> Option<About> {
    let says = |it: &str| it == id || names.iter().any(|name| *name == it.to_lowercase());
    if passage.condition.as_ref().is_some_and(|it| says(it.as_str())) {
        return Some(About::Itself);
    }
    let title = passage.title.to_lowercase();
    // Headings below another carry it: `Gout › Treatment`.
    let head = title.split('›').next().unwrap_or_default().trim();
    if names.iter().any(|name| name == head) {
        return Some(About::Itself);
    }
    // It says that it is about another.
    if passage.condition.is_some() {
        return None;
    }
    let holds = |text: &str| names.iter().any(|name| has_words(text, name));
    let in_title = holds(&title).then_some(About::InTitle);
    in_title.or_else(|| holds(&passage.text.to_lowercase()).then_some(About::InText))
}

/// Whether the words stand together in the text, not as parts of others.
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

#[async_trait]
impl ecr::Evidence for Shelf {
    fn fingerprint(&self) -> String {
        let fingerprint = self.all.fingerprint();
        // Before, they were asked about whatever a model named.
        if self.has_services { format!("{fingerprint}, services by known names") } else { fingerprint }
    }

    async fn about(&self, condition: &str) -> ecr::LookedUp {
        let asked = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(condition.to_owned()).or_default())
        };
        let mut asked = asked.lock().await;
        if let Some(passages) = asked.as_ref() {
            return ecr::LookedUp { passages: passages.clone(), down: Vec::new() };
        }
        let sources = if self.conditions.contains_key(condition) { &self.all } else { &self.here };
        let found = sources.search(&Query::condition(condition), LOOKED_AT).await;
        let down: Vec<String> = found.down.iter().map(|it| format!("{}: {}", it.id, it.why)).collect();
        let passages = self.kept(condition, found);
        if down.is_empty() {
            *asked = Some(passages.clone());
        }
        ecr::LookedUp { passages, down }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ecr::Evidence as _;
    use std::path::Path;
    use waterjar_agents::AgentOpening;
    use waterjar_core::{Form, Prompt, Seed};
    use waterjar_evidence::{Article, EvidenceError, FullText, starter};
    use waterjar_testkit::ScriptedModel;

    fn shelf(sources: Vec<Arc<dyn EvidenceSource>>) -> Shelf {
        let opened = sources.into_iter().map(|source| Opened { source, is_service: false }).collect();
        Shelf::new(opened, &waterjar_knowledge::starter::base().unwrap())
    }

    /// Writes down what it is asked about.
    struct Heard(&'static str, Mutex<Vec<String>>);

    impl Heard {
        fn new(id: &'static str) -> Arc<Self> {
            Arc::new(Self(id, Mutex::default()))
        }

        fn names(&self) -> Vec<String> {
            self.1.lock().unwrap().clone()
        }
    }

    #[async_trait]
    impl EvidenceSource for Heard {
        fn id(&self) -> &str {
            self.0
        }

        fn fingerprint(&self) -> String {
            self.0.to_owned()
        }

        async fn search(&self, query: &Query, _: usize) -> Result<Vec<Passage>, EvidenceError> {
            assert_eq!(query.text, "");
            self.1.lock().unwrap().extend(query.condition.clone());
            Ok(Vec::new())
        }
    }

    /// Lends one shelf.
    struct Lending(Arc<Shelf>);

    impl ecr::Library for Lending {
        fn open(&self, _: &[String], _: &Path) -> Result<Arc<dyn ecr::Evidence>, String> {
            Ok(Arc::clone(&self.0) as Arc<dyn ecr::Evidence>)
        }
    }

    #[tokio::test]
    async fn what_a_model_wrote_into_the_name_of_a_condition_stays_in_the_building() {
        const INVENTED: &str = "Gout in Mr Smith after his fall on 12 May";
        let (away, near) = (Heard::new("pubmed"), Heard::new("notes"));
        let base = Arc::new(waterjar_knowledge::starter::base().unwrap());
        let opened = vec![
            Opened { source: Arc::clone(&away) as Arc<dyn EvidenceSource>, is_service: true },
            Opened { source: Arc::clone(&near) as Arc<dyn EvidenceSource>, is_service: false },
        ];
        let library = Lending(Arc::new(Shelf::new(opened, &base)));
        let settings = toml::Table::from_iter([("evidence".to_owned(), toml::Value::from("pubmed"))]);
        let opening = AgentOpening {
            settings: &settings,
            rules: false,
            seed: Seed(1),
            folder: Path::new("."),
            asked: true,
            base: &base,
            library: &library,
        };
        let agent = waterjar_agents::ecr::open(&opening).unwrap();
        let suspects = [INVENTED, "gout"].map(
            |name| serde_json::json!({ "condition": name, "confidence": 0.5, "reason": "The toe is red and hot." }),
        );
        let first = serde_json::json!({ "candidates": suspects }).to_string();
        let text = "I am a 60-year-old man. My big toe is red.";
        let second = serde_json::json!({
            "one_liner": "A man with a red toe.",
            "nodes": [{ "content": "My big toe is red", "original": "My big toe is red", "status": "present" }],
        })
        .to_string();
        // The third question comes after the looking up, and gets no answer.
        let model = ScriptedModel::texts("scripted", [first.as_str(), second.as_str()]);
        let prompt = Prompt { task: "What is it?".to_owned(), text: text.to_owned(), form: Form::One, again: 0 };
        let unanswered = agent.answer(&model, &prompt, 0).await;
        assert!(unanswered.is_err() && model.calls() == 3, "{} calls: {unanswered:?}", model.calls());
        assert_eq!(away.names(), ["Gout"], "services hear the base's own names");
        assert_eq!(near.names(), [INVENTED, "Gout"]);
    }

    async fn check(titles: &[(&str, &str)], condition: &str, expected: &[&str]) {
        let article = |(title, text): &(&str, &str)| Article {
            id: (*title).to_owned(),
            title: (*title).to_owned(),
            text: (*text).to_owned(),
            url: None,
            condition: None,
        };
        let texts = FullText::in_memory("notes", titles.iter().map(article).collect()).unwrap();
        let found = shelf(vec![Arc::new(texts)]).about(condition).await;
        let sources: Vec<&str> = found.passages.iter().map(|it| it.source.trim_start_matches("notes: ")).collect();
        assert_eq!(sources, expected);
    }

    #[tokio::test]
    async fn each_condition_of_the_starter_base_gets_its_own_article_and_no_other() {
        let base = waterjar_knowledge::starter::base().unwrap();
        let shelf = shelf(vec![starter().unwrap()]);
        for condition in base.conditions() {
            let found = shelf.about(&condition.name).await;
            let sources: Vec<&str> = found.passages.iter().map(|it| it.source.as_str()).collect();
            assert_eq!(sources, [format!("starter: {}", condition.name)]);
        }
    }

    #[tokio::test]
    async fn what_is_about_the_condition_goes_before_what_mentions_it() {
        let texts = [("Gout › Signs", "the toe"), ("Attacks of gout in spring", "the toe"), ("Toes", "gout or not")];
        check(&texts, "Gout", &["Gout › Signs"]).await;
        check(&texts[1..], "Gout", &["Attacks of gout in spring"]).await;
        check(&texts[2..], "Gout", &["Toes"]).await;
    }

    #[test]
    fn a_text_says_what_it_is_about_by_id_or_by_name() {
        let passage = |condition: &str| Passage {
            source: "notes".to_owned(),
            id: "1".to_owned(),
            title: "A text".to_owned(),
            text: String::new(),
            url: None,
            condition: Some(condition.into()),
            score: 1.0,
        };
        let names = ["gout".to_owned(), "podagra".to_owned()];
        for condition in ["gout_id", "Gout", "podagra"] {
            assert!(about(&passage(condition), "gout_id", &names).is_some(), "{condition}");
        }
        assert!(about(&passage("pseudogout"), "gout_id", &names).is_none());
    }

    #[tokio::test]
    async fn a_name_within_another_word_or_condition_is_not_the_condition() {
        check(&[("Goutweed", "a plant, goutweed")], "Gout", &[]).await;
        check(&[("Pseudogout", "crystals")], "Gout", &[]).await;
    }
}
