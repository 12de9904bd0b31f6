//! Where an answer in prose says what its diagnosis is.

use super::supposed::{is_elsewhere, is_supposed};

const HEADS: [&str; 17] = [
    "diagnosis",
    "answer",
    "diagnosis is",
    "answer is",
    "diagnoses",
    "conclusion",
    "most likely",
    "likeliest",
    "most probable",
    "dx",
    "guess",
    "correction",
    "verdict",
    "pick",
    "final choice",
    "final",
    "final impression",
];
/// What a heading of the answer may say beside it. One with other words in it (`confidence in diagnosis`, `tests to confirm the diagnosis`) counts only
/// where nothing firmer does and a known condition follows.
const PLAIN: [&str; 53] = [
    "a",
    "an",
    "the",
    "my",
    "our",
    "your",
    "this",
    "final",
    "most",
    "likely",
    "likeliest",
    "probable",
    "primary",
    "leading",
    "main",
    "principal",
    "correct",
    "best",
    "top",
    "clinical",
    "overall",
    "single",
    "definitive",
    "presumptive",
    "presumed",
    "suspected",
    "so",
    "therefore",
    "thus",
    "hence",
    "is",
    "are",
    "in",
    "one",
    "number",
    "and",
    "or",
    "diagnosis",
    "diagnoses",
    "answer",
    "conclusion",
    "dx",
    "guess",
    "correction",
    "verdict",
    "pick",
    "choice",
    "impression",
    "discharge",
    "revised",
    "updated",
    "new",
    "unifying",
];
/// What is not yet the answer, or no longer, where another heading is.
const EARLY: [&str; 11] = [
    "initial",
    "preliminary",
    "provisional",
    "working",
    "impression",
    "assessment",
    "admission",
    "admitting",
    "possible",
    "first",
    "conclusion",
];
const OTHERS: [&str; 38] = [
    "differential",
    "alternative",
    "other",
    "secondary",
    "least",
    "less likely",
    "previous",
    "not the",
    "second",
    "third",
    "fourth",
    "next",
    "2nd",
    "3rd",
    "tertiary",
    "concomitant",
    "coexisting",
    "comorbid",
    "additional",
    "miss",
    "dangerous",
    "serious",
    "ruled",
    "excluded",
    "rejected",
    "past",
    "prior",
    "known",
    "father",
    "mother",
    "family",
    "runner",
    "backup",
    "competing",
    "unlikely",
    "wrong",
    "incorrect",
    "'s diag",
];

/// The words after a heading such as `**Final diagnosis:**`; empty where they are on the next line.
pub(super) fn heading(line: &str) -> Option<String> {
    let (head, words) = headed(line, &HEADS)?;
    let is_final = head.contains("final");
    let is_plain = head.split(|c: char| !c.is_alphanumeric()).all(|word| word.is_empty() || PLAIN.contains(&word));
    let is_early = EARLY.iter().any(|early| head.contains(early));
    (is_plain && (is_final || !is_early)).then_some(words)
}

/// `Working diagnosis: gout`, `Impression: gout`, and any other heading that ends so.
pub(super) fn early_heading(line: &str) -> Option<String> {
    if heading(line).is_some() {
        return None;
    }
    headed(line, &HEADS).or_else(|| headed(line, &EARLY)).map(|(_, words)| words)
}

fn headed(line: &str, heads: &[&str]) -> Option<(String, String)> {
    let plain = line.replace(['*', '#', '_'], "");
    let marked = line.trim_start().starts_with(['*', '#']);
    let announces = |head: &str| {
        let head = head.trim().to_lowercase();
        let ends = |known: &&str| head.strip_suffix(known).is_some_and(|it| !it.ends_with(char::is_alphanumeric));
        (heads.iter().any(ends) && !OTHERS.iter().any(|other| head.contains(other))).then_some(head)
    };
    if let Some((head, words)) = plain.split_once(':')
        && let Some(head) = announces(head)
    {
        return Some((head, words.trim().to_owned()));
    }
    let dash = [" – ", " — ", " - ", " = "].iter().find_map(|dash| plain.split_once(dash));
    if let Some((head, words)) = dash.filter(|(head, _)| head.split_whitespace().count() <= SHORT_HEAD)
        && let Some(head) = announces(head)
    {
        return Some((head, words.trim().to_owned()));
    }
    // A heading of Markdown needs no colon.
    let bare = marked && !plain.contains(':') && plain.split_whitespace().count() <= SHORT_HEAD;
    bare.then(|| announces(&plain)).flatten().map(|head| (head, String::new()))
}

