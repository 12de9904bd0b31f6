//! A disease as the platform has it, told in passages.

use crate::Passage;
use serde::Deserialize;
use std::collections::BTreeMap;

/// How many of each are fetched; the passage says how many there are.
pub(super) const PHENOTYPES: u32 = 60;
pub(super) const TARGETS: u32 = 10;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Disease {
    id: String,
    name: String,
    description: Option<String>,
    phenotypes: Option<Rows<Phenotype>>,
    associated_targets: Option<Rows<Association>>,
}

#[derive(Deserialize)]
struct Rows<T> {
    count: u64,
    rows: Vec<T>,
}

#[derive(Deserialize)]
struct Phenotype {
    #[serde(rename = "phenotypeHPO")]
    hpo: Option<Named>,
    evidence: Vec<Annotation>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Annotation {
    /// P: phenotypic abnormality; I: inheritance; C: clinical course.
    aspect: Option<String>,
    frequency: Option<String>,
    #[serde(rename = "frequencyHPO")]
    frequency_hpo: Option<Named>,
    qualifier_not: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Association {
    score: f64,
    datatype_scores: Vec<DatatypeScore>,
    target: Target,
}

#[derive(Deserialize)]
struct DatatypeScore {
    id: String,
    score: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Target {
    approved_symbol: String,
    approved_name: String,
}

/// The frequency terms of the Human Phenotype Ontology, most frequent first; what has none of them comes between and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Frequency {
    Always,
    VeryFrequent,
    Frequent,
    Occasional,
    VeryRare,
    Unsaid,
    Excluded,
}

impl Disease {
    /// What it is, how it shows, and what it is associated with; what the platform does not have is left out.
    pub fn passages(&self, source: &str) -> Vec<Passage> {
        let parts = [
            ("", "description", self.description.clone().filter(|text| !text.trim().is_empty())),
            (": phenotypes", "phenotypes", self.phenotypes.as_ref().and_then(told_phenotypes)),
            (": associated targets", "targets", self.associated_targets.as_ref().and_then(told_targets)),
        ];
        let told = parts.into_iter().filter_map(|(title, part, text)| Some((title, part, text?)));
        told.enumerate()
            .map(|(rank, (title, part, text))| Passage {
                source: source.to_owned(),
                id: format!("{}/{part}", self.id),
                title: format!("{}{title}", self.name),
                text,
                url: Some(format!("https://platform.opentargets.org/disease/{}", self.id)),
                condition: None,
                score: 1.0 / (rank as f32 + 1.0),
            })
            .collect()
    }
}

/// A line for each frequency: `Very frequent: Podagra, Joint swelling.`
fn told_phenotypes(phenotypes: &Rows<Phenotype>) -> Option<String> {
    let mut groups: BTreeMap<Frequency, Vec<&str>> = BTreeMap::new();
    for row in &phenotypes.rows {
        let annotations = row.evidence.iter().filter(|it| it.aspect.as_deref().is_none_or(|aspect| aspect == "P"));
        let (Some(hpo), Some(frequency)) = (&row.hpo, annotations.map(Annotation::frequency).min()) else { continue };
        groups.entry(frequency).or_default().push(&hpo.name);
    }
    let mut lines: Vec<String> = groups
        .iter_mut()
        .map(|(frequency, names)| {
            names.sort_unstable();
            names.dedup();
            format!("{}: {}.", frequency.told(), names.join(", "))
        })
        .collect();
    let more = phenotypes.count.saturating_sub(phenotypes.rows.len() as u64);
    if more > 0 && !lines.is_empty() {
        lines.push(format!("{more} more are not listed here."));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A line for each target: `SLC2A9 (solute carrier …), 0.71: genetic association, literature.`
fn told_targets(targets: &Rows<Association>) -> Option<String> {
    let line = |row: &Association| {
        let mut kinds: Vec<&DatatypeScore> = row.datatype_scores.iter().collect();
        kinds.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
        let kinds: Vec<String> = kinds.iter().map(|kind| kind.id.replace('_', " ")).collect();
        let target = &row.target;
        format!("{} ({}), {:.2}: {}.", target.approved_symbol, target.approved_name, row.score, kinds.join(", "))
    };
    (!targets.rows.is_empty()).then(|| targets.rows.iter().map(line).collect::<Vec<_>>().join("\n"))
}

impl Annotation {
    fn frequency(&self) -> Frequency {
        let term = self.frequency_hpo.as_ref().map(|hpo| hpo.id.as_str()).or(self.frequency.as_deref());
        match term.map(|id| id.replace('_', ":")).as_deref() {
            _ if self.qualifier_not => Frequency::Excluded,
            Some("HP:0040280") => Frequency::Always,
            Some("HP:0040281") => Frequency::VeryFrequent,
            Some("HP:0040282") => Frequency::Frequent,
            Some("HP:0040283") => Frequency::Occasional,
            Some("HP:0040284") => Frequency::VeryRare,
            Some("HP:0040285") => Frequency::Excluded,
            Some(share) => self::share(share).map_or(Frequency::Unsaid, Frequency::of_share),
            None => Frequency::Unsaid,
        }
    }
}

/// `17%` or `3/7`
fn share(text: &str) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    match text.split_once('/') {
        Some((part, of)) => Some(number(part)? / number(of).filter(|of| *of > 0.0)?),
        None => Some(number(text.strip_suffix('%')?)? / 100.0),
    }
}

impl Frequency {
    /// By the bounds of the ontology's own terms.
    fn of_share(share: f64) -> Self {
        match share {
            _ if share >= 1.0 => Self::Always,
            _ if share >= 0.8 => Self::VeryFrequent,
            _ if share >= 0.3 => Self::Frequent,
            _ if share >= 0.05 => Self::Occasional,
            _ if share > 0.0 => Self::VeryRare,
            _ => Self::Excluded,
        }
    }

    fn told(self) -> &'static str {
        match self {
            Self::Always => "Always",
            Self::VeryFrequent => "Very frequent",
            Self::Frequent => "Frequent",
            Self::Occasional => "Occasional",
            Self::VeryRare => "Very rare",
            Self::Unsaid => "How often is not said",
            Self::Excluded => "Not found",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(frequency: &str, not: bool, expected: Frequency) {
        let frequency = Some(frequency.to_owned());
        let annotation = Annotation { aspect: None, frequency, frequency_hpo: None, qualifier_not: not };
        assert_eq!(annotation.frequency(), expected);
    }

    #[test]
    fn frequencies_are_read_as_terms_and_as_shares() {
        check("HP:0040281", false, Frequency::VeryFrequent);
        check("HP_0040283", false, Frequency::Occasional);
        check("3/7", false, Frequency::Frequent);
        check("85%", false, Frequency::VeryFrequent);
        check("7/7", false, Frequency::Always);
        check("0/5", false, Frequency::Excluded);
    }

    #[test]
    fn what_is_denied_is_excluded_and_what_is_unreadable_is_unsaid() {
        check("HP:0040281", true, Frequency::Excluded);
        check("often", false, Frequency::Unsaid);
        check("3/0", false, Frequency::Unsaid);
    }
}
