//! What is said of a patient, with they for the patient.

use waterjar_vignettes::unsexed;

/// The two are told of him and of her, and with they they are one.
fn check(of_him: &str, of_her: &str, of_them: &str) {
    assert_eq!(unsexed(of_him), of_them);
    assert_eq!(unsexed(of_her), of_them);
    assert_eq!(unsexed(of_them), of_them, "what tells no sex stays to the letter");
}

#[test]
fn a_reasoning_that_introduces_its_patient() {
    check(
        "This is a 54-year-old man with pain that radiates to his left arm. He smokes and has diabetes.",
        "This is a 54-year-old woman with pain that radiates to her left arm. She smokes and has diabetes.",
        "This is a 54-year-old person with pain that radiates to their left arm. They smoke and have diabetes.",
    );
}

#[test]
fn a_reasoning_that_introduces_nobody() {
    check(
        "The patient smokes, and he has a cough. His sputum is bloody, which worries him.",
        "The patient smokes, and she has a cough. Her sputum is bloody, which worries her.",
        "The patient smokes, and they have a cough. Their sputum is bloody, which worries them.",
    );
}

#[test]
fn what_is_said_of_men_and_women_as_such_stays() {
    for (of_him, of_her, of_them) in [
        (
            "Gout is commoner in men, and he drinks.",
            "Gout is commoner in men, and she drinks.",
            "Gout is commoner in men, and they drink.",
        ),
        (
            "Female sex is a risk factor, and he smokes.",
            "Female sex is a risk factor, and she smokes.",
            "Female sex is a risk factor, and they smoke.",
        ),
        (
            "A male predominance is known, but he is young.",
            "A male predominance is known, but she is young.",
            "A male predominance is known, but they are young.",
        ),
    ] {
        check(of_him, of_her, of_them);
    }
    assert_ne!(unsexed("Gout is commoner in men."), unsexed("Gout is commoner in women."));
}

#[test]
fn what_belongs_to_one_sex_is_told_with_they_and_not_refused() {
    assert_eq!(unsexed("She is pregnant and has no fever."), "They are pregnant and have no fever.");
}

#[test]
fn a_pronoun_before_the_age_tells_whom_it_is_about() {
    check(
        "Given his pain, a 54-year-old patient needs an ECG.",
        "Given her pain, a 54-year-old patient needs an ECG.",
        "Given their pain, a 54-year-old patient needs an ECG.",
    );
}
