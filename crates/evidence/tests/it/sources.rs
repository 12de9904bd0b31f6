use crate::settings::{leading_to, settings_at};
use async_trait::async_trait;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use waterjar_evidence::{
    Asking, EvidenceError, EvidenceSource, OpenTargets, Passage, Problem, PubMed, Query, RemoteSettings, Sources,
    starter,
};
use waterjar_testkit::{Act, CannedServer};

/// Answers with as many passages as it has, or fails.
struct Shelf {
    id: &'static str,
    has: Result<usize, Problem>,
    asked: AtomicUsize,
}

impl Shelf {
    fn new(id: &'static str, has: Result<usize, Problem>) -> Arc<Self> {
        Arc::new(Self { id, has, asked: AtomicUsize::new(0) })
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl EvidenceSource for Shelf {
    fn id(&self) -> &str {
        self.id
    }

    fn fingerprint(&self) -> String {
        format!("{:?}", self.has)
    }

    async fn search(&self, query: &Query, limit: usize) -> Result<Vec<Passage>, EvidenceError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let has = self.has.clone().map_err(|problem| EvidenceError { from: self.id.into(), problem })?;
        let passage = |number: usize| Passage {
            source: self.id.into(),
            id: number.to_string(),
            title: String::new(),
            text: query.text.clone(),
            url: None,
            condition: None,
            score: 1.0,
        };
        Ok((0..has.min(limit)).map(passage).collect())
    }
}

fn silent() -> Result<usize, Problem> {
    Err(Problem::Timeout("no reply".into()))
}

async fn found_by(sources: &Sources, limit: usize) -> Vec<String> {
    let found = sources.search(&Query::text("fever"), limit).await;
    found.passages.iter().map(|it| format!("{}{}", it.source, it.id)).collect()
}

#[tokio::test]
async fn together_each_gives_what_it_has_in_their_order() {
    let sources = Sources::new(vec![Shelf::new("a", Ok(1)), Shelf::new("b", Ok(9))]);
    assert_eq!(found_by(&sources, 2).await, ["a0", "b0", "b1"]);
}

#[tokio::test]
async fn in_turn_the_next_is_asked_for_what_is_missing() {
    let last = Shelf::new("c", Ok(9));
    let sources = Sources::new(vec![Shelf::new("a", Ok(1)), Shelf::new("b", Ok(9)), last.clone()]);
    assert_eq!(found_by(&sources.asking(Asking::InTurn), 3).await, ["a0", "b0", "b1"]);
    assert_eq!(last.asked(), 0);
}

#[tokio::test]
async fn a_source_that_is_down_is_told_of_and_the_others_answer() {
    for asking in [Asking::Together, Asking::InTurn] {
        let sources = Sources::new(vec![Shelf::new("a", silent()), Shelf::new("b", Ok(1))]).asking(asking);
        let found = sources.search(&Query::text("fever"), 2).await;
        assert_eq!((found.passages.len(), found.answered), (1, 1));
        assert_eq!(found.down.len(), 1);
        assert_eq!(found.down[0].id, "a");
        assert!(found.down[0].why.starts_with("no reply; it is slow or down"), "{}", found.down[0].why);
    }
}

#[tokio::test]
async fn nobody_answering_is_not_the_same_as_nothing_known() {
    let dark = Sources::new(vec![Shelf::new("a", silent())]).search(&Query::text("fever"), 2).await;
    let empty = Sources::new(vec![Shelf::new("a", Ok(0))]).search(&Query::text("fever"), 2).await;
    assert_eq!((dark.passages.len(), dark.answered, dark.down.len()), (0, 0, 1));
    assert_eq!((empty.passages.len(), empty.answered, empty.down.len()), (0, 1, 0));
}

#[tokio::test]
async fn a_source_that_is_down_is_left_alone_for_a_while_and_still_told_of() {
    let down = Shelf::new("a", silent());
    let sources = Sources::new(vec![down.clone()]);
    for _ in 0..3 {
        assert_eq!(sources.search(&Query::text("fever"), 2).await.down.len(), 1);
    }
    assert_eq!(down.asked(), 1);
    let impatient = Sources::new(vec![down.clone()]).resting(Duration::ZERO);
    for _ in 0..3 {
        impatient.search(&Query::text("fever"), 2).await;
    }
    assert_eq!(down.asked(), 4);
}

#[tokio::test]
async fn a_question_that_was_refused_does_not_silence_the_source() {
    let refuses = Shelf::new("a", Err(Problem::Refused { status: 400, message: "what?".into() }));
    let sources = Sources::new(vec![refuses.clone()]);
    for _ in 0..2 {
        assert_eq!(sources.search(&Query::text("fever"), 2).await.down.len(), 1);
    }
    assert_eq!(refuses.asked(), 2);
}

#[tokio::test]
async fn a_source_that_answers_nothing_but_errors_is_left_alone() {
    let portal = Shelf::new("a", Err(Problem::Malformed("a web page".into())));
    let sources = Sources::new(vec![portal.clone()]);
    for _ in 0..9 {
        assert_eq!(sources.search(&Query::text("fever"), 2).await.down.len(), 1);
    }
    assert_eq!(portal.asked(), 3);
}

#[test]
fn the_fingerprint_follows_sources_and_their_order() {
    let print = |shelves: Vec<Arc<dyn EvidenceSource>>| Sources::new(shelves).fingerprint();
    let (a, b) = (Shelf::new("a", Ok(1)), Shelf::new("b", Ok(1)));
    assert_eq!(print(vec![a.clone(), b.clone()]), print(vec![a.clone(), b.clone()]));
    assert_ne!(print(vec![a.clone(), b.clone()]), print(vec![b.clone(), a.clone()]));
    assert_ne!(print(vec![a.clone()]), print(vec![Shelf::new("a", Ok(2))]));
}

#[tokio::test]
async fn real_sources_degrade_to_the_articles() {
    let platform = CannedServer::new(vec![Act::ok(r#"{"data":{"search":{"hits":[]}}}"#)]);
    let nowhere = RemoteSettings { attempts: 1, ..settings_at("http://127.0.0.1:1/") };
    let sources = Sources::new(vec![
        Arc::new(PubMed::new(Some("c0ffee-canary"), None, nowhere).unwrap()),
        Arc::new(OpenTargets::new(leading_to(&platform)).unwrap()),
        starter().unwrap(),
    ]);
    assert_eq!(sources.ids(), ["pubmed", "open-targets", "starter"]);
    let found = sources.search(&Query::condition("Gout").about("the big toe"), 2).await;
    assert_eq!(found.passages[0].id, "gout");
    assert_eq!((found.passages.len(), found.answered), (2, 2));
    assert_eq!(found.down[0].id, "pubmed");
    let told = serde_json::to_string(&found.down).unwrap();
    assert!(told.contains("no connection to 127.0.0.1") && !told.contains("canary"), "{told}");
}
