//! How a text can state a fact, and how it can deny it. Written beside the generator and not from its phrases, so that it can
//! check packets and, later, find what an edit left behind.

mod markers;
mod patterns;

use super::facts::*;
use patterns::Rule;
use regex::Regex;
use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// One fact as it can be found in text.
#[derive(Clone, Debug)]
pub struct Claim {
    pub fact: FactKey,
    says: Vec<Regex>,
    /// All of `says` in one, to see at a glance that none is there.
    any: Option<Regex>,
    denies: Vec<Regex>,
    /// A number or a group that is told in many ways; any other value denies the fact.
    value: Option<Rule>,
}

/// Which fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKey {
    Stage,
    Biomarker(String),
    /// An earlier line, by its number; `Untreated` where there is none.
    Line(usize),
    Untreated,
    Performance,
    Surgery,
    Comorbidity(String),
    Allergy(String),
    NoAllergy,
    Renal,
    Pregnancy,
    Anticoagulation,
}

impl fmt::Display for FactKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stage => f.write_str("stage"),
            Self::Biomarker(marker) => write!(f, "biomarker {marker}"),
            Self::Line(number) => write!(f, "line {}", number + 1),
            Self::Untreated => f.write_str("no earlier line"),
            Self::Performance => f.write_str("performance status"),
            Self::Surgery => f.write_str("surgery"),
            Self::Comorbidity(name) => write!(f, "comorbidity {name}"),
            Self::Allergy(substance) => write!(f, "allergy {substance}"),
            Self::NoAllergy => f.write_str("no allergy"),
            Self::Renal => f.write_str("renal function"),
            Self::Pregnancy => f.write_str("pregnancy"),
            Self::Anticoagulation => f.write_str("anticoagulation"),
        }
    }
}

impl Claim {
    /// Where the text states the fact.
    pub fn mentions(&self, text: &str) -> Vec<Range<usize>> {
        let is_there = self.any.as_ref().is_some_and(|any| any.is_match(text));
        let mut found = if is_there { matches(&self.says, text) } else { Vec::new() };
        if let Some(rule) = &self.value {
            found.extend(rule.told(text).into_iter().filter(|(_, right)| *right).map(|(range, _)| range));
        }
        found.sort_by_key(|range| range.start);
        found
    }

    /// Where the text states its opposite.
    pub fn denials(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = matches(&self.denies, text);
        if let Some(rule) = &self.value {
            found.extend(rule.told(text).into_iter().filter(|(_, right)| !*right).map(|(range, _)| range));
        }
        found.sort_by_key(|range| range.start);
        found
    }
}

fn matches(patterns: &[Regex], text: &str) -> Vec<Range<usize>> {
    patterns.iter().flat_map(|pattern| pattern.find_iter(text).map(|found| found.range())).collect()
}

/// A marker as it can be told to be positive (a mention) or negative (a denial), of whomever it is told.
pub fn marker_claim(marker: &str, kind: MarkerKind) -> Claim {
    markers::biomarker(&Biomarker { marker: marker.to_owned(), kind, positive: true, detail: String::new() })
}

/// Every fact a packet has to keep to.
pub fn claims(facts: &BoardFacts) -> Vec<Claim> {
    let mut claims =
        vec![patterns::stage(facts), patterns::performance(facts), patterns::renal(facts), patterns::surgery(facts)];
    claims.extend(facts.biomarkers.iter().map(markers::biomarker));
    claims.extend((0..facts.lines.len()).map(|number| patterns::line(number, &facts.lines[number])));
    if facts.lines.is_empty() {
        claims.push(patterns::untreated());
    }
    claims.extend(facts.comorbidities.iter().map(patterns::comorbidity));
    claims.extend(facts.allergies.iter().map(patterns::allergy));
    if facts.allergies.is_empty() {
        claims.push(patterns::no_allergy());
    }
    claims.extend(patterns::pregnancy(facts.pregnancy));
    claims.push(patterns::anticoagulation(facts.anticoagulation.as_ref()));
    claims
}
