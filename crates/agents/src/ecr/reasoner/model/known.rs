//! What prompts say of candidates, facts and features: a line each, so that a list stays a list.

use crate::asking::line;
use crate::ecr::memory::{IllnessFeature, IllnessGraph};
use crate::ecr::reasoner::Dossier;
use crate::ecr::reasoner::stages::{PatientNode, Representation, Status};

/// Features told of an illness graph, the most frequent first: the tail is noise, and five graphs must fit beside five articles.
const FEATURES: usize = 30;
/// Letters told of all passages about one candidate.
const LETTERS: usize = 4000;

/// A candidate and what was learnt or looked up about it.
pub struct Known<'a> {
    pub condition: &'a str,
    pub known: Vec<String>,
}

impl<'a> Known<'a> {
    pub fn of(dossier: &Dossier<'a>) -> Self {
        let mut known: Vec<String> = dossier.illness.map(learnt).into_iter().collect();
        let mut room = LETTERS;
        for passage in dossier.passages {
            let text: String = line(&passage.text).chars().take(room).collect();
            room -= text.chars().count();
            if !text.is_empty() {
                known.push(format!("{}: {text}", line(&passage.source)));
            }
        }
        Self { condition: dossier.condition, known }
    }

    pub fn of_graph(graph: &'a IllnessGraph) -> Self {
        Self { condition: &graph.condition, known: vec![learnt(graph)] }
    }
}

/// `Of 12 earlier cases: a hot toe (11 had it, 0 denied it, it decided 6, overlooked 2 times); …`
fn learnt(graph: &IllnessGraph) -> String {
    let mut features: Vec<_> = graph.features.iter().collect();
    let rank = |it: &IllnessFeature| (it.credit.unsigned_abs() + it.present, it.denied);
    features.sort_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| a.content.cmp(&b.content)));
    let told: Vec<String> = features
        .iter()
        .take(FEATURES)
        .map(|it| {
            let decided = if it.decisive > 0 { format!(", it decided {}", it.decisive) } else { String::new() };
            let critic = match it.credit {
                0 => String::new(),
                1.. => format!(", overlooked {} times", it.credit),
                _ => format!(", misleading {} times", -it.credit),
            };
            format!("{} ({} had it, {} denied it{decided}{critic})", bare(&it.content), it.present, it.denied)
        })
        .collect();
    format!("Of {} earlier cases: {}", graph.cases, told.join("; "))
}

/// `[present] a hot toe`
pub fn facts(patient: &Representation) -> Vec<String> {
    let fact = |node: &PatientNode| {
        let status = match node.status {
            Status::Present => "present",
            Status::Absent => "denied",
            Status::Missing => "not mentioned",
        };
        format!("[{status}] {}", line(&node.content))
    };
    patient.nodes.iter().map(fact).collect()
}

/// On one line and without a full stop, for the middle of a sentence.
pub fn bare(text: &str) -> String {
    line(text).trim_end_matches('.').to_owned()
}
