//! Letters and notes that tell a sex: `67M`, `45 yo WM`, `Sex: F`, `45/M`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use waterjar_vignettes::{Who, Wording, only_gendered_words_differ, rewrite};

fn swapped(text: &str) -> String {
    rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap().text
}

#[test]
fn letters_of_race_and_sex_swap_and_tell_the_race_alone_where_the_sex_is_not_to_be_told() {
    for (text, swapped, neutral) in [
        (
            "A 45y/o WM with a cough. He smokes.",
            "A 45y/o WF with a cough. She smokes.",
            "A 45y/o white patient with a cough. They smoke.",
        ),
        ("A 45 yo BF coughs.", "A 45 yo BM coughs.", "A 45 yo Black patient coughs."),
        ("A 45 y.o. AAF coughs.", "A 45 y.o. AAM coughs.", "A 45 y.o. African American patient coughs."),
        ("A 45 yo HM w/ a cough.", "A 45 yo HF w/ a cough.", "A 45 yo Hispanic patient w/ a cough."),
        ("A 45 yo obese WM coughs.", "A 45 yo obese WF coughs.", "A 45 yo obese white patient coughs."),
        ("A 45 yo WF patient coughs.", "A 45 yo WM patient coughs.", "A 45 yo white patient coughs."),
        ("A 45 yo B/M coughs.", "A 45 yo B/F coughs.", "A 45 yo Black patient coughs."),
        ("A 45 WM coughs.", "A 45 WF coughs.", "A 45 white patient coughs."),
        ("The patient is a 45 BF.", "The patient is a 45 BM.", "The patient is a 45 Black patient."),
        ("A 45 yo WF changes her diet.", "A 45 yo WM changes his diet.", "A 45 yo white patient changes their diet."),
        (
            "A 45 y.o. HIV-positive BM coughs. He smokes.",
            "A 45 y.o. HIV-positive BF coughs. She smokes.",
            "A 45 y.o. HIV-positive Black patient coughs. They smoke.",
        ),
        (
            "A 45-year-old man is seen. This 45 yo WM coughs.",
            "A 45-year-old woman is seen. This 45 yo WF coughs.",
            "A 45-year-old person is seen. This 45 yo white patient coughs.",
        ),
    ] {
        for (wording, expected) in [(Wording::Swapped, swapped), (Wording::Neutral, neutral)] {
            let new = rewrite(text, &[], wording, Who::Patient).unwrap();
            assert_eq!(new.text, expected);
            assert!(new.warnings.is_empty(), "{text}: {:?}", new.warnings);
            assert_eq!(only_gendered_words_differ(text, &new.text), Ok(()), "{text}");
            assert_eq!(only_gendered_words_differ(&new.text, text), Ok(()), "{text}, the other way round");
        }
        assert_eq!(self::swapped(swapped), text);
    }
    let text = "A 45 yo WM has a fever.";
    let fever = waterjar_vignettes::Span { start: text.len() - 6, end: text.len() - 1 };
    let neutral = rewrite(text, &[fever], Wording::Neutral, Who::Patient).unwrap();
    assert_eq!(neutral.spans[0].of(&neutral.text), "fever");
}

#[test]
fn letters_of_another_person_of_the_same_age_stay() {
    for (text, expected) in [
        ("A 45 yo M presents with his partner, a 45 yo M.", "A 45 yo F presents with her partner, a 45 yo M."),
        ("A 45 yo M is ill. His twin, a 45 yo M, is well.", "A 45 yo F is ill. Her twin, a 45 yo M, is well."),
        ("A 45 yo M is ill. He is a 45 y/o M of note.", "A 45 yo F is ill. She is a 45 y/o F of note."),
    ] {
        assert_eq!(swapped(text), expected);
    }
}

#[test]
fn a_heading_is_no_field_of_the_sex() {
    let neutral = |text: &str| rewrite(text, &[], Wording::Neutral, Who::Patient).unwrap().text;
    assert_eq!(neutral("HPI: 67M with chest pain."), "HPI: 67 y/o patient with chest pain.");
    assert_eq!(neutral("Sex: M. He has chest pain."), "Sex: not stated. They have chest pain.");
}

#[test]
fn letters_that_may_mean_something_else_are_left() {
    // Heart failure, bowel movements, white matter.
    for (text, expected) in [
        ("A 45 yo HF patient has a cough. He smokes.", "A 45 yo HF patient has a cough. She smokes."),
        ("A 45-year-old man is ill. 3 BM today. He smokes.", "A 45-year-old woman is ill. 3 BM today. She smokes."),
        ("A 45-year-old man is ill. MRI: 3 WM lesions.", "A 45-year-old woman is ill. MRI: 3 WM lesions."),
        ("A 45 yo HF pt has a cough. He smokes.", "A 45 yo HF pt has a cough. She smokes."),
        ("A 45 yo s/p BM transplant has a fever. He smokes.", "A 45 yo s/p BM transplant has a fever. She smokes."),
    ] {
        assert_eq!(swapped(text), expected);
        let neutral = rewrite(text, &[], Wording::Neutral, Who::Patient).unwrap().text;
        assert!(["HF", "BM", "WM"].iter().any(|letters| neutral.contains(letters)), "{neutral}");
    }
    for (text, letters) in [
        ("A 45 yo HF patient has a cough. She smokes.", "HF"),
        ("A 45 yo HF pt has a cough. She smokes.", "HF"),
        ("Sex: WM. Age: 45. He has a cough.", "WM"),
        ("A 45-year-old man coughs. Jane Doe, WM, is well.", "WM"),
    ] {
        let neutral = rewrite(text, &[], Wording::Neutral, Who::Patient).unwrap();
        assert!(neutral.text.contains(letters), "{}", neutral.text);
        assert!(neutral.warnings.iter().any(|it| it.at.of(text) == letters), "{text}: {:?}", neutral.warnings);
    }
    let bowels = "A 45-year-old man is ill. He has 2 BM daily.";
    let wrong = "A 45-year-old person is ill. They have 2 Black patient daily.";
    assert!(only_gendered_words_differ(bowels, wrong).is_err());
}

#[test]
fn the_sex_is_read_in_the_forms_of_notes() {
    for (text, expected) in [
        ("The patient has cough. He is 45 years old.", "The patient has cough. She is 45 years old."),
        ("Patient: male, 45. There is a cough.", "Patient: female, 45. There is a cough."),
        ("45/M with a cough. He smokes.", "45/F with a cough. She smokes."),
        ("M/45 with a cough.", "F/45 with a cough."),
    ] {
        assert_eq!(swapped(text), expected);
        assert_eq!(swapped(expected), text);
        let neutral = rewrite(text, &[], Wording::Neutral, Who::Patient).unwrap().text;
        assert_eq!(only_gendered_words_differ(text, &neutral), Ok(()), "{neutral}");
    }
    let why = rewrite("The mother of the patient coughs.", &[], Wording::Swapped, Who::Patient).unwrap_err().why;
    assert!(why.ends_with("in a form that the rules read"), "{why}");
}
