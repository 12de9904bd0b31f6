//! Sources as the ECR agent asks them: by the name of a condition, and never with a word of the patient's.

use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use waterjar_agents::ecr::evidence as ecr;
use waterjar_evidence::{Found, Passage, Query, Sources};
use waterjar_knowledge::KnowledgeBase;

/// Passages looked at, and kept, of each source. The first are the best.
const LOOKED_AT: usize = 8;
const KEPT: usize = 3;

pub struct Shelf {
    sources: Sources,
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
    pub fn new(sources: Sources, base: &KnowledgeBase) -> Self {
        let names = |it: &waterjar_knowledge::Condition| {
            let all = it.synonyms.iter().chain([&it.name]).map(|name| name.to_lowercase()).collect();
            (it.name.clone(), (it.id.to_string(), all))
        };
        let conditions = base.conditions().iter().map(names).collect();
        Self { sources, conditions, known: Mutex::default() }
    }

    /// Of each source the passages that are most surely about the condition; those that are about it in no way are left.
    fn kept(&self, condition: &str, found: Found) -> Vec<ecr::Passage> {
        let unknown = (String::new(), vec![condition.to_lowercase()]);
        let (id, names) = self.conditions.get(condition).unwrap_or(&unknown);
        let mut kept = Vec::new();
        for source in self.sources.ids() {
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
        self.sources.fingerprint()
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
        let found = self.sources.search(&Query::condition(condition), LOOKED_AT).await;
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
    use waterjar_evidence::{Article, EvidenceSource, FullText, starter};

    fn shelf(sources: Vec<Arc<dyn EvidenceSource>>) -> Shelf {
        Shelf::new(Sources::new(sources), &waterjar_knowledge::starter::base().unwrap())
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
