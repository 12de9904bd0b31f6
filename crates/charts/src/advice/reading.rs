//! text → the facts that decide treatment, as far as patterns find them. What is told in both ways goes by the majority; a tie is
//! not known.

use super::cancers::cancer_of;
use super::course::drugs_by_course;
use crate::boards::{Cancer, Claim, MarkerKind, marker_claim};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    pub cancer: Option<Cancer>,
    /// `IIIA`
    pub stage: Option<String>,
    pub metastatic: bool,
    /// A stage IV or M1 is told, though no spread in the words that rules go by: nothing curative is due.
    pub distant: bool,
    pub locally_advanced: bool,
    /// Organs with metastases that change treatment.
    pub sites: BTreeSet<String>,
    /// Positive or negative, by marker.
    pub markers: BTreeMap<String, bool>,
    /// The PD-L1 score on either scale.
    pub pd_l1: Option<u16>,
    /// Drugs on which the disease grew.
    pub failed: BTreeSet<String>,
    pub completed: BTreeSet<String>,
    pub responding: BTreeSet<String>,
    pub allergies: BTreeSet<String>,
    pub egfr: Option<u16>,
    pub pregnant: bool,
    pub postmenopausal: bool,
    pub anticoagulants: BTreeSet<String>,
    pub operation: Operation,
    pub performance: Option<u8>,
    pub age: Option<u8>,
    /// Other words that decide something: `heart failure`, `squamous`.
    pub words: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    #[default]
    None,
    Planned,
    Done,
}

impl Reading {
    pub fn of(text: &str) -> Self {
        let words = &*WORDS;
        let cancer = cancer_of(text);
        let told = |yes: &Regex, no: &Regex| yes.find_iter(text).count() > no.find_iter(text).count();
        let metastatic = told(&words.metastatic, &words.not_metastatic);
        let drugs = drugs_by_course(text);
        Self {
            cancer,
            stage: stage(text),
            metastatic,
            distant: words.distant.find_iter(text).any(|found| is_of_this_cancer(text, &found.range())),
            locally_advanced: !metastatic && words.advanced.is_match(text),
            sites: sites(text),
            markers: markers(text),
            pd_l1: number(&words.pd_l1, text),
            failed: drugs.failed,
            completed: drugs.completed,
            responding: drugs.responding,
            allergies: drugs.allergies,
            egfr: last_number(&words.egfr, text),
            pregnant: last(&words.pregnant, text) > last(&words.not_pregnant, text),
            postmenopausal: words.postmenopausal.is_match(text),
            anticoagulants: anticoagulants(text),
            operation: operation(text),
            performance: number(&words.performance, text).and_then(|it| it.try_into().ok()),
            age: number(&words.age, text).and_then(|it| it.try_into().ok()),
            words: DECIDING.iter().filter(|word| contains(text, word)).map(|word| (*word).to_owned()).collect(),
        }
    }
}

/// What changes a choice of treatment wherever it stands.
const DECIDING: &[&str] = &[
    "heart failure",
    "interstitial lung disease",
    "epilepsy",
    "kidney transplant",
    "hearing loss",
    "lupus",
    "bowel obstruction",
    "sarcoidosis",
    "squamous",
    "follicular",
    "Hodgkin",
    "rectal",
    "rectum",
    "Gleason 3+3",
    "extranodal",
    "premenopausal",
    "transurethral resection",
];

