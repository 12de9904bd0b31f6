//! A vignette without one finding reads as a text.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use waterjar_vignettes::{Span, Vignette, Who, Wording, ablate, only_gendered_words_differ, reword, starter, tagged};

fn one_span(text: &str, finding: &str) -> Vignette {
    let start = text.find(finding).unwrap();
    Vignette { text: text.into(), spans: vec![Span { start, end: start + finding.len() }], ..Vignette::default() }
}

fn check_ablation(marked: &str, expected: &str) {
    let (text, spans) = tagged::unmark(marked).unwrap();
    let vignette = Vignette { text, spans, ..Vignette::default() };
    assert_eq!(ablate(&vignette, 0).vignette.text, expected);
}

#[test]
fn lists_close_up_and_orphans_go() {
    check_ablation("He has fever, <CSC_start>chills<CSC_end>, and cough.", "He has fever and cough.");
    check_ablation("He has <CSC_start>fever<CSC_end>, chills, and cough.", "He has chills and cough.");
    check_ablation("He has fever, chills, and <CSC_start>cough<CSC_end>.", "He has fever and chills.");
    check_ablation("He has fever and <CSC_start>cough<CSC_end>.", "He has fever.");
    check_ablation("She presents with <CSC_start>chest pain<CSC_end> for two days.", "She presents for two days.");
    check_ablation("She was seen after <CSC_start>a fall<CSC_end>.", "She was seen.");
    check_ablation("He is well. There is <CSC_start>a murmur<CSC_end>. He smokes.", "He is well. He smokes.");
    check_ablation("He has an <CSC_start>irregular<CSC_end> pulse.", "He has a pulse.");
    check_ablation("He has a cough (<CSC_start>dry<CSC_end>) and fever.", "He has a cough and fever.");
    check_ablation("Two days ago, <CSC_start>he fell<CSC_end>. He is pale.", "He is pale.");
}

#[test]
fn everything_but_span_and_repair_stays_byte_for_byte() {
    let vignette = one_span("He has  fever – 38.2°C, chills, and cough.\nHe smokes.", "chills");
    let ablated = ablate(&vignette, 0);
    assert_eq!(ablated.removed, "chills");
    assert_eq!(ablated.vignette.text, "He has  fever – 38.2°C and cough.\nHe smokes.");
}

#[test]
fn an_ablation_of_ours_leaves_sentences() {
    let dangling =
        ["has", "is", "was", "are", "with", "of", "and", "the", "a", "because", "or", "his", "shows", "contains"];
    for vignette in starter() {
        for n in 0..vignette.spans.len() {
            let ablated = ablate(&vignette, n).vignette;
            let text = &ablated.text;
            assert_eq!(ablated.spans.len() + 1, vignette.spans.len(), "{}: {text}", vignette.id);
            for broken in ["  ", " ,", " .", ",,", "..", ",."] {
                assert!(!text.contains(broken), "{}: {broken:?} in {text}", vignette.id);
            }
            for sentence in text.split_inclusive(". ") {
                assert!(!sentence.starts_with(char::is_lowercase), "{}: {sentence}", vignette.id);
                let last = sentence.trim().trim_end_matches('.').rsplit(' ').next().unwrap();
                assert!(!dangling.contains(&last), "{}: {sentence}", vignette.id);
            }
        }
    }
}

#[test]
fn the_wordings_of_an_ablation_stay_a_pair() {
    // Ablation first, wording second, and the other way round: the same text.
    for vignette in starter().iter().filter(|vignette| !vignette.id.starts_with("bound-")) {
        for n in 0..vignette.spans.len() {
            let ablated = ablate(vignette, n).vignette;
            for wording in [Wording::Swapped, Wording::Neutral] {
                let Ok((other, _)) = reword(&ablated, wording, Who::Patient) else { continue };
                assert_eq!(only_gendered_words_differ(&ablated.text, &other.text), Ok(()), "{}", vignette.id);
            }
        }
    }
}
