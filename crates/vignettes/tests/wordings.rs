//! Who changes, and who does not.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use waterjar_vignettes::{Who, Wording, only_gendered_words_differ, reword, rewrite, starter};

fn swapped(text: &str) -> String {
    rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap().text
}

#[test]
fn relatives_change_only_when_everyone_is_meant() {
    let text = "A 5-year-old girl is brought by her mother. Her brother is well.";
    assert_eq!(swapped(text), "A 5-year-old boy is brought by his mother. His brother is well.");
    let everyone = rewrite(text, &[], Wording::Neutral, Who::Everyone).unwrap();
    assert_eq!(everyone.text, "A 5-year-old child is brought by their parent. Their sibling is well.");
}

#[test]
fn a_word_that_is_changed_twice_is_changed_once() {
    let neutral = |text: &str| rewrite(text, &[], Wording::Neutral, Who::Patient).unwrap().text;
    assert_eq!(neutral("A 9-year-old female girl is ill."), "A 9-year-old child is ill.");
    // Nobody's grammar: the first of the two is taken out, and nothing else is touched.
    assert_eq!(neutral("An 18-year-old female female student is ill."), "An 18-year-old female student is ill.");
}

#[test]
fn every_verb_of_the_patient_follows_they() {
    let neutral = |text: &str| rewrite(text, &[], Wording::Neutral, Who::Patient).unwrap();
    for (text, expected) in [
        (
            "A 40-year-old man is ill. He appears tired, sits, and complains of pain.",
            "A 40-year-old person is ill. They appear tired, sit, and complain of pain.",
        ),
        (
            "A 40-year-old man is ill. He weighs 120 kg and measures 170 cm.",
            "A 40-year-old person is ill. They weigh 120 kg and measure 170 cm.",
        ),
        (
            "A 40-year-old man has a fever, and so does his brother.",
            "A 40-year-old person has a fever, and so does their brother.",
        ),
        (
            "A 40-year-old man is ill. He rarely smokes, and never exercises.",
            "A 40-year-old person is ill. They rarely smoke, and never exercise.",
        ),
        (
            "A 40-year-old woman is ill. It is she who smokes and drinks.",
            "A 40-year-old person is ill. It is they who smoke and drink.",
        ),
        ("A 40-year-old man is ill. It was he.", "A 40-year-old person is ill. It was they."),
    ] {
        assert_eq!(neutral(text).text, expected);
    }
    let unsure = neutral("A 40-year-old man is ill. He has pain that worsens when he walks and eases when he rests.");
    assert!(unsure.text.ends_with("when they walk and eases when they rest."), "{}", unsure.text);
    assert!(!unsure.warnings.is_empty());
}

#[test]
fn the_patients_letters_jobs_and_names_change_along() {
    for (text, swapped, neutral) in [
        ("A 40 YOM has a cough.", "A 40 YOF has a cough.", "A 40 YO patient has a cough."),
        ("This 40yM smokes.", "This 40yF smokes.", "This 40y patient smokes."),
        ("A 40 y M smokes.", "A 40 y F smokes.", "A 40 y patient smokes."),
        ("A 40-y.o. M smokes.", "A 40-y.o. F smokes.", "A 40-y.o. patient smokes."),
        (
            "A 45-year-old woman, Maria, has a fever. Maria's cough is dry.",
            "A 45-year-old man, Mario, has a fever. Mario's cough is dry.",
            "A 45-year-old person, Marion, has a fever. Marion's cough is dry.",
        ),
        (
            "A 45-year-old woman coughs. She was a waitress and later a housewife.",
            "A 45-year-old man coughs. He was a waiter and later a househusband.",
            "A 45-year-old person coughs. They were a server and later a homemaker.",
        ),
        (
            "A 45-year-old man coughs. He is a policeman.",
            "A 45-year-old woman coughs. She is a policewoman.",
            "A 45-year-old person coughs. They are an officer.",
        ),
        (
            "A 45-year-old woman coughs. She is a stay-at-home mom.",
            "A 45-year-old man coughs. He is a stay-at-home dad.",
            "A 45-year-old person coughs. They are a stay-at-home parent.",
        ),
        (
            "Miss Brown, a 40-year-old woman, coughs.",
            "Mr. Brown, a 40-year-old man, coughs.",
            "Mx. Brown, a 40-year-old person, coughs.",
        ),
    ] {
        for (wording, expected) in [(Wording::Swapped, swapped), (Wording::Neutral, neutral)] {
            let new = rewrite(text, &[], wording, Who::Patient).unwrap();
            assert_eq!(new.text, expected);
            assert_eq!(only_gendered_words_differ(text, &new.text), Ok(()), "{}", new.text);
        }
    }
}

