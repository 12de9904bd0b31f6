//! Patients drawn from a knowledge base.

use crate::{Condition, Detail, Finding, KnowledgeBase, Likelihood, Place, Prior, ValueChance, narrative};
use rand::{Rng, RngExt};
use std::sync::Arc;
use waterjar_core::{Case, CaseId, CaseSource, Facts, FindingState, Observation, Seed, Sex, SourceError};

/// A patient mentions a finding that has nothing to do with the complaint this much more rarely than it occurs.
const CHATTER: f64 = 0.2;
/// Only what many people have comes up as chatter; a rare finding is never mentioned by the way.
const COMMON: f64 = 0.03;
/// How often a finding of the condition that is not there is expressly denied; the rest is not mentioned.
const DENY_OWN: f64 = 0.25;
/// The same for findings of the condition's rivals: the negatives a careful history asks for.
const DENY_RIVAL: f64 = 0.06;
/// What fewer of a condition's patients have in their past or family nobody asks for, and so nobody denies it.
const ASKED_FOR: f64 = 0.2;

/// `count` patients, the conditions in turn.
#[derive(Clone, Debug)]
pub struct Simulated {
    base: Arc<KnowledgeBase>,
    seed: Seed,
    purpose: &'static str,
    count: u64,
}

impl Simulated {
    /// Patients to make a benchmark of.
    pub fn for_test(base: Arc<KnowledgeBase>, seed: Seed, count: u64) -> Self {
        Self { base, seed, purpose: "test patient", count }
    }

    /// Patients to train built-in readers on: another purpose, so another stream of chance, so other patients.
    pub fn for_training(base: Arc<KnowledgeBase>, seed: Seed, per_condition: u64) -> Self {
        let count = per_condition * base.conditions().len() as u64;
        Self { base, seed, purpose: "training patient", count }
    }

    pub fn facts(&self) -> impl Iterator<Item = (CaseId, Facts)> + Send + '_ {
        (0..self.count).map(|number| self.patient(number))
    }

    fn patient(&self, number: u64) -> (CaseId, Facts) {
        let conditions = self.base.conditions();
        let condition = (number % conditions.len() as u64) as usize;
        let id = format!("{}-{number:06}", self.base.name);
        let facts = patient(&self.base, condition, &mut self.seed.rng(self.purpose, &id));
        (CaseId::new(id), facts)
    }
}

impl CaseSource for Simulated {
    fn name(&self) -> &str {
        &self.base.name
    }

    fn fingerprint(&self) -> String {
        format!("{} {} {} {}", self.purpose, self.seed.0, self.count, self.base.fingerprint())
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        Box::new(self.facts().map(|(id, facts)| {
            Ok(Case {
                id,
                source: self.base.name.clone(),
                text: narrative::tell(&self.base, &facts),
                facts: Some(facts),
                made: Vec::new(),
            })
        }))
    }
}

/// One patient with the condition at this place of the base. Findings are told in an order of chance, so that order gives nothing away.
fn patient(base: &KnowledgeBase, row: usize, rng: &mut impl Rng) -> Facts {
    let condition = &base.conditions()[row];
    let rivals: Vec<usize> = condition.rivals.iter().filter_map(|rival| base.condition_index(rival)).collect();
    let (sex, age) = person(condition, rng);
    let mut findings = Vec::new();
    for (column, finding) in base.findings().iter().enumerate() {
        let of_rivals = || rivals.iter().filter_map(|&rival| base.listed(rival, column));
        if finding.fits(sex, age)
            && let Some(state) = state_of(condition, finding, base.listed(row, column), of_rivals, rng)
        {
            let values = values_of(condition, finding, rng);
            if !finding.carries_detail() || !values.is_empty() {
                findings.push(Observation { finding: finding.id.clone(), state, values });
            }
        }
    }
    drop_orphans(base, &mut findings);
    shuffle(base, &mut findings, rng);
    Facts { sex, age, findings, condition: condition.id.clone(), differential: Vec::new() }
}

