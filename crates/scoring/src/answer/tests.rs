//! Answers as models word them.

use super::*;

fn labels() -> Labels {
    let entry = |id: &str, names: &[&str]| {
        (ConditionId::from(id), names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    };
    Labels::new([
        entry("pulmonary_embolism", &["Pulmonary embolism", "PE", "I26"]),
        entry("pneumonia", &["Pneumonia", "lung infection"]),
        entry("stable_angina", &["Stable angina"]),
        entry("unstable_angina", &["Unstable angina"]),
        entry("stroke", &["Ischaemic stroke", "缺血性脑卒中", "脑梗死"]),
        entry("glaucoma", &["Glaucoma", "急性闭角型青光眼"]),
        entry("mi", &["Possible NSTEMI / STEMI"]),
    ])
}

fn check(text: &str, expected: &[(u32, &str, Option<f64>)]) {
    let answer = Answer::read(&labels(), text);
    let read: Vec<_> =
        answer.ranking.iter().map(|label| (label.rank, label.condition.as_str(), label.confidence)).collect();
    assert_eq!(read, expected, "{text}");
}

#[test]
fn a_bare_name_is_an_answer() {
    check("Stable angina.", &[(1, "stable_angina", None)]);
}

#[test]
fn close_names_are_told_apart() {
    check("unstable angina", &[(1, "unstable_angina", None)]);
}

#[test]
fn a_ranked_list_keeps_order_and_confidence() {
    check(
        "1. Pulmonary embolism (0.62)\n2. Pneumonia (0.20)",
        &[(1, "pulmonary_embolism", Some(0.62)), (2, "pneumonia", Some(0.20))],
    );
}

#[test]
fn the_last_list_counts_because_reasoning_comes_before_it() {
    check(
        "Candidates:\n1. Pneumonia\n2. Stable angina\n\nThe leg swelling decides.\n\n1) PE (confidence: 80%)\n2) Lung infection",
        &[(1, "pulmonary_embolism", Some(0.8)), (2, "pneumonia", None)],
    );
}

#[test]
fn a_final_line_counts_where_there_is_no_list() {
    check("The calf is swollen.\n**Final diagnosis:** Pulmonary Embolism", &[(1, "pulmonary_embolism", None)]);
}

#[test]
fn a_slip_of_spelling_is_forgiven() {
    check("1. Pulmonary embolsim (0.5)", &[(1, "pulmonary_embolism", Some(0.5))]);
}

#[test]
fn an_unknown_disease_keeps_its_place() {
    check("1. Costochondritis (0.7)\n2. Pneumonia (0.1)", &[(2, "pneumonia", Some(0.1))]);
    assert_eq!(Answer::read(&labels(), "1. Costochondritis").named(), None);
}

#[test]
fn a_name_with_a_slash_or_an_abbreviation_in_brackets_is_recognised() {
    check("1. Possible NSTEMI/STEMI (0.4)", &[(1, "mi", Some(0.4))]);
    check("1. Pulmonary embolism (PE)", &[(1, "pulmonary_embolism", None)]);
}

#[test]
fn a_plan_after_the_list_is_not_the_answer() {
    check(
        "1. Pneumonia (0.7)\n2. PE (0.2)\n\nPlan:\n1. Chest X-ray\n2. Antibiotics",
        &[(1, "pneumonia", Some(0.7)), (2, "pulmonary_embolism", Some(0.2))],
    );
}

#[test]
fn a_diagnosis_announced_after_numbered_reasoning_counts() {
    check("1. Pneumonia would cough.\n2. Angina would hurt.\nFinal diagnosis: PE", &[(1, "pulmonary_embolism", None)]);
}

#[test]
fn a_reason_after_the_name_does_not_hide_it() {
    check(
        "1. Pneumonia – fever, cough\n2. PE: swollen calf",
        &[(1, "pneumonia", None), (2, "pulmonary_embolism", None)],
    );
}

#[test]
fn prose_without_a_diagnosis_line_is_not_read_as_a_wrong_diagnosis() {
    let answer = Answer::read(&labels(), "I would need to see the X-ray before I can say anything about this.");
    assert_eq!(answer.listed, 0);
}

#[test]
fn none_of_the_listed_is_a_reading() {
    let check = |text: &str, said: Said| assert_eq!(Answer::read(&labels(), text).said, said, "{text}");
    check("Final diagnosis: None of the above.", Said::NoneOfThem);
    check("None of the listed conditions explains this.", Said::NoneOfThem);
    check("The most likely diagnosis is not among the given choices.", Said::NoneOfThem);
    check("Therefore, none of the choices (pneumonia, PE) is the correct answer.", Said::NoneOfThem);
    check("Final diagnosis: cannot be determined without an X-ray.", Said::Nothing);
    check("Final diagnosis: Costochondritis", Said::Choice);
}

#[test]
fn two_diagnoses_left_open_are_no_first_choice() {
    let check = |text: &str, named: Option<&str>| {
        let answer = Answer::read(&labels(), text);
        assert_eq!(answer.named().map(|label| label.condition.as_str()), named, "{text}");
        assert_eq!(answer.said, if named.is_some() { Said::Choice } else { Said::Open }, "{text}");
    };
    check("Final diagnosis: Pneumonia or pulmonary embolism (PE).", None);
    check("Pneumonia or costochondritis", None);
    check("Final diagnosis: PE (if the calf is swollen)\n\nOR\n\nFinal diagnosis: Pneumonia (if not)", None);
    check(
        "Final diagnosis: PE or pneumonia. Given the calf, PE is the more likely diagnosis.",
        Some("pulmonary_embolism"),
    );
    check("Pneumonia due to influenza or Legionella.", Some("pneumonia"));
}

#[test]
fn a_diagnosis_said_in_a_sentence_is_read() {
    let check = |text: &str, named: &str| {
        let answer = Answer::read(&labels(), text);
        assert_eq!(answer.named().map(|label| label.condition.as_str()), Some(named), "{text}");
    };
    check("Fever and cough. The most likely diagnosis is pneumonia. PE would not cough so much.", "pneumonia");
    check("Based on the findings, PE is the most likely diagnosis.", "pulmonary_embolism");
    check("Pneumonia. The fever and the cough fit. PE is less likely.", "pneumonia");
    check("The fever and the crackles are suggestive of pneumonia.", "pneumonia");
    check("**Final diagnosis:** Pneumonia with a pleural effusion, in an elderly smoker", "pneumonia");
    check(
        "1. Pneumonia: the fever fits\n2. PE: the calf fits\n\nAltogether it is most likely PE.",
        "pulmonary_embolism",
    );
    check("## Final answer\n\n**Unstable angina**\n\nConfidence: 80%", "unstable_angina");
}

#[test]
fn a_confidence_on_a_line_of_its_own_is_the_diagnoses() {
    check("Diagnosis: Pneumonia\nConfidence: 80%", &[(1, "pneumonia", Some(0.8))]);
}

#[test]
fn a_diagnosis_followed_by_others_thought_of_comes_first() {
    check(
        "Final diagnosis: PE\n\nAlso considered:\n1. Pneumonia\n2. Stable angina",
        &[(1, "pulmonary_embolism", None), (2, "pneumonia", None), (3, "stable_angina", None)],
    );
    check(
        "1. PE (0.6)\n2. Pneumonia (0.2)\n\nFinal diagnosis: PE",
        &[(1, "pulmonary_embolism", Some(0.6)), (2, "pneumonia", Some(0.2))],
    );
}

#[test]
fn a_code_is_read_as_its_condition() {
    check(
        "1. I26.99 (0.7)\n2. Lung infection (0.1)",
        &[(1, "pulmonary_embolism", Some(0.7)), (2, "pneumonia", Some(0.1))],
    );
}

#[test]
fn nothing_said_is_nothing_read() {
    let answer = Answer::read(&labels(), " \n ");
    assert_eq!((answer.listed, answer.named()), (0, None));
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_read(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "1. ", "2) ", "- ", "| 1 | ", "|", "\n", "**", "Final diagnosis:", "the most likely diagnosis is ", "PE",
                "pneumonia", " or ", ", ", "(", ")", " is the most likely", "none of the above", "0.6", "80%", "’", "İ", "é—",
                "confidence: ", ". ", "[", "OR\n", " possibly ", " due to ", "🙂", "/",
            ]),
            0..24,
        ),
    ) {
        let answer = Answer::read(&labels(), &words.concat());
        assert!(answer.ranking.iter().all(|label| (1..=answer.listed).contains(&label.rank)), "{answer:?}");
        assert!(answer.named().is_none() || answer.said == Said::Choice);
    }
}