#[test]
fn what_the_patient_is_to_others_changes_along() {
    for (text, swapped, neutral) in [
        (
            "A 45-year-old woman coughs. She is the mother of two children.",
            "A 45-year-old man coughs. He is the father of two children.",
            "A 45-year-old person coughs. They are the parent of two children.",
        ),
        (
            "A 45-year-old woman is the daughter of a smoker.",
            "A 45-year-old man is the son of a smoker.",
            "A 45-year-old person is the child of a smoker.",
        ),
        (
            "A 45-year-old woman coughs. She is single and a mother.",
            "A 45-year-old man coughs. He is single and a father.",
            "A 45-year-old person coughs. They are single and a parent.",
        ),
        (
            "A 30-year-old woman, mother of two, fell.",
            "A 30-year-old man, father of two, fell.",
            "A 30-year-old person, parent of two, fell.",
        ),
        (
            "An 81-year-old woman, a widow, fell.",
            "An 81-year-old man, a widower, fell.",
            "An 81-year-old person, a widowed person, fell.",
        ),
        (
            "A 40-year-old actress and mother of two coughs.",
            "A 40-year-old actor and father of two coughs.",
            "A 40-year-old performer and parent of two coughs.",
        ),
        (
            "The lungs of a 68-year-old male overweight male with edema are heavy.",
            "The lungs of a 68-year-old female overweight female with edema are heavy.",
            "The lungs of a 68-year-old overweight person with edema are heavy.",
        ),
        ("A 45y/o M with a cough.", "A 45y/o F with a cough.", "A 45y/o patient with a cough."),
    ] {
        for (wording, expected) in [(Wording::Swapped, swapped), (Wording::Neutral, neutral)] {
            let new = rewrite(text, &[], wording, Who::Patient).unwrap();
            assert_eq!(new.text, expected);
            assert!(new.warnings.is_empty(), "{text}: {:?}", new.warnings);
            assert_eq!(only_gendered_words_differ(text, &new.text), Ok(()), "{}", new.text);
        }
        assert_eq!(self::swapped(swapped), text);
    }
}

#[test]
fn a_word_that_may_tell_the_patients_sex_and_stays_is_warned_of() {
    for (text, word) in [
        ("A 40-year-old man is well. He is a father of three and became a father again.", "father"),
        ("A 40-year-old woman is well. She says, \"I'm a woman of 40.\"", "woman"),
        ("A 57-year-old man fell. The exam is notable for pain and a man resting in bed.", "man"),
        ("A 57-year-old man is well and an airman.", "airman"),
        ("Jane Doe, F, 54, has a cough. She smokes.", "F"),
        ("The patient (M) has a cough. He smokes.", "M"),
        ("Pt is M. He smokes.", "M"),
        ("A 45 M with a cough. He is well.", "M"),
    ] {
        let new = rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap();
        let left = new.warnings.iter().filter(|it| it.why.contains("left as it is")).map(|it| it.at.of(text));
        assert_eq!(left.collect::<Vec<_>>(), [word], "{text}");
    }
    for text in [
        "A 45-year-old woman coughs. Her sister became a mother last year.",
        "A 70-year-old woman has heart failure (HF). She is well.",
        "A 5-year-old girl is ill. The mother of two brought her.",
        "A 45-year-old woman coughs. Her temperature is 99.0 F, and she is well.",
    ] {
        let new = rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap();
        assert!(!new.warnings.iter().any(|it| it.why.contains("could be the")), "{text}: {:?}", new.warnings);
    }
}

#[test]
fn a_name_that_no_table_has_is_warned_of_where_it_is_the_patients() {
    let warned = |text: &str, wording: Wording| {
        let new = rewrite(text, &[], wording, Who::Patient).unwrap();
        let names = new.warnings.iter().filter(|it| it.why.contains("name that no table has"));
        names.map(|it| it.at.of(text).to_owned()).collect::<Vec<_>>()
    };
    for (text, name) in [
        ("A 7-month-old boy \u{2013} Zo\u{eb} \u{2013} has a fever.", "Zo\u{eb}"),
        ("A 7-month-old boy \u{2013} Zo\u{eb}. He has a fever.", "Zo\u{eb}"),
        ("A 7-month-old boy - Zo\u{eb} Brown - has a fever.", "Zo\u{eb}"),
        ("A 30-year-old woman, Ngozi, has a fever.", "Ngozi"),
        ("A 30-year-old woman named Ngozi has a fever.", "Ngozi"),
        ("A 30-year-old woman has a fever. She is called Ngozi.", "Ngozi"),
        ("A 30-year-old woman has a fever. Her name is Ngozi.", "Ngozi"),
        ("A 30-year-old woman has a fever. The patient, Ngozi, smokes.", "Ngozi"),
    ] {
        for wording in [Wording::Swapped, Wording::Neutral] {
            assert_eq!(warned(text, wording), [name], "{text}");
        }
    }
    for text in [
        "A 30-year-old woman, Hispanic, has a fever.",
        "A 30-year-old woman, G1P0, has a fever.",
        "A 30-year-old woman, Mrs. Brown, has a fever.",
        "A 30-year-old woman, Maria, has a fever.",
        "A 30-year-old woman, Jamie, has a fever.",
        "A 30-year-old woman with Crohn disease, Type 2 diabetes, and a condition called Vitiligo has a fever.",
        "A 30-year-old woman has a fever. Her husband's name is Ngozi.",
    ] {
        assert!(warned(text, Wording::Neutral).is_empty(), "{text}");
    }
}

