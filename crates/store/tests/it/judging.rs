//! Families in front of a judge, and the verdicts.

use crate::sample::{Run, new_run, response, suite, verdict};
use waterjar_core::{JudgeId, SubjectId};
use waterjar_store::{Bench, FamilyToJudge};

#[tokio::test]
async fn a_judge_sees_every_variant_with_the_answers_of_one_subject() {
    let run = answered().await;
    let families = to_judge(&run, "plain@logit").await;
    assert_eq!(families.len(), 2);
    let first = &families[0];
    assert_eq!(first.family.subject, SubjectId::from("plain@logit"));
    let roles: Vec<_> =
        first.family.members.iter().map(|member| (member.variant.role(), member.response.is_some())).collect();
    assert_eq!(roles, [("control", true), ("trap", true)]);
    assert_eq!(first.keys[0].variant, "hash of 1/control");
    let key = first.keys[1].response.as_deref();
    assert_eq!(key, Some("1/trap to plain@logit"));
}

#[tokio::test]
async fn an_answer_that_is_missing_is_listed_as_missing() {
    let run = answered().await;
    let families = to_judge(&run, "plain@logit").await;
    let second = &families[1];
    assert!(second.family.members[0].response.is_some());
    assert_eq!(second.family.members[1].response, None);
    assert_eq!(second.keys[1].response, None);
}

#[tokio::test]
async fn another_subject_or_repeat_has_not_answered() {
    let run = answered().await;
    for family in to_judge(&run, "plain@prior").await {
        assert!(family.family.members.iter().all(|m| m.response.is_none()));
    }
}

#[tokio::test]
async fn a_family_says_what_its_verdict_was_given_on() {
    let run = answered().await;
    let writer = run.store.writer();
    for (position, key) in [(1, "old answers"), (1, "new answers")] {
        writer.verdict(&verdict(position, "plain@logit", key)).await.unwrap();
        writer.flush().await.unwrap();
    }
    let families = to_judge(&run, "plain@logit").await;
    assert_eq!(families[0].judged.as_deref(), Some("new answers"));
    assert_eq!(families[1].judged, None);
}

#[tokio::test]
async fn one_batch_may_judge_the_same_family_twice() {
    let run = answered().await;
    let writer = run.store.writer();
    for key in ["old answers", "new answers"] {
        writer.verdict(&verdict(1, "plain@logit", key)).await.unwrap();
    }
    writer.flush().await.unwrap();
    let families = to_judge(&run, "plain@logit").await;
    assert_eq!(families[0].judged.as_deref(), Some("new answers"));
}

#[tokio::test]
async fn verdicts_of_a_subject_are_read_by_family() {
    let run = new_run().await.with_families(5).await;
    let writer = run.store.writer();
    for (position, subject) in [(5, "plain@logit"), (1, "plain@logit"), (4, "plain@logit"), (1, "plain@prior")] {
        writer.verdict(&verdict(position, subject, "key")).await.unwrap();
    }
    let mut human = verdict(1, "plain@logit", "key");
    human.verdict.judge = JudgeId::from("dr-lee");
    writer.verdict(&human).await.unwrap();
    writer.flush().await.unwrap();
    for limit in [1, 2, 100] {
        let read = verdicts_on(&run, "plain@logit", limit).await;
        assert_eq!(read, [1, 4, 5]);
    }
    let all = run.store.verdicts_page(&suite(), 0, 100).await.unwrap();
    let order: Vec<_> = all
        .items
        .iter()
        .map(|item| {
            let verdict = &item.verdict;
            format!("{} {} {}", item.position, verdict.subject, verdict.judge)
        })
        .collect();
    let expected = [
        "1 plain@logit dr-lee",
        "1 plain@logit rules",
        "1 plain@prior rules",
        "4 plain@logit rules",
        "5 plain@logit rules",
    ];
    assert_eq!(order, expected);
    assert_eq!(all.items[1].verdict, verdict(1, "plain@logit", "key").verdict);
}

/// Family 1 is answered in full by `plain@logit`, family 2 only its control.
async fn answered() -> Run {
    let run = new_run().await.with_families(2).await;
    let writer = run.store.writer();
    for (position, role) in [(1, "control"), (1, "trap"), (2, "control")] {
        let new = response(position, role, "plain@logit");
        writer.response(&new).await.unwrap();
    }
    writer.flush().await.unwrap();
    run
}

async fn to_judge(run: &Run, subject: &str) -> Vec<FamilyToJudge> {
    let bench =
        Bench { suite: &suite(), subject: &SubjectId::from(subject), repeat: 0, judge: &JudgeId::from("rules") };
    let page = run.store.judging_page(bench, 0, 10).await.unwrap();
    assert_eq!(page.next, None);
    page.items
}

async fn verdicts_on(run: &Run, subject: &str, limit: u32) -> Vec<i64> {
    let (subject, judge) = (SubjectId::from(subject), JudgeId::from("rules"));
    let mut positions = Vec::new();
    let mut after = Some(0);
    while let Some(position) = after {
        let page = run.store.verdicts_on(&suite(), &subject, &judge, position, limit).await.unwrap();
        positions.extend(page.items.iter().map(|item| item.position));
        after = page.next;
    }
    positions
}