#[test]
fn chinese_names_and_marks_are_read_like_any_others() {
    check("1、脑梗死（0.62）\n2、急性闭角型青光眼（20％）", &[(1, "stroke", Some(0.62)), (2, "glaucoma", Some(0.2))]);
    check(
        "1. 急性闭角型青光眼\n2. 缺血性脑卒中\n\n支持的依据：眼睛疼。",
        &[(1, "glaucoma", None), (2, "stroke", None)],
    );
    check("脑梗死。", &[(1, "stroke", None)]);
}

/// What it comes to, how many diagnoses it lists, and the words of the first choice.
fn check_choice(text: &str, said: Said, listed: u32, first_words: &str) {
    let answer = Answer::read(&labels(), text);
    assert_eq!((answer.said, answer.listed), (said, listed), "{text}");
    assert_eq!(answer.first_words.as_deref(), Some(first_words), "{text}");
}

#[test]
fn the_first_of_a_list_is_the_choice_unless_it_is_two() {
    check_choice("1. PE\n2. Pneumonia", Said::Choice, 2, "PE");
    check_choice("1. PE or pneumonia\n2. Glaucoma", Said::Open, 2, "PE or pneumonia");
    check_choice("Final diagnosis: PE\n\nAlso considered:\n1. Pneumonia\n2. Stable angina", Said::Choice, 3, "PE");
}

