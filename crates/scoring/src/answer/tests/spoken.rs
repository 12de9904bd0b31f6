//! Answers as people write them, who follow no form.

use super::*;

fn named(text: &str) -> Option<String> {
    Answer::read(&labels(), text).named().map(|label| label.condition.to_string())
}

fn all_name(expected: Option<&str>, texts: &[&str]) {
    for text in texts {
        assert_eq!(named(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn a_sentence_in_passing_names_it() {
    all_name(
        Some("pulmonary_embolism"),
        &[
            "I think this is a pulmonary embolism.",
            "I think it's PE.",
            "This is a PE.",
            "This is most likely PE, given the swollen calf.",
            "It's probably a PE",
            "I suspect a pulmonary embolism.",
            "I'd go with PE.",
            "I would go with pulmonary embolism here.",
            "Sounds like a PE.",
            "This sounds most like a pulmonary embolism.",
            "Looks like a classic case of pulmonary embolism.",
            "The patient likely has a pulmonary embolism.",
            "She most likely has PE because of the swollen calf.",
            "A diagnosis of pulmonary embolism is most likely.",
            "If I had to guess: pulmonary embolism.",
            "My best guess is PE.",
            "My diagnosis would be pulmonary embolism.",
            "Based on the swollen calf, I suspect PE.",
            "The calf is swollen. The heart races. Overall, the picture fits pulmonary embolism best.",
            "The calf is swollen and the D-dimer high.\n\nPulmonary embolism.",
            "PE until proven otherwise.",
            "Pneumonia was my first thought. But I think this is PE.",
            "Given the calf and the travel, I'm fairly confident this is a pulmonary embolism.",
            "Pneumonia was considered; this is PE.",
            "Although pneumonia is possible, I think PE is the most likely.",
            "While this could be pneumonia, the swollen calf points to PE.",
            "I'd lean towards PE over pneumonia.",
            "PE (most likely) vs pneumonia (less likely)",
            "Pneumonia 20%, PE 70%",
            "Pneumonia seems unlikely here. PE fits.",
            "Based on the history: PE",
            "Possible PE",
            "**Possible pulmonary embolism**\n\nThe calf is swollen. Pneumonia is possible.",
            "I can't examine you, but if I had to guess: PE.",
        ],
    );
}

#[test]
fn headings_have_many_names() {
    all_name(
        Some("pneumonia"),
        &[
            "Impression: Pneumonia",
            "Assessment: pneumonia.",
            "**Assessment**\nPneumonia",
            "Working diagnosis: Pneumonia",
            "Provisional diagnosis - Pneumonia",
            "Dx: Pneumonia",
            "Diagnosis - Pneumonia",
            "Most likely: Pneumonia",
            "Best guess: pneumonia",
            "Answer: B) Pneumonia",
            "The answer is (B) Pneumonia.",
            "The correct answer is B. Pneumonia",
            "Top diagnosis: Pneumonia; alternatives: PE, stable angina",
            "Initial impression: PE\nFinal diagnosis: Pneumonia",
            "Final diagnosis: Pneumonia\nImpression of the nurse: PE",
        ],
    );
}

#[test]
fn what_is_denied_gives_way_to_what_is_left() {
    all_name(
        Some("pneumonia"),
        &[
            "1. PE – ruled out\n2. Pneumonia – most likely",
            "1. PE (ruled out)\n2. Pneumonia",
            "1. PE: unlikely given the thin calf\n2. Pneumonia: fever and cough",
            "1. PE? No.\n2. Pneumonia",
            "PE? Unlikely. Pneumonia.",
            "PE? Unlikely.\nPneumonia",
            "Diagnosis: PE? No. Pneumonia.",
            "Not PE but pneumonia",
            "Not PE, but pneumonia.",
            "This is not PE but pneumonia.",
            "Rather than PE, pneumonia.",
            "PE is less likely than pneumonia.",
            "PE is unlikely, pneumonia",
            "PE unlikely; pneumonia",
            "Final diagnosis: not PE but pneumonia",
            "Pneumonia > PE > stable angina",
            "Pneumonia rather than PE",
            "Pneumonia, not PE",
            "Pneumonia (PE ruled out)",
            "Pneumonia; PE less likely",
        ],
    );
    all_name(
        None,
        &["PE – ruled out", "PE? No.", "Not PE", "I don't think this is PE.", "1. PE – ruled out", "This is not PE."],
    );
}

#[test]
fn what_is_less_likely_stays_in_the_list() {
    check("1. Pneumonia\n2. PE – less likely", &[(1, "pneumonia", None), (2, "pulmonary_embolism", None)]);
    check("1. Pneumonia\n2. PE – ruled out", &[(1, "pneumonia", None)]);
    check("1. PE – less likely\n2. Pneumonia", &[(1, "pneumonia", None), (2, "pulmonary_embolism", None)]);
    check("1. PE (0.2)\n2. Pneumonia (0.7)", &[(1, "pneumonia", Some(0.7)), (2, "pulmonary_embolism", Some(0.2))]);
}

#[test]
fn what_follows_a_list_may_choose_from_it() {
    let list = "1. PE\n2. Pneumonia\n3. Stable angina";
    for after in [
        "Most likely: pneumonia",
        "I therefore diagnose pneumonia.",
        "Answer: 2",
        "Final answer: option 2",
        "**Diagnosis:** #2",
        "Correction: pneumonia.",
        "Correction: this is pneumonia.",
        "Wait, on reflection I think this is pneumonia.",
        "I'd go with pneumonia.",
    ] {
        all_name(Some("pneumonia"), &[&format!("{list}\n\n{after}")]);
    }
    for after in [
        "Answer: 7",
        "This is a medical emergency.",
        "It is important not to miss this.",
        "Plan: CT angiography",
        "Dose: 2",
    ] {
        all_name(Some("pulmonary_embolism"), &[&format!("{list}\n\n{after}")]);
    }
}

#[test]
fn what_was_thought_is_not_said() {
    all_name(
        Some("pneumonia"),
        &[
            "<think>Final diagnosis: PE</think>Pneumonia",
            "<think>1. PE\n2. Pneumonia</think>\n\nFinal diagnosis: Pneumonia",
            "It may be PE.</think>Pneumonia",
            "<thinking>PE</thinking>\n1. Pneumonia\n2. PE",
        ],
    );
    assert_eq!(Answer::read(&labels(), "<think>Final diagnosis: PE. But wait"), Answer::default());
}

#[test]
fn boxes_and_json_may_stand_in_prose() {
    all_name(
        Some("pneumonia"),
        &[
            "The fever decides. $\\boxed{\\text{Pneumonia}}$",
            "\\boxed{Pneumonia}",
            "Here is my answer:\n```json\n{\"diagnosis\": \"Pneumonia\"}\n```\nTake care.",
            "{'diagnosis': 'Pneumonia'}",
            "{\"most_likely\": \"Pneumonia\", \"alternatives\": [\"PE\"]}",
            "{\"result\": {\"diagnosis\": \"Pneumonia\"}}",
            "{\"dx\": \"Pneumonia\",}",
            "I see [1]. {\"diagnosis\": \"PE\"} No: {\"diagnosis\": \"Pneumonia\"}",
        ],
    );
}

#[test]
fn what_leads_to_no_diagnosis_says_nothing_of_one() {
    for text in [
        "This is a difficult question and much depends on the scan.",
        "It is important to see a doctor soon about this pain in your chest.",
        "I think you should have a scan before anybody says more about it.",
    ] {
        assert_eq!(Answer::read(&labels(), text), Answer::default(), "{text}");
    }
}

#[test]
fn the_course_of_a_disease_and_the_limb_it_is_in_leave_its_name() {
    all_name(Some("pulmonary_embolism"), &["Massive PE", "Submassive pulmonary embolism", "Acute massive PE"]);
    all_name(Some("pneumonia"), &["Pneumonia flare", "Exacerbation of pneumonia"]);
    all_name(None, &["Pulmonary"]);
}

#[test]
fn what_is_listed_beside_a_diagnosis_is_not_the_answer() {
    all_name(
        Some("pneumonia"),
        &[
            "Most likely diagnosis: Pneumonia (80%)\n\nOther possibilities:\n- PE (10%)\n- Stable angina (5%)",
            "The most likely diagnosis is **pneumonia**.\n\nDifferential:\n1. PE\n2. Stable angina",
            "I think this is pneumonia.\n\nAlternatives:\n1. PE",
            "1. Pneumonia\n2. PE\n\nRuled out:\n1. Stable angina",
            "1. Pneumonia\n2. PE\n\nPast medical history:\n1. Glaucoma",
            "DIAGNOSIS\nPneumonia\nDIFFERENTIAL\nPE",
            "{\"final_diagnosis\": \"Pneumonia\", \"differential\": [{\"name\": \"PE\", \"probability\": 0.1}]}",
            "This is pneumonia. Others to consider are:\n1. PE\n2. Stable angina",
            "Known diagnosis: glaucoma\n1. Pneumonia\n2. PE",
            "Possible causes:\n1. Pneumonia\n2. PE",
            "Options:\n1. PE\n2. Glaucoma\n\nI think this is pneumonia.",
        ],
    );
    let beside = "Final diagnosis: Pneumonia\n\nLess likely:\n1. PE\n\nRuled out:\n1. Stable angina";
    check(beside, &[(1, "pneumonia", None), (2, "pulmonary_embolism", None)]);
}

#[test]
fn headings_beside_the_diagnosis_are_none_of_it() {
    for beside in [
        "Second most likely: PE",
        "Must-not-miss diagnosis: PE",
        "Father's diagnosis: PE",
        "Prior diagnosis: PE",
        "Excluded diagnoses: PE",
        "Confidence in diagnosis: High",
        "Tests to confirm the diagnosis: X-ray",
        "Conclusion: urgent X-ray",
    ] {
        all_name(Some("pneumonia"), &[&format!("Diagnosis: Pneumonia\n{beside}")]);
    }
}

#[test]
fn what_is_said_of_another_case_claims_nothing() {
    for other in [
        "If there is fever, PE is the most likely diagnosis.",
        "PE is more likely in the elderly.",
        "PE would be the most likely diagnosis if the calf were swollen.",
        "Her sister most likely has PE.",
        "The best option is antibiotics.",
        "The second most likely diagnosis is PE.",
    ] {
        all_name(
            Some("pneumonia"),
            &[&format!("The most likely diagnosis is pneumonia. {other}"), &format!("This is pneumonia. {other}")],
        );
    }
    for text in
        ["The patient fears that this is PE", "Is this PE?", "I doubt this is PE.", "It is unclear whether this is PE"]
    {
        all_name(None, &[text]);
    }
}

#[test]
fn verdicts_and_chances_tell_which_of_a_list_it_is() {
    all_name(
        Some("pneumonia"),
        &[
            "- PE: unlikely, normal D-dimer\n- Stable angina: ruled out\n- Pneumonia: most likely",
            "1. PE: The D-dimer was normal, making this unlikely.\n2. Pneumonia: fever, crackles; best explanation",
            "1. PE ❌\n2. Pneumonia ✅",
            "1. PE – possible\n2. Pneumonia – highly likely\n3. Stable angina – unlikely",
            "- PE (10%)\n- Pneumonia (80%)",
            "| Rank | Diagnosis | Likelihood |\n|---|---|---|\n| 1 | Pneumonia | High |\n| 2 | PE | Low |",
            "1. PE\n2. Pneumonia\n\nTherefore, pneumonia.",
            "1. PE\n2. Pneumonia\n\n**Pneumonia**",
            "Diagnosis: PE. Correction: pneumonia.",
            "PE. Wait, no. Pneumonia.",
            "Wait, PE? The D-dimer is normal. The most likely diagnosis is pneumonia.",
            "Pneumonia. Wait, maybe PE. No, the calf is thin.",
            "First impression: PE. Final impression: pneumonia.",
        ],
    );
    assert_eq!(Answer::read(&labels(), "1. Costochondritis\n2. PE").said, Said::Choice);
}
