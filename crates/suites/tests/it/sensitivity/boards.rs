//! The offline default from end to end, without the engine: charts, variants, two readers, verdicts, figures.

use std::sync::Arc;
use waterjar_charts::advice::{Advisor, Reading};
use waterjar_core::{
    CaseSource, Conclusion, Ending, Family, Measured, Member, Outcome, Response, Seed, SubjectId, Suite, SuiteContext,
    Variant, Varied,
};
use waterjar_suites::sensitivity::catalog::Catalog;
use waterjar_suites::sensitivity::{Boards, Known, Sensitivity, Settings};

const SEED: Seed = Seed(7);

fn suite() -> Arc<Sensitivity> {
    Arc::new(Sensitivity::new(Settings::default(), Catalog::ours(), Known::of_boards(SEED).unwrap()))
}

async fn families(suite: &Sensitivity) -> Vec<Vec<Variant>> {
    let mut families = Vec::new();
    for case in Boards::new(SEED, "").cases() {
        match suite.vary(&SuiteContext::new(SEED), &case.unwrap()).await.unwrap() {
            Varied::Family(variants) => families.push(variants),
            Varied::Lost(loss) => panic!("{loss:?}"),
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
    suite.measure(&ctx, &mut verdicts.into_iter())
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
async fn the_same_seed_gives_the_same_variants() {
    let suite = suite();
    assert_eq!(families(&suite).await, families(&suite).await);
}