/// Sex and age by the condition's prior within its limits.
fn person(condition: &Condition, rng: &mut impl Rng) -> (Sex, u8) {
    let mut cells = Vec::new();
    for sex in [Sex::F, Sex::M] {
        for (band, weight) in Prior::BANDS.iter().zip(condition.prior.bands(sex)) {
            let (low, high) = (band.0.max(condition.age.0), band.1.min(condition.age.1));
            if condition.sex.is_none_or(|only| only == sex) && low <= high && *weight > 0.0 {
                let years = f64::from(high - low) + 1.0;
                cells.push((sex, low, high, weight * years));
            }
        }
    }
    let total: f64 = cells.iter().map(|cell| cell.3).sum();
    let mut left = rng.random::<f64>() * total;
    for &(sex, low, high, weight) in &cells {
        left -= weight;
        if left <= 0.0 {
            return (sex, rng.random_range(low..=high));
        }
    }
    // Only a base without priors comes here; lint refuses ours.
    (condition.sex.unwrap_or(Sex::F), condition.age.0)
}

/// `own` is what the condition lists of the finding, `of_rivals` what its rivals do.
fn state_of<'a, Rivals: Iterator<Item = &'a Likelihood>>(
    condition: &Condition,
    finding: &Finding,
    own: Option<&Likelihood>,
    of_rivals: impl FnOnce() -> Rivals,
    rng: &mut impl Rng,
) -> Option<FindingState> {
    // Always two draws, so that a change to one finding does not move the luck of the others.
    let (there, denied) = (rng.random::<f64>(), rng.random::<f64>());
    if finding.carries_detail() {
        return condition.values.contains_key(&finding.id).then_some(FindingState::Present);
    }
    let chatter = if finding.background >= COMMON { finding.background * CHATTER } else { 0.0 };
    let chance = own.map_or(chatter, |likelihood| likelihood.p);
    if there < chance {
        return Some(FindingState::Present);
    }
    let asked = match own {
        // Hardly thinkable without it: a patient may not mention it, but does not deny it.
        Some(likelihood) if likelihood.essential || !is_asked_for(finding, likelihood.p) => 0.0,
        Some(_) => DENY_OWN,
        None if of_rivals().any(|it| is_asked_for(finding, it.p)) => DENY_RIVAL,
        None => 0.0,
    };
    (denied < asked).then_some(FindingState::Denied)
}

fn is_asked_for(finding: &Finding, p: f64) -> bool {
    finding.kind.place() == Place::Symptoms || p >= ASKED_FOR
}

fn values_of(condition: &Condition, finding: &Finding, rng: &mut impl Rng) -> Vec<String> {
    let draw = rng.random::<f64>();
    match (&finding.detail, condition.values.get(&finding.id)) {
        (Detail::Scale, Some(&ValueChance::Scale { mean, sd })) => {
            let chances = crate::differential::scale_chances(mean, sd).into_iter().enumerate();
            pick(chances.map(|(x, chance)| (x.to_string(), chance)), draw)
        }
        (Detail::Choice(_), Some(ValueChance::Shares(shares))) => {
            pick(shares.iter().map(|(v, p)| (v.clone(), *p)), draw)
        }
        (Detail::Multi(_), Some(ValueChance::Shares(shares))) => {
            let mut values: Vec<String> =
                shares.iter().filter(|(_, p)| rng.random::<f64>() < **p).map(|(value, _)| value.clone()).collect();
            if values.is_empty() {
                let total: f64 = shares.values().sum();
                values = pick(shares.iter().map(|(v, p)| (v.clone(), p / total)), draw);
            }
            keep_one_side(&mut values, draw);
            values
        }
        _ => Vec::new(),
    }
}

/// Of two values whose ids differ by left and right alone, one is told: what hurts on both sides is another disease.
fn keep_one_side(values: &mut Vec<String>, draw: f64) {
    let (kept, dropped) = if draw < 0.5 { ("left", "right") } else { ("right", "left") };
    let told = values.clone();
    values.retain(|value| !value.contains(dropped) || !told.contains(&value.replace(dropped, kept)));
}

fn pick(values: impl Iterator<Item = (String, f64)>, draw: f64) -> Vec<String> {
    let mut left = draw;
    let mut last = None;
    for (value, chance) in values {
        left -= chance;
        last = Some(value);
        if left <= 0.0 {
            break;
        }
    }
    last.into_iter().collect()
}

/// A child is only spoken of, and only denied, when its parent is present.
fn drop_orphans(base: &KnowledgeBase, findings: &mut Vec<Observation>) {
    let present: Vec<_> =
        findings.iter().filter(|seen| seen.state == FindingState::Present).map(|seen| seen.finding.clone()).collect();
    findings.retain(|seen| {
        let parent = base.finding(&seen.finding).and_then(|it| it.parent.as_ref());
        parent.is_none_or(|parent| present.contains(parent))
    });
}