#[test]
fn a_bare_name_is_a_choice_known_or_not() {
    check_choice("Costochondritis", Said::Choice, 1, "Costochondritis");
    check_choice("Pneumonia or costochondritis", Said::Open, 2, "Pneumonia or costochondritis");
}

#[test]
fn prose_is_no_name_however_it_begins() {
    let check = |text: &str| assert_eq!(Answer::read(&labels(), text), Answer::default(), "{text}");
    check("I would need to see the X-ray before I can say anything about this.");
    check("Tests are needed, and before that nothing can be said about this at all.");
}

#[test]
fn two_known_names_are_two_however_they_are_joined() {
    check_choice("Final diagnosis: PE and pneumonia", Said::Open, 2, "PE or pneumonia");
    check_choice("Glaucoma or pneumonia (left, right)", Said::Open, 2, "Glaucoma or pneumonia (left, right)");
}

#[test]
fn what_is_joined_to_a_sign_is_a_name_if_it_is_written_large() {
    check_choice("Pneumonia with fever or cough", Said::Choice, 1, "Pneumonia with fever or cough");
    check_choice("Pneumonia with fever or Costochondritis", Said::Open, 2, "Pneumonia with fever or Costochondritis");
}

#[test]
fn a_name_and_a_number_are_not_the_name_alone() {
    check_choice("Final diagnosis: PE or 12", Said::Choice, 1, "PE or 12");
}

#[test]
fn a_wide_name_is_read_as_the_narrower_one_it_likely_is() {
    check("Chest infection, likely pneumonia", &[(1, "pneumonia", None)]);
}

#[test]
fn a_graded_list_after_a_diagnosis_is_the_answer() {
    check(
        "Final diagnosis: PE\n\n1. Pneumonia (0.6)\n2. PE (0.3)",
        &[(1, "pneumonia", Some(0.6)), (2, "pulmonary_embolism", Some(0.3))],
    );
}

#[test]
fn the_last_of_two_headings_counts() {
    check("Diagnosis: PE\nFinal diagnosis: Pneumonia", &[(1, "pneumonia", None)]);
}

#[test]
fn a_sentence_after_a_heading_is_read_as_a_sentence() {
    check("Final diagnosis: Based on the fever, the most likely diagnosis is pneumonia", &[(1, "pneumonia", None)]);
    check("Final diagnosis: Pneumonia, the correct answer is unknown", &[(1, "pneumonia", None)]);
}

#[test]
fn what_was_left_open_is_narrowed_by_a_sentence_about_it_only() {
    check_choice(
        "Final diagnosis: PE or pneumonia. Glaucoma is the most likely cause of the headache.",
        Said::Open,
        2,
        "PE or pneumonia",
    );
    check_choice("Final diagnosis: PE\nAnswer: PE or pneumonia", Said::Open, 2, "PE or pneumonia");
    check_choice("1. PE\n2. Pneumonia\nFinal diagnosis: PE or pneumonia", Said::Open, 2, "PE or pneumonia");
}

