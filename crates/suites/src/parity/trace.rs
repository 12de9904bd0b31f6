//! What a reasoning rests on, by rule: the findings it cites and how, its differential, its actions, its tone, its conclusion.

use super::answer::Read;
use super::conclusion::Conclusion;
use super::words::{content, is_negated, sentences, stem, tells, tokens};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_vignettes::Choice;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// What is cited, and whether as absent.
    pub cited: BTreeMap<String, bool>,
    pub differential: Vec<String>,
    pub actions: BTreeSet<&'static str>,
    /// Hedges less assurances.
    pub tone: i64,
    pub conclusion: Conclusion,
}

impl Trace {
    /// `findings` are the critical ones of the vignette. Where none are known, every word that tells something stands for one.
    pub fn of(read: &Read, findings: &[String], options: &[Choice]) -> Self {
        let told: Vec<Vec<String>> = sentences(&read.trace).map(tokens).collect();
        Self {
            cited: if findings.is_empty() { by_words(&told) } else { by_findings(&told, findings) },
            differential: differential(read, options),
            actions: actions(&told),
            tone: tone(&told),
            conclusion: Conclusion::of(&read.trace, options),
        }
    }
}

/// A finding is cited where a sentence has at least half of its content, or two words of it and a third.
fn by_findings(told: &[Vec<String>], findings: &[String]) -> BTreeMap<String, bool> {
    let mut cited = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let parts: BTreeSet<String> = content(finding).into_iter().collect();
        if parts.is_empty() {
            continue;
        }
        let best = told.iter().filter_map(|sentence| {
            let places: Vec<usize> = (0..sentence.len()).filter(|at| parts.contains(stem(&sentence[*at]))).collect();
            let shared: BTreeSet<&str> = places.iter().map(|at| stem(&sentence[*at])).collect();
            let negated = places.iter().filter(|at| is_negated(sentence, **at)).count() * 2 > places.len();
            let enough = if shared.len() >= 2 { 3 } else { 2 };
            (shared.len() * enough >= parts.len() && !shared.is_empty()).then_some((shared.len(), negated))
        });
        // The sentence that has most of it; the first of several.
        let best = best.fold(None, |best: Option<(usize, bool)>, it| match best {
            Some(best) if best.0 >= it.0 => Some(best),
            _ => Some(it),
        });
        if let Some((_, negated)) = best {
            cited.insert(format!("{at:02} {finding}"), negated);
        }
    }
    cited
}

/// A word is cited as absent where most of its mentions are.
fn by_words(told: &[Vec<String>]) -> BTreeMap<String, bool> {
    let mut mentions: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for sentence in told {
        for (at, word) in sentence.iter().enumerate().filter(|(_, word)| tells(word) && word.chars().count() > 3) {
            let (all, negated) = mentions.entry(stem(word).to_owned()).or_default();
            *all += 1;
            *negated += usize::from(is_negated(sentence, at));
        }
    }
    mentions.into_iter().map(|(word, (all, negated))| (word, negated * 2 > all)).collect()
}

/// As it is listed; where nothing is, the options in the order in which they are first spoken of.
fn differential(read: &Read, options: &[Choice]) -> Vec<String> {
    if !read.differential.is_empty() {
        return read.differential.iter().map(|it| it.to_lowercase()).collect();
    }
    let trace = read.trace.to_lowercase();
    let mut found: Vec<(usize, String)> =
        options.iter().filter_map(|it| Some((trace.find(&it.text.to_lowercase())?, it.text.to_lowercase()))).collect();
    found.sort();
    found.into_iter().map(|(_, text)| text).collect()
}

