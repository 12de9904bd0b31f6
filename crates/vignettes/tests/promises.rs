//! What the crate promises, as properties and examples.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use waterjar_vignettes::import::{Kind, locate};
use waterjar_vignettes::{
    Attribute, Choice, Import, ImportOptions, Span, Vignette, Who, Wording, ablate, intervene,
    only_gendered_words_differ, reword, rewrite, starter, suggest_spans, tagged,
};

fn swapped(text: &str) -> String {
    rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap().text
}

fn one_span(text: &str, finding: &str) -> Vignette {
    let start = text.find(finding).unwrap();
    Vignette { text: text.into(), spans: vec![Span { start, end: start + finding.len() }], ..Vignette::default() }
}

fn check_ablation(marked: &str, expected: &str) {
    let (text, spans) = tagged::unmark(marked).unwrap();
    let vignette = Vignette { text, spans, ..Vignette::default() };
    assert_eq!(ablate(&vignette, 0).vignette.text, expected);
}

/// Sentences about one patient, to be put together in any order; `{}` is he or she, `[]` his or her, `<>` him or her.
const PARTS: [&str; 16] = [
    "{} takes metformin and smokes a pack a day.",
    "[] temperature is 38.2°C.",
    "The pain wakes <> at night.",
    "[] father died of a stroke.",
    "[] mother has asthma.",
    "The physician examines <> and orders a scan of [] head.",
    "{} lives alone and works as a teacher.",
    "Sitting up helps <> breathe.",
    "The patient says that {} feels weak.",
    "When {} stands up, {} becomes dizzy.",
    "[] left arm hurts.",
    "Nothing makes [] pain better.",
    "[] past medical history is unremarkable.",
    "The nurse gives <> 500 mL of saline.",
    "Examination of [] skin shows a rash, which itches.",
    "{} denies that anyone has hurt <>.",
];

fn story(he: bool, parts: &[usize]) -> String {
    let (noun, subject, possessive, object) =
        if he { ("man", "he", "his", "him") } else { ("woman", "she", "her", "her") };
    let mut text = format!("A 45-year-old {noun} comes to the clinic.");
    for &part in parts {
        let sentence = PARTS[part].replace("{}", subject).replace("[]", possessive).replace("<>", object);
        let mut letters = sentence.chars();
        let first = letters.next().unwrap().to_uppercase().to_string();
        text.push_str(&format!(" {first}{}", letters.as_str()));
    }
    text
}

proptest! {
    #[test]
    fn a_swap_turns_his_story_into_hers_and_back(he: bool, parts in prop::collection::vec(0..PARTS.len(), 0..12)) {
        let text = story(he, &parts);
        let there = rewrite(&text, &[], Wording::Swapped, Who::Patient).unwrap();
        prop_assert_eq!(&there.text, &story(!he, &parts));
        prop_assert_eq!(swapped(&there.text), text);
    }

    #[test]
    fn no_text_makes_the_rewriter_panic_or_touch_other_bytes(text in "(he|she|her|his|him|man|67M|is|has|and|Mr\\.|boy’s|é|, |\\. | |\n){0,40}") {
        for wording in [Wording::Swapped, Wording::Neutral] {
            for who in [Who::Patient, Who::Everyone] {
                let Ok(new) = rewrite(&text, &[], wording, who) else { continue };
                // Undoing the edits from the end gives the original.
                let mut back = new.text.clone();
                let mut shift = new.edits.iter().map(|edit| edit.to.len() as isize - edit.from.len() as isize).sum::<isize>();
                for edit in new.edits.iter().rev() {
                    shift -= edit.to.len() as isize - edit.from.len() as isize;
                    let start = edit.at.start.checked_add_signed(shift).unwrap();
                    back.replace_range(start..start + edit.to.len(), &edit.from);
                }
                prop_assert_eq!(&back, &text);
            }
        }
    }

    #[test]
    fn what_is_written_reads_back(
        id in "[a-z0-9-]{0,8}", words in prop::collection::vec("[a-zé<>\\\\.:A\n]{1,8}", 1..12), spans in prop::collection::vec(any::<bool>(), 12),
        question in "[A-Za-z\\\\ \n?]{0,20}", options in prop::collection::vec("[a-z\\\\\n .]{0,10}", 0..4), answer in prop::option::of("[A-D\\\\n]{0,4}"),
    ) {
        let mut vignette = Vignette { id, question, answer, ..Vignette::default() };
        for (word, marked) in words.iter().zip(&spans) {
            if !vignette.text.is_empty() {
                vignette.text.push(' ');
            }
            let start = vignette.text.len();
            vignette.text.push_str(word);
            if *marked {
                vignette.spans.push(Span { start, end: vignette.text.len() });
            }
        }
        vignette.options = ["A", "B", "C", "D"].iter().zip(options).map(|(label, text)| Choice { label: (*label).into(), text }).collect();
        prop_assert_eq!(tagged::read(&tagged::write(&vignette)).unwrap(), vignette);
    }

    #[test]
    fn no_hole_makes_the_repair_panic(words in prop::collection::vec("(He|has|a|fever|and|,|\\.|with|cough|of|who|is|that|the)", 1..20), from in 0..20_usize, len in 1..6_usize) {
        let text = words.join(" ");
        let starts: Vec<usize> = words.iter().scan(0, |at, word| { let start = *at; *at += word.len() + 1; Some(start) }).collect();
        let first = from % words.len();
        let last = (first + len - 1).min(words.len() - 1);
        let span = Span { start: starts[first], end: starts[last] + words[last].len() };
        let ablated = ablate(&Vignette { text: text.clone(), spans: vec![span], ..Vignette::default() }, 0);
        prop_assert!(ablated.vignette.text.len() < text.len());
    }
}

