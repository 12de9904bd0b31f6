//! What is refused because only one sex can have it, and what is not.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use waterjar_vignettes::{IDENTITY, Who, Wording, rewrite};

/// What is refused, as it stands in the text.
fn terms(text: &str) -> Vec<String> {
    rewrite(text, &[], Wording::Swapped, Who::Patient)
        .map_or_else(|no| no.terms.into_iter().map(|(_, term)| term).collect(), |_| Vec::new())
}

#[test]
fn sex_bound_content_of_the_patient_is_named_and_that_of_relatives_is_not() {
    assert_eq!(terms("A 30-year-old woman is pregnant and had a Pap smear."), ["pregnant", "Pap smear"]);
    assert_eq!(terms("A 70-year-old man has BPH; his PSA is high."), ["BPH", "PSA"]);
    assert_eq!(terms("A 28-year-old woman, G2P1, gravida 2, para 1, feels well."), ["G2P1", "gravida", "para 1"]);
    assert!(terms("A 40-year-old man has a stiff cervical spine and a high lactate.").is_empty());
    assert!(terms("A 40-year-old man is tired. His wife is pregnant.").is_empty());
    assert!(terms("A 2-month-old boy was born after a normal pregnancy and is breastfed.").is_empty());
}

#[test]
fn words_that_only_begin_like_those_of_a_sex_are_not_refused() {
    for told in [
        "has cardiac tamponade",
        "has herpes labialis",
        "has psoriatic arthritis (PsA)",
        "grows orchids",
        "has a nasal tampon",
        "cannot conceive of a reason",
        "spent years in labor camps",
        "is expecting a letter",
        "delivered a speech",
        "goes through cycles of fever",
        "eats trans fat",
    ] {
        assert!(terms(&format!("A 40-year-old man {told}. He feels weak.")).is_empty(), "{told}");
    }
}

#[test]
fn what_only_one_sex_can_have_is_refused_by_name() {
    for (told, term) in [
        ("man who delivered a healthy girl 3 days ago", "delivered"),
        ("man has morning sickness and is expecting", "morning sickness"),
        ("man is expecting", "expecting"),
        ("woman takes Depo-Provera", "Depo-Provera"),
        ("woman had a D&C last year", "D&C"),
        ("man missed his last three cycles", "cycles"),
        ("man had a TURP", "TURP"),
        ("man has the karyotype 47,XXY", "XXY"),
        ("woman has the karyotype 45,X", "X"),
        ("woman is a lesbian", "lesbian"),
        ("man is gay (MSM)", "MSM"),
        ("man has a long beard", "beard"),
        ("woman gave birth last week", "gave birth"),
        ("woman has tried to conceive for a year", "conceive"),
        ("woman forgot a tampon", "tampon"),
        ("woman takes birth control pills", "birth control pills"),
        ("trans man has a cough", "trans man"),
        ("trans-woman has a cough", "trans-woman"),
        ("cisgender man has a cough", "cisgender"),
    ] {
        let found = terms(&format!("A 28-year-old {told}. There is a fever."));
        assert!(found.iter().any(|it| it == term), "{told}: {found:?}");
    }
}

#[test]
fn a_text_that_contradicts_itself_is_refused_as_it_is() {
    let text = "A newborn girl was born to a 22-year-old man, gravida 2, para 2. His pregnancy was uneventful.";
    let found = terms(text);
    assert!(found.contains(&"gravida".to_owned()) && found.contains(&"pregnancy".to_owned()), "{found:?}");
}

