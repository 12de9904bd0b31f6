//! What a model that writes letters knows of diseases and symptoms: differentials, rumors with facts, score points.

use super::Clinician;
use super::letters::{Tongue, tag};
use crate::patients::starter;
use serde_json::{Value, json};
use waterjar_core::ConditionId;

pub(super) fn differential(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let disease = tag(prompt, "disease");
    let base = starter();
    let own = tongue.condition(disease).and_then(|id| base.condition(&id).map(|it| it.rivals.clone()));
    let mut ids: Vec<ConditionId> = own.unwrap_or_default();
    let mut others: Vec<&ConditionId> = base.conditions().iter().map(|it| &it.id).collect();
    others.sort_by_cached_key(|id| clinician.seed().rank(disease, id.as_str()));
    ids.extend(others.into_iter().take(10_usize.saturating_sub(ids.len())).cloned());
    let names: Vec<String> = ids.iter().map(|id| tongue.called(id)).collect();
    json!({ "diseases": names })
}

pub(super) fn rumor_pairs(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let (symptom, rejected) = (tag(prompt, "symptom"), tag(prompt, "rejected"));
    let language = &tongue.language;
    let own = language.symptoms_of(None, symptom);
    let own = own.into_iter().flat_map(|it| (0..it.pairs.len()).map(|at| it.rumor(at)));
    let mut others: Vec<_> = language.rumors().collect();
    others.sort_by_cached_key(|it| clinician.seed().rank(symptom, &it.rumor));
    let all = own.chain(others).filter(|it| !rejected.contains(it.rumor.as_str())).take(10);
    let pairs: Vec<Value> =
        all.map(|it| json!({ "category": it.category, "rumor": it.rumor, "fact": it.fact })).collect();
    json!({ "pairs": pairs })
}

/// What our files say, or of a disease they do not know what they say of another.
pub(super) fn score_points(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let disease = tag(prompt, "disease");
    let base = starter();
    let at = (clinician.lot("points", disease) * base.conditions().len() as f64) as usize;
    let stranger = &base.conditions()[at.min(base.conditions().len() - 1)].id;
    let id = tongue.condition(disease).unwrap_or_else(|| stranger.clone());
    let points = tongue.language.points_of(&id, &[]).or_else(|| tongue.language.points_of(stranger, &[]));
    points.map_or(
        Value::Null,
        |it| json!({ "evidence": it.evidence, "treatment": it.treatment, "lifestyle": it.lifestyle }),
    )
}
