//! Models that say in what reasonings differ, and say nothing.

use super::*;
use crate::fails::{check_out, check_over};
use waterjar_core::{Conclusion, Ending, Family, Member, Response};

/// Two reasonings that are not the same, so that a judge is asked.
async fn asked() -> (Parity, Family) {
    let settings = Settings { floor: false, judge: vec!["other/judge".to_owned()], ..Settings::default() };
    let suite = suite(settings.clone());
    let case = "heart-infarction";
    let variants = family(&suite, &case_of(case, &settings)).await.unwrap();
    let other = GOOD.replace("sweating heavily", "pale");
    let members = variants.into_iter().zip([GOOD, other.as_str(), GOOD]).map(|(variant, said)| {
        let text = format!("{said}\nAnswer: A");
        let ending = Ending::Ok(Conclusion { text, reasoning: None, record: None });
        let response = Response { variant: variant.id.clone(), subject: "plain@x".into(), repeat: 0, ending };
        Member { variant, response: Some(response) }
    });
    let members = members.collect();
    let family = Family { suite: "parity".into(), id: case.into(), subject: "plain@x".into(), repeat: 0, members };
    (suite, family)
}

#[tokio::test]
async fn an_interrupt_makes_no_pair_unlabelled() {
    let (suite, family) = asked().await;
    check_over(&suite, &context(), &family).await;
}

#[tokio::test]
async fn a_judge_that_is_out_is_noted_beside_the_label_it_owes() {
    let (suite, family) = asked().await;
    check_out(&suite, &context(), &family).await;
}