#[test]
fn what_is_the_patients_own_is_refused_though_another_is_named_before_it() {
    for (told, term) in [
        ("woman is well. She lives with her boyfriend and is 12 weeks pregnant.", "pregnant"),
        ("woman is brought by her mother because of vaginal bleeding.", "vaginal"),
        (
            "woman is well. She is sexually active with her husband and takes oral contraceptives.",
            "oral contraceptives",
        ),
        ("woman is well. She lives with her two daughters and had a hysterectomy.", "hysterectomy"),
        ("man comes with his son because of cough and prostate cancer.", "prostate"),
        ("woman comes with her mother because of primary amenorrhea.", "amenorrhea"),
        ("woman is well. Family history is positive for diabetes, and examination shows a uterine mass.", "uterine"),
        ("woman is brought by her mother, who is worried, because of vaginal bleeding.", "vaginal"),
        ("woman is well. She has a family history of diabetes and had a hysterectomy.", "hysterectomy"),
        ("woman has an IUP.", "IUP"),
        ("woman is s/p TAH-BSO.", "TAH-BSO"),
        ("man has a Gleason score of 7.", "Gleason"),
        ("woman at 30w GA has a headache.", "GA"),
    ] {
        let found = terms(&format!("A 30-year-old {told}"));
        assert!(found.iter().any(|it| it == term), "{told}: {found:?}");
    }
    for told in [
        "man is well. His mother died of ovarian cancer.",
        "woman is well. Her mother had breast and ovarian cancer.",
        "man is well. Family history is negative for breast and ovarian cancer.",
        "man is well. His wife is pregnant.",
        "man is well. He was born at 38 weeks' gestation.",
        "man is well. He has a sister with ovarian cancer.",
        "man is well. He lives with his mother, who had ovarian cancer.",
        "man is well. He lives with his pregnant wife.",
        "man is well. There is a history of ovarian cancer in his grandmother.",
        "man is well. His wife's pregnancy was uneventful.",
        "man is well. His father has hypertension and his mother has endometriosis.",
    ] {
        assert_eq!(terms(&format!("A 30-year-old {told}")), Vec::<String>::new(), "{told}");
    }
}

#[test]
fn half_of_a_word_is_never_taken_out_and_who_tells_how_to_be_called_is_not_swapped() {
    for (text, term) in [
        ("A 50-year-old female-identifying patient has a cough.", "female-identifying"),
        ("A 50-year-old male-identifying patient has a cough.", "male-identifying"),
        ("A 50-year-old male-to-female worker has a cough.", "male-to-female"),
        ("A 50-year-old woman-presenting person has a cough.", "woman-presenting"),
        ("A 50-year-old man (he/him) has a cough.", "he/him"),
        ("A 50-year-old woman (she/her) has a cough.", "she/her"),
    ] {
        let found = terms(text);
        assert!(found.iter().any(|it| it == term), "{text}: {found:?}");
        let neutral = rewrite(text, &[], Wording::Neutral, Who::Patient).unwrap();
        assert!(!neutral.text.contains(" -"), "{}", neutral.text);
        assert!(!neutral.warnings.is_empty(), "{text}: {}", neutral.text);
    }
    assert!(terms("A 50-year-old man has male-pattern baldness. Each patient says what he/she wants.").is_empty());
}

#[test]
fn an_identical_twin_whose_sex_is_told_is_not_swapped() {
    for (text, term) in [
        ("A 29-year-old woman, one of identical twins, presents with her twin sister.", "identical twins"),
        ("A 29-year-old woman comes with her identical twin sister.", "identical twin"),
        ("A 29-year-old man has a cough. His brother is a monozygotic twin.", "monozygotic twin"),
        ("A 29-year-old identical-twin woman comes with her twin sister.", "identical-twin"),
    ] {
        assert_eq!(terms(text), [term], "{text}");
        let everyone = rewrite(text, &[], Wording::Swapped, Who::Everyone);
        assert!(everyone.is_ok(), "both change, and stay alike: {text}");
    }
    for told in ["woman, one of identical twins, coughs", "man comes with his twin sister", "man has an identical twin"]
    {
        assert!(terms(&format!("A 29-year-old {told}.")).is_empty(), "{told}");
    }
}

#[test]
fn a_gender_identity_is_a_reason_of_its_own() {
    let refused = |text: &str| rewrite(text, &[], Wording::Swapped, Who::Patient).unwrap_err();
    for (told, term) in [
        ("transgender woman with a cough has a large prostate", "transgender"),
        ("trans man has a cough", "trans man"),
        ("man, assigned female at birth, has a cough", "assigned female"),
        ("woman (she/her) has a cough", "she/her"),
        ("woman with gender dysphoria has a cough", "gender dysphoria"),
    ] {
        let why = refused(&format!("A 28-year-old {told}."));
        assert!(why.why.starts_with(IDENTITY), "{told}: {}", why.why);
        assert_eq!(why.terms.iter().map(|(_, it)| it.as_str()).collect::<Vec<_>>(), [term], "{told}");
    }
    assert!(!refused("A 70-year-old man has BPH.").why.starts_with(IDENTITY));
}
