//! How alike two reasonings are: as they stand, and with they for the patient in both.

use super::judge::Told;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use waterjar_core::{Embedder, ModelId, SuiteError, cosine};
use waterjar_vignettes::unsexed;

/// A text and its vector, where it needs one.
#[derive(Default)]
pub(super) struct Placed {
    text: String,
    vector: Vec<f32>,
}

/// Gives every reasoning its vector, and what it says with they for the patient another.
pub(super) async fn embed(embedder: &Arc<dyn Embedder>, told: &mut [Told]) -> Result<(), SuiteError> {
    let texts: Vec<&str> = told.iter().filter_map(Told::trace).collect();
    let mut vectors = vectors_of(embedder, &texts).await?.into_iter();
    for it in told.iter_mut() {
        let Some(cut) = it.trace().map(|trace| embedder.cuts(trace)) else { continue };
        it.cut = cut;
        it.vector = vectors.next().unwrap_or_default();
    }
    embed_unsexed(embedder, told).await
}

/// Asked for apart, so that the vectors of the reasonings as they stand are what they are without it.
async fn embed_unsexed(embedder: &Arc<dyn Embedder>, told: &mut [Told]) -> Result<(), SuiteError> {
    for it in told.iter_mut() {
        it.unsexed.text = it.trace().map(unsexed).unwrap_or_default();
    }
    let texts: BTreeSet<&str> =
        told.iter().filter(|it| it.trace().is_some()).map(|it| it.unsexed.text.as_str()).collect();
    // Texts that are the same are alike without a vector.
    if texts.len() < 2 {
        return Ok(());
    }
    let known = told.iter().filter_map(|it| Some((it.trace()?.to_owned(), it.vector.clone())));
    let mut vectors: BTreeMap<String, Vec<f32>> = known.collect();
    let new: Vec<&str> = texts.into_iter().filter(|text| !vectors.contains_key(*text)).collect();
    if !new.is_empty() {
        let made = vectors_of(embedder, &new).await?;
        vectors.extend(new.iter().map(|text| (*text).to_owned()).zip(made));
    }
    for it in told.iter_mut() {
        it.unsexed.vector = vectors.get(&it.unsexed.text).cloned().unwrap_or_default();
    }
    Ok(())
}

async fn vectors_of(embedder: &Arc<dyn Embedder>, texts: &[&str]) -> Result<Vec<Vec<f32>>, SuiteError> {
    let unanswered = |error| SuiteError::Unanswered { model: ModelId::new(embedder.id()), error };
    embedder.embed(texts).await.map_err(unanswered)
}

/// Of two reasonings that are there.
pub(super) fn likeness(a: &Told, b: &Told) -> Option<f64> {
    alike((a.trace()?, a.vector.as_slice()), (b.trace()?, b.vector.as_slice()))
}

/// The same with they for the patient in both: what is lost here is not the pronoun's.
pub(super) fn unsexed_likeness(a: &Told, b: &Told) -> Option<f64> {
    if a.trace().is_none() || b.trace().is_none() {
        return None;
    }
    let (a, b) = (&a.unsexed, &b.unsexed);
    alike((a.text.as_str(), a.vector.as_slice()), (b.text.as_str(), b.vector.as_slice()))
}

/// The nearest to 1 that is still below it where a likeness is kept in four bytes.
const NEARLY: f64 = 1.0 - f32::EPSILON as f64 / 2.0;

/// 1 where they are the same to the letter, and only there. Vectors may be the same where texts are not, because an embedder reads no
/// further than it can and rounds.
fn alike((a, of_a): (&str, &[f32]), (b, of_b): (&str, &[f32])) -> Option<f64> {
    (a == b).then_some(1.0).or_else(|| {
        let both = !of_a.is_empty() && !of_b.is_empty();
        both.then(|| f64::from(cosine(of_a, of_b)).clamp(-1.0, NEARLY))
    })
}
