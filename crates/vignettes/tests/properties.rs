//! Properties that hold for any text.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use waterjar_vignettes::import::Kind;
use waterjar_vignettes::{Choice, Import, ImportOptions, Span, Vignette, Who, Wording, ablate, rewrite, tagged};

fn swapped(text: &str) -> String {
    rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap().text
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

/// Lines of a story that look like something else.
const LINES: [&str; 9] = ["", "Fever.", "----", "-----", "Labs ----", "\\----", "Id: x", "A. b", "# x"];

/// How a story may introduce the patient; `{}` is man or woman, `#` M or F.
const OPENINGS: [&str; 6] = [
    "A 45-year-old {} comes to the clinic.",
    "A 45 yo W# comes to the clinic.",
    "The patient is a 45 AA# with a cough.",
    "A 45 y/o B# w/ a cough.",
    "This 45 W/# has a cough.",
    "A 45 y.o. H# coughs.",
];

fn story(he: bool, opening: usize, parts: &[usize]) -> String {
    let (noun, letter, subject, possessive, object) =
        if he { ("man", "M", "he", "his", "him") } else { ("woman", "F", "she", "her", "her") };
    let mut text = OPENINGS[opening].replace("{}", noun).replace('#', letter);
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
    fn a_swap_turns_his_story_into_hers_and_back(
        he: bool, opening in 0..OPENINGS.len(), parts in prop::collection::vec(0..PARTS.len(), 0..12),
    ) {
        let text = story(he, opening, &parts);
        let there = rewrite(&text, &[], Wording::Swapped, Who::Patient).unwrap();
        prop_assert_eq!(&there.text, &story(!he, opening, &parts));
        prop_assert_eq!(swapped(&there.text), text);
    }

    #[test]
    fn no_text_makes_the_rewriter_panic_or_touch_other_bytes(text in "(he|she|her|his|him|man|67M|45 |yo |WM|W/F|AAF patient|is|has|and|Mr\\.|boy’s|é|, |\\. | |\n){0,40}") {
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
        id in "[a-z0-9-]{0,8}", words in prop::collection::vec("([a-zé<>\\\\.:A\n-]{1,8}|\n----\n)", 1..12), spans in prop::collection::vec(any::<bool>(), 12),
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
    fn a_file_of_them_reads_back_wherever_it_was_saved(
        stories in prop::collection::vec(prop::collection::vec(prop::sample::select(LINES.to_vec()), 1..6), 1..4),
    ) {
        let told = |(n, lines): (usize, &Vec<&str>)| Vignette { id: format!("v{n}"), text: format!("Ill.\n{}", lines.join("\n")), ..Vignette::default() };
        let vignettes: Vec<Vignette> = stories.iter().enumerate().map(told).collect();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cases.txt");
        for (mark, ends) in [("", "\n"), ("\u{feff}", "\n"), ("", "\r\n"), ("", "\r")] {
            std::fs::write(&file, format!("{mark}{}", tagged::write_all(&vignettes).replace('\n', ends))).unwrap();
            let rows = Import::open(Kind::Tagged, &file, &ImportOptions::default()).unwrap();
            let read: Vec<Vignette> = rows.map(Result::unwrap).collect();
            prop_assert_eq!(&read, &vignettes);
        }
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