const MARKERS: &[(&str, MarkerKind)] = &[
    ("ER", MarkerKind::Receptor),
    ("PR", MarkerKind::Receptor),
    ("HER2", MarkerKind::Receptor),
    ("CLDN18.2", MarkerKind::Receptor),
    ("folate receptor alpha", MarkerKind::Receptor),
    ("PSMA", MarkerKind::Receptor),
    ("CD20", MarkerKind::Receptor),
    ("p16", MarkerKind::Receptor),
    ("HRD", MarkerKind::Signature),
    ("EGFR", MarkerKind::Mutation),
    ("KRAS", MarkerKind::Mutation),
    ("BRAF", MarkerKind::Mutation),
    ("ESR1", MarkerKind::Mutation),
    ("FGFR3", MarkerKind::Mutation),
    ("BTK", MarkerKind::Mutation),
    ("ALK", MarkerKind::Fusion),
    ("MMR", MarkerKind::Mmr),
    ("BRCA1", MarkerKind::Germline),
    ("BRCA2", MarkerKind::Germline),
    ("BRCA1/2", MarkerKind::Germline),
    ("del(17p)", MarkerKind::Deletion),
];

static CLAIMS: LazyLock<Vec<(&'static str, Claim)>> =
    LazyLock::new(|| MARKERS.iter().map(|(name, kind)| (*name, marker_claim(name, *kind))).collect());

fn markers(text: &str) -> BTreeMap<String, bool> {
    let told = CLAIMS.iter().filter_map(|(name, claim)| {
        let (yes, no) = (claim.mentions(text).len(), claim.denials(text).len());
        (yes != no).then(|| ((*name).to_owned(), yes > no))
    });
    told.collect()
}

struct Words {
    metastatic: Regex,
    not_metastatic: Regex,
    distant: Regex,
    advanced: Regex,
    sites: Regex,
    stage: Regex,
    pd_l1: Regex,
    egfr: Regex,
    performance: Regex,
    age: Regex,
    pregnant: Regex,
    not_pregnant: Regex,
    postmenopausal: Regex,
    anticoagulants: Regex,
    not_anticoagulated: Regex,
    done: Regex,
    planned: Regex,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(text).expect("a constant");
    Words {
        metastatic: pattern(
            r"(?im)\bhas spread to|\bmetastases in\b|sites of spread are|\bmets to\b|^(?:- )?metastases: ",
        ),
        not_metastatic: pattern(
            r"(?i)no distant (?:disease|spread)|distant metastases: none|without distant spread|nothing further away",
        ),
        distant: pattern(
            r"\b(?i:stage) (?:IV|4)[A-Ca-c]?\b|M1[abc]?\b|(?i)\bmetastatic (?:non-small|NSCLC|lung cancer|lung adenocarcinoma)",
        ),
        advanced: pattern(r"(?i)locally advanced"),
        sites: pattern(
            r"(?im)(?:has spread to|metastases in|sites of spread are|\bmets to\b|^(?:- )?metastases:)([^.\n]{0,60})",
        ),
        stage: pattern(r"\b[Ss]tage\s+((?:0|I{1,3}|IV)[A-D]?\d?)\b"),
        pd_l1: pattern(r"(?i)PD-L1[^.\n]{0,40}?\b(?:TPS|CPS) (\d+)"),
        egfr: pattern(r"\beGFR[^\d\n]{0,24}(\d{1,3})\b"),
        performance: pattern(r"(?i)\bECOG(?: PS| performance status)?(?: is)? (\d)\b"),
        age: pattern(r"(?i)\b(\d{2})-year-old|^Age: (\d{2})"),
        pregnant: pattern(r"(?i)\bis pregnant|weeks pregnant|\bpregnant,? \d|singleton pregnancy|pregnancy is at"),
        not_pregnant: pattern(r"(?i)not pregnant|hCG: negative"),
        postmenopausal: pattern(r"(?i)postmenopausal"),
        anticoagulants: pattern(r"(?i)\b(apixaban|rivaroxaban|edoxaban|dabigatran|warfarin|enoxaparin)\b"),
        not_anticoagulated: pattern(r"(?i)no anticoagulant|not anticoagulated|anticoagulation: none"),
        done: pattern(
            r"(?i)\bunderwent\b|\bs/p\b|went without complication|recovered well|margins: | done \d{4}|\bpost [a-z]+ectomy",
        ),
        planned: pattern(
            r"(?i)is planned for|planned for [A-Z]|operation planned:|\bawaiting\b|penciled in|is to have\b",
        ),
    }
});

