//! Models that judge answers, and say nothing.

use super::*;
use crate::fails::{check_out, check_over};
use waterjar_core::{Conclusion, Ending, Family, Member, Response};

async fn asked() -> (Consult, Family) {
    let suite = suite(Settings { judge: vec!["other/judge".to_owned()], ..Settings::default() });
    let variants = families(&suite, 20).await.into_iter().next().unwrap();
    let id = variants[0].family.clone();
    let members = variants.into_iter().map(|variant| {
        let conclusion = Conclusion { text: "It is gout.".to_owned(), reasoning: None, record: None };
        let ending = Ending::Ok(conclusion);
        let response = Response { variant: variant.id.clone(), subject: "plain@x".into(), repeat: 0, ending };
        Member { variant, response: Some(response) }
    });
    let members = members.collect();
    let family = Family { suite: suite.id().clone(), id, subject: "plain@x".into(), repeat: 0, members };
    (suite, family)
}

#[tokio::test]
async fn an_interrupt_makes_no_verdict_invalid() {
    let (suite, family) = asked().await;
    check_over(&suite, &SuiteContext::new(Seed(7)), &family).await;
}

#[tokio::test]
async fn a_judge_that_is_out_is_noted_beside_the_verdict_it_owes() {
    let (suite, family) = asked().await;
    check_out(&suite, &SuiteContext::new(Seed(7)), &family).await;
}
