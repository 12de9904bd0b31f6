//! A vignette without one finding reads as a text.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use waterjar_vignettes::import::Kind;
use waterjar_vignettes::{
    Ablated, Import, ImportOptions, ROUGH, Span, Vignette, Who, Wording, ablate, only_gendered_words_differ, reword,
    starter, tagged,
};

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
fn a_verb_left_without_what_it_was_for_is_told() {
    let check = |marked: &str, told: &[&str]| {
        let (text, spans) = tagged::unmark(marked).unwrap();
        let made = ablate(&Vignette { text, spans, ..Vignette::default() }, 0);
        let warnings: Vec<&str> = made.warnings.iter().map(|it| it.why.as_str()).collect();
        assert_eq!(warnings, told, "{}", made.vignette.text);
    };
    let lost = "`had` has lost what it was for: read the sentence";
    check("A 54-year-old woman has had <CSC_start>pressure in her chest<CSC_end> since this morning.", &[lost]);
    check("A 33-year-old woman has had a <CSC_start>throbbing headache<CSC_end> on the left side.", &[lost]);
    check("A 61-year-old man has had a cough and <CSC_start>a fever<CSC_end> for a week.", &[]);
    check("She presents with <CSC_start>chest pain<CSC_end> for two days.", &[]);
}

#[test]
fn what_is_left_of_a_sentence_is_read_anew() {
    let check = |marked: &str, left: &str, told: &str| {
        let (text, spans) = tagged::unmark(marked).unwrap();
        let made = ablate(&Vignette { text, spans, ..Vignette::default() }, 0);
        let warnings: Vec<&str> = made.warnings.iter().map(|it| it.why.as_str()).collect();
        let expected = if told.is_empty() { vec![] } else { vec![format!("{told}: {ROUGH}")] };
        assert_eq!((made.vignette.text.as_str(), warnings), (left, expected.iter().map(String::as_str).collect()));
    };
    check("A 30-year-old man has <CSC_start>a fever<CSC_end>.", "A 30-year-old man.", "what is left has no verb");
    check("He <CSC_start>died<CSC_end>. He is old.", "He is old.", "");
    check("She denies any <CSC_start>personal<CSC_end> or family history.", "She denies any family history.", "");
    check(
        "Her father had <CSC_start>similar<CSC_end>, <CSC_start>older<CSC_end> scars.",
        "Her father had older scars.",
        "",
    );
    check(
        "It is on both the palms <CSC_start>and soles<CSC_end>.",
        "It is on both the palms.",
        "`both` has lost its `and`",
    );
    check(
        "A 40-year-old man has a rash that had been <CSC_start>growing<CSC_end> for a year.",
        "A 40-year-old man has a rash that had been for a year.",
        "`been` has lost what it was for",
    );
}

#[test]
fn of_neither_and_nor_one_is_left_as_no() {
    check_ablation("Neither <CSC_start>cough<CSC_end> nor oedema is present.", "No oedema is present.");
    check_ablation("He has neither cough nor <CSC_start>oedema<CSC_end>.", "He has no cough.");
    check_ablation("There is neither <CSC_start>a murmur<CSC_end> nor oedema.", "There is no oedema.");
}

#[test]
fn what_tells_when_goes_alone() {
    check_ablation("<CSC_start>Two days ago<CSC_end> he fell. He is pale.", "He fell. He is pale.");
    check_ablation("<CSC_start>Two days ago<CSC_end>, he fell.", "He fell.");
    check_ablation("<CSC_start>When he coughs<CSC_end>, his chest hurts.", "His chest hurts.");
    check_ablation("The pain started <CSC_start>last night<CSC_end>.", "The pain started.");
    check_ablation("The pain started <CSC_start>after lunch<CSC_end>. He is pale.", "The pain started. He is pale.");
}

#[test]
fn everything_but_span_and_repair_stays_byte_for_byte() {
    let vignette = one_span("He has  fever – 38.2°C, chills, and cough.\nHe smokes.", "chills");
    let ablated = ablate(&vignette, 0);
    assert_eq!(ablated.removed, "chills");
    assert_eq!(ablated.vignette.text, "He has  fever – 38.2°C and cough.\nHe smokes.");
}

#[test]
fn findings_that_nobody_marked_stay() {
    check_ablation(
        "Her temperature is 37.9°C, her respirations are <CSC_start>58/min<CSC_end>, and her oxygen saturation is 93%.",
        "Her temperature is 37.9°C, and her oxygen saturation is 93%.",
    );
    check_ablation(
        "He <CSC_start>came from a country where tuberculosis is common<CSC_end> last year and shares a room with four others.",
        "He shares a room with four others.",
    );
    check_ablation(
        "Her pulse is 116/min, her respirations are 26/min, and <CSC_start>her oxygen saturation is 90% on room air<CSC_end>.",
        "Her pulse is 116/min and her respirations are 26/min.",
    );
}

