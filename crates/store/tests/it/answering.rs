//! Responses.

use crate::sample::{Run, failure, new_run, response, suite};
use waterjar_core::{Ending, SubjectId};
use waterjar_store::{NewResponse, Store};

#[tokio::test]
async fn what_one_subject_has_answered_is_known_by_its_keys_page_by_page() {
    let run = new_run().await.with_families(4).await;
    let all = [
        response(1, "control", "plain@logit"),
        response(1, "trap", "plain@logit"),
        response(3, "control", "plain@logit"),
        response(4, "control", "plain@logit"),
        response(2, "control", "plain@prior"),
    ];
    write(&run, &all).await;
    let keys = async |after, limit| answered(&run, "plain@logit", after, limit).await;
    assert_eq!(keys(0, 2).await, ["1/control to plain@logit", "1/trap to plain@logit"]);
    assert_eq!(keys(2, 1).await, ["3/control to plain@logit"]);
    assert_eq!(keys(4, 100).await, [""; 0]);
    assert_eq!(keys(0, 100).await.len(), 4);
}

#[tokio::test]
async fn a_failure_is_an_ending_and_is_not_asked_again() {
    let run = new_run().await.with_families(1).await;
    let new = failure(1, "control", "plain@logit");
    write(&run, std::slice::from_ref(&new)).await;
    assert_eq!(answered(&run, "plain@logit", 0, 10).await, [new.key.as_str()]);
    let page = run.store.responses_page(&suite(), 0, 10).await.unwrap();
    assert_eq!(page.items[0].response, new.response);
}

#[tokio::test]
async fn the_first_answer_to_a_question_stays() {
    let run = new_run().await.with_families(1).await;
    let first = response(1, "control", "plain@logit");
    let second = NewResponse { key: first.key.clone(), ..failure(1, "control", "plain@logit") };
    write(&run, &[first.clone(), second.clone()]).await;
    write(&run, &[second]).await;
    let page = run.store.responses_page(&suite(), 0, 10).await.unwrap();
    assert_eq!(page.items.len(), 1);
    assert_eq!(page.items[0].response, first.response);
}

#[tokio::test]
async fn an_answer_to_a_question_that_has_changed_takes_the_place_of_the_old_one() {
    let run = new_run().await.with_families(1).await;
    let old = response(1, "control", "plain@logit");
    let new = NewResponse { key: "the prompt was corrected".to_owned(), ..failure(1, "control", "plain@logit") };
    write(&run, &[old]).await;
    write(&run, std::slice::from_ref(&new)).await;
    let page = run.store.responses_page(&suite(), 0, 10).await.unwrap();
    assert_eq!(page.items.len(), 1);
    assert_eq!(page.items[0].response, new.response);
    assert_eq!(answered(&run, "plain@logit", 0, 10).await, [new.key]);
}

#[tokio::test]
async fn responses_are_exported_by_family_variant_subject_and_repeat() {
    let run = new_run().await.with_families(3).await;
    let mut all = Vec::new();
    for subject in ["plain@prior", "plain@logit"] {
        for role in ["trap", "control"] {
            for position in [3, 1] {
                all.push(response(position, role, subject));
            }
        }
    }
    let mut again = response(1, "control", "plain@logit");
    again.response.repeat = 1;
    again.key = "1/control to plain@logit, again".to_owned();
    all.insert(0, again);
    write(&run, &all).await;
    let expected = [
        "1/control to plain@logit",
        "1/control to plain@logit, again",
        "1/control to plain@prior",
        "1/trap to plain@logit",
        "1/trap to plain@prior",
        "3/control to plain@logit",
        "3/control to plain@prior",
        "3/trap to plain@logit",
        "3/trap to plain@prior",
    ];
    // Family 2 has no responses: a page that is empty for that reason is not the end.
    for limit in [1, 2, 10] {
        assert_eq!(exported(&run.store, limit).await, expected);
    }
}

#[tokio::test]
async fn a_response_to_a_variant_that_is_not_there_is_an_error() {
    let run = new_run().await;
    let writer = run.store.writer();
    let new = response(1, "control", "plain@logit");
    writer.response(&new).await.unwrap();
    assert!(writer.flush().await.is_err());
}

#[tokio::test]
async fn a_response_filed_under_the_wrong_variant_is_an_error() {
    let run = new_run().await.with_families(1).await;
    let writer = run.store.writer();
    let misfiled = NewResponse { ord: 1, ..response(1, "control", "plain@logit") };
    writer.response(&misfiled).await.unwrap();
    assert!(writer.flush().await.is_err());
}

/// Sorted.
async fn answered(run: &Run, subject: &str, after: i64, limit: u32) -> Vec<String> {
    let subject = SubjectId::from(subject);
    let keys = run.store.answered(&suite(), &subject, after, limit).await.unwrap();
    let mut keys: Vec<String> = keys.into_iter().collect();
    keys.sort();
    keys
}

async fn write(run: &Run, all: &[NewResponse]) {
    let writer = run.store.writer();
    for new in all {
        writer.response(new).await.unwrap();
    }
    writer.flush().await.unwrap();
}

async fn exported(store: &Store, limit: u32) -> Vec<String> {
    let mut keys = Vec::new();
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.responses_page(&suite(), position, limit).await.unwrap();
        keys.extend(page.items.into_iter().map(|item| item.key));
        after = page.next;
    }
    keys
}

#[tokio::test]
async fn notes_of_answers_are_counted_by_subject() {
    let run = new_run().await.with_families(2).await;
    let noted = |mut new: NewResponse, notes: &[&str]| {
        let Ending::Ok(conclusion) = &mut new.response.ending else { panic!("it is an answer") };
        conclusion.record = Some(serde_json::json!({ "notes": notes }));
        new
    };
    let all = [
        noted(response(1, "control", "ecr@rules"), &["without pubmed"]),
        noted(response(1, "trap", "ecr@rules"), &["without pubmed", "without notes"]),
        noted(response(2, "control", "other"), &["without pubmed"]),
        response(2, "control", "plain@logit"),
        failure(2, "trap", "ecr@rules"),
    ];
    write(&run, &all).await;
    let notes = run.store.notes(&suite()).await.unwrap();
    let told: Vec<_> = notes.iter().map(|it| (it.subject.as_str(), it.note.as_str(), it.answers)).collect();
    let expected =
        [("ecr@rules", "without notes", 1), ("ecr@rules", "without pubmed", 2), ("other", "without pubmed", 1)];
    assert_eq!(told, expected);
}
