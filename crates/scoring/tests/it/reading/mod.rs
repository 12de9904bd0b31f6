//! Diagnoses read from recorded answers of real models. Counts are exact: a change of the reader that moves one must
//! say so here. The table and the misses: `cargo run -p waterjar-scoring --example reading -- misses`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stderr, reason = "a test says when it is skipped")]

mod recorded;
mod score;

use recorded::{CraftMd, Half};
use score::{Score, Task, scores};
use std::path::PathBuf;

/// Both models together.
fn check(task: Task, expected: [(Half, Score); 2]) {
    let Some(data) = std::env::var_os("WATERJAR_TEST_DATA").map(PathBuf::from) else {
        eprintln!("skipped: WATERJAR_TEST_DATA is not set");
        return;
    };
    let scores = scores(&CraftMd::open(&data.join("craft-md")), |_, _, _| {});
    for (half, expected) in expected {
        let of_half = scores.iter().filter(|((of, at, _), _)| *of == task && *at == half);
        let total = of_half.fold(Score::default(), |sum, (_, score)| sum + *score);
        assert_eq!(
            total,
            expected,
            "{task:?} {half:?}: precision {:.3}, recall {:.3}",
            total.precision(),
            total.recall()
        );
    }
}

#[test]
fn the_choice_an_answer_settles_on_is_read() {
    check(
        Task::Choice,
        [
            (Half::Development, Score { answers: 600, naming: 531, read: 531, right: 531 }),
            (Half::HeldOut, Score { answers: 600, naming: 523, read: 514, right: 514 }),
        ],
    );
}

#[test]
fn the_condition_a_free_answer_names_is_read() {
    // Most of what is read and counted wrong is right: the recorded extraction says `none` of many a plain name.
    check(
        Task::Free,
        [
            (Half::Development, Score { answers: 600, naming: 259, read: 279, right: 255 }),
            (Half::HeldOut, Score { answers: 600, naming: 176, read: 236, right: 173 }),
        ],
    );
}

#[test]
fn an_answer_read_as_right_was_graded_right() {
    // Recall is that of names without synonyms: the grader took melanoma for superficial spreading melanoma.
    check(
        Task::Grade,
        [
            (Half::Development, Score { answers: 600, naming: 153, read: 90, right: 90 }),
            (Half::HeldOut, Score { answers: 600, naming: 141, read: 81, right: 72 }),
        ],
    );
}
