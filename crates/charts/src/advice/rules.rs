//! The tables of rules, and how a condition is read.

use super::{Given, Reading, reading::Operation};
use crate::boards::{BoardError, Cancer, Formulary, parse};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use waterjar_core::Timing;

/// Where in `advice/`.
const GUIDELINE: &str = "guideline.toml";
const PROTOCOLS: &str = "protocols.toml";

pub(super) struct Rules {
    protocols: BTreeMap<Cancer, Vec<Given>>,
    rules: Vec<Rule>,
    avoid: Vec<Avoid>,
}

/// What to give when all of `when` holds.
struct Rule {
    cancer: Option<Cancer>,
    when: Vec<Condition>,
    give: Vec<Given>,
    /// Also where the disease grew on it: some antibodies are carried on.
    again: bool,
}

/// What not to give, whichever rule gives it.
struct Avoid {
    when: Vec<Condition>,
    drugs: BTreeSet<String>,
}

struct Condition {
    holds: bool,
    what: What,
}

enum What {
    Metastatic,
    LocallyAdvanced,
    Localized,
    Untreated,
    Planned,
    Operated,
    Pregnant,
    Postmenopausal,
    Anticoagulated,
    Positive(String),
    Negative(String),
    Failed(String),
    Completed(String),
    Responding(String),
    Allergic(String),
    On(String),
    Site(String),
    Word(String),
    Stage(String),
    EgfrBelow(u16),
    PdL1AtLeast(u16),
    EcogAtLeast(u8),
    AgeBelow(u8),
}

static RULES: LazyLock<Result<Rules, BoardError>> = LazyLock::new(Rules::read);

impl Rules {
    pub fn get() -> Result<&'static Self, BoardError> {
        RULES.as_ref().map_err(Clone::clone)
    }

    fn read() -> Result<Self, BoardError> {
        let protocols: ProtocolFile = parse(PROTOCOLS, include_str!("../../advice/protocols.toml"))?;
        let file: RuleFile = parse(GUIDELINE, include_str!("../../advice/guideline.toml"))?;
        let formulary = Formulary::get()?;
        let protocols = protocols.protocol.into_iter().map(|(cancer, give)| {
            let why = format!("usual in {cancer} cancer");
            Ok((cancer, given(PROTOCOLS, formulary, &give, &why)?))
        });
        let rules = file.rule.into_iter().map(|written| {
            Ok(Rule {
                cancer: written.cancer,
                when: conditions(&written.when)?,
                give: given(GUIDELINE, formulary, &written.give, &written.why)?,
                again: written.again,
            })
        });
        let avoid = file.avoid.into_iter().map(|written| {
            let mut drugs = BTreeSet::new();
            for name in &written.drugs {
                let known = drugs_named(formulary, name);
                if known.is_empty() {
                    return Err(BoardError::new(GUIDELINE, format!("`{name}` is no drug, regimen or class")));
                }
                drugs.extend(known);
            }
            Ok(Avoid { when: conditions(&written.when)?, drugs })
        });
        Ok(Self {
            protocols: protocols.collect::<Result<_, BoardError>>()?,
            rules: rules.collect::<Result<_, BoardError>>()?,
            avoid: avoid.collect::<Result<_, BoardError>>()?,
        })
    }

    pub fn protocol(&self, cancer: Option<Cancer>) -> Vec<Given> {
        cancer.and_then(|cancer| self.protocols.get(&cancer)).cloned().unwrap_or_default()
    }

    pub fn advise(&self, reading: &Reading) -> Result<Vec<Given>, BoardError> {
        let formulary = Formulary::get()?;
        let avoided: BTreeSet<&str> = self
            .avoid
            .iter()
            .filter(|it| all_hold(&it.when, reading, formulary))
            .flat_map(|it| it.drugs.iter().map(String::as_str))
            .chain(reading.allergies.iter().map(String::as_str))
            .collect();
        let mut advice: Vec<Given> = Vec::new();
        for rule in self.rules.iter().filter(|rule| rule.cancer.is_none() || rule.cancer == reading.cancer) {
            if !all_hold(&rule.when, reading, formulary) {
                continue;
            }
            for given in &rule.give {
                let drugs = formulary.drugs_of(&given.treatment);
                let may_be_given = !drugs.iter().any(|drug| avoided.contains(drug));
                // A regimen has failed when all of it was in what failed; a partner may be used again.
                let failed = !drugs.is_empty() && drugs.iter().all(|drug| reading.failed.contains(*drug));
                let is_new = advice.iter().all(|known| known.treatment != given.treatment);
                if may_be_given && (!failed || rule.again) && is_new {
                    advice.push(given.clone());
                }
            }
        }
        Ok(advice)
    }
}

fn all_hold(conditions: &[Condition], reading: &Reading, formulary: &Formulary) -> bool {
    conditions.iter().all(|condition| condition.what.of(reading, formulary) == condition.holds)
}