/// In words.
const SHORT_HEAD: usize = 4;

/// The words a sentence says to be the diagnosis: `the most likely diagnosis is …`, `… is the most likely diagnosis`.
pub(super) fn claimed(sentence: &str) -> Option<&str> {
    if is_supposed(sentence) {
        return None;
    }
    after_the_noun(sentence).or_else(|| before_the_verb(sentence))
}

/// In bytes: `the most likely diagnosis in this child of four with a barking cough is …`.
const LONGEST_BETWEEN: usize = 400;

fn after_the_noun(sentence: &str) -> Option<&str> {
    const NOUNS: [&str; 8] =
        ["diagnosis", "answer", "condition", "explanation", "option", "choice", "cause", "culprit"];
    const MARKED: [&str; 21] = [
        "likely",
        "correct",
        "probable",
        "final",
        "best",
        "leading",
        "closest",
        "appropriate",
        "definitive",
        "unifying",
        "presumptive",
        "presumed",
        "suspected",
        "plausible",
        "fitting",
        "underlying",
        "primary",
        "main",
        "principal",
        "overall",
        "top",
    ];
    const VERBS: [&str; 7] = [" is: ", " is ", " would be: ", " would be ", " remains ", " are ", ": "];
    let lower = sentence.to_ascii_lowercase();
    let mut last: Option<(usize, usize)> = None;
    for noun in NOUNS {
        for (at, _) in lower.match_indices(noun) {
            let before: Vec<&str> = lower[..at].split_whitespace().rev().take(3).collect();
            let marked = before.first().is_some_and(|word| MARKED.contains(word));
            let denied = before
                .iter()
                .skip(1)
                .any(|word| ["least", "less", "not", "un", "second", "third", "next"].contains(word));
            if !marked || denied {
                continue;
            }
            let rest = at + noun.len();
            let near = &lower[rest..lower.floor_char_boundary(rest + LONGEST_BETWEEN)];
            let verb = VERBS.iter().filter_map(|verb| Some((near.find(verb)?, verb.len()))).min();
            last = last.max(verb.map(|(verb, length)| (at, rest + verb + length)));
        }
    }
    last.map(|(_, from)| sentence[from..].trim())
}

fn before_the_verb(sentence: &str) -> Option<&str> {
    const VERBS: [&str; 23] = [
        " is therefore the most likely",
        " is thus the most likely",
        " is clearly the most likely",
        " is by far the most likely",
        " is far more likely",
        " is much more likely",
        " is far more probable",
        " is the most likely",
        " are the most likely",
        " is most likely",
        " is the likely",
        " is the most probable",
        " is the correct",
        " is the best",
        " is a strong possibility",
        " is a likely diagnosis",
        " is a more likely diagnosis",
        " seems most likely",
        " appears most likely",
        " would be the most",
        " remains the most likely",
        " is more likely",
        " is the more likely",
    ];
    const REMEDIES: [&str; 15] = [
        "alternative",
        "second",
        "test",
        "remedy",
        "remedies",
        "treatment",
        "cure",
        "medicine",
        "therapy",
        "drug",
        "drink",
        "food",
        "protection",
        "prevention",
        "way",
    ];
    let lower = sentence.to_ascii_lowercase();
    // `it is most likely pneumonia`
    for verb in ["it is most likely ", "it's most likely ", "this is most likely ", " most likely has "] {
        if let Some(at) = lower.find(verb) {
            return Some(sentence[at + verb.len()..].trim());
        }
    }
    let (at, end) = VERBS.iter().filter_map(|verb| lower.find(verb).map(|at| (at, at + verb.len()))).min()?;
    // `strong tea is the best remedy`
    if lower[end..].split_whitespace().take(3).any(|word| REMEDIES.contains(&word.trim_end_matches([',', ';', ':']))) {
        return None;
    }
    if is_elsewhere(&lower[end..]) {
        return None;
    }
    let before = &lower[..at];
    let opening =
        [", ", " that ", " but ", "i think ", "i believe ", "therefore ", "however ", "hence ", "thus ", "- ", "– "];
    // `none of the choices (A, B, C) is …`: a comma in brackets opens nothing.
    let outside = before.find('(').filter(|_| before.ends_with(')')).map_or(before, |bracket| &before[..bracket]);
    let from = opening.iter().filter_map(|mark| Some(outside.rfind(mark)? + mark.len())).max().unwrap_or(0);
    let subject = sentence[from..at].trim();
    let first = subject.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let points_back = ["this", "these", "it", "that", "they", "which"].contains(&first.as_str());
    (!points_back).then_some(subject)
}