#[test]
fn an_answer_may_open_with_a_name_and_a_few_words() {
    check(
        "Pneumonia (0.6), as there are fever, cough and crackles. It began on Monday.",
        &[(1, "pneumonia", Some(0.6))],
    );
}

/// Two strokes that share a name and its code, and what else makes dizzy.
fn strokes() -> Labels {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let ids = |ids: &[&str]| ids.iter().map(|&id| ConditionId::from(id)).collect::<Vec<_>>();
    let conditions = [
        ("anterior", names(&["Anterior circulation stroke", "ischaemic stroke", "stroke", "I63.5"])),
        ("posterior", names(&["Posterior circulation stroke", "cerebellar stroke", "I63.2"])),
        ("neuritis", names(&["Vestibular neuritis", "H81.2"])),
    ];
    let umbrellas = [(names(&["Stroke", "ischaemic stroke", "I63"]), ids(&["anterior", "posterior"]))];
    Labels::with_umbrellas(conditions.map(|(id, names)| (ConditionId::from(id), names)), umbrellas)
}

fn about(asked: &[&str], text: &str) -> Answer {
    let asked: Vec<ConditionId> = asked.iter().map(|&id| ConditionId::from(id)).collect();
    Answer::read_about(&strokes(), &asked.iter().collect::<Vec<_>>(), text)
}

/// What is named where these are asked about; `None` where it is left open.
fn check_asked(asked: &[&str], text: &str, named: Option<&str>) {
    let answer = about(asked, text);
    assert_eq!(answer.named().map(|label| label.condition.as_str()), named, "{text}");
    assert_eq!(answer.said, if named.is_some() { Said::Choice } else { Said::Open }, "{text}");
}

#[test]
fn a_name_that_fits_several_is_the_one_that_was_asked_about() {
    for text in [
        "Stroke",
        "Acute ischemic stroke.",
        "Final diagnosis: ischaemic stroke",
        "1. I63.9 (0.8)",
        "stroke with ataxia",
    ] {
        check_asked(&["posterior", "neuritis"], text, Some("posterior"));
        check_asked(&["neuritis", "anterior"], text, Some("anterior"));
    }
}

#[test]
fn a_name_that_fits_both_that_were_asked_about_is_neither() {
    check_asked(&["anterior", "posterior"], "Stroke", None);
    check_asked(&["anterior", "posterior", "neuritis"], "The most likely diagnosis is ischaemic stroke.", None);
    check_asked(&["anterior", "posterior"], "cerebellar stroke", Some("posterior"));
    check_asked(&["anterior", "posterior"], "I63.5", Some("anterior"));
}

#[test]
fn a_name_that_fits_several_names_none_of_them_where_nobody_asked() {
    check_asked(&["neuritis"], "ischemic stroke", None);
    check_asked(&[], "stroke", None);
    assert_eq!(Answer::read(&strokes(), "stroke"), about(&[], "stroke"));
}

#[test]
fn the_words_beside_a_wide_name_tell_which_is_meant() {
    for text in [
        "Ischaemic stroke (cerebellar stroke)",
        "Ischaemic stroke (posterior circulation)",
        "Ischaemic stroke in the posterior circulation",
        "Stroke, likely cerebellar",
        "Stroke, likely a cerebellar stroke",
        "Stroke: posterior circulation",
    ] {
        check_asked(&["anterior", "posterior"], text, Some("posterior"));
    }
    check_asked(&["anterior", "posterior"], "Stroke (vestibular neuritis ruled out)", None);
    check_asked(&["neuritis"], "Vestibular neuritis (stroke excluded)", Some("neuritis"));
}

#[test]
fn a_list_may_begin_with_a_wide_name() {
    let check = |asked: &[&str], expected: &[(u32, &str)]| {
        let answer = about(asked, "1. Stroke\n2. Vestibular neuritis\n3. Cerebellar stroke");
        let read: Vec<_> = answer.ranking.iter().map(|label| (label.rank, label.condition.as_str())).collect();
        assert_eq!((read.as_slice(), answer.listed), (expected, 3));
    };
    check(&["posterior", "neuritis"], &[(1, "posterior"), (2, "neuritis")]);
    check(&["anterior", "neuritis"], &[(1, "anterior"), (2, "neuritis"), (3, "posterior")]);
    check(&["anterior", "posterior"], &[(1, "anterior"), (1, "posterior"), (2, "neuritis")]);
}

