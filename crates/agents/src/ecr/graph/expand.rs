//! Forward expansion: what the reasoner named, laid over what was learnt.

use crate::ecr::likeness::Likeness;
use crate::ecr::reasoner::Dossier;
use crate::ecr::reasoner::stages::{FeatureKind, KnowledgeNode};
use std::collections::BTreeMap;
use waterjar_core::ModelError;

/// A feature that says the same as one of the illness graphs, or as another named one, is merged with it, under the learnt words;
/// one that bears on no candidate is pruned.
pub async fn merge_or_prune(
    named: Vec<KnowledgeNode>,
    dossiers: &[Dossier<'_>],
    likeness: &Likeness,
) -> Result<Vec<KnowledgeNode>, ModelError> {
    let learnt: Vec<&str> = dossiers
        .iter()
        .filter_map(|dossier| dossier.illness)
        .flat_map(|graph| graph.features.iter().map(|feature| feature.content.as_str()))
        .collect();
    let contents: Vec<&str> = named.iter().map(|feature| feature.content.as_str()).collect();
    let same = likeness.same(&contents, &learnt).await?;
    let words: Vec<String> =
        same.into_iter().zip(&contents).map(|(at, content)| at.map_or(*content, |at| learnt[at]).to_owned()).collect();
    let mut kept: Vec<KnowledgeNode> = Vec::new();
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    for (mut feature, content) in named.into_iter().zip(words) {
        if feature.supports.is_empty() && feature.rules_out.is_empty() {
            continue;
        }
        let known = match at.get(&content) {
            Some(known) => Some(*known),
            // Two statements of the lexicon are never one, so there is nothing to compare.
            None if likeness.is_settled(&content) && kept.iter().all(|it| likeness.is_settled(&it.content)) => None,
            None => {
                let before: Vec<&str> = kept.iter().map(|it| it.content.as_str()).collect();
                likeness.same(&[&content], &before).await?.pop().flatten()
            }
        };
        match known {
            Some(known) => join(&mut kept[known], feature),
            None => {
                at.insert(content.clone(), kept.len());
                feature.content = content;
                kept.push(feature);
            }
        }
    }
    Ok(kept)
}

fn join(kept: &mut KnowledgeNode, other: KnowledgeNode) {
    for candidate in other.supports {
        if !kept.supports.contains(&candidate) {
            kept.supports.push(candidate);
        }
    }
    for candidate in other.rules_out {
        // Said to speak for it and against it, it does neither more than the first said.
        if !kept.rules_out.contains(&candidate) && !kept.supports.contains(&candidate) {
            kept.rules_out.push(candidate);
        }
    }
    kept.importance = kept.importance.max(other.importance);
    if other.kind == FeatureKind::Pivot {
        kept.kind = FeatureKind::Pivot;
    }
}
