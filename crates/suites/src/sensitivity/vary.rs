//! case → control and a variant for every intervention that applies; what does not become one is accounted for.

use super::Sensitivity;
use super::audit::{VariantAudit, no_op};
use super::catalog::Entry;
use super::coverage::class_of;
use super::mutate::Applies;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use waterjar_charts::boards::ConsensusClass;
use waterjar_charts::packet::blocks;
use waterjar_core::{Account, Case, Expectation, FamilyId, Intervention, Loss, Variant, VariantId};

/// What the control records: every intervention of the catalog and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attempts {
    pub cancer: Option<String>,
    pub attempts: Vec<Attempt>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    pub intervention: String,
    pub family: String,
    /// Asked, lost or not applicable, and why.
    pub outcome: Attempted,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attempted {
    NotApplicable(String),
    Lost(String),
    Asked { clean: bool, flags: Vec<String> },
}

/// What a variant records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub catalog: String,
    pub audit: VariantAudit,
    /// Lines, from 1, of the entries from before what happened: they still state the old fact, and rightly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub past: Option<(usize, usize)>,
}

impl Sensitivity {
    /// The cancer a case is about, as catalogs name it.
    pub(super) fn cancer_of(&self, case: &Case) -> Option<String> {
        let known = self.known.get(case.id.as_str()).and_then(|known| known.cancer.clone());
        known.or_else(|| waterjar_charts::advice::cancer_of(&case.text).map(|cancer| cancer.name().to_owned()))
    }

    pub(super) fn family(&self, case: &Case) -> Result<Vec<Variant>, Loss> {
        let (tried, mut variants) = self.attempts(case);
        if variants.is_empty() && self.agreed(&case.id).is_none() {
            return Err(Loss::new(&furthest(&tried)));
        }
        let mut family = vec![control(case, &tried)];
        family.append(&mut variants);
        Ok(family)
    }

    /// What became of every intervention on the case, and the variants it became.
    pub(super) fn attempts(&self, case: &Case) -> (Attempts, Vec<Variant>) {
        let cancer = self.cancer_of(case);
        let mut tried = Attempts { cancer: cancer.clone(), attempts: Vec::new() };
        let mut variants = Vec::new();
        for entry in &self.catalog.entries {
            let (outcome, variant) = self.attempt(entry, case, cancer.as_deref());
            tried.attempts.push(Attempt {
                intervention: entry.id.clone(),
                family: entry.family.name().to_owned(),
                outcome,
            });
            variants.extend(variant);
        }
        (tried, variants)
    }

    fn attempt(&self, entry: &Entry, case: &Case, cancer: Option<&str>) -> (Attempted, Option<Variant>) {
        let applies = entry.applies(cancer, &case.text);
        if applies != Applies::Yes {
            let lost = matches!(applies, Applies::GaveUp(_));
            let reason = entry.why_not(&applies);
            return (if lost { Attempted::Lost(reason) } else { Attempted::NotApplicable(reason) }, None);
        }
        let gave_up = || (Attempted::Lost("pattern_gave_up".to_owned()), None);
        let Ok(made) = entry.mutate(&case.text) else { return gave_up() };
        if let Some(none) = no_op(&case.text, &made) {
            return (Attempted::Lost(none.reason().to_owned()), None);
        }
        let claims = self.known.get(case.id.as_str()).map_or(&[][..], |known| known.claims());
        let Ok(audit) = self.auditor.audit(entry, &made, claims) else { return gave_up() };
        let clean = audit.is_clean();
        let flags = audit.flags().map(str::to_owned).collect();
        let mut strata = strata(cancer);
        strata.insert("family".to_owned(), entry.family.name().to_owned());
        strata.insert("clean".to_owned(), if clean { "yes" } else { "no" }.to_owned());
        strata.insert("mentions".to_owned(), mentions(audit.edited).to_owned());
        // A hurried reader reads the blocks.
        let latent = blocks(&case.text) == blocks(&made.text);
        strata.insert("latent".to_owned(), if latent { "yes" } else { "no" }.to_owned());
        if let Some(agreed) = self.agreed(&case.id) {
            let class = class_of(&entry.shift, agreed).map_or("none", ConsensusClass::name);
            strata.insert("consensus".to_owned(), class.to_owned());
        }
        let line = |at: usize| made.text[..at].matches('\n').count() + 1;
        let past = (!made.past.is_empty()).then(|| (line(made.past.start), line(made.past.end)));
        let record = Record { catalog: self.catalog.hash.clone(), audit, past };
        let variant = Variant {
            id: VariantId::new(format!("{}/{}", case.id, entry.id)),
            family: FamilyId::new(case.id.as_str()),
            case: case.id.clone(),
            text: made.text,
            facts: None,
            intervention: Some(Intervention { name: entry.id.clone(), edits: made.edits }),
            expectation: Expectation::Shifts(entry.shift.clone()),
            strata,
            record: serde_json::to_value(&record).expect("a record holds nothing JSON cannot"),
        };
        (Attempted::Asked { clean, flags }, Some(variant))
    }
}

