//! Patterns of every fact but the biomarkers.

use super::super::facts::*;
use super::{Claim, FactKey};
use regex::Regex;
use std::ops::Range;

/// Finds a value and says whether it is the right one.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// Its first group is the value.
    pub pattern: Regex,
    pub right: Right,
    /// Words shortly before the value that make it another fact: a stage of years ago.
    pub not_after: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(super) enum Right {
    Word(String),
    Near(i32, i32),
}

impl Rule {
    /// Every value told, and whether it is right.
    pub fn told(&self, text: &str) -> Vec<(Range<usize>, bool)> {
        let other_fact = |start: usize| {
            let from = text[..start].char_indices().rev().nth(80).map_or(0, |(at, _)| at);
            self.not_after.is_some_and(|words| text[from..start].contains(words))
        };
        let found =
            self.pattern.captures_iter(text).filter_map(|found| Some((found.get(0)?.range(), found.get(1)?.as_str())));
        found
            .filter(|(range, _)| !other_fact(range.start))
            .map(|(range, value)| (range, self.right.is(value)))
            .collect()
    }
}

impl Right {
    fn is(&self, value: &str) -> bool {
        match self {
            Self::Word(word) => value.eq_ignore_ascii_case(word),
            Self::Near(number, within) => value.parse::<i32>().is_ok_and(|value| (value - number).abs() <= *within),
        }
    }
}

pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("patterns are written here, and names in them are escaped")
}

