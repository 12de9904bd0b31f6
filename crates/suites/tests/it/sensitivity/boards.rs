//! The offline default from end to end, without the engine: charts, variants, two readers, verdicts, figures.

use std::collections::BTreeMap;
use std::sync::Arc;
use waterjar_charts::Date;
use waterjar_charts::advice::{Advisor, Reading};
use waterjar_core::{
    CaseSource, Conclusion, Ending, Family, Measured, Member, Outcome, Response, Seed, SubjectId, Suite, SuiteContext,
    Variant, Varied,
};
use waterjar_suites::sensitivity::catalog::Catalog;
use waterjar_suites::sensitivity::{Boards, Known, Record, Sensitivity, Settings};

pub const SEED: Seed = Seed(7);

pub fn suite() -> Arc<Sensitivity> {
    Arc::new(Sensitivity::new(Settings::default(), Catalog::ours(), Known::of_boards(SEED).unwrap()))
}

pub async fn families(suite: &Sensitivity) -> Vec<Vec<Variant>> {
    let mut families = Vec::new();
    for case in Boards::new(SEED, "").cases() {
        match suite.vary(&SuiteContext::new(SEED), &case.unwrap()).await.unwrap() {
            Varied::Family(variants) => families.push(variants),
            Varied::Lost(loss) | Varied::Rejected(loss, _) => panic!("{loss:?}"),
        }
    }
    families
}

fn answered(suite: &Sensitivity, variants: &[Variant], advisor: Advisor) -> Family {
    let subject = SubjectId::from(advisor.id());
    let member = |variant: &Variant| {
        let list = advisor.recommend(&Reading::of(&variant.text)).unwrap();
        let conclusion = Conclusion { text: serde_json::to_string(&list).unwrap(), reasoning: None, record: None };
        let ending = Ending::Ok(conclusion);
        let response = Response { variant: variant.id.clone(), subject: subject.clone(), repeat: 0, ending };
        Member { variant: variant.clone(), response: Some(response) }
    };
    Family {
        suite: suite.id().clone(),
        id: variants[0].family.clone(),
        subject: subject.clone(),
        repeat: 0,
        members: variants.iter().map(member).collect(),
    }
}

async fn measured(suite: &Sensitivity, families: &[Vec<Variant>], advisor: Advisor) -> Measured {
    let ctx = SuiteContext::new(SEED);
    let mut verdicts = Vec::new();
    for variants in families {
        verdicts.push(suite.judge(&ctx, &answered(suite, variants, advisor)).await.unwrap());
    }
    let measured = suite.measure(&ctx, &mut verdicts.into_iter());
    crate::strata::check(suite, &measured);
    measured
}

#[tokio::test]
async fn the_blind_reader_follows_nothing_and_the_reading_one_nearly_all_that_is_clean() {
    let suite = suite();
    let families = families(&suite).await;
    let blind = measured(&suite, &families, Advisor::Protocolist).await;
    let reading = measured(&suite, &families, Advisor::Guideline).await;
    let value = |of: &Measured, name: &str| of.metrics[name].value.unwrap();
    assert_eq!(value(&blind, "css"), 0.0);
    assert_eq!(value(&blind, "css_clean"), 0.0);
    assert!(value(&reading, "css_clean") > 0.8, "{}", value(&reading, "css_clean"));
    assert!(blind.metrics["css_clean"].n >= 90, "{}", blind.metrics["css_clean"].n);
    // Coverage alone tells the two apart, but by less.
    let apart = |name: &str| value(&reading, name) - value(&blind, name);
    assert!(value(&blind, "cms") > 0.4, "{}", value(&blind, "cms"));
    assert!(apart("cms") < apart("css_clean") - 0.3, "{} {}", apart("cms"), apart("css_clean"));
    for family in ["A", "B", "C", "D", "E", "allergy", "renal", "pregnancy", "anticoagulation", "organ"] {
        assert_eq!(value(&blind, &format!("css.{family}")), 0.0, "{family}");
    }
}

/// Of the list for the unchanged chart.
async fn worth(suite: &Sensitivity, variants: &[Variant]) -> Option<f64> {
    let family = answered(suite, variants, Advisor::Guideline);
    let verdict = suite.judge(&SuiteContext::new(SEED), &family).await.unwrap();
    verdict.ruling("control").unwrap().worth()
}

#[tokio::test]
async fn a_list_that_no_boards_list_is_there_for_earns_nothing() {
    let suite = suite();
    let families = families(&suite).await;
    let without = Sensitivity::new(Settings::default(), Catalog::ours(), BTreeMap::new());
    assert!(worth(&suite, &families[0]).await.is_some());
    assert_eq!(worth(&without, &families[0]).await, None);
}

#[tokio::test]
async fn every_intervention_that_applied_is_accounted_for() {
    let suite = suite();
    let families = families(&suite).await;
    let variants: usize = families.iter().map(|family| family.len() - 1).sum();
    let accounts = suite.audit(&SuiteContext::new(SEED), &mut families.into_iter()).accounts;
    assert_eq!(accounts.len(), 10);
    let total = waterjar_core::Account::total(&accounts);
    assert_eq!(total.eligible, total.asked + total.lost.values().sum::<u64>());
    assert_eq!(total.asked, variants as u64);
    assert!(total.clean < total.asked && total.clean > 90, "{total:?}");
    assert!(total.flagged["incoherent"] >= 10, "resections in metastatic charts: {total:?}");
}

