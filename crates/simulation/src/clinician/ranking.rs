//! Patient → ranked conditions, as the persona sees it.

use super::{Heed, Patient, Persona};
use rand::RngExt;
use waterjar_core::{FindingState, Observation, Seed};
use waterjar_knowledge::narrative::sentence;
use waterjar_knowledge::{Differential, KnowledgeBase, Place, Reading, Scope};

/// What the clinician thinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Consultation {
    /// Names with confidence, the most likely first; at most five.
    pub ranked: Vec<(String, f64)>,
    /// What the patient said that speaks most for the first over the second, as said.
    pub evidence: Vec<String>,
    /// Whether only the symptoms were looked at.
    pub symptoms_only: bool,
    /// What the patient said that was not looked at, as said, and what is made of it.
    pub ignored: (Heed, Vec<String>),
}

/// As many as agents ask for.
const LISTED: usize = 5;

pub(super) fn consult(base: &KnowledgeBase, persona: &Persona, seed: Seed, patient: &Patient) -> Consultation {
    let is_stubborn = persona.stubbornness > 0.0 && lot(base, seed, patient, "stubborn") < persona.stubbornness;
    let scope = if is_stubborn { Scope::Symptoms } else { persona.knows };
    let reading = Reading { scope, ..Reading::JUDGE };
    let differential = Differential::of_findings(base, patient.sex, patient.age, &patient.findings, &reading);
    let mut ranked: Vec<(usize, f64)> = differential
        .candidates()
        .iter()
        .filter_map(|it| Some((base.condition_index(&it.condition)?, it.probability)))
        .collect();
    if persona.noise > 0.0 {
        disturb(base, persona.noise, seed, patient, &mut ranked);
    }
    ranked.truncate(LISTED);
    Consultation {
        evidence: evidence(base, patient, scope, &ranked, persona.verbosity),
        ranked: ranked.into_iter().map(|(at, p)| (base.conditions()[at].name.clone(), p)).collect(),
        symptoms_only: scope == Scope::Symptoms,
        ignored: ignored(base, persona, seed, patient, is_stubborn),
    }
}

fn ignored(
    base: &KnowledgeBase,
    persona: &Persona,
    seed: Seed,
    patient: &Patient,
    is_stubborn: bool,
) -> (Heed, Vec<String>) {
    let heed = persona.heed.by_lot(lot(base, seed, patient, "heed"));
    // Whoever quotes nothing at all makes nothing of it either.
    if !is_stubborn || heed == Heed::Overlooks || persona.verbosity == 0 {
        return (Heed::Overlooks, Vec::new());
    }
    let present = patient.findings.iter().filter(|seen| seen.state == FindingState::Present);
    let told = present.filter_map(|seen| Some((base.finding(&seen.finding)?, seen)));
    let antecedents =
        told.filter(|(finding, _)| finding.kind.place() == Place::Antecedents && !finding.carries_detail());
    (heed, antecedents.map(|(finding, seen)| sentence(finding, seen)).collect())
}

/// Between 0 and 1, by the symptoms alone: control and trap of a pair that differ in an antecedent draw the same.
fn lot(base: &KnowledgeBase, seed: Seed, patient: &Patient, purpose: &str) -> f64 {
    let symptom = |seen: &&Observation| {
        base.finding(&seen.finding).is_some_and(|finding| finding.kind.place() == Place::Symptoms)
    };
    // Sorted, because a rewrite may tell the same symptoms in another order.
    let mut symptoms: Vec<&Observation> = patient.findings.iter().filter(symptom).collect();
    symptoms.sort();
    seed.rank(purpose, &format!("{symptoms:?}")) as f64 / i64::MAX as f64
}

/// Gaussian noise on the log probabilities, drawn per patient and condition.
fn disturb(base: &KnowledgeBase, sd: f64, seed: Seed, patient: &Patient, ranked: &mut [(usize, f64)]) {
    let mut findings: Vec<&Observation> = patient.findings.iter().collect();
    findings.sort();
    let mut rng = seed.rng("noise", &format!("{:?}{}{findings:?}", patient.sex, patient.age));
    let noise: Vec<f64> = base.conditions().iter().map(|_| gauss(&mut rng)).collect();
    for (at, p) in ranked.iter_mut() {
        *p = (p.max(1e-12).ln() + sd * noise[*at]).exp();
    }
    let total: f64 = ranked.iter().map(|(_, p)| p).sum();
    for (_, p) in ranked.iter_mut() {
        *p /= total;
    }
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
}

/// Box and Muller.
pub(crate) fn gauss(rng: &mut impl rand::Rng) -> f64 {
    let (u, v): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

fn evidence(
    base: &KnowledgeBase,
    patient: &Patient,
    scope: Scope,
    ranked: &[(usize, f64)],
    most: usize,
) -> Vec<String> {
    let [(first, _), (second, _), ..] = *ranked else {
        return Vec::new();
    };
    let floor = Reading::JUDGE.floor;
    let mut weighed: Vec<(f64, String)> = Vec::new();
    for seen in &patient.findings {
        let Some(column) = base.finding_index(&seen.finding) else { continue };
        let finding = &base.findings()[column];
        let out_of_sight = scope == Scope::Symptoms && finding.kind.place() != Place::Symptoms;
        if out_of_sight || finding.carries_detail() {
            continue;
        }
        let chance = |row: usize| match (seen.state, base.chance(row, column).max(finding.background)) {
            (FindingState::Present, p) => p.max(floor),
            (FindingState::Denied, p) => (1.0 - p).max(floor),
        };
        weighed.push(((chance(first) / chance(second)).ln(), sentence(finding, seen)));
    }
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    weighed.into_iter().take(most).map(|(_, said)| said).collect()
}
