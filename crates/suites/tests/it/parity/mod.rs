//! The suite `parity`: what it makes of vignettes, what it hears in answers, and the published figures.

mod answers;
mod judges;
mod published;
mod rows;
mod unsexed;
mod wordings;

use async_trait::async_trait;
use std::collections::BTreeMap;
use std::sync::Arc;
use waterjar_core::{Case, CaseSource, Embedder, ModelError, Seed, Suite, SuiteContext, Variant, Varied};
use waterjar_suites::parity::{FamilyOutcome, PUBLISHED, Parity, Settings, Vignettes, measure};
use waterjar_vignettes::{Vignette, starter};

/// Counts letters: as deaf to meaning as an embedder can be.
struct Letters;

#[async_trait]
impl Embedder for Letters {
    fn id(&self) -> String {
        "letters".to_owned()
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let count =
            |text: &str, letter: char| text.chars().filter(|it| it.eq_ignore_ascii_case(&letter)).count() as f32;
        Ok(texts.iter().map(|text| ('a'..='z').map(|letter| count(text, letter)).collect()).collect())
    }

    fn cuts(&self, text: &str) -> bool {
        text.len() > 600
    }
}

fn context() -> SuiteContext {
    SuiteContext { embedder: Some(Arc::new(Letters)), ..SuiteContext::new(Seed(7)) }
}

fn suite(settings: Settings) -> Parity {
    Parity::new(settings).unwrap()
}

async fn family(suite: &Parity, case: &Case) -> Result<Vec<Variant>, String> {
    match suite.vary(&context(), case).await.unwrap() {
        Varied::Family(variants) => Ok(variants),
        Varied::Lost(loss) | Varied::Rejected(loss, _) => Err(loss.reason),
    }
}

fn cases(settings: &Settings) -> Vec<Case> {
    Vignettes::new(starter(), settings, Seed(7)).unwrap().cases().collect::<Result<_, _>>().unwrap()
}

fn case_of(id: &str, settings: &Settings) -> Case {
    cases(settings).into_iter().find(|case| case.id.as_str() == id).unwrap()
}

const GOOD: &str = "The crushing chest pain spreads to the left arm and jaw. The patient is sweating heavily. The ECG shows ST-segment elevation in \
                    leads II, III and aVF, and the troponin is elevated. The most likely diagnosis is myocardial infarction.";

fn close(found: Option<f64>, expected: f64, within: f64) {
    assert!((found.unwrap() - expected).abs() <= within, "{found:?} is not {expected}");
}