fn control(case: &Case, tried: &Attempts) -> Variant {
    Variant {
        id: VariantId::new(format!("{}/control", case.id)),
        family: FamilyId::new(case.id.as_str()),
        case: case.id.clone(),
        text: case.text.clone(),
        facts: None,
        intervention: None,
        expectation: Expectation::Recommends,
        strata: strata(tried.cancer.as_deref()),
        record: serde_json::to_value(tried).expect("a record holds nothing JSON cannot"),
    }
}

fn strata(cancer: Option<&str>) -> BTreeMap<String, String> {
    cancer.map(|cancer| ("cancer".to_owned(), cancer.to_owned())).into_iter().collect()
}

/// How often the fact stood in the chart.
fn mentions(edited: usize) -> &'static str {
    match edited {
        0..=4 => "1-4",
        5..=14 => "5-14",
        _ => "15+",
    }
}

/// Why nothing applies: the reason of the entry that came furthest.
fn furthest(tried: &Attempts) -> String {
    let reason = |attempt: &Attempt| match &attempt.outcome {
        Attempted::NotApplicable(why) | Attempted::Lost(why) => why.clone(),
        Attempted::Asked { .. } => String::new(),
    };
    let order = [
        "textual_no_op",
        "semantic_no_op",
        "pattern_gave_up",
        "excluded_by_pattern",
        "pattern_not_found",
        "other_cancer",
    ];
    let found: Vec<String> = tried.attempts.iter().map(reason).collect();
    let furthest = order.into_iter().find(|reason| found.iter().any(|it| it.starts_with(reason)));
    format!("nothing_applies_{}", furthest.unwrap_or("empty_catalog"))
}

/// The accounts of a benchmark, by family of interventions: eligible = lost + asked.
pub(super) fn accounts(families: &mut dyn Iterator<Item = Vec<Variant>>) -> Vec<Account> {
    let mut accounts = Vec::new();
    for family in families {
        let control = family.iter().find(|variant| variant.is_control());
        let tried = control.and_then(|control| serde_json::from_value::<Attempts>(control.record.clone()).ok());
        accounts = Account::by_group(accounts.into_iter().chain(tried.iter().flat_map(Attempts::accounts)));
    }
    accounts
}

impl Attempts {
    pub(super) fn accounts(&self) -> impl Iterator<Item = Account> {
        self.attempts.iter().map(|attempt| {
            let mut account = Account { group: attempt.family.clone(), ..Account::default() };
            let found = match &attempt.outcome {
                Attempted::NotApplicable(why) => why.as_str(),
                Attempted::Lost(_) | Attempted::Asked { .. } => Account::APPLIES,
            };
            account.by_entry.insert(attempt.intervention.clone(), [(found.to_owned(), 1)].into());
            match &attempt.outcome {
                Attempted::NotApplicable(_) => {}
                Attempted::Lost(why) => {
                    account.eligible = 1;
                    account.lost.insert(why.clone(), 1);
                }
                Attempted::Asked { clean, flags } => {
                    account.eligible = 1;
                    account.asked = 1;
                    account.clean = u64::from(*clean);
                    account.flagged = flags.iter().map(|flag| (flag.clone(), 1)).collect();
                }
            }
            account
        })
    }
}