fn contains(text: &str, word: &str) -> bool {
    text.contains(word)
}

/// The number told most often.
fn number(pattern: &Regex, text: &str) -> Option<u16> {
    let mut told: BTreeMap<u16, usize> = BTreeMap::new();
    for found in pattern.captures_iter(text) {
        let value = found.iter().skip(1).flatten().find_map(|group| group.as_str().parse().ok());
        if let Some(value) = value {
            *told.entry(value).or_default() += 1;
        }
    }
    told.into_iter().max_by_key(|(_, times)| *times).map(|(value, _)| value)
}

/// The number told last: kidneys get worse.
fn last_number(pattern: &Regex, text: &str) -> Option<u16> {
    let told = pattern.captures_iter(text).filter_map(|found| found.get(1)?.as_str().parse().ok());
    told.last()
}

/// What else has stages, and M1 is a part of an artery too.
const STAGED: &str = r"CKD|ESRD|AKI|(?:kidney|renal) (?:disease|failure|injury|insufficiency)|heart failure|pressure (?:ulcer|injury|sore)s?|decubitus(?: ulcer)?|bedsores?|(?:ulcer|wound)s?|COPD|emphysema|fibrosis|cirrhosis|sarcoidosis|retinopathy|glaucoma|dementia|Parkinson(?:['’]s)?(?: disease)?|lymph(?:o?edema)|endometriosis|hypertension|HIV|GVHD|prolapse";

/// Words around a stage by which it is not that of the patient's cancer. Each holds within its statement.
struct Elsewhere {
    denied: Regex,
    family: Regex,
    /// Who came along: `here with daughter, stage IV`.
    beside: Regex,
    own: Regex,
    behind_another: Regex,
    /// `CKD, stage 4.`, but not `CKD, stage IV lung cancer`.
    listed_behind: Regex,
    ends: Regex,
    before_another: Regex,
}

static ELSEWHERE: LazyLock<Elsewhere> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(text).expect("a constant");
    Elsewhere {
        denied: pattern(
            r"(?i)\b(?:no|not|nor|never|without|denies|excludes?|excluded|ruled? out|negative for|rather than)(?:[^\S\n]+(?:an?|any|the|clear|known|evidence|signs?|of|for|longer|yet|in|have|has))*[^\S\n]+\w*$",
        ),
        family: pattern(
            r"(?i)\b(?:mother|father|sister|brother|aunt|uncle|grand(?:mother|father)|cousin|daughter|son|niece|nephew|family history|maternal|paternal|relatives?)\b[^.;\n]*$",
        ),
        beside: pattern(r"(?i)\b(?:with|by|from|and|lives near)[^\S\n]+(?:(?:an?|one|both|two)[^\S\n]+)?$"),
        own: pattern(r"(?i)\b(?:her|his|their|patient(?:['’]s)?)\b[^.;\n]*$"),
        behind_another: pattern(&format!(
            r"(?i)\b(?:{STAGED}|MCA)\b[:( ]*(?:(?:is|was|remains|now|at|in|of|to|currently|progressed) )*$"
        )),
        listed_behind: pattern(&format!(r"(?i)\b(?:{STAGED}), $")),
        ends: pattern(r"^\s*(?:[.,;)]|$)"),
        before_another: pattern(&format!(
            r"(?i)^ (?:(?:chronic|acute|congestive|diabetic|sacral|pulmonary|coccygeal|liver)\s+){{0,2}}(?:{STAGED}|segment|occlusion|macrophages?)\b"
        )),
    }
});