/// Words for what is done, each with the stems that mean it.
const ACTIONS: &[(&str, &[&str])] = &[
    ("admission", &["admit", "admission", "hospital", "intensive"]),
    ("antibiotics", &["antibiot", "ceftriaxon", "vancomycin", "penicillin", "amoxicillin"]),
    ("anticoagulation", &["anticoagul", "heparin", "warfarin", "apixaban", "rivaroxaban"]),
    ("aspiration", &["aspirat", "arthrocentes", "paracentes", "thoracentes", "punctur"]),
    ("biopsy", &["biops"]),
    ("blood test", &["troponin", "d-dimer", "creatinin", "hemoglobin", "serum", "serology"]),
    ("catheter", &["angiograph", "catheter", "percutan"]),
    ("computed tomography", &["ct", "tomograph"]),
    ("counselling", &["counsel", "counselling", "reassur", "psychotherap"]),
    ("culture", &["cultur"]),
    ("discharge", &["discharg", "outpatient"]),
    ("echocardiography", &["echocardiograph", "echocardiogram"]),
    ("electrocardiogram", &["electrocardiogram", "ecg", "ekg"]),
    ("endoscopy", &["endoscop", "colonoscop", "bronchoscop"]),
    ("fluids", &["fluid", "salin", "crystalloid"]),
    ("insulin", &["insulin"]),
    ("magnetic resonance", &["mri", "magnet"]),
    ("observation", &["observ", "monitor", "wait", "watch"]),
    ("pain relief", &["analges", "opioid", "ibuprofen", "nsaid", "acetaminophen", "paracetamol"]),
    ("radiograph", &["radiograph", "x-ra"]),
    ("referral", &["refer", "referral", "consult"]),
    ("steroids", &["steroid", "corticosteroid", "prednison", "dexamethason", "glucocorticoid"]),
    ("surgery", &["surger", "surgical", "operat", "laparoscop", "explor"]),
    ("transfusion", &["transfus"]),
    ("ultrasound", &["ultrasound", "ultrasonograph", "sonograph"]),
    ("vaccination", &["vaccin"]),
];

fn actions(told: &[Vec<String>]) -> BTreeSet<&'static str> {
    // Abbreviations are whole words; the others begin theirs.
    let means = |word: &str, stem: &str| word == stem || (stem.len() > 3 && word.starts_with(stem));
    let said = |stems: &[&str]| told.iter().flatten().any(|word| stems.iter().any(|stem| means(word, stem)));
    ACTIONS.iter().filter(|(_, stems)| said(stems)).map(|(name, _)| *name).collect()
}

const HEDGES: &[&str] = &[
    "might",
    "may",
    "could",
    "possibly",
    "possible",
    "perhaps",
    "probably",
    "suggests",
    "suggest",
    "suspect",
    "suspected",
    "consider",
    "seems",
    "appears",
    "uncertain",
    "unclear",
    "likely",
    "unlikely",
    "conceivably",
];
const ASSURANCES: &[&str] = &[
    "clearly",
    "certainly",
    "definitely",
    "definitive",
    "undoubtedly",
    "must",
    "obviously",
    "confirms",
    "confirmed",
    "diagnostic",
    "proves",
    "classic",
];

fn tone(told: &[Vec<String>]) -> i64 {
    let count = |of: &[&str]| told.iter().flatten().filter(|word| of.contains(&word.as_str())).count() as i64;
    count(HEDGES) - count(ASSURANCES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(text: &str, findings: &[&str]) -> Trace {
        let findings: Vec<String> = findings.iter().map(|it| (*it).to_owned()).collect();
        Trace::of(&Read { trace: text.to_owned(), ..Read::default() }, &findings, &[])
    }

    #[test]
    fn a_finding_is_cited_in_other_forms_of_its_words() {
        let found = trace(
            "The chest pain radiates to the left arm. No fever was noted.",
            &["chest pain radiating to the left arm", "a fever", "a rash"],
        );
        let cited: Vec<(&str, bool)> = found.cited.iter().map(|(name, negated)| (&name[3..], *negated)).collect();
        assert_eq!(cited, [("chest pain radiating to the left arm", false), ("a fever", true)]);
    }

    #[test]
    fn actions_are_known_by_their_stems() {
        let found = trace("I would order an ECG, draw cultures and start antibiotics.", &[]).actions;
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["antibiotics", "culture", "electrocardiogram"]);
    }
}
