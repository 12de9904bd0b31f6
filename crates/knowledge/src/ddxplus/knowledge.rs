//! Release and counts → knowledge base.

use super::codes::Codes;
use super::estimate::{Counts, likely};
use super::evidence::findings;
use super::release::{Release, WrittenCondition};
use super::reviewed;
use super::stats::Stats;
use crate::{AgeRange, BaseError, Condition, Detail, Finding, KnowledgeBase, Likelihood, ValueChance};
use std::collections::BTreeMap;
use waterjar_core::{ConditionId, FindingId};

pub(super) fn base(
    name: &str,
    release: &Release,
    codes: &Codes,
    counts: &Counts,
    stats: Option<&Stats>,
) -> Result<KnowledgeBase, BaseError> {
    let findings = findings(release);
    let builder = Builder { codes, counts, stats, findings: &findings };
    let conditions =
        (0_u16..).zip(release.conditions.values()).map(|(at, written)| builder.condition(at, written)).collect();
    KnowledgeBase::new(name, conditions, findings)
}

/// The ids of the conditions, in the release's order: `Spontaneous pneumothorax` → `spontaneous_pneumothorax`.
pub(super) fn condition_ids(release: &Release) -> Vec<ConditionId> {
    let named = release.conditions.values().map(|condition| match &condition.waterjar {
        Some(extra) => extra.id.clone(),
        None => slug(&condition.english),
    });
    named.map(ConditionId::new).collect()
}

struct Builder<'a> {
    codes: &'a Codes,
    counts: &'a Counts,
    stats: Option<&'a Stats>,
    /// In the release's order, as the codes are.
    findings: &'a [Finding],
}

impl Builder<'_> {
    fn condition(&self, at: u16, written: &WrittenCondition) -> Condition {
        let mut findings: BTreeMap<FindingId, Likelihood> = BTreeMap::new();
        let mut values: BTreeMap<FindingId, ValueChance> = BTreeMap::new();
        for place in written.listed().filter_map(|code| self.codes.finding(code)) {
            let finding = &self.findings[usize::from(place)];
            findings.insert(finding.id.clone(), self.likelihood(at, place));
            if let Some(chance) = self.values(usize::from(at), usize::from(place)) {
                values.insert(finding.id.clone(), chance);
            }
        }
        let counted = self.counts.of(usize::from(at));
        // Half a patient where there is none: a condition this file happens to lack is rare, not impossible.
        let patients = self.stats.and_then(|stats| stats.patients(at)).unwrap_or(counted).max(0.5);
        let extra = written.waterjar.as_ref();
        let icd10 = written.icd10.to_uppercase();
        Condition {
            id: self.codes.conditions[usize::from(at)].clone(),
            name: written.english.clone(),
            synonyms: extra.map_or_else(|| synonyms(written), |extra| extra.synonyms.clone()),
            specialty: extra.map_or_else(|| specialty(&icd10).to_owned(), |extra| extra.specialty.clone()),
            icd10,
            severity: written.severity,
            sex: extra.and_then(|extra| extra.sex),
            age: extra.map_or(AgeRange::ANY, |extra| extra.age),
            prior: self.counts.prior(usize::from(at), patients),
            rivals: Vec::new(),
            findings,
            values,
        }
    }

    /// The table's where there is one. It counts "nowhere" as a mention, so for details the patients know better.
    fn likelihood(&self, condition: u16, finding: u16) -> Likelihood {
        let (row, column) = (usize::from(condition), usize::from(finding));
        let counted = self.findings[column].carries_detail() && self.counts.of(row) > 0.0;
        match self.stats.and_then(|stats| stats.chance(condition, finding)) {
            Some(p) if !counted => likely(p),
            _ => self.counts.likelihood(row, column),
        }
    }

    fn values(&self, condition: usize, finding: usize) -> Option<ValueChance> {
        let ids = &self.codes.findings[finding].values;
        match self.findings[finding].detail {
            Detail::None => None,
            Detail::Scale => self.counts.scale(condition, finding, ids),
            Detail::Choice(_) => self.counts.choice(condition, finding, ids),
            Detail::Multi(_) => self.counts.multi(condition, finding, ids),
        }
    }
}

fn synonyms(written: &WrittenCondition) -> Vec<String> {
    let mut names = reviewed::synonyms(&written.english).to_vec();
    if !written.french.is_empty() && written.french != written.english {
        names.push(written.french.clone());
    }
    names
}

/// By the chapter of ICD-10, which is all the source tells.
fn specialty(icd10: &str) -> &'static str {
    let mut signs = icd10.chars();
    match (signs.next(), signs.next()) {
        (Some('A' | 'B'), _) => "infectious diseases",
        (Some('C'), _) | (Some('D'), Some('0'..='4')) => "oncology",
        (Some('D'), _) => "haematology",
        (Some('E'), _) => "endocrinology",
        (Some('F'), _) => "psychiatry",
        (Some('G'), _) => "neurology",
        (Some('H'), Some('0'..='5')) => "ophthalmology",
        (Some('H'), _) => "ear, nose and throat",
        (Some('I'), _) => "cardiology",
        (Some('J'), _) => "respiratory medicine",
        (Some('K'), _) => "gastroenterology",
        (Some('L'), _) => "dermatology",
        (Some('M'), _) => "rheumatology",
        (Some('N'), _) => "urology",
        (Some('S' | 'T'), _) => "emergency medicine",
        _ => "general practice",
    }
}

/// Letters and digits in lower case, everything else an underscore; accents are taken off.
fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        let plain = match c {
            'à' | 'â' | 'ä' => 'a',
            'ç' => 'c',
            'é' | 'è' | 'ê' | 'ë' => 'e',
            'î' | 'ï' => 'i',
            'ô' | 'ö' => 'o',
            'ù' | 'û' | 'ü' => 'u',
            c if c.is_alphanumeric() => c,
            _ => '_',
        };
        if plain != '_' || !(out.is_empty() || out.ends_with('_')) {
            out.push(plain);
        }
    }
    out.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_an_id() {
        let check = |name, id| assert_eq!(slug(name), id);
        check("Guillain-Barré syndrome", "guillain_barre_syndrome");
        check("Bronchospasm / acute asthma exacerbation", "bronchospasm_acute_asthma_exacerbation");
        check("HIV (initial infection)", "hiv_initial_infection");
    }
}
