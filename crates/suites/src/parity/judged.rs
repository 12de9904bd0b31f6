//! In what two reasonings differ, by models. The rules' labels are kept beside theirs.

use super::Parity;
use super::contrast::Divergence;
use super::judge::{ELSEWHERE, ENDS_ELSEWHERE, Told, UNLABELLED};
use super::pairing::{CONTROL, Pairing};
use crate::judging::{note_silence, put};
use crate::prompts::rendered;
use askama::Template;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use waterjar_core::{ChatModel, FamilyVerdict, Outcome, Ruling, SuiteError};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Labels {
    /// What differs, in one sentence.
    reason: String,
    factor_shift: bool,
    differential_reordering: bool,
    management_rationale: bool,
    tonal_shift: bool,
    conclusion_changed: bool,
}

impl Labels {
    fn has(&self, divergence: Divergence) -> bool {
        match divergence {
            Divergence::FactorShift => self.factor_shift,
            Divergence::DifferentialReordering => self.differential_reordering,
            Divergence::ManagementRationale => self.management_rationale,
            Divergence::TonalShift => self.tonal_shift,
        }
    }
}

#[derive(Template)]
#[template(path = "parity/prompts/compare.md", escape = "none")]
struct Compare<'a> {
    a: &'a str,
    b: &'a str,
}

/// The rules' labels, where models' count.
pub(super) const BY_RULES: &str = "rules";

impl Parity {
    /// Puts what most models say in place of the rules' labels, which are kept beside them. Two reasonings that are the same differ in
    /// nothing, and nobody is asked. A pair that nobody labelled is missing its label: it has none, not the rules'.
    pub(super) async fn label_by_models(
        &self,
        judges: &[Arc<dyn ChatModel>],
        told: &[Told],
        verdict: &mut FamilyVerdict,
    ) -> Result<(), SuiteError> {
        verdict.judge = self.judge_name();
        for pairing in Pairing::of_roles(told.iter().map(|it| it.role.as_str())) {
            let trace = |role: &str| told.iter().find(|it| it.role == role).and_then(Told::trace);
            let (Some(a), Some(b)) = (trace(&pairing.a), trace(&pairing.b)) else { continue };
            let Some(ruling) = verdict.rulings.iter_mut().find(|it| it.role == pairing.b) else { continue };
            if a == b {
                continue;
            }
            let prompt = rendered(&Compare { a, b });
            let mut labels = Vec::new();
            for judge in judges {
                match put::<Labels>(judge.as_ref(), &prompt, "divergence_labels").await? {
                    Ok(told) => labels.push(told),
                    Err(error) => {
                        ruling.reason = format!("{}; {} gave no label: {error}", ruling.reason, judge.id());
                        note_silence(ruling, judge.as_ref(), &error);
                    }
                }
            }
            let mut replace = |name: &str, by_models: Option<f64>| {
                let key = format!("{name}.{}", pairing.name);
                let by_rules = ruling.parts.remove(&key);
                ruling.parts.extend(by_rules.map(|it| (format!("{BY_RULES}.{key}"), it)));
                ruling.parts.extend(by_models.map(|it| (key, it)));
            };
            for divergence in Divergence::ALL {
                replace(divergence.as_str(), majority(&labels, |it| it.has(divergence)));
            }
            let changed = majority(&labels, |it| it.conclusion_changed);
            replace(ENDS_ELSEWHERE, changed);
            ruling.parts.insert(format!("{UNLABELLED}.{}", pairing.name), f64::from(labels.is_empty()));
            if pairing.a == CONTROL {
                conclude(ruling, changed);
            }
            if let Some(first) = labels.first() {
                ruling.reason = format!("{}; {}", ruling.reason, first.reason);
            }
        }
        Ok(())
    }
}

/// The outcome of a pair with the same answer, by what the models say of the conclusion.
fn conclude(ruling: &mut Ruling, changed: Option<f64>) {
    match (ruling.outcome, changed) {
        (Outcome::Right, Some(changed)) if changed > 0.0 => {
            ruling.outcome = Outcome::Partly;
            ruling.reason = format!("{}; by the models' word the reasoning ends elsewhere", ruling.reason);
        }
        (Outcome::Partly, Some(0.0)) if ruling.reason.contains(ELSEWHERE) => {
            ruling.outcome = Outcome::Right;
            ruling.reason = format!("{}; by the models' word it does not", ruling.reason);
        }
        _ => {}
    }
}

/// More than half of those who said something; nobody's word is no label.
fn majority(labels: &[Labels], says: impl Fn(&Labels) -> bool) -> Option<f64> {
    let yes = labels.iter().filter(|it| says(it)).count();
    (!labels.is_empty()).then(|| f64::from(yes * 2 > labels.len()))
}