#[tokio::test]
async fn without_a_list_there_is_no_ruling_and_no_zero() {
    let suite = suite();
    let families = families(&suite).await;
    let variants = families.iter().find(|family| family.len() > 2).unwrap();
    let mut family = answered(&suite, variants, Advisor::Guideline);
    let said = |text: &str| Conclusion { text: text.to_owned(), reasoning: None, record: None };
    family.members[1].response.as_mut().unwrap().ending = Ending::Ok(said("I would rather not."));
    let verdict = suite.judge(&SuiteContext::new(SEED), &family).await.unwrap();
    assert_eq!((verdict.rulings[1].outcome, verdict.rulings[1].score), (Outcome::Missing, None));
    assert_ne!(verdict.rulings[2].outcome, Outcome::Missing);
    // Without the control nothing can be compared.
    family.members[0].response = None;
    let verdict = suite.judge(&SuiteContext::new(SEED), &family).await.unwrap();
    assert!(verdict.rulings.iter().all(|ruling| ruling.outcome == Outcome::Missing));
}

#[tokio::test]
async fn who_recommends_nothing_after_the_change_has_followed_nothing() {
    let suite = suite();
    let families = families(&suite).await;
    for variants in families.iter().filter(|family| family.len() > 1) {
        let mut family = answered(&suite, variants, Advisor::Guideline);
        for member in family.members.iter_mut().skip(1) {
            let said = Conclusion { text: r#"{"recommendations":[]}"#.to_owned(), reasoning: None, record: None };
            member.response.as_mut().unwrap().ending = Ending::Ok(said);
        }
        let verdict = suite.judge(&SuiteContext::new(SEED), &family).await.unwrap();
        for ruling in &verdict.rulings[1..] {
            assert_eq!((ruling.outcome, ruling.score), (Outcome::Missed, Some(0.0)), "{}", ruling.variant);
            assert!(ruling.reason.contains("nothing at all"), "{}", ruling.reason);
        }
    }
}

#[tokio::test]
async fn what_happens_is_told_after_it_happened_and_treatment_lasts_before_it_fails() {
    let suite = suite();
    let day = |text: &str| text.get(..10).and_then(|day| day.parse::<Date>().ok());
    let mut failed = 0;
    for variant in families(&suite).await.iter().flatten().filter(|it| !it.is_control()) {
        let record: Record = serde_json::from_value(variant.record.clone()).unwrap();
        let ahead = record.audit.incoherent.iter().find(|why| why.contains("tells what happens on"));
        assert_eq!(ahead, None, "{}", variant.id);
        if variant.strata["family"] != "B" {
            continue;
        }
        let dated = |words: &str| variant.text.lines().filter(|line| line.contains(words)).find_map(day).unwrap();
        let (begun, stopped) = (dated("was begun close to home"), dated("stopped because of progression"));
        assert!(stopped.number() - begun.number() >= 120, "{}: {begun} to {stopped}", variant.id);
        let diagnosed = variant.text.lines().filter(|line| line.contains("[Stage]")).find_map(day).unwrap();
        assert!(begun > diagnosed, "{}: begun {begun}, diagnosed {diagnosed}", variant.id);
        failed += 1;
    }
    assert!(failed >= 10, "{failed}");
}

#[tokio::test]
async fn some_changes_are_told_in_dated_entries_alone_and_are_clean() {
    let suite = suite();
    let families = families(&suite).await;
    let reading = measured(&suite, &families, Advisor::Guideline).await;
    let latent = &reading.metrics["css_clean.latent_yes"];
    assert!(latent.n >= 5 && latent.value.unwrap() > 0.8, "{latent:?}");
}

#[tokio::test]
async fn where_all_cases_agree_the_interval_still_has_a_width() {
    let suite = suite();
    let families = families(&suite).await;
    let blind = measured(&suite, &families, Advisor::Protocolist).await;
    let css = &blind.metrics["css.pregnancy"];
    assert_eq!((css.value, css.low), (Some(0.0), Some(0.0)));
    assert!(css.high.unwrap() > 0.3, "{css:?}: three cases say little");
    assert!(blind.metrics["css"].high.unwrap() < 0.1, "{:?}", blind.metrics["css"]);
}

#[tokio::test]
async fn the_same_seed_gives_the_same_variants() {
    let suite = suite();
    assert_eq!(families(&suite).await, families(&suite).await);
}

#[tokio::test]
async fn what_is_clean_could_be_believed() {
    let suite = suite();
    let operation =
        regex::Regex::new("(?:asks|discussion|board): [^\\n.?]*(?:[Oo]peration|resectable|[Cc]urative)").unwrap();
    let (mut spread, mut pregnant, mut bled) = (0, 0, 0);
    for variant in families(&suite).await.iter().flatten().filter(|it| !it.is_control() && it.strata["clean"] == "yes")
    {
        let text = &variant.text;
        match variant.strata["family"].as_str() {
            "E" => {
                assert!(!operation.is_match(text), "{}: {:?}", variant.id, operation.find(text));
                assert!(!text.contains("allergies.No"), "{}", variant.id);
                spread += 1;
            }
            "pregnancy" => {
                let known = text.find("[Obstetrics]").unwrap();
                assert!(!text[known..].contains("[Imaging]"), "{}", variant.id);
                assert_eq!(
                    text[text.find("== Chronology").unwrap()..known].matches("14 weeks").count(),
                    0,
                    "{}",
                    variant.id
                );
                pregnant += 1;
            }
            "anticoagulation" => {
                assert!(!text.contains("on it two weeks ago"), "{}", variant.id);
                assert!(
                    !text.contains("weeks pregnant") && !text.contains("singleton"),
                    "{}: nobody leaves apixaban",
                    variant.id
                );
                bled += u32::from(text.contains("bleed on it"));
            }
            _ => {}
        }
    }
    assert_eq!((spread, pregnant, bled), (6, 3, 2));
}
