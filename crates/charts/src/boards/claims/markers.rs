//! Patterns of biomarkers, by kind.

use super::super::facts::{Biomarker, MarkerKind};
use super::patterns::{Right, Rule, claim, pattern};
use super::{Claim, FactKey};

pub(super) fn biomarker(marker: &Biomarker) -> Claim {
    let key = FactKey::Biomarker(marker.marker.clone());
    if marker.kind == MarkerKind::Score {
        return score(key, marker);
    }
    let (positive, negative) = both(marker);
    let (says, mut denies) = if marker.positive { (positive, negative) } else { (negative, positive) };
    // The name of a disease can carry three results at once.
    if marker.positive && ["ER", "PR", "HER2"].contains(&marker.marker.as_str()) {
        denies.push("triple-negative".to_owned());
    }
    claim(key, &says, &denies)
}

/// How a marker is said to be positive, and how negative.
fn both(marker: &Biomarker) -> (Vec<String>, Vec<String>) {
    let name = bounded(&marker.marker);
    let fill = |patterns: &[&str]| patterns.iter().map(|text| text.replace('~', &name)).collect::<Vec<_>>();
    let (positive, negative) = said(marker.kind);
    let (positive, negative) = (fill(positive), fill(negative));
    match marker.kind {
        MarkerKind::Germline => (affirmed(positive, &name), negative),
        _ => (positive, negative),
    }
}

/// Positive and negative, with `~` for the name.
fn said(kind: MarkerKind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        MarkerKind::Receptor | MarkerKind::Signature | MarkerKind::Score => (
            &[r"~(?:[-: ]+| is | status: | testing was )positive", "positive for ~"],
            &[r"~(?:[-: ]+| is | status: | testing was )negative", "negative for ~"],
        ),
        MarkerKind::Mutation => (
            &[
                "~-mutated",
                "~: mutation detected",
                "~: detected",
                r"~ [^\s:;,.]+(?: [^\s:;,.]+){0,3}:? detected",
                "(?:detected|carry) an? ~ mutation",
                r"the ~ mutation \(",
                "an? ~ mutation,",
            ],
            &["no ~ mutation", "~(?: is|:)? wild-type", "~: not detected", "~: no mutation"],
        ),
        MarkerKind::Fusion | MarkerKind::Rearrangement => (
            &[
                "~-rearranged",
                "~:? rearranged",
                "~ is rearranged",
                "~ rearrangement(?:: (?:detected|present)| was detected)",
                "showed an? ~ rearr",
                "an? ~ rearrangement was",
                "~ break-apart FISH: rearranged",
            ],
            &[
                "no ~ rearrangement",
                "~(?: is|:| was tested and is)? not rearranged",
                "~: no rearrangement",
                "~ rearrangement: not detected",
                "~ break-apart FISH: not rearranged",
            ],
        ),
        MarkerKind::Amplification => (
            &["~-amplified", "~(?: is|:)? amplified", "~ copy number: amplified"],
            &["no ~ amplification", "~(?: is|:)? not amplified", "~ copy number: not amplified"],
        ),
        MarkerKind::Mmr => (
            &["MSI-high", r"\bdMMR\b", r"mismatch repair[^.\n]{0,20}deficient", "MMR: deficient"],
            &[
                "microsatellite stable",
                r"\bpMMR\b",
                r"\bMSS\b",
                r"mismatch repair[^.\n]{0,24}proficient",
                "MMR: proficient",
                "all four retained",
            ],
        ),
        MarkerKind::Germline => (
            &[
                "~: pathogenic",
                "pathogenic (?:germline )?~ variant",
                "~ carrier",
                "germline ~ variant",
                "germline ~: pathogenic",
            ],
            &[
                "no (?:pathogenic |germline )*~ variant",
                "~: no (?:pathogenic|variant)",
                "~ neg",
                "found no ~",
                "germline ~: no",
            ],
        ),
        MarkerKind::Deletion => (&["~:? present", "~ is present", "found ~ in"], &["no ~", "~:? absent", "found no ~"]),
        MarkerKind::Ighv => (
            &[r"\bIGHV(?: genes)?(?: are| is|:| status:)? mutated"],
            &[r"\bIGHV(?: genes)?(?: are| is|:| status:)? unmutated"],
        ),
    }
}

/// "no pathogenic BRCA1 variant" holds "pathogenic BRCA1 variant": what affirms is written so that it holds no "no".
fn affirmed(mut positive: Vec<String>, name: &str) -> Vec<String> {
    positive.retain(|text| !text.starts_with("pathogenic") && !text.starts_with("germline"));
    let pathogenic = ["^", r"[^\w\s]\s*", r"\b(?:a|found a|carries a)\s+"]
        .map(|before| format!("{before}pathogenic (?:germline )?{name} variant"));
    positive.extend(pathogenic);
    positive.push(format!(r"(?:^|[^o]\s|[;,.]\s)germline {name} variant"));
    positive
}

/// PD-L1 is a number on one of two scales.
fn score(key: FactKey, marker: &Biomarker) -> Claim {
    let mut words = marker.detail.split_whitespace();
    let (scale, number) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let told = format!(r"{}[^.\n]{{0,40}}?\b{scale} (\d+)", bounded(&marker.marker));
    let rule = Rule { pattern: pattern(&told), right: Right::Word(number.to_owned()), not_after: None };
    Claim { value: Some(rule), ..claim(key, &[], &[]) }
}

/// The name as whole words: ER is not in HER2, and del(17p) ends in no letter.
fn bounded(name: &str) -> String {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric());
    let before = if is_word(name.chars().next()) { r"\b" } else { "" };
    let after = if is_word(name.chars().last()) { r"\b" } else { "" };
    format!("{before}{}{after}", regex::escape(name))
}