/// What the evidence is said to speak for: `consistent with …`. Weaker than naming it.
pub(super) fn spoken_for(sentence: &str) -> Option<&str> {
    if is_supposed(sentence) {
        return None;
    }
    const VERBS: [&str; 12] = [
        " consistent with ",
        " suggestive of ",
        " suggest ",
        " suggests ",
        " indicative of ",
        " indicates ",
        " indicate ",
        " points to ",
        " compatible with ",
        " in keeping with ",
        " suffering from ",
        " could be ",
    ];
    const DENIALS: [&str; 10] =
        [" not ", "n't ", " no ", "rather than", "less ", "unlikely", "rule out", "ruled out", "exclude", "neither"];
    let lower = sentence.to_ascii_lowercase();
    let (at, length) = VERBS.iter().filter_map(|verb| Some((lower.find(verb)?, verb.len()))).min()?;
    let denied = DENIALS.iter().any(|denial| format!(" {lower}").contains(denial));
    // Could be one, could be the other.
    let again = lower[at + length..].contains("could be ");
    (!denied && !again && !lower.starts_with("could be ")).then(|| sentence[at + length..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_announces_and_a_differential_does_not() {
        let check = |line: &str, expected: Option<&str>| assert_eq!(heading(line).as_deref(), expected, "{line}");
        check("**Final Diagnosis:** Pneumonia", Some("Pneumonia"));
        check("### Answer:", Some(""));
        check("## Final diagnosis", Some(""));
        check("This is the diagnosis", None);
        check("Working diagnosis: Pneumonia", None);
        check("Dx: Pneumonia", Some("Pneumonia"));
        check("**Diagnosis** – Pneumonia", Some("Pneumonia"));
        check("Most likely: Pneumonia", Some("Pneumonia"));
        check("DDx: Pneumonia", None);
        check("Differential diagnosis: Pneumonia, PE", None);
        check("Least likely diagnosis: Pneumonia", None);
        check("Treatment: antibiotics", None);
    }

    #[test]
    fn a_working_diagnosis_has_an_early_heading() {
        let check = |line: &str, expected: Option<&str>| assert_eq!(early_heading(line).as_deref(), expected, "{line}");
        check("Working diagnosis: Pneumonia", Some("Pneumonia"));
        check("Provisional diagnosis - Pneumonia", Some("Pneumonia"));
        check("**Impression:** Pneumonia", Some("Pneumonia"));
        check("## Assessment", Some(""));
        check("Final diagnosis: Pneumonia", None);
        check("Differential diagnosis: Pneumonia", None);
    }

    #[test]
    fn a_sentence_that_names_the_diagnosis_is_understood() {
        let check = |sentence: &str, expected: Option<&str>| assert_eq!(claimed(sentence), expected, "{sentence}");
        check("The most likely diagnosis is pneumonia", Some("pneumonia"));
        check("The most likely diagnosis in this child would be croup", Some("croup"));
        check("Given the fever, pneumonia is the most likely diagnosis", Some("pneumonia"));
        check("Altogether it is most likely pneumonia", Some("pneumonia"));
        check("The patient most likely has pneumonia", Some("pneumonia"));
        check("Therefore, none of these (croup, asthma) is the correct answer", Some("none of these (croup, asthma)"));
        check("The correct answer is: none of the above", Some("none of the above"));
        check("Best diagnosis: croup", Some("croup"));
        check("The least likely diagnosis is pneumonia", None);
        check("Pneumonia is not the most likely diagnosis", None);
        check("Pneumonia would cough more", None);
        check("A glass of strong spirits is the best remedy for it", None);
    }

    #[test]
    fn what_a_sentence_says_last_is_what_it_claims() {
        assert_eq!(claimed("The correct answer is that the likely diagnosis is croup"), Some("croup"));
        assert_eq!(claimed("The likely diagnosis is known, the best answer is croup"), Some("croup"));
    }

    #[test]
    fn evidence_against_speaks_for_nothing() {
        assert_eq!(spoken_for("The picture is consistent with croup"), Some("croup"));
        assert_eq!(spoken_for("The picture is not consistent with croup"), None);
        assert_eq!(spoken_for("This could be croup rather than asthma"), None);
    }
}
