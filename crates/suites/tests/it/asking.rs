//! What a question is made of.

use crate::sample::{base, make, quickstart};
use crate::sensitivity::boards;
use std::sync::Arc;
use waterjar_consultations::Language;
use waterjar_core::{Case, Suite, SuiteContext, Variant, Varied};
use waterjar_suites::consult::{self, Consult};

/// A suite that says so is never given facts and record where it asks: it must not notice.
fn asks_by_text(suite: &dyn Suite, variants: &[Variant]) {
    assert!(suite.asks_by_text() && variants.len() > 10);
    assert!(variants.iter().any(|it| it.facts.is_some() || !it.record.is_null()), "nothing was left out");
    for variant in variants {
        let told = Variant { facts: None, record: serde_json::Value::Null, ..variant.clone() };
        assert_eq!(suite.ask(&told), suite.ask(variant), "{}", variant.id);
    }
}

#[tokio::test]
async fn who_asks_by_the_text_alone_needs_nothing_else() {
    let made = make(quickstart(), 600).await;
    let pairs: Vec<Variant> = made.families.into_iter().flat_map(|pair| pair.into_variants()).collect();
    asks_by_text(&made.suite, &pairs);
    let charts = boards::suite();
    asks_by_text(&*charts, &boards::families(&charts).await.concat());
    let settings = consult::Settings::default();
    let letters = Consult::new(settings.clone(), Arc::new(Language::named(&settings.language).unwrap()), base());
    let mut variants = Vec::new();
    for case in crate::sample::cases(20) {
        variants.extend(family(&letters, &case).await);
    }
    asks_by_text(&letters, &variants);
}

async fn family(suite: &dyn Suite, case: &Case) -> Vec<Variant> {
    match suite.vary(&SuiteContext::new(crate::sample::SEED), case).await.unwrap() {
        Varied::Family(variants) => variants,
        Varied::Lost(_) | Varied::Rejected(..) => Vec::new(),
    }
}