#[test]
fn what_a_child_who_speaks_calls_the_patient_changes_along() {
    for (told, expected, neutral) in [
        (
            "The patient's son adds that his father has been confused, and that he saw bugs on his skin.",
            "The patient's son adds that his mother has been confused, and that she saw bugs on her skin.",
            "The patient's son adds that his parent has been confused, and that they saw bugs on their skin.",
        ),
        (
            "The son reports his father's mood is low.",
            "The son reports his mother's mood is low.",
            "The son reports his parent's mood is low.",
        ),
        (
            "The daughter says that her father is weak.",
            "The daughter says that her mother is weak.",
            "The daughter says that her parent is weak.",
        ),
        (
            "He lives with his son and says that his father died young.",
            "She lives with her son and says that her father died young.",
            "They live with their son and say that their father died young.",
        ),
    ] {
        let text = format!("A 70-year-old man has a fever. {told}");
        assert_eq!(swapped(&text), format!("A 70-year-old woman has a fever. {expected}"));
        let they = rewrite(&text, &[], Wording::Neutral, Who::Patient).unwrap().text;
        assert_eq!(they, format!("A 70-year-old person has a fever. {neutral}"));
    }
    assert_eq!(
        swapped("A 70-year-old woman has a fever. The daughter reports that her mother's mood is low."),
        "A 70-year-old man has a fever. The daughter reports that her father's mood is low."
    );
}

#[test]
fn a_parents_sex_is_not_the_newborns() {
    let text = "A new father is worried because his 1-day-old newborn vomits. The father says that he had a fever.";
    let refused = rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap_err();
    assert!(refused.why.contains("does not tell"), "{}", refused.why);
    assert_eq!(
        swapped("A mother brings her 3-week-old infant because she is worried. He vomits."),
        "A mother brings her 3-week-old infant because she is worried. She vomits."
    );
}

#[test]
fn her_is_the_object_where_no_noun_is_hers() {
    for (told, expected) in [
        ("Examination of her reveals a rash.", "Examination of him reveals a rash."),
        ("A friend wished her luck.", "A friend wished him luck."),
        ("I saw her last week.", "I saw him last week."),
        ("We consider her smart.", "We consider him smart."),
        ("It began in her last year of school.", "It began in his last year of school."),
        ("She wishes her 9-year-old were here.", "He wishes his 9-year-old were here."),
    ] {
        let text = format!("A 40-year-old woman coughs. {told}");
        let there = swapped(&text);
        assert_eq!(there, format!("A 40-year-old man coughs. {expected}"));
        assert_eq!(swapped(&there), text);
    }
}

#[test]
fn others_keep_their_titles_and_jobs() {
    let swap = |text: &str| rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap().text;
    assert_eq!(
        swap("A 45-year-old woman lives with her aunt, Mrs. Brown. Her father is a policeman."),
        "A 45-year-old man lives with his aunt, Mrs. Brown. His father is a policeman."
    );
    assert_eq!(
        swap("A 45-year-old woman is raising a son and a daughter. She was examined and a sister of 40 too."),
        "A 45-year-old man is raising a son and a daughter. He was examined and a sister of 40 too."
    );
    assert_eq!(
        swap("A 45-year-old man fell. A policeman found him."),
        "A 45-year-old woman fell. A policeman found her."
    );
}