/// Details stay in the order of the base under their parent; everything else is told in an order of chance.
fn shuffle(base: &KnowledgeBase, findings: &mut [Observation], rng: &mut impl Rng) {
    let mut keys: Vec<_> = findings
        .iter()
        .map(|seen| {
            let finding = base.finding(&seen.finding);
            let place = finding.map_or(Place::Symptoms, |it| it.kind.place());
            let detail = finding.is_some_and(Finding::carries_detail);
            (place, !detail, rng.random::<u32>())
        })
        .zip(findings.iter().cloned())
        .collect();
    keys.sort_by(|a, b| {
        let by_luck = |key: &(Place, bool, u32)| if key.1 { key.2 } else { 0 };
        (a.0.0, a.0.1, by_luck(&a.0), &a.1.finding).cmp(&(b.0.0, b.0.1, by_luck(&b.0), &b.1.finding))
    });
    for (slot, (_, seen)) in findings.iter_mut().zip(keys) {
        *slot = seen;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::starter;
    use std::collections::HashSet;

    fn base() -> Arc<KnowledgeBase> {
        Arc::new(starter::base().expect("the starter base is sound"))
    }

    #[test]
    fn training_and_test_patients_share_no_narrative() {
        let base = base();
        let texts = |source: Simulated| -> HashSet<String> {
            source.cases().map(|case| case.expect("simulation does not fail").text).collect()
        };
        let training = texts(Simulated::for_training(base.clone(), Seed(7), 60));
        let test = texts(Simulated::for_test(base, Seed(7), 6000));
        assert!(training.len() > 3000 && test.len() > 5900);
        assert_eq!(training.intersection(&test).count(), 0);
    }

    #[test]
    fn a_told_patient_reads_back_exactly() {
        let base = base();
        let reader = narrative::Reader::new(&base);
        for (id, facts) in Simulated::for_test(base.clone(), Seed(11), 500).facts() {
            let read = reader.read(&narrative::tell(&base, &facts));
            assert_eq!(read.unread, Vec::<String>::new(), "{id}");
            assert_eq!((read.sex, read.age), (Some(facts.sex), Some(facts.age)));
            let sorted = |mut findings: Vec<Observation>| {
                findings.sort();
                findings
            };
            assert_eq!(sorted(read.findings), sorted(facts.findings), "{id}");
        }
    }

    #[test]
    fn nobody_has_a_finding_their_sex_or_age_rules_out() {
        let base = base();
        for (_, facts) in Simulated::for_test(base.clone(), Seed(3), 1000).facts() {
            for seen in &facts.findings {
                let finding = base.finding(&seen.finding).expect("simulated from the base");
                assert!(finding.fits(facts.sex, facts.age), "{seen:?} {facts:?}");
            }
        }
    }

    #[test]
    fn nobody_points_to_both_sides() {
        let check = |told: &[&str], draw: f64, expected: &[&str]| {
            let mut values: Vec<String> = told.iter().map(|it| (*it).to_owned()).collect();
            keep_one_side(&mut values, draw);
            assert_eq!(values, expected);
        };
        check(&["chest_left", "chest_right", "shoulder"], 0.1, &["chest_left", "shoulder"]);
        check(&["chest_left", "chest_right", "shoulder"], 0.9, &["chest_right", "shoulder"]);
        check(&["chest_left", "right_upper_abdomen"], 0.9, &["chest_left", "right_upper_abdomen"]);
    }

    #[test]
    fn nobody_denies_what_nobody_asks_for() {
        let base = base();
        for (id, facts) in Simulated::for_test(base.clone(), Seed(3), 1000).facts() {
            let condition = base.condition(&facts.condition).expect("simulated from the base");
            let rivals = condition.rivals.iter().filter_map(|rival| base.condition(rival));
            let listing: Vec<&Condition> = rivals.chain([condition]).collect();
            for seen in facts.findings.iter().filter(|seen| seen.state == FindingState::Denied) {
                let finding = base.finding(&seen.finding).expect("simulated from the base");
                let likelihoods = listing.iter().filter_map(|it| it.findings.get(&seen.finding));
                assert!(likelihoods.into_iter().any(|it| is_asked_for(finding, it.p)), "{id}: {}", finding.id);
            }
        }
    }

    #[test]
    fn another_seed_gives_other_patients() {
        let first = |seed| Simulated::for_test(base(), Seed(seed), 1).facts().next();
        assert_eq!(first(7), first(7));
        assert_ne!(first(7), first(8));
    }
}
