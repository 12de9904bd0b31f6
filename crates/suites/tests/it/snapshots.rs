//! The benchmark as it stands. A change here is a change of the benchmark: then raise the version of the card.

use crate::sample::{CTX, SEED, base, cases, make, quickstart};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use waterjar_core::{Suite, Variant, Varied};
use waterjar_suites::einstellung::{Einstellung, Settings};

async fn check(case: &str, pure: f64) {
    let suite = Einstellung::new(Settings { pure, ..quickstart() }, base());
    let case = cases(1000).into_iter().find(|it| it.id.as_str() == case).unwrap();
    let Varied::Family(variants) = suite.vary(&CTX, &case).await.unwrap() else {
        panic!("{} is no family any more", case.id)
    };
    let title = suite.title_of(&variants);
    let shown: String = variants.iter().map(shown).collect();
    insta::assert_snapshot!(case.id.as_str(), format!("{title}\n{shown}"));
}

fn shown(variant: &Variant) -> String {
    let mut out =
        format!("\n== {} · {}\n{}", variant.id, serde_json::to_string(&variant.expectation).unwrap(), variant.text);
    for edit in variant.intervention.iter().flat_map(|change| &change.edits) {
        writeln!(out, "removed:  {}\ninserted: {}", edit.removed, edit.inserted).unwrap();
    }
    for (stratum, value) in &variant.strata {
        writeln!(out, "{stratum}: {value}").unwrap();
    }
    if !variant.record.is_null() {
        writeln!(out, "{}", serde_json::to_string_pretty(&sorted(&variant.record)).unwrap()).unwrap();
    }
    out
}

/// Whether JSON keeps the order of keys depends on what else is built.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields: BTreeMap<_, _> = fields.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            fields.into_iter().collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        value => value.clone(),
    }
}

#[tokio::test]
async fn a_pair_that_keeps_some_of_the_old_evidence() {
    check("starter-000617", 0.0).await;
}

#[tokio::test]
async fn a_pair_that_keeps_none_of_it() {
    check("starter-000038", 1.0).await;
}

#[tokio::test]
async fn a_pair_of_one_edit() {
    check("starter-000659", 0.0).await;
}

#[tokio::test]
async fn what_subjects_are_asked() {
    let made = make(quickstart(), 200).await;
    let variant = &made.families[0].trap;
    let prompt = made.suite.ask(variant);
    assert_eq!(prompt.text, variant.text, "the text is the patient's and nothing is added");
    insta::assert_snapshot!("prompt", prompt.task);
}

#[tokio::test]
async fn what_a_thousand_patients_give() {
    let made = make(quickstart(), 1000).await;
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for pair in &made.families {
        for key in ["edits", "place", "purity"] {
            *counts.entry(format!("{key}: {}", pair.trap.strata[key])).or_default() += 1;
        }
    }
    for loss in &made.losses {
        *counts.entry(format!("lost: {}", loss.reason)).or_default() += 1;
    }
    let families = made.families.len();
    let shown: String = counts.iter().map(|(key, n)| format!("{n:4} {key}\n")).collect();
    insta::assert_snapshot!("thousand_patients", format!("seed {}: {families} families\n{shown}", SEED.0));
}