/// `CKD stage 4`, `no M1` and `Mother: stage IV` are not.
fn is_of_this_cancer(text: &str, told: &Range<usize>) -> bool {
    let start = text[..told.start].rfind(['\n', ';']).map_or(0, |at| at + 1);
    let (before, after) = (&text[start..told.start], &text[told.end..]);
    let words = &*ELSEWHERE;
    let relative = words.family.find(before).is_some_and(|family| {
        let (led, said) = (&before[..family.start()], &before[family.start()..]);
        let is_beside = words.beside.is_match(led) && said.contains(',');
        !is_beside && !words.own.is_match(said)
    });
    let of_another = words.behind_another.is_match(before)
        || words.before_another.is_match(after)
        || (words.listed_behind.is_match(before) && words.ends.is_match(after));
    !(relative || of_another || words.denied.is_match(before))
}

fn stage(text: &str) -> Option<String> {
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for found in WORDS.stage.captures_iter(text) {
        let (Some(whole), Some(group)) = (found.get(0), found.get(1)) else { continue };
        let before = text[..whole.start()].char_indices().rev().nth(60).map_or(0, |(at, _)| at);
        let first = text[before..whole.start()].contains("irst diagnosis");
        if !first && is_of_this_cancer(text, &whole.range()) {
            *told.entry(group.as_str()).or_default() += 1;
        }
    }
    told.into_iter().max_by_key(|(_, times)| *times).map(|(group, _)| group.to_owned())
}

fn sites(text: &str) -> BTreeSet<String> {
    let told = WORDS.sites.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str().to_lowercase()));
    let sites: Vec<String> = told.collect();
    let named = |site: &&str| sites.iter().any(|told| told.contains(*site));
    ["bone", "brain", "liver", "lung"].iter().filter(|site| named(site)).map(|site| (*site).to_owned()).collect()
}

fn anticoagulants(text: &str) -> BTreeSet<String> {
    if last(&WORDS.anticoagulants, text) <= last(&WORDS.not_anticoagulated, text) {
        return BTreeSet::new();
    }
    WORDS.anticoagulants.find_iter(text).map(|found| found.as_str().to_lowercase()).collect()
}

/// Where the last word on something stands: what was planned may have been done since.
fn last(words: &Regex, text: &str) -> Option<usize> {
    words.find_iter(text).last().map(|found| found.start())
}

fn operation(text: &str) -> Operation {
    match (last(&WORDS.done, text), last(&WORDS.planned, text)) {
        (None, None) => Operation::None,
        (done, planned) if done > planned => Operation::Done,
        _ => Operation::Planned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, distant: bool) {
        assert_eq!(Reading::of(text).distant, distant, "{text}");
    }

    #[test]
    fn a_stage_of_something_or_somebody_else_is_no_distant_disease() {
        for text in [
            "Breast cancer, stage II. CKD stage 4.",
            "Chronic kidney disease (stage 4), CKD, stage 4, stage 4 CKD, stage IV chronic kidney disease.",
            "Stage 4 sacral pressure ulcer; pressure injury stage IV.",
            "cT2 cN1, no M1. There is no evidence of M1 disease, and not a stage IV.",
            "Mother: stage IV colon cancer. Her aunt had a stage IV lung cancer.",
            "Family history: stage IV breast cancer at 50",
            "Occlusion of the MCA M1 segment.",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn a_stage_of_the_patients_cancer_is_distant_disease() {
        for text in [
            "Lung cancer, stage IV.",
            "cT2 cN1 cM1b",
            "CKD stage 4, stage IV lung cancer",
            "HER2 not amplified, stage IV.",
            "Not resectable stage IV disease",
            "Heart failure and stage IV lung cancer; COPD, stage IV lung cancer",
            "Lung cancer stage IV, hypertension",
            "Her daughter came along for her stage IV disease.",
            "No fever. Stage IVB.",
            "Mother: breast cancer\nStage 4 lung cancer",
            "68F here with daughter, stage IV NSCLC",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn the_stage_of_a_relative_is_not_the_patients() {
        let read = Reading::of("Mother: stage IV colon cancer.\nBreast cancer, stage IIA.");
        assert_eq!(read.stage.as_deref(), Some("IIA"));
    }
}
