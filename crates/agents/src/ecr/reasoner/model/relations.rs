//! Stage 4: how facts bear on features, and features on candidates.

use super::known::{Known, facts};
use super::{ROLE, asking};
use crate::asking::line;
use crate::ecr::reasoner::stages::{FeatureKind, KnowledgeNode, LinkKind, PatientNode, Relations, Status};
use crate::ecr::reasoner::{Relating, Sight};
use askama::Template;
use waterjar_core::AgentError;

#[derive(Template)]
#[template(path = "ecr/reasoner/model/prompts/relations.md", escape = "none")]
struct Relate<'a> {
    candidates: Vec<Known<'a>>,
    facts: Vec<String>,
    features: Vec<String>,
}

pub async fn ask(sight: &Sight<'_>, about: &Relating<'_>) -> Result<Relations, AgentError> {
    let part = Relate {
        candidates: about.dossiers.iter().map(Known::of).collect(),
        facts: facts(about.patient),
        features: about.features.iter().map(told).collect(),
    };
    let counts = (about.features.len(), about.dossiers.len());
    asking(sight).ask(ROLE, &part, "ecr_relations", |it| check(it, &about.patient.nodes, counts)).await
}

/// `[pivot] a hot toe (for 0; against 1, 2)`
fn told(feature: &KnowledgeNode) -> String {
    let kind = match feature.kind {
        FeatureKind::Pivot => "pivot",
        FeatureKind::General => "general",
    };
    let list = |word: &str, numbers: &[u32]| {
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        (!numbers.is_empty()).then(|| format!("{word} {}", numbers.join(", ")))
    };
    let sides: Vec<String> =
        list("for", &feature.supports).into_iter().chain(list("against", &feature.rules_out)).collect();
    format!("[{kind}] {} ({})", line(&feature.content), sides.join("; "))
}

/// Links may be few or none; without bearings no candidate could be told from another.
fn check(relations: &Relations, facts: &[PatientNode], (features, candidates): (usize, usize)) -> Result<(), String> {
    relations.check(facts.len(), features, candidates)?;
    for (at, one) in relations.links.iter().enumerate() {
        let fact = one.patient;
        if one.kind == LinkKind::Match && facts[fact as usize].status == Status::Absent {
            return Err(format!("links[{at}]: fact {fact} is denied, so it cannot match a feature; say `conflict`"));
        }
        if relations.links[..at].iter().any(|it| (it.patient, it.feature) == (one.patient, one.feature)) {
            return Err(format!("links[{at}]: fact {fact} is linked to feature {} twice", one.feature));
        }
    }
    if relations.bearings.is_empty() && features > 0 {
        return Err("bearings: there are none; say how the features bear on the candidates".to_owned());
    }
    for (at, one) in relations.bearings.iter().enumerate() {
        let same = |other: &&crate::ecr::reasoner::stages::Bearing| {
            other.feature == one.feature && other.candidate == one.candidate
        };
        if relations.bearings[..at].iter().any(|other| same(&other)) {
            return Err(format!("bearings[{at}]: feature {} bears on candidate {} twice", one.feature, one.candidate));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecr::reasoner::stages::{Bearing, BearingKind, Link};

    fn fact(status: Status) -> PatientNode {
        PatientNode { content: "fever".to_owned(), original: "fever".to_owned(), status }
    }

    fn problem(links: &[(u32, u32)], bearings: &[(u32, u32)]) -> String {
        let link = |&(patient, feature): &(u32, u32)| Link { patient, feature, kind: LinkKind::Match };
        let bearing = |&(feature, candidate): &(u32, u32)| Bearing {
            feature,
            candidate,
            kind: BearingKind::Support,
            strength: 0.5,
            if_denied: 0.0,
        };
        let relations =
            Relations { links: links.iter().map(link).collect(), bearings: bearings.iter().map(bearing).collect() };
        check(&relations, &[fact(Status::Absent), fact(Status::Present)], (2, 2)).err().unwrap_or_default()
    }

    #[test]
    fn every_number_is_in_its_list_and_nothing_is_said_twice() {
        assert_eq!(problem(&[(1, 1)], &[(0, 0), (0, 1)]), "");
        assert_eq!(problem(&[], &[(0, 0)]), "");
        assert!(problem(&[(2, 0)], &[(0, 0)]).contains("there is no patient node 2"));
        assert!(problem(&[], &[(0, 2)]).contains("there is no candidate 2"));
        assert!(problem(&[(1, 0)], &[]).contains("bearings: there are none"));
        assert!(problem(&[(0, 0)], &[(0, 0)]).contains("links[0]: fact 0 is denied"));
        assert!(problem(&[(1, 0), (1, 0)], &[(0, 0)]).contains("links[1]: fact 1 is linked to feature 0 twice"));
        assert!(problem(&[], &[(0, 1), (0, 1)]).contains("bearings[1]: feature 0 bears on candidate 1 twice"));
    }
}