#[test]
fn marks_that_do_not_fit_are_told_with_their_place() {
    let check = |text: &str, at: usize, says: &str| {
        let error = tagged::read(text).unwrap_err();
        assert_eq!(error.at, at);
        assert!(error.problem.contains(says), "{error}");
    };
    check("He has <CSC_start>fever.", 7, "never ends");
    check("He has fever<CSC_end>.", 12, "never began");
    check("<CSC_start>a <CSC_start>b<CSC_end>", 13, "inside another");
    check("Id: x\n\nHe has <CSC_start><CSC_end>.", 25, "nothing in it");
    check("Story.\n\nQuestion: Why?\nMore story.", 23, "goes on");
}

#[test]
fn our_own_vignettes_are_whole_and_those_of_one_sex_are_refused() {
    let vignettes = starter();
    assert!(vignettes.len() >= 60);
    for vignette in &vignettes {
        let words = vignette.text.split_whitespace().count();
        assert!((60..=150).contains(&words), "{}: {words} words", vignette.id);
        assert!((3..=8).contains(&vignette.spans.len()), "{}", vignette.id);
        assert_eq!(vignette.options.len(), 4, "{}", vignette.id);
        let right = vignette.options.iter().filter(|option| Some(&option.label) == vignette.answer.as_ref());
        assert_eq!(right.count(), 1, "{}", vignette.id);
        let swapped = reword(vignette, Wording::Swapped, Who::Patient);
        match vignette.id.starts_with("bound-") {
            true => assert!(!swapped.unwrap_err().terms.is_empty(), "{}", vignette.id),
            false => assert_eq!(
                only_gendered_words_differ(&vignette.text, &swapped.unwrap().0.text),
                Ok(()),
                "{}",
                vignette.id
            ),
        }
        let (neutral, _) = reword(vignette, Wording::Neutral, Who::Patient).unwrap();
        assert_eq!(only_gendered_words_differ(&vignette.text, &neutral.text), Ok(()), "{}", vignette.id);
    }
    let ids: std::collections::HashSet<_> = vignettes.iter().map(|vignette| &vignette.id).collect();
    assert_eq!(ids.len(), vignettes.len());
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
fn a_model_that_changed_more_is_found_out() {
    let original = "A 45-year-old man has chest pain. He smokes.";
    let check = |other: &str, place: Option<&str>| {
        let found = only_gendered_words_differ(original, other);
        assert_eq!(found.err().map(|at| at.of(original)), place, "{other}");
    };
    check("A 45-year-old woman has chest pain. She smokes.", None);
    check("A 45-year-old person has chest pain. They smoke.", None);
    check("A 45-year-old woman has mild chest pain. She smokes.", Some("chest"));
    check("A 54-year-old woman has chest pain. She smokes.", Some("45"));
    check("A 45-year-old woman has chest pain. She smoke.", Some("smokes"));
    check("A 45-year-old woman has chest pain.  She smokes.", Some("He"));
    check("A 45-year-old woman has chest pain. She smokes. She drinks.", Some(""));
    check("A 45-year-old woman has chest pain.", Some("He"));
}

#[test]
fn relatives_change_only_when_everyone_is_meant() {
    let text = "A 5-year-old girl is brought by her mother. Her brother is well.";
    assert_eq!(swapped(text), "A 5-year-old boy is brought by his mother. His brother is well.");
    let everyone = rewrite(text, &[], Wording::Neutral, Who::Everyone).unwrap();
    assert_eq!(everyone.text, "A 5-year-old child is brought by their parent. Their sibling is well.");
}

#[test]
fn a_text_without_a_sex_has_no_swap() {
    let refused = rewrite("A 45-year-old patient has a cough.", &[], Wording::Swapped, Who::Patient).unwrap_err();
    assert!(refused.why.contains("does not tell"));
    let neutral =
        rewrite("A 45-year-old patient has a cough. They smoke.", &[], Wording::Neutral, Who::Patient).unwrap();
    assert_eq!((neutral.edits.len(), neutral.warnings.len()), (0, 1));
}

#[test]
fn sex_bound_content_of_the_patient_is_named_and_that_of_relatives_is_not() {
    let terms = |text: &str| -> Vec<String> {
        rewrite(text, &[], Wording::Swapped, Who::Patient)
            .map_or_else(|no| no.terms.into_iter().map(|(_, term)| term).collect(), |_| Vec::new())
    };
    assert_eq!(terms("A 30-year-old woman is pregnant and had a Pap smear."), ["pregnant", "Pap smear"]);
    assert_eq!(terms("A 70-year-old man has BPH; his PSA is high."), ["BPH", "PSA"]);
    assert_eq!(terms("A 28-year-old woman, G2P1, gravida 2, para 1, feels well."), ["G2P1", "gravida", "para 1"]);
    assert!(terms("A 40-year-old man has a stiff cervical spine and a high lactate.").is_empty());
    assert!(terms("A 40-year-old man is tired. His wife is pregnant.").is_empty());
    assert!(terms("A 2-month-old boy was born after a normal pregnancy and is breastfed.").is_empty());
}

#[test]
fn an_attribute_is_stated_or_changed_unless_a_finding_hangs_on_it() {
    let told = |text: &str, attribute: &str| -> Result<String, String> {
        intervene(text, &[], &attribute.parse::<Attribute>().unwrap()).map(|new| new.text).map_err(|no| no.why)
    };
    let man = "A 45-year-old man has a cough. He smokes.";
    assert_eq!(told(man, "age=80").unwrap(), "An 80-year-old man has a cough. He smokes.");
    assert_eq!(told(man, "race=Black").unwrap(), "A 45-year-old Black man has a cough. He smokes.");
    assert_eq!(told("A 45-year-old White man coughs.", "race=Hispanic").unwrap(), "A 45-year-old Hispanic man coughs.");
    assert_eq!(
        told(man, "insurance=none").unwrap(),
        "A 45-year-old man has a cough. The patient has no health insurance. He smokes."
    );
    assert!(told("A 5-year-old girl has a cough.", "age=80").unwrap_err().contains("child"));
    assert!(told("A 60-year-old man has smoked for 40 years.", "age=30").unwrap_err().contains("fit"));
    assert!(told("A 60-year-old man has slurred speech.", "language=Spanish").unwrap_err().contains("slurred"));
    assert!(told("A 60-year-old man lives alone.", "housing=homeless").unwrap_err().contains("lives"));
    assert!(told("A 60-year-old man has lost 9 kg.", "weight=40").unwrap_err().contains("kg"));
    assert!(told("A 20-year-old man has sickle cell disease.", "race=White").unwrap_err().contains("sickle"));
    assert!("age=5".parse::<Attribute>().is_err() && "wealth=low".parse::<Attribute>().is_err());
    for attribute in Attribute::usual() {
        assert_eq!(attribute.to_string().parse(), Ok(attribute));
    }
}

#[test]
fn suggested_spans_come_with_their_reason() {
    let knowledge = waterjar_knowledge::starter::base().unwrap();
    let text = "A 60-year-old man has crushing chest pain that spreads to his left arm. He reads a book. His troponin is elevated.";
    let found = suggest_spans(text, &knowledge);
    let words: Vec<&str> = found.iter().map(|suggestion| suggestion.span.of(text)).collect();
    assert!(words.iter().any(|words| words.contains("left arm")), "{found:?}");
    assert!(words.iter().any(|words| words.contains("elevated")), "{found:?}");
    assert!(!words.iter().any(|words| words.contains("book")), "{found:?}");
}

#[test]
fn phrases_are_found_whatever_their_case_and_punctuation() {
    let text = "A 4-year-old boy has a rash. Severe itching, fever.";
    let (spans, missing) = locate(text, &["4 year old boy", "severe itching", "cough"]);
    let found: Vec<&str> = spans.iter().map(|span| span.of(text)).collect();
    assert_eq!((found, missing), (vec!["4-year-old boy", "Severe itching"], vec!["cough".to_owned()]));
}

#[test]
fn a_table_is_read_by_its_mapping_and_bad_rows_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    let table = write(
        "cases.csv",
        "case,story,a,b,right,marks\nx1,He has fever. What is it?,Flu,Cold,Flu,fever\nx2,He coughs.,Flu,Cold,Gout,coughs\nx3,He limps.,Flu,Cold,A,knee\n",
    );
    let mapping = write(
        "map.toml",
        "text = \"story\"\nid = \"case\"\noptions = [\"a\", \"b\"]\nanswer = \"right\"\n[spans]\nby = \"phrases\"\ncolumn = \"marks\"\n",
    );
    let options = ImportOptions { mapping: Some(mapping), ..ImportOptions::default() };
    let rows: Vec<_> = Import::open(Kind::Csv, &table, &options).unwrap().collect();
    let first = rows[0].as_ref().unwrap();
    assert_eq!((first.id.as_str(), first.question.as_str(), first.answer.as_deref()), ("x1", "What is it?", Some("A")));
    assert_eq!(first.spans[0].of(&first.text), "fever");
    assert_eq!(
        rows[1].as_ref().unwrap_err().to_string(),
        "cases.csv, line 3: the answer `Gout` is none of the options: correct the answer or the options"
    );
    assert!(rows[2].as_ref().unwrap_err().to_string().contains("`knee` does not stand in the text"));
}

