//! Stage 3: what tells the candidates apart, and what is to be expected of each.

use super::known::{Known, facts};
use super::{ROLE, asking};
use crate::asking::said;
use crate::ecr::reasoner::stages::{Feedback, Knowledge};
use crate::ecr::reasoner::{Differing, Sight};
use askama::Template;
use waterjar_core::AgentError;

/// Features asked for at most. More would not fit into the next answer, which relates every one to every candidate.
const MOST: usize = 40;

#[derive(Template)]
#[template(path = "ecr/reasoner/model/prompts/features.md", escape = "none")]
struct TellApart<'a> {
    candidates: Vec<Known<'a>>,
    facts: Vec<String>,
    pivots: bool,
    most: usize,
    feedback: &'a [Feedback],
}

pub async fn ask(sight: &Sight<'_>, about: &Differing<'_>) -> Result<Knowledge, AgentError> {
    let part = TellApart {
        candidates: about.dossiers.iter().map(Known::of).collect(),
        facts: facts(about.patient),
        pivots: about.pivots,
        most: MOST,
        feedback: sight.feedback,
    };
    asking(sight).ask(ROLE, &part, "ecr_features", |it| check(it, about.dossiers.len())).await
}

fn check(knowledge: &Knowledge, candidates: usize) -> Result<(), String> {
    let features = &knowledge.features;
    if features.is_empty() {
        return Err("features: there are none; name what would tell the candidates apart".to_owned());
    }
    if features.len() > MOST {
        return Err(format!("features: there are {}, and at most {MOST} were asked for", features.len()));
    }
    knowledge.check(candidates)?;
    for (at, feature) in features.iter().enumerate() {
        said(&format!("features[{at}].content"), &feature.content)?;
        if let Some(both) = feature.supports.iter().find(|it| feature.rules_out.contains(it)) {
            return Err(format!("features[{at}]: candidate {both} stands in supports and in rules_out"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecr::reasoner::stages::{FeatureKind, KnowledgeNode};

    fn told(features: &[(&str, &[u32], &[u32])]) -> String {
        let node = |(content, supports, rules_out): &(&str, &[u32], &[u32])| KnowledgeNode {
            content: (*content).to_owned(),
            kind: FeatureKind::Pivot,
            importance: 1.0,
            supports: supports.to_vec(),
            rules_out: rules_out.to_vec(),
        };
        check(&Knowledge { features: features.iter().map(node).collect() }, 2).err().unwrap_or_default()
    }

    #[test]
    fn a_feature_takes_one_side_of_known_candidates() {
        assert_eq!(told(&[("fever", &[0], &[1])]), "");
        assert!(told(&[]).contains("there are none"));
        assert!(told(&[("fever", &[0], &[2])]).contains("there is no candidate 2"));
        assert!(told(&[("fever", &[0, 1], &[1])]).contains("features[0]: candidate 1 stands in supports and"));
        assert!(told(&[(" ", &[0], &[1])]).contains("features[0].content: it is empty"));
        assert!(told(&vec![("fever", &[0][..], &[1][..]); 41]).contains("there are 41, and at most 40"));
    }
}