#[test]
fn words_that_tell_a_sex_and_stay_are_warned_of() {
    for text in [
        "A 45-year-old man is well. \"Thank you, Sir,\" says the nurse.",
        "A 45-year-old man is well. He came with Peter.",
        "A 45-year-old woman is well and a nun.",
    ] {
        let new = rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap();
        assert!(new.warnings.iter().any(|it| it.why.contains("left as it is")), "{text}: {:?}", new.warnings);
    }
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
fn why_there_is_no_swap_can_be_made_a_code() {
    let why = rewrite("A 45-year-old patient has a cough.", &[], Wording::Swapped, Who::Patient).unwrap_err().why;
    // Codes are made of its words, and an apostrophe would part one.
    assert_eq!(why, "the text does not tell the sex of the patient");
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
fn descent_lists_of_kin_and_lists_of_verbs_change_along() {
    for (text, swapped, neutral) in [
        (
            "A 45-year-old Latina woman coughs. She smokes.",
            "A 45-year-old Latino man coughs. He smokes.",
            "A 45-year-old Latin American person coughs. They smoke.",
        ),
        (
            "A 45-year-old Chicana woman coughs. She smokes.",
            "A 45-year-old Chicano man coughs. He smokes.",
            "A 45-year-old Mexican American person coughs. They smoke.",
        ),
        (
            "A 45-year-old man coughs. He counts his pills and double-checks.",
            "A 45-year-old woman coughs. She counts her pills and double-checks.",
            "A 45-year-old person coughs. They count their pills and double-check.",
        ),
        (
            "A 45-year-old man coughs. He has a fever and night-sweats.",
            "A 45-year-old woman coughs. She has a fever and night-sweats.",
            "A 45-year-old person coughs. They have a fever and night-sweats.",
        ),
        (
            "A 45-year-old man coughs. He smokes a pack a day and binge-drinks.",
            "A 45-year-old woman coughs. She smokes a pack a day and binge-drinks.",
            "A 45-year-old person coughs. They smoke a pack a day and binge-drink.",
        ),
        (
            "A 45-year-old man coughs. He is a stepfather, an uncle, and a godfather.",
            "A 45-year-old woman coughs. She is a stepmother, an aunt, and a godmother.",
            "A 45-year-old person coughs. They are a stepparent, a relative, and a godparent.",
        ),
        (
            "A 45-year-old man coughs. He vapes, self-medicates, co-sleeps.",
            "A 45-year-old woman coughs. She vapes, self-medicates, co-sleeps.",
            "A 45-year-old person coughs. They vape, self-medicate, co-sleep.",
        ),
        (
            "A 45-year-old woman coughs. She runs, walks and hikes.",
            "A 45-year-old man coughs. He runs, walks and hikes.",
            "A 45-year-old person coughs. They run, walk and hike.",
        ),
        (
            "A 45-year-old man coughs. He self-medicates.",
            "A 45-year-old woman coughs. She self-medicates.",
            "A 45-year-old person coughs. They self-medicate.",
        ),
        (
            "A 45-year-old man was driven here by Mr. Lee (his boss).",
            "A 45-year-old woman was driven here by Mr. Lee (her boss).",
            "A 45-year-old person was driven here by Mr. Lee (their boss).",
        ),
    ] {
        for (wording, expected) in [(Wording::Swapped, swapped), (Wording::Neutral, neutral)] {
            let new = rewrite(text, &[], wording, Who::Patient).unwrap();
            assert_eq!(new.text, expected);
            assert_eq!(only_gendered_words_differ(text, &new.text), Ok(()), "{}", new.text);
        }
        assert_eq!(self::swapped(swapped), text);
    }
    let warned = |text: &str, wording: Wording| !rewrite(text, &[], wording, Who::Patient).unwrap().warnings.is_empty();
    assert!(warned("A 45-year-old man coughs. He smokes, jaywalks, and is well.", Wording::Neutral));
    let father = "A 2-year-old boy is brought in by his father; he says that he vomits after he feeds him.";
    assert!(warned(father, Wording::Swapped));
}

#[test]
fn a_filipina_becomes_a_filipino_and_a_filipino_woman_is_no_man() {
    let text = "A 45-year-old Filipina woman coughs. She smokes.";
    let new = rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap();
    assert_eq!(new.text, "A 45-year-old Filipino man coughs. He smokes.");
    assert!(!new.warnings.is_empty(), "swapped back it is another word");
    let neutral = rewrite(text, &[], Wording::Neutral, Who::Patient).unwrap().text;
    assert_eq!(neutral, "A 45-year-old Filipino person coughs. They smoke.");
    for told in [&new.text, &neutral] {
        assert_eq!(only_gendered_words_differ(text, told), Ok(()), "{told}");
    }
    assert_eq!(
        swapped("A 45-year-old Filipino woman coughs. She smokes."),
        "A 45-year-old Filipino man coughs. He smokes."
    );
}
