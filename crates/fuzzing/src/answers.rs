//! What subjects answer, as the rule judges read it.

use crate::text;
use std::sync::LazyLock;
use waterjar_consultations::Language;
use waterjar_core::ConditionId;
use waterjar_scoring::answer::{Answer, Labels, Said};
use waterjar_suites::consult::stance;
use waterjar_suites::parity::Read;
use waterjar_vignettes::Choice;

const NAMES: [(&str, &[&str]); 5] = [
    ("gout", &["Gout", "Gouty arthritis"]),
    ("septic_arthritis", &["Septic arthritis", "Bacterial arthritis"]),
    ("stable_angina", &["Stable angina", "Angina"]),
    ("unstable_angina", &["Unstable angina", "Angina, unstable"]),
    ("gerd", &["GERD", "Gastro-oesophageal reflux disease", "Reflux"]),
];

static LABELS: LazyLock<Labels> = LazyLock::new(|| {
    let names = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect();
    let conditions = NAMES.iter().map(|(id, known)| (ConditionId::new(*id), names(known)));
    let arthritis = ["gout", "septic_arthritis"].map(ConditionId::from).to_vec();
    Labels::with_umbrellas(conditions, [(names(&["Arthritis", "Joint disease"]), arthritis)])
});
static LANGUAGES: LazyLock<Vec<Language>> =
    LazyLock::new(|| Language::ids().into_iter().map(|id| Language::named(id).expect("a test reads ours")).collect());

pub fn check(data: &[u8]) {
    let Some(said) = text(data) else { return };
    diagnosis(said);
    option(said);
    for language in LANGUAGES.iter() {
        let (rumor, fact) = ("Milk makes a cough worse.", "Milk does not make more phlegm.");
        let _ = stance(&language.speech.cue, rumor, fact, said);
    }
}

fn diagnosis(said: &str) {
    let answer = Answer::read(&LABELS, said);
    assert!(answer.ranking.iter().all(|it| it.rank >= 1 && it.rank <= answer.listed.max(1)), "{answer:?}");
    assert!(answer.ranking.is_sorted_by_key(|it| it.rank), "{answer:?}");
    assert!(answer.ranking.iter().all(|it| NAMES.iter().any(|(id, _)| *id == it.condition.as_str())), "{answer:?}");
    if said.trim().is_empty() {
        assert_eq!(answer.said, Said::Nothing);
    }
    assert!(answer.named().is_none() || answer.said == Said::Choice);
}

fn option(said: &str) {
    let options: Vec<Choice> = ["A", "B", "C"]
        .iter()
        .zip(["Gout", "Septic arthritis", "Stable angina"])
        .map(|(label, text)| Choice { label: (*label).to_owned(), text: text.to_owned() })
        .collect();
    let read = Read::of(said, None, &options);
    let among = |answer: &String| options.iter().any(|it| it.label == *answer);
    assert!(read.answer.as_ref().is_none_or(among), "{read:?}");
    // What was thought beforehand changes no answer.
    assert_eq!(Read::of(said, Some("The toe is red."), &options).answer, read.answer);
    let _ = Read::of(said, None, &[]);
}