#[test]
fn offsets_count_characters_and_overlaps_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "text,spans\n\u{e9}t\u{e9} fever,4-9\nfever,0-3;2-5\nfever,3-99\n").unwrap();
    let mapping = folder.path().join("m.toml");
    std::fs::write(&mapping, "text = \"text\"\n[spans]\nby = \"offsets\"\ncolumn = \"spans\"\n").unwrap();
    let options = ImportOptions { mapping: Some(mapping), ..ImportOptions::default() };
    let rows: Vec<_> = Import::open(Kind::Csv, &table, &options).unwrap().collect();
    let first = rows[0].as_ref().unwrap();
    assert_eq!(first.spans[0].of(&first.text), "fever");
    assert!(rows[1].as_ref().unwrap_err().problem.contains("overlap"));
    assert!(rows[2].as_ref().unwrap_err().problem.contains("no span"));
}

#[test]
fn a_line_that_is_no_json_is_told_and_the_next_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("q.jsonl");
    std::fs::write(
        &file,
        "{\"question\": \"A man coughs. Why?\", \"options\": {\"A\": \"Flu\"}, \"answer_idx\": \"A\"}\nno\n{}\n",
    )
    .unwrap();
    let rows: Vec<_> = Import::open(Kind::MedQa, &file, &ImportOptions::default()).unwrap().collect();
    assert!(rows[0].is_ok());
    assert!(rows[1].as_ref().unwrap_err().to_string().starts_with("q.jsonl, line 2: is no JSON"));
    assert!(rows[2].as_ref().unwrap_err().to_string().contains("is no MedQA item"));
}