impl What {
    fn of(&self, reading: &Reading, formulary: &Formulary) -> bool {
        let any =
            |told: &BTreeSet<String>, name: &str| drugs_named(formulary, name).iter().any(|drug| told.contains(drug));
        match self {
            Self::Metastatic => reading.metastatic,
            Self::LocallyAdvanced => reading.locally_advanced,
            Self::Localized => !reading.metastatic && !reading.locally_advanced,
            Self::Untreated => {
                reading.failed.is_empty() && reading.completed.is_empty() && reading.responding.is_empty()
            }
            Self::Planned => reading.operation == Operation::Planned,
            Self::Operated => reading.operation == Operation::Done,
            Self::Pregnant => reading.pregnant,
            Self::Postmenopausal => reading.postmenopausal,
            Self::Anticoagulated => !reading.anticoagulants.is_empty(),
            Self::Positive(marker) => reading.marker(marker) == Some(true),
            Self::Negative(marker) => reading.marker(marker) == Some(false),
            Self::Failed(name) => any(&reading.failed, name),
            Self::Completed(name) => any(&reading.completed, name),
            Self::Responding(name) => any(&reading.responding, name),
            Self::Allergic(name) => reading.allergies.contains(name) || any(&reading.allergies, name),
            Self::On(name) => reading.anticoagulants.contains(name),
            Self::Site(site) => reading.sites.contains(site),
            Self::Word(word) => reading.words.contains(word),
            Self::Stage(group) => reading.stage.as_deref().is_some_and(|told| told.starts_with(group.as_str())),
            Self::EgfrBelow(least) => reading.egfr.is_some_and(|told| told < *least),
            Self::PdL1AtLeast(least) => reading.pd_l1.is_some_and(|told| told >= *least),
            Self::EcogAtLeast(least) => reading.performance.is_some_and(|told| told >= *least),
            Self::AgeBelow(least) => reading.age.is_some_and(|told| told < *least),
        }
    }
}

impl Reading {
    /// The germline genes may be told together or one by one.
    fn marker(&self, name: &str) -> Option<bool> {
        let told = |name: &str| self.markers.get(name).copied();
        if name != "BRCA" {
            return told(name);
        }
        let genes = ["BRCA1", "BRCA2", "BRCA1/2"].map(told);
        if genes.contains(&Some(true)) { Some(true) } else { genes.into_iter().flatten().next() }
    }
}

/// A drug, the drugs of a regimen, or all drugs of a class.
fn drugs_named(formulary: &Formulary, name: &str) -> BTreeSet<String> {
    let named = formulary.drugs_of(name);
    if !named.is_empty() {
        return named.into_iter().map(str::to_owned).collect();
    }
    let of_class = formulary.drugs().filter(|(_, drug)| drug.class == name);
    of_class.map(|(drug, _)| drug.to_owned()).collect()
}

/// `carboplatin: systemic`
fn given(place: &str, formulary: &Formulary, written: &[String], why: &str) -> Result<Vec<Given>, BoardError> {
    let read = |text: &String| {
        let (treatment, timing) = text.rsplit_once(": ").unwrap_or((text, ""));
        let timing = Timing::ALL.into_iter().find(|it| it.name() == timing);
        let timing = timing.ok_or_else(|| BoardError::new(place, format!("`{text}` has no timing we know")))?;
        let is_test = treatment.ends_with("testing");
        if formulary.kind(treatment).is_none() && !is_test {
            return Err(BoardError::new(place, format!("`{treatment}` is in neither table of treatments")));
        }
        Ok(Given { treatment: treatment.to_owned(), timing, why: why.to_owned() })
    };
    written.iter().map(read).collect()
}

fn conditions(written: &[String]) -> Result<Vec<Condition>, BoardError> {
    written.iter().map(|text| condition(text)).collect()
}

/// `metastatic`, `not operated`, `HER2+`, `failed platinum`, `eGFR < 50`
fn condition(text: &str) -> Result<Condition, BoardError> {
    let (holds, text) = text.strip_prefix("not ").map_or((true, text), |rest| (false, rest));
    let unknown = || BoardError::new(GUIDELINE, format!("`{text}` is no condition we know"));
    let number = |text: &str| text.trim().parse::<u16>().map_err(|_| unknown());
    let what = match text {
        "metastatic" => What::Metastatic,
        "locally advanced" => What::LocallyAdvanced,
        "localized" => What::Localized,
        "untreated" => What::Untreated,
        "planned" => What::Planned,
        "operated" => What::Operated,
        "pregnant" => What::Pregnant,
        "postmenopausal" => What::Postmenopausal,
        "anticoagulated" => What::Anticoagulated,
        _ => {
            let after = |stem: &str| text.strip_prefix(stem).map(str::to_owned);
            if let Some(name) = after("failed ") {
                What::Failed(name)
            } else if let Some(name) = after("completed ") {
                What::Completed(name)
            } else if let Some(name) = after("responding to ") {
                What::Responding(name)
            } else if let Some(name) = after("allergic to ") {
                What::Allergic(name)
            } else if let Some(name) = after("on ") {
                What::On(name)
            } else if let Some(site) = after("spread to ") {
                What::Site(site)
            } else if let Some(word) = after("with ") {
                What::Word(word)
            } else if let Some(group) = after("stage ") {
                What::Stage(group)
            } else if let Some(least) = after("eGFR < ") {
                What::EgfrBelow(number(&least)?)
            } else if let Some(least) = after("PD-L1 >= ") {
                What::PdL1AtLeast(number(&least)?)
            } else if let Some(least) = after("ECOG >= ") {
                What::EcogAtLeast(number(&least)? as u8)
            } else if let Some(least) = after("age < ") {
                What::AgeBelow(number(&least)? as u8)
            } else if let Some(marker) = text.strip_suffix('+') {
                What::Positive(marker.to_owned())
            } else if let Some(marker) = text.strip_suffix('-') {
                What::Negative(marker.to_owned())
            } else {
                return Err(unknown());
            }
        }
    };
    Ok(Condition { holds, what })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProtocolFile {
    protocol: BTreeMap<Cancer, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    rule: Vec<WrittenRule>,
    avoid: Vec<WrittenAvoid>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    cancer: Option<Cancer>,
    when: Vec<String>,
    give: Vec<String>,
    why: String,
    #[serde(default)]
    again: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAvoid {
    when: Vec<String>,
    drugs: Vec<String>,
    #[expect(dead_code, reason = "for whoever reads the file")]
    why: String,
}
