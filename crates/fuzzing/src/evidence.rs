//! What is looked up: articles of one's own, and what PubMed and Open Targets send.

use crate::{text, told};
use waterjar_evidence::{articles, replies};

pub fn check(data: &[u8]) {
    let Some(text) = text(data) else { return };
    for name in ["notes/angina.md", "angina.txt"] {
        match articles(name, text) {
            Err(problem) => told(&problem),
            Ok(articles) => {
                let mut ids: Vec<&str> = articles.iter().map(|it| it.id.as_str()).collect();
                ids.dedup();
                assert_eq!(ids.len(), articles.len(), "ids tell articles apart");
                assert!(articles.iter().all(|it| !it.text.trim().is_empty()), "an article says something");
            }
        }
    }
    for passages in [replies::pubmed(text), replies::open_targets(text)] {
        match passages {
            Err(problem) => told(&problem),
            Ok(passages) => assert!(passages.iter().all(|it| it.score.is_finite())),
        }
    }
}
