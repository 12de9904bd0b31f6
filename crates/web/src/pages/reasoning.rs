//! How an answer came about: the causal graph, the balance sheet, the audit, and the patient's words it rests on.

use super::{Address, Frame, Page, html, named};
use crate::Site;
use crate::error::PageError;
use crate::texts;
use askama::Template;
use axum::extract::{Path, Query, State};
use waterjar_report::{EdgeKind, GraphView, NodeKind};
use waterjar_store::Bench;
use waterjar_views::Heading;

struct Wanted<'a> {
    subject: &'a str,
    variant: &'a str,
}

#[derive(Template)]
#[template(path = "reasoning_page.html")]
struct Reasoning {
    frame: Frame,
    title: String,
    subject: String,
    outcome: String,
    lines: Vec<Vec<Piece>>,
    body: String,
}

/// A stretch of the narrative; chosen nodes lead to the numbered ones.
struct Piece {
    number: Option<usize>,
    text: String,
}

pub async fn page(
    State(site): State<Site>,
    Path((run, suite, family)): Path<(String, String, String)>,
    Query(query): Query<Vec<(String, String)>>,
) -> Page {
    let wanted = Wanted { subject: named(&query, "subject")?, variant: named(&query, "variant")? };
    let run = site.shelf.run(&run).await?;
    let planned = run.suite(&suite)?;
    let index = run.index(planned).await?;
    let no_record = || {
        PageError::NotFound(format!(
            "“{}” left no record of its answer to {} of “{family}”.",
            wanted.subject, wanted.variant
        ))
    };
    let position = index.families[index.place(&family).ok_or_else(no_record)?].position;
    let subject = planned.subjects.iter().find(|it| it.id.as_str() == wanted.subject).ok_or_else(no_record)?;
    let judge = planned.suite().judge_id();
    let bench = Bench { suite: planned.id(), subject: &subject.id, repeat: 0, judge: &judge };
    let page = run.opened.store.judging_page(bench, position - 1, 1).await?;
    let members = page.items.first().map(|it| it.family.members.as_slice()).unwrap_or_default();
    let member = members.iter().find(|it| it.variant.role() == wanted.variant).ok_or_else(no_record)?;
    let verdicts = run.opened.store.verdicts_on(planned.id(), &subject.id, &judge, position - 1, 1).await?;
    let ruling = verdicts.items.iter().filter(|it| it.verdict.repeat == 0);
    let ruling = ruling.flat_map(|it| &it.verdict.rulings).find(|it| it.variant == member.variant.id);
    let variants: Vec<_> = members.iter().map(|it| it.variant.clone()).collect();
    let title = planned.suite().title_of(&variants);
    let outcome = ruling.map_or_else(|| "not judged yet".to_owned(), |it| it.outcome.as_str().to_owned());
    let heading = Heading { title: title.clone(), subject: wanted.subject.to_owned(), outcome: outcome.clone() };
    let conclusion = member.conclusion().ok_or_else(no_record)?;
    let mut view = waterjar_views::reasoning(conclusion, heading).ok_or_else(no_record)?;
    let (lines, sentences) = pieces(&member.variant.text);
    link(&mut view.graph, &sentences);
    html(&Reasoning {
        frame: Frame::new(texts::spoken().came_about.as_str())
            .under_runs()
            .under(run.opened.plan.name.as_str(), Address::run(&run.name))
            .under(planned.suite().card().title, Address::suite(&run.name, &suite))
            .under(title.as_str(), Address::family(&run.name, &suite, &family)),
        title: format!("{title}, {}", wanted.variant),
        subject: wanted.subject.to_owned(),
        outcome,
        lines,
        body: waterjar_report::reasoning_html(&view)?,
    })
}

/// The narrative in lines of sentences, each sentence numbered; and the sentences by their number.
fn pieces(text: &str) -> (Vec<Vec<Piece>>, Vec<String>) {
    let mut sentences = Vec::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut pieces = Vec::new();
        for sentence in line.split_inclusive(['.', '?', '!', '。']) {
            let is_words = sentence.chars().any(char::is_alphanumeric);
            let number = is_words.then(|| {
                sentences.push(bare(sentence));
                sentences.len() - 1
            });
            pieces.push(Piece { number, text: sentence.to_owned() });
        }
        lines.push(pieces);
    }
    (lines, sentences)
}

/// Without marks and case, so that a fact is found in its sentence.
fn bare(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// What the patient says leads to its sentence; a feature leads to where the patient speaks of it.
fn link(graph: &mut GraphView, sentences: &[String]) {
    let sentence_of = |text: &str| {
        let fact = bare(text);
        (!fact.is_empty()).then(|| {
            sentences.iter().position(|sentence| sentence.contains(&fact) || fact.contains(sentence.as_str()))
        })?
    };
    let address = |sentence: usize| format!("#said-{sentence}");
    for node in &mut graph.nodes {
        if matches!(node.kind, NodeKind::Present | NodeKind::Denied) {
            node.link = sentence_of(&node.text).map(address).unwrap_or_default();
        }
    }
    let ties: Vec<(usize, usize)> = graph
        .edges
        .iter()
        .filter(|edge| matches!(edge.kind, EdgeKind::Match | EdgeKind::Conflict))
        .map(|edge| (edge.from, edge.to))
        .collect();
    for (from, to) in ties {
        let Some(link) = graph.nodes.get(from).map(|node| node.link.clone()).filter(|link| !link.is_empty()) else {
            continue;
        };
        if let Some(feature) = graph.nodes.get_mut(to).filter(|node| node.link.is_empty()) {
            feature.link = link;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_found_in_the_sentence_that_says_it() {
        let (lines, sentences) = pieces("Symptoms:\n- I am in pain. The pain is in my toe.\n");
        assert_eq!(sentences, ["symptoms", "i am in pain", "the pain is in my toe"]);
        assert_eq!(
            lines[1].iter().map(|it| it.text.as_str()).collect::<String>(),
            "- I am in pain. The pain is in my toe."
        );
    }
}
