//! What is said of a case that is not this one: `if the D-dimer were normal …`, `her sister has …`, `… is more likely in the elderly`.

/// What a sentence opens with that supposes something.
const OPENINGS: [&str; 27] = [
    "if ",
    "had ",
    "were ",
    "unless ",
    "should the ",
    "should there ",
    "in case ",
    "when ",
    "a student ",
    "some would ",
    "some might ",
    "one might ",
    "one could ",
    "you might ",
    "it is tempting ",
    "it was initially ",
    "initially",
    "at first ",
    "between 2 and 3",
    "the referring ",
    "the gp ",
    "without the ",
    "in older ",
    "in smokers",
    "in children",
    "in a child,",
    "in the elderly",
];
/// Who is not the patient.
const OTHERS: [&str; 16] = [
    "sister",
    "brother",
    "mother",
    "father",
    "grandmother",
    "grandfather",
    "aunt",
    "uncle",
    "son",
    "daughter",
    "cousin",
    "wife",
    "husband",
    "family",
    "nurse",
    "gp",
];
/// What follows `is more likely` of other patients.
const ELSEWHERE: [&str; 18] = [
    "to ",
    "when ",
    "if ",
    "only ",
    "among ",
    "in elderly",
    "in the elderly",
    "in older",
    "in children",
    "in infants",
    "in young",
    "in women",
    "in men",
    "in patients",
    "in smokers",
    "in adults",
    "in pregnan",
    "at this age",
];

/// Whether a sentence claims nothing of this patient. What somebody says when pressed is said.
pub(super) fn is_supposed(sentence: &str) -> bool {
    let lower = sentence.to_ascii_lowercase();
    let lower = lower.trim_start_matches(['*', '-', ' ', '"']);
    let pressed = [
        "if i had",
        "if i have",
        "if i must",
        "if i were",
        "if i am",
        "if i was",
        "if forced",
        "if pressed",
        "if pushed",
    ];
    if pressed.iter().any(|it| lower.starts_with(it)) {
        return false;
    }
    let conditional = [" would be ", " would have "].iter().any(|it| lower.contains(it)) && lower.contains(" if ");
    OPENINGS.iter().any(|it| lower.starts_with(it)) || conditional || is_of_others(lower)
}

/// `Her sister most likely has gout`, `gout is suspected by the family`
fn is_of_others(lower: &str) -> bool {
    let mut words = lower.split(|c: char| !c.is_alphabetic()).filter(|it| !it.is_empty());
    words.any(|it| OTHERS.contains(&it))
        && [" has ", " had ", " suspected by ", " thought ", " thinks "].iter().any(|it| lower.contains(it))
}

/// Whether what follows a claim says that it is of other patients: `… is more likely in the elderly`.
pub(super) fn is_elsewhere(after: &str) -> bool {
    let rest = after.trim_start();
    let nouns = ["diagnosis ", "cause ", "explanation ", "one ", "condition "];
    let rest = nouns.iter().find_map(|it| rest.strip_prefix(it)).unwrap_or(rest);
    ELSEWHERE.iter().any(|it| rest.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_that_is_not_this_one_is_told_by_its_words() {
        for text in [
            "If the CTPA is negative, the most likely diagnosis is pneumonia",
            "Had there been fever, pneumonia would be the most likely diagnosis",
            "Cellulitis would be the most likely diagnosis if the joint were spared",
            "Her sister most likely has gout",
        ] {
            assert!(is_supposed(text), "{text}");
        }
        for text in [
            "If I had to guess: gout",
            "The most likely diagnosis would be gout",
            "Her family history is empty",
            "It is gout",
        ] {
            assert!(!is_supposed(text), "{text}");
        }
    }
}