pub(super) fn claim(fact: FactKey, says: &[String], denies: &[String]) -> Claim {
    let compile = |texts: &[String]| texts.iter().map(|text| pattern(text)).collect();
    let any = (!says.is_empty()).then(|| pattern(&format!("(?:{})", says.join("|"))));
    Claim { fact, says: compile(says), any, denies: compile(denies), value: None }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

pub(super) fn stage(facts: &BoardFacts) -> Claim {
    let rule = Rule {
        // Groups are written in capitals, so that "stage is" is none.
        pattern: Regex::new(r"\b[Ss]tage\s+(?:group\s+)?((?:0|I{1,3}|IV)[A-D]?\d?)\b").expect("a constant"),
        right: Right::Word(facts.stage.group.clone()),
        not_after: Some("irst diagnosis"),
    };
    let denies = match facts.extent {
        Extent::Metastatic => {
            &["no distant (?:disease|spread)", "distant metastases: none", "without distant spread", r"\bM0\b"][..]
        }
        Extent::Localized | Extent::LocallyAdvanced => {
            &["has spread to", "metastases in", "sites of spread", r"\bmets to\b"][..]
        }
        Extent::Systemic => &[][..],
    };
    // The TNM of a metastatic case may hold no M0, but its first staging may have.
    let denies = if facts.stage.initial.is_some() { &denies[..denies.len().min(3)] } else { denies };
    Claim { value: Some(rule), ..claim(FactKey::Stage, &[], &owned(denies)) }
}

pub(super) fn performance(facts: &BoardFacts) -> Claim {
    let told = r"(?:ECOG|performance status|\bPS\b)(?:\s+(?:PS|performance status|is|at|ECOG))*:?\s*(?:ECOG\s*)?(\d)\b";
    let right = Right::Word(facts.performance.to_string());
    let rule = Rule { pattern: pattern(told), right, not_after: None };
    Claim { value: Some(rule), ..claim(FactKey::Performance, &[], &[]) }
}

pub(super) fn renal(facts: &BoardFacts) -> Claim {
    let rule = Rule {
        // In its own case: EGFR is a gene.
        pattern: Regex::new(r"\beGFR[^\d\n]{0,24}(\d{1,3})\b").expect("a constant"),
        // One draw differs from the next by a point or two.
        right: Right::Near(i32::from(facts.egfr), 2),
        not_after: None,
    };
    let denies = if facts.egfr >= 60 {
        &[
            "chronic kidney disease",
            "kidney function is reduced",
            "kidneys are a limit",
            "renal (?:impairment|insufficiency|failure)",
        ][..]
    } else {
        &["kidney function is (?:good|preserved|normal)", "kidneys pose no limit", "normal (?:renal|kidney) function"][..]
    };
    Claim { value: Some(rule), ..claim(FactKey::Renal, &[], &owned(denies)) }
}

pub(super) fn surgery(facts: &BoardFacts) -> Claim {
    let none = owned(&[
        "no (?:cancer )?operation (?:done|is planned|has been done)",
        "no surgery planned",
        r"operation: none\b",
    ]);
    match &facts.surgery {
        Surgery::Done { operation, .. } => {
            let operation = regex::escape(operation);
            let mut denies = none;
            denies.push(format!(r"(?:awaiting|penciled in|is to have|request for operation:)\s+{operation}"));
            denies.push(format!(r"{operation}\s+(?:is\s+)?planned"));
            claim(FactKey::Surgery, &[operation], &denies)
        }
        Surgery::Planned { operation, .. } => {
            let operation = regex::escape(operation);
            let mut denies = none;
            denies.push(format!(r"(?:underwent|\bs/p|status post|\bpost|after)\s+{operation}"));
            denies.push(format!(r"{operation}\s+(?:on|done)\s+\d"));
            claim(FactKey::Surgery, &[operation], &denies)
        }
        Surgery::None { .. } => {
            let mut says = none;
            says.push("not resectable".to_owned());
            let denies = owned(&[r"\bunderwent\b", r"\bs/p\b", "operation planned:", "is planned for", "awaiting"]);
            claim(FactKey::Surgery, &says, &denies)
        }
    }
}

const UNTREATED: &[&str] = &[
    "treatment-naive",
    "no (?:prior|earlier) systemic treatment",
    "earlier cancer treatment: none",
    "has had no treatment for this cancer",
    "no systemic treatment has been given",
];

pub(super) fn untreated() -> Claim {
    let denies =
        ["progressed on", "started as \\S+ treatment", "stopped (?:because of|for) progression", "was begun in"];
    claim(FactKey::Untreated, &owned(UNTREATED), &owned(&denies))
}

pub(super) fn line(number: usize, line: &Line) -> Claim {
    let regimen = regex::escape(&line.regimen);
    let near = |words: &str| {
        [format!(r"\b{regimen}[^.\n]{{0,110}}(?:{words})"), format!(r"(?:{words})[^.\n]{{0,60}}\b{regimen}")]
    };
    let failed = "progress(?:ed|ion)|failed";
    let done = "completed";
    let held = "responding|response|shrinking";
    let (says, wrong) = match line.outcome {
        LineOutcome::Progressed => (near(failed), [near(done), near("responding|response maintained")].concat()),
        LineOutcome::Completed => (near(done), near(failed).to_vec()),
        LineOutcome::Responding => {
            (near(held), near("progressed|for progression|because of progression|failed").to_vec())
        }
    };
    let mut denies = owned(UNTREATED);
    denies.extend(wrong);
    denies.push(format!(r"never (?:had|received|been given)\s+{regimen}"));
    claim(FactKey::Line(number), &says, &denies)
}

pub(super) fn comorbidity(other: &Comorbidity) -> Claim {
    let name = regex::escape(&other.name);
    let denies = [
        format!(r"\b(?:no|denies|without)\s+(?:history of\s+|known\s+)?{name}"),
        "no other chronic illness".to_owned(),
        "otherwise healthy all".to_owned(),
    ];
    claim(FactKey::Comorbidity(other.name.clone()), &[format!(r"\b{name}\b")], &denies)
}

const NO_ALLERGY: &[&str] = &["no known (?:drug )?allerg", r"\bNKDA\b", "no drug allergies"];

pub(super) fn allergy(allergy: &Allergy) -> Claim {
    let (substance, reaction) = (regex::escape(&allergy.substance), regex::escape(&allergy.reaction));
    let says = [format!(r"allerg\w*[^.\n]{{0,60}}{substance}"), format!(r"{substance}\s*(?:\(|: ){reaction}")];
    claim(FactKey::Allergy(allergy.substance.clone()), &says, &owned(NO_ALLERGY))
}

pub(super) fn no_allergy() -> Claim {
    claim(FactKey::NoAllergy, &owned(NO_ALLERGY), &owned(&[r"\ballergic to\b", r"\ballergy to\b", "anaphyla"]))
}

pub(super) fn pregnancy(pregnancy: Pregnancy) -> Option<Claim> {
    let (says, denies): (&[&str], &[&str]) = match pregnancy {
        Pregnancy::Male => return None,
        Pregnancy::Postmenopausal => (&["postmenopausal"], &["premenopausal", r"\bpregnan"]),
        Pregnancy::Excluded => (
            &["not pregnant", "hCG: negative"],
            &["postmenopausal", r"\bis pregnant", "weeks pregnant", r"\bpregnant, \d", "singleton pregnancy"],
        ),
        Pregnancy::Pregnant { .. } => (
            &[r"\bpregnan(?:t|cy)\b"],
            &["not pregnant", "postmenopausal", "test (?:was )?(?:repeated and )?negative", "test neg"],
        ),
    };
    Some(claim(FactKey::Pregnancy, &owned(says), &owned(denies)))
}

pub(super) fn anticoagulation(taken: Option<&Anticoagulation>) -> Claim {
    let none = ["no anticoagulant", "not anticoagulated", "anticoagulation: none"];
    match taken {
        Some(taken) => {
            let drug = format!(r"\b{}\b", regex::escape(&taken.drug));
            claim(FactKey::Anticoagulation, &[drug], &owned(&none))
        }
        None => {
            let any = [
                "apixaban",
                "rivaroxaban",
                "edoxaban",
                "dabigatran",
                "warfarin",
                "enoxaparin",
                "heparin",
                "is anticoagulated",
            ];
            claim(FactKey::Anticoagulation, &owned(&none), &owned(&any))
        }
    }
}
