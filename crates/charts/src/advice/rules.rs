//! The tables of rules.

use super::condition::{Condition, all_hold, conditions, drugs_named};
use super::{Given, Reading};
use crate::boards::{BoardError, Cancer, Formulary, parse};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use waterjar_core::Timing;

/// Where in `advice/`.
pub(super) const GUIDELINE: &str = "guideline.toml";
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
            let why = format!("usual in {}", cancer.called());
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

    /// Drugs that no rule may give to whoever this was read of.
    pub fn avoided<'a>(&'a self, reading: &'a Reading, formulary: &Formulary) -> BTreeSet<&'a str> {
        let held = self.avoid.iter().filter(|it| all_hold(&it.when, reading, formulary));
        let drugs = held.flat_map(|it| it.drugs.iter()).chain(&reading.allergies);
        drugs.map(String::as_str).collect()
    }

    pub fn advise(&self, reading: &Reading) -> Result<Vec<Given>, BoardError> {
        let formulary = Formulary::get()?;
        let avoided = self.avoided(reading, formulary);
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
