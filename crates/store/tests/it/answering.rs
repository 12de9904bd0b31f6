//! Responses.

use crate::sample::{Run, failure, new_run, response, suite};
use waterjar_store::{NewResponse, Store};

#[tokio::test]
async fn what_is_answered_is_known_by_its_key() {
    let run = new_run().await.with_families(400).await;
    let writer = run.store.writer();
    let mut keys = Vec::new();
    for position in 1..=400 {
        let new = response(position, "control", "plain@logit");
        keys.push(new.key.clone());
        if position % 2 == 0 {
            writer.response(&new).await.unwrap();
        }
    }
    writer.flush().await.unwrap();
    let answered = run.store.answered(&keys).await.unwrap();
    assert_eq!(answered.len(), 200);
    assert!(answered.contains("2/control to plain@logit"));
    assert!(!answered.contains("1/control to plain@logit"));
    assert!(run.store.answered(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_failure_is_an_ending_and_is_not_asked_again() {
    let run = new_run().await.with_families(1).await;
    let new = failure(1, "control", "plain@logit");
    write(&run, std::slice::from_ref(&new)).await;
    let answered = run.store.answered(&[new.key.clone()]).await.unwrap();
    assert!(answered.contains(&new.key));
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
    write(&run, &[old.clone()]).await;
    write(&run, &[new.clone()]).await;
    let page = run.store.responses_page(&suite(), 0, 10).await.unwrap();
    assert_eq!(page.items.len(), 1);
    assert_eq!(page.items[0].response, new.response);
    assert!(run.store.answered(&[old.key]).await.unwrap().is_empty());
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
