//! Long stories take time in proportion to their length, also where a sentence never ends. A square of it does not end before the tests are
//! ended (.config/nextest.toml).
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use waterjar_vignettes::{Span, Who, Wording, only_gendered_words_differ, rewrite};

/// Both wordings; what is refused is refused soon, too.
fn ends(opening: &str, again: &str, times: usize) {
    let text = format!("{opening}{}", again.repeat(times));
    for wording in [Wording::Swapped, Wording::Neutral] {
        let _ = rewrite(&text, &[], wording, Who::Patient);
    }
}

#[test]
fn an_endless_list_of_jobs_is_read_once() {
    ends("A 40-year-old woman met a waitress", " and a waitress", 20_000);
    ends("A 40-year-old woman is a teacher", " and a mother", 20_000);
}

#[test]
fn an_endless_sentence_is_read_once() {
    ends("A 40-year-old man is ill. He is", " ,", 150_000);
    ends("A 40-year-old man has", " prostate", 100_000);
    ends("A 40-year-old man has", " gestation", 100_000);
    ends("A 40-year-old man coughs", " they", 100_000);
    ends("A 40-year-old man coughs", " he'd", 100_000);
    let markers: String = (0..100_000).map(|at| format!(" egfr{at}")).collect();
    ends("A 40-year-old man has", &markers, 1);
    ends("A 40-year-old woman has", " a brother and her", 50_000);
}

#[test]
fn a_span_is_moved_without_going_through_all_edits() {
    let sentence = "He has a cough. ";
    let text = format!("A 40-year-old man is ill. {}", sentence.repeat(60_000));
    let first = text.find("a cough").unwrap();
    let spans: Vec<Span> = (0..60_000)
        .map(|at| first + at * sentence.len())
        .map(|start| Span { start, end: start + "a cough".len() })
        .collect();
    let new = rewrite(&text, &spans, Wording::Neutral, Who::Patient).unwrap();
    assert!(new.text.starts_with("A 40-year-old person is ill. They have a cough."), "{}", &new.text[..60]);
    assert!(new.spans.iter().all(|span| span.of(&new.text) == "a cough"));
}

#[test]
fn whether_a_they_is_near_is_known_without_looking_through_the_sentence() {
    let told = |subject: &str| format!("A man has {}{}", "cough ".repeat(80_000), subject.repeat(40_000));
    let (he, they) = (told("he smokes "), told("they smoke "));
    assert_eq!(only_gendered_words_differ(&he, &they), Ok(()));
}