#[test]
fn a_wide_name_further_down_leaves_the_first_choice_alone() {
    check_asked(&["anterior", "posterior"], "1. Vestibular neuritis\n2. Stroke", Some("neuritis"));
}

mod spoken;
mod wide;

#[test]
fn a_refusal_is_nothing_said_and_no_other_diagnosis() {
    for text in [
        "I cannot help with that.",
        "I’m sorry, but I can’t help with that.",
        "I cannot provide a diagnosis.",
        "As an AI language model, I can't diagnose.",
        "I don't know",
        "N/A",
        "None",
        "Final diagnosis: I don't know.",
        "**Final diagnosis:** N/A",
        "1. Unknown (0.5)\n2. N/A (0.5)",
        "{\"diagnosis\": \"I cannot help with that.\"}",
        "<answer>unknown</answer>",
    ] {
        assert_eq!(Answer::read(&labels(), text), Answer::default(), "{text}");
    }
}

#[test]
fn who_will_not_be_definite_and_names_it_all_the_same_is_read() {
    for text in [
        "I can't examine you, but this sounds like pneumonia.",
        "I cannot provide a definitive diagnosis, but most likely: pneumonia",
        "I can’t examine you. This sounds like pneumonia.",
        "I'm not sure, but pneumonia",
        "I can't diagnose you.\n\n1. Pneumonia\n2. PE",
        "I cannot rule out PE, but most likely pneumonia",
    ] {
        let answer = Answer::read(&labels(), text);
        assert_eq!(answer.named().map(|label| label.condition.as_str()), Some("pneumonia"), "{text}");
    }
    check("I can't diagnose, but PE, if present, is dangerous", &[]);
}

#[test]
fn an_answer_in_json_or_between_tags_is_what_it_holds() {
    check("{\"diagnosis\": \"Pneumonia\", \"confidence\": 0.8}", &[(1, "pneumonia", Some(0.8))]);
    check("```json\n{\"Final Diagnosis\": \"Pneumonia\"}\n```", &[(1, "pneumonia", None)]);
    check(
        "{\"diagnoses\": [{\"name\": \"Pneumonia\", \"confidence\": 0.7}, {\"name\": \"PE\", \"confidence\": \"20%\"}]}",
        &[(1, "pneumonia", Some(0.7)), (2, "pulmonary_embolism", Some(0.2))],
    );
    check("<answer>Pneumonia</answer>", &[(1, "pneumonia", None)]);
    check(
        "<think>perhaps PE</think><answer>1. Pneumonia\n2. PE</answer>",
        &[(1, "pneumonia", None), (2, "pulmonary_embolism", None)],
    );
    check_choice("{\"answer\": \"Kikuchi disease\"}", Said::Choice, 1, "Kikuchi disease");
    assert_eq!(Answer::read(&labels(), "{\"diagnosis\": null}"), Answer::default());
}

#[test]
fn a_name_the_other_way_round_is_the_name() {
    check("Angina, unstable", &[(1, "unstable_angina", None)]);
    check(
        "1. Embolism, pulmonary (0.7)\n2. Pneumonia (0.2)",
        &[(1, "pulmonary_embolism", Some(0.7)), (2, "pneumonia", Some(0.2))],
    );
}

#[test]
fn what_is_ruled_out_before_a_semicolon_is_not_the_answer() {
    check("PE is unlikely; pneumonia.", &[(1, "pneumonia", None)]);
    check("PE is unlikely; the calf is thin.", &[]);
}

#[test]
fn a_name_behind_which_it_is_denied_is_not_the_answer() {
    for text in ["PE (unlikely)", "Pulmonary embolism (ruled out)", "PE: less likely", "PE - excluded", "PE: no"] {
        let answer = Answer::read(&labels(), text);
        assert_eq!(answer.named().map(|label| label.condition.as_str()), None, "{text}");
    }
    check("PE (likely)", &[(1, "pulmonary_embolism", None)]);
}
