//! How far a run has come.

use crate::sample::{failure, family, lost, new_case, new_run, response, suite, verdict};
use std::collections::BTreeMap;
use waterjar_core::{JudgeId, Quota, SubjectId, SuiteId};
use waterjar_store::{Counts, SubjectCounts};

#[tokio::test]
async fn counts_say_how_far_each_subject_has_come() {
    let run = new_run().await;
    let writer = run.store.writer();
    writer.case(&new_case("case-1", "odd", 1)).await.unwrap();
    for position in 1..=3 {
        writer.family(&family(position)).await.unwrap();
    }
    writer.family(&lost(4, "no_isomorph")).await.unwrap();
    for new in [
        response(1, "control", "plain@logit"),
        failure(1, "trap", "plain@logit"),
        response(1, "control", "plain@prior"),
        // Of the family that the quota leaves out.
        response(3, "control", "plain@logit"),
        failure(3, "trap", "plain@logit"),
        failure(3, "control", "plain@prior"),
    ] {
        writer.response(&new).await.unwrap();
    }
    for position in [1, 3] {
        writer.verdict(&verdict(position, "plain@logit", "key")).await.unwrap();
    }
    let mut other = verdict(2, "plain@logit", "key");
    other.verdict.judge = JudgeId::from("a/judge");
    writer.verdict(&other).await.unwrap();
    writer.flush().await.unwrap();
    let quota = Quota { families: Some(2), per_group: None };
    run.store.settle(&suite(), quota).await.unwrap();

    let subject = |responses, failed| SubjectCounts { responses, failed };
    let expected = Counts {
        cases: 1,
        kept: 2,
        lost: 1,
        surplus: 1,
        variants: 4,
        subjects: [(SubjectId::from("plain@logit"), subject(2, 1)), (SubjectId::from("plain@prior"), subject(1, 0))]
            .into(),
    };
    assert_eq!(run.store.counts(&suite()).await.unwrap(), expected);
    for (judge, judged) in [("rules", Some(1)), ("a/judge", Some(1)), ("nobody", None)] {
        let found = run.store.judged(&suite(), &JudgeId::from(judge)).await.unwrap();
        let expected: BTreeMap<SubjectId, u64> =
            judged.map(|n| (SubjectId::from("plain@logit"), n)).into_iter().collect();
        assert_eq!(found, expected, "{judge}");
    }
    let other = SuiteId::from("parity");
    assert_eq!(run.store.counts(&other).await.unwrap(), Counts::default());
}
