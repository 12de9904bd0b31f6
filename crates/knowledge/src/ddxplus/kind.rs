//! What sort of thing a question asks about. The section is the source's (`is_antecedent`); within it, words decide.
//!
//! Families are those of `starter/README.md`. Where the words mislead, `statements.toml` says what it is instead.

use crate::Kind;

pub(super) fn kind_and_family(question: &str, is_antecedent: bool) -> (Kind, &'static str) {
    let question = question.to_lowercase();
    let rules = if is_antecedent { ANTECEDENTS } else { SYMPTOMS };
    rules
        .iter()
        .find(|(_, _, words)| words.iter().any(|word| question.contains(word)))
        .map(|&(kind, family, _)| (kind, family))
        .unwrap_or(if is_antecedent { (Kind::History, "disease") } else { (Kind::Symptom, "constitutional") })
}

type Rule = (Kind, &'static str, &'static [&'static str]);

/// The first rule that has a word of the question wins, so the narrow ones come first.
const ANTECEDENTS: &[Rule] = &[
    (Kind::FamilyHistory, "family", &["family", "your mother", "your father", "your parents"]),
    (
        Kind::Exposure,
        "contact",
        &["contact with", "sexual intercourse with", "unprotected sex", "live with", "daycare"],
    ),
    (Kind::Exposure, "environment", &["exposed to", "work in", "live in"]),
    (
        Kind::Exposure,
        "event",
        &["traveled", "did you eat", "unable to move", "cold in the last", "recently had a viral"],
    ),
    (
        Kind::Medication,
        "drug",
        &["medication", "anticoagulant", "nsaid", "antibiotic", "corticosteroid", "take hormones", "decongestant"],
    ),
    (Kind::History, "procedure", &["surgery", "dialysis", "hospitalized"]),
    (
        Kind::History,
        "lifestyle",
        &[
            "smoke",
            "alcohol",
            "exercise",
            "diet",
            "drink",
            "overweight",
            "bmi",
            "descent",
            "vaccination",
            "drugs",
            "breastfed",
        ],
    ),
];

const SYMPTOMS: &[Rule] = &[
    (Kind::Sign, "observed", &["fever", "paler", "turn red", "swelling"]),
    (Kind::Symptom, "skin", &["rash", "skin", "lesion", "affected region", "sweating", "bruising"]),
    (
        Kind::Symptom,
        "gut",
        &[
            "stool",
            "vomit",
            "thrown up",
            "nause",
            "diarrhea",
            "appetite",
            "abdomen",
            "after eating",
            "stomach",
            "bowel",
        ],
    ),
    (Kind::Symptom, "urogenital", &["vagina", "menstrua", "urin"]),
    (
        Kind::Symptom,
        "breathing",
        &["cough", "breath", "wheez", "chok", "suffocat", "sputum", "high pitched sound", "inhal"],
    ),
    (
        Kind::Symptom,
        "throat_nose_ear",
        &["throat", "nose", "nasal", "swallow", "smell", "voice", "saliva", "mouth", "tongue", "ear pain", "lymph"],
    ),
    (Kind::Symptom, "eye", &["eye", "double vision"]),
    (Kind::Symptom, "circulation", &["heart", "palpitation", "faint", "dizzy", "lose consciousness"]),
    (
        Kind::Symptom,
        "nerve",
        &["numbness", "weakness", "paralys", "spasm", "convuls", "consciousness", "tingling", "articulating"],
    ),
    (Kind::Symptom, "mind", &["anxious", "confused", "irritable", "dying", "detached", "mood"]),
    (Kind::Symptom, "joint", &["joint"]),
    (Kind::Symptom, "pain", &["pain", "ache"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_is_the_sources_and_words_decide_within_it() {
        let check = |question, is_antecedent, expected| {
            assert_eq!(kind_and_family(question, is_antecedent), expected);
        };
        check("Does your mother wheeze?", true, (Kind::FamilyHistory, "family"));
        check("Do you wheeze?", false, (Kind::Symptom, "breathing"));
        check("Have you ever had gout?", true, (Kind::History, "disease"));
        check("Do you feel odd?", false, (Kind::Symptom, "constitutional"));
    }
}
