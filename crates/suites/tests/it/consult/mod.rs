//! The suite `consult`: what it makes of patients, what it hears in answers, and the figures.

mod answers;
mod figures;
mod judges;
mod letters;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use waterjar_consultations::Language;
use waterjar_core::{Case, CaseSource, Measured, Seed, Suite, SuiteContext, Variant, Varied};
use waterjar_knowledge::simulate::Simulated;
use waterjar_knowledge::{KnowledgeBase, starter};
use waterjar_suites::consult::{Consult, Dx, Record, Settings};

fn base() -> Arc<KnowledgeBase> {
    Arc::new(starter::base().unwrap())
}

fn suite(settings: Settings) -> Consult {
    let language = Arc::new(Language::named(&settings.language).unwrap());
    Consult::new(settings, language, base())
}

fn in_language(language: &str) -> Settings {
    Settings { language: language.to_owned(), ..Settings::default() }
}

fn patients(count: u64) -> Vec<Case> {
    Simulated::for_test(base(), Seed(7), count).cases().collect::<Result<_, _>>().unwrap()
}

async fn family(suite: &Consult, case: &Case) -> Result<Vec<Variant>, String> {
    match suite.vary(&SuiteContext::new(Seed(7)), case).await.unwrap() {
        Varied::Family(variants) => Ok(variants),
        Varied::Lost(loss) | Varied::Rejected(loss, _) => Err(loss.reason),
    }
}

async fn families(suite: &Consult, count: u64) -> Vec<Vec<Variant>> {
    let mut families = Vec::new();
    for case in patients(count) {
        families.extend(family(suite, &case).await);
    }
    families
}

fn value(measured: &Measured, name: &str) -> f64 {
    measured.metrics[name].value.unwrap_or_else(|| panic!("{name}: {:?}", measured.metrics[name]))
}
