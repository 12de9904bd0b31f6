//! Two reasonings about the same patient → how alike they are and in what they differ.

use super::answer::Read;
use super::trace::Trace;

/// In what two reasonings may differ; a pair may have several of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Divergence {
    /// Other findings decide.
    FactorShift,
    /// Other conditions are considered, or in another order.
    DifferentialReordering,
    /// Other things are to be done.
    ManagementRationale,
    /// More or less sure.
    TonalShift,
}

impl Divergence {
    pub const ALL: [Self; 4] =
        [Self::FactorShift, Self::DifferentialReordering, Self::ManagementRationale, Self::TonalShift];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::FactorShift => "factor_shift",
            Self::DifferentialReordering => "differential_reordering",
            Self::ManagementRationale => "management_rationale",
            Self::TonalShift => "tonal_shift",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::FactorShift => "factor shift",
            Self::DifferentialReordering => "differential reordering",
            Self::ManagementRationale => "management rationale",
            Self::TonalShift => "tonal shift",
        }
    }
}

/// What rules say of a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contrast {
    pub divergences: Vec<Divergence>,
    /// Findings that one cites as present and the other as absent.
    pub turned: Vec<String>,
    /// Whether the answers differ; `None` where one of them could not be read.
    pub flipped: Option<bool>,
    /// Whether the reasonings end in different conclusions; `None` where one of them has none.
    pub ends_elsewhere: Option<bool>,
}

/// Below this share of what is in either, two sets are not the same set.
const SAME_WORDS: f64 = 0.5;
/// Hedges more or less.
const SAME_TONE: i64 = 2;

impl Contrast {
    /// `by_findings`: the traces cite findings of a vignette rather than words.
    pub fn of(a: (&Read, &Trace), b: (&Read, &Trace), by_findings: bool) -> Self {
        let ((read_a, a), (read_b, b)) = (a, b);
        let common: Vec<&String> = a.cited.keys().filter(|it| b.cited.contains_key(*it)).collect();
        let either = a.cited.len() + b.cited.len() - common.len();
        let turned: Vec<String> =
            common.iter().filter(|it| a.cited[**it] != b.cited[**it]).map(|it| (*it).clone()).collect();
        // A single word may stand under a negation in passing; a finding may not.
        let turned =
            if by_findings || (turned.len() > 1 && turned.len() * 4 > common.len()) { turned } else { Vec::new() };
        let shifted = match by_findings {
            true => common.len() != either || !turned.is_empty(),
            false => (common.len() as f64) < SAME_WORDS * either as f64 || !turned.is_empty(),
        };
        let mut divergences = Vec::new();
        let mut add = |is: bool, what: Divergence| divergences.extend(is.then_some(what));
        add(shifted, Divergence::FactorShift);
        add(a.differential != b.differential, Divergence::DifferentialReordering);
        add(a.actions != b.actions, Divergence::ManagementRationale);
        add((a.tone - b.tone).abs() >= SAME_TONE, Divergence::TonalShift);
        Self {
            divergences,
            turned,
            flipped: read_a.answer.as_ref().zip(read_b.answer.as_ref()).map(|(a, b)| a != b),
            ends_elsewhere: a.conclusion.differs_from(&b.conclusion),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFARCTION: &str = "The patient has crushing chest pain that spreads to the left arm. Sweating and nausea are present. The ECG shows \
                              ST elevation in the inferior leads and the troponin is raised. The most likely diagnosis is acute myocardial infarction.";
    const NEGATED: &str = "The patient has no crushing chest pain, and nothing spreads to the left arm: there is no pain in the left arm. Sweating and \
                           nausea are absent. The ECG shows no ST elevation in the inferior leads and the troponin is not raised. The most likely \
                           diagnosis is acute myocardial infarction.";
    const DISSECTION: &str = "The patient has crushing chest pain that spreads to the left arm. Sweating and nausea are present. The ECG shows \
                              ST elevation in the inferior leads and the troponin is raised. The most likely diagnosis is acute aortic dissection.";
    const FINDINGS: [&str; 4] =
        ["crushing chest pain", "sweating and nausea", "ST elevation in the inferior leads", "a raised troponin"];

    fn contrast(a: &str, b: &str, findings: &[&str]) -> Contrast {
        let findings: Vec<String> = findings.iter().map(|it| (*it).to_owned()).collect();
        let read = |text: &str| Read { trace: text.to_owned(), ..Read::default() };
        let (a, b) = (read(a), read(b));
        let (of_a, of_b) = (Trace::of(&a, &findings, &[]), Trace::of(&b, &findings, &[]));
        Contrast::of((&a, &of_a), (&b, &of_b), !findings.is_empty())
    }

    #[test]
    fn the_same_reasoning_does_not_differ() {
        assert_eq!(
            contrast(INFARCTION, INFARCTION, &FINDINGS),
            Contrast { ends_elsewhere: Some(false), ..Contrast::default() }
        );
    }

    #[test]
    fn a_reasoning_with_every_finding_negated_is_found_out() {
        let found = contrast(INFARCTION, NEGATED, &FINDINGS);
        assert_eq!(found.turned.len(), 4, "{:?}", found.turned);
        assert_eq!(found.ends_elsewhere, Some(false));
        assert!(contrast(INFARCTION, NEGATED, &[]).turned.len() > 3, "also where nobody marked findings");
    }

    #[test]
    fn a_reasoning_that_ends_in_another_diagnosis_is_found_out() {
        let found = contrast(INFARCTION, DISSECTION, &FINDINGS);
        assert_eq!((found.ends_elsewhere, found.turned.len()), (Some(true), 0));
    }
}