/// Without finding `n`, one of ours no longer says the first and still says the second.
#[test]
fn our_own_vignettes_lose_what_is_removed_and_no_more() {
    for (id, n, kept) in [
        ("child-bronchiolitis", 3, "Her temperature is 37.9°C. Her oxygen saturation is 93%."),
        ("lung-tuberculosis", 3, "He shares a room with four others."),
        ("lung-tuberculosis", 2, "He has lost 7 kg. He came"),
        ("ear-abscess", 1, "with a sore throat. He can hardly"),
        ("infection-malaria", 3, "She took her tablets against malaria only for the first week"),
        ("lung-embolism", 4, "Her pulse is 116/min and her respirations are 26/min. Her lungs"),
        ("lung-pleurisy", 3, "Her temperature is 37.6°C and her pulse is 82/min. The physician"),
        ("lung-pleurisy", 1, "comes to the clinic. Last week she had a sore throat"),
        ("lung-copd", 1, "for four days. His phlegm is now more than usual and green."),
        ("joint-rheumatoid", 1, "Her fingers are stiff"),
        ("joint-septic", 1, "She cannot bend her knee or stand on her leg."),
        ("child-croup", 1, "She has had a runny nose for two days. Her voice is hoarse"),
        ("ear-sinusitis", 3, "She smells little."),
    ] {
        let vignette = starter().into_iter().find(|it| it.id == id).unwrap();
        let text = ablate(&vignette, n - 1).vignette.text;
        assert!(text.contains(kept), "{id}~{n}: {text}");
    }
}

fn check_sentences(vignette: &Vignette) {
    let dangling = [
        "has", "had", "is", "was", "are", "with", "of", "and", "the", "a", "because", "or", "his", "shows", "contains",
        "always", "she", "he",
    ];
    for n in 0..vignette.spans.len() {
        let Ablated { vignette: ablated, warnings, .. } = ablate(vignette, n);
        let text = &ablated.text;
        assert!(warnings.is_empty(), "{}: {text}", vignette.id);
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

#[test]
fn an_ablation_of_ours_leaves_sentences() {
    starter().iter().for_each(check_sentences);
}

#[test]
fn so_does_one_of_the_tutorial() {
    let folder = tempfile::tempdir().unwrap();
    let mapping = folder.path().join("columns.toml");
    let columns = "id = \"case\"\ntext = \"vignette\"\n[spans]\nby = \"phrases\"\ncolumn = \"findings\"\n";
    std::fs::write(&mapping, columns).unwrap();
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/tutorial/cases.csv");
    let options = ImportOptions { mapping: Some(mapping), ..ImportOptions::default() };
    let vignettes: Vec<Vignette> = Import::open(Kind::Csv, &table, &options).unwrap().map(Result::unwrap).collect();
    assert_eq!(vignettes.len(), 8);
    vignettes.iter().for_each(check_sentences);
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

#[test]
fn what_a_hole_breaks_is_mended_or_told() {
    check_ablation("A <CSC_start>recent<CSC_end> ECG is normal.", "An ECG is normal.");
    check_ablation(
        "The pain, <CSC_start>which began today<CSC_end>, is severe. He is old.",
        "The pain is severe. He is old.",
    );
    check_ablation("He is not only <CSC_start>febrile<CSC_end> but also tachycardic.", "He is tachycardic.");
    check_ablation("He reports:\n- <CSC_start>fever<CSC_end>\n- cough", "He reports:\n- cough");
    check_ablation(
        "He has an asymptomatic, <CSC_start>red<CSC_end> papule on the arm.",
        "He has an asymptomatic papule on the arm.",
    );
    let check = |marked: &str, n: usize, told: &str| {
        let (text, spans) = tagged::unmark(marked).unwrap();
        let made = ablate(&Vignette { text, spans, ..Vignette::default() }, n);
        let warnings: Vec<&str> = made.warnings.iter().map(|it| it.why.as_str()).collect();
        assert_eq!(warnings, [format!("{told}: {ROUGH}")], "{}", made.vignette.text);
    };
    check("Na <CSC_start>128<CSC_end>, K <CSC_start>5.9<CSC_end>, Cl 100 today.", 0, "`na` has lost its figure");
    check("Labs show a sodium of <CSC_start>128<CSC_end>, a potassium of 5.9.", 0, "`sodium of` has lost its figure");
    check(
        "He had <CSC_start>a stroke<CSC_end> 3 years ago and <CSC_start>a heart attack<CSC_end> 2 years ago.",
        1,
        "`ago` stands twice",
    );
}
