//! Outputs made elsewhere: one row per answer, JSON Lines or CSV.

use super::answer::{Read, refuses};
use super::contrast::Contrast;
use super::judge::{Told, embed, likeness};
use super::labelled::Labelled;
use super::outcome::{FamilyOutcome, PairOutcome};
use super::pairing::{CONTROL, NEUTRAL, Pairing, SWAPPED};
use super::trace::Trace;
use crate::table::for_each_row;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use waterjar_core::{Embedder, SourceError};

/// `{"item","ablation"?,"variant","subject"?,"reasoning","answer"?}`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    item: String,
    #[serde(default)]
    ablation: Option<Ablation>,
    variant: String,
    #[serde(default)]
    subject: Option<String>,
    #[serde(default)]
    reasoning: Option<String>,
    #[serde(default)]
    answer: Option<String>,
}

/// A number, or whatever somebody calls what was removed.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Ablation {
    Number(i64),
    Name(String),
}

impl Ablation {
    fn name(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Name(name) => name.clone(),
        }
    }
}

const COLUMNS: &str = "the columns are: item, ablation (optional), variant (original, swapped or neutral; again for the original asked twice), \
                       subject (optional), reasoning, answer (optional)";
const UNNAMED: &str = "outputs";

type Key = (String, String);
type Families = BTreeMap<Key, BTreeMap<String, (Option<String>, Option<String>)>>;

/// The outcomes by subject.
pub async fn read(
    paths: &[&Path],
    embedder: &Arc<dyn Embedder>,
) -> Result<BTreeMap<String, Vec<FamilyOutcome>>, SourceError> {
    let mut subjects: BTreeMap<String, Families> = BTreeMap::new();
    for path in paths {
        for_each_row(path, COLUMNS, &mut |line, row: Row| {
            let bad = |problem: String| SourceError::at_line(path, line, problem).with_hint(COLUMNS);
            let role = match row.variant.as_str() {
                "original" | CONTROL => CONTROL,
                role @ (SWAPPED | NEUTRAL | super::pairing::AGAIN) => role,
                other => return Err(bad(format!("no variant is called `{other}`"))),
            };
            let subject = row.subject.clone().unwrap_or_else(|| UNNAMED.to_owned());
            // Nothing removed is told as no ablation, or as 0.
            let ablation = row.ablation.as_ref().map(Ablation::name).filter(|it| it != "0").unwrap_or_default();
            let families = subjects.entry(subject.clone()).or_default();
            let family = families.entry((row.item.clone(), ablation)).or_default();
            let filled = |text: Option<String>| text.filter(|it| !it.trim().is_empty());
            if family.insert(role.to_owned(), (filled(row.reasoning), filled(row.answer))).is_some() {
                return Err(bad(format!("`{}` of item `{}` of `{subject}` is there twice", row.variant, row.item)));
            }
            Ok(())
        })?;
    }
    if subjects.is_empty() {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(SourceError::new(names.join(", "), "no rows").with_hint(COLUMNS));
    }
    let mut outcomes = BTreeMap::new();
    for (subject, families) in subjects {
        // Who answers anywhere was asked for answers; who never does tells reasonings, and they alone are compared.
        let answers = families.values().flat_map(BTreeMap::values).any(|(_, answer)| answer.is_some());
        let mut of_subject = Vec::new();
        for (key, rows) in families {
            of_subject.push(outcome(embedder, key, rows, answers).await?);
        }
        outcomes.insert(subject, of_subject);
    }
    Ok(outcomes)
}

/// A family is incomplete where one of the three wordings is not there, or where one that is there refuses, says nothing or lacks the
/// answer that the subject gives to others: as in a run.
async fn outcome(
    embedder: &Arc<dyn Embedder>,
    (item, ablation): Key,
    rows: BTreeMap<String, (Option<String>, Option<String>)>,
    answers: bool,
) -> Result<FamilyOutcome, SourceError> {
    let labelled = Labelled::of(rows.values().filter_map(|(_, answer)| answer.as_deref()));
    let mut told: Vec<Told> = rows
        .into_iter()
        .map(|(role, (reasoning, answer))| {
            let answer = answer.filter(|it| !refuses(it));
            if answer.is_none() && (answers || reasoning.is_none()) {
                return Told::silent(role);
            }
            let answer = answer.map(|it| labelled.name(&it));
            let read = Read { trace: reasoning.unwrap_or_default(), differential: Vec::new(), answer };
            let trace = Trace::of(&read, &[], &[]);
            Told::new(role, read, trace)
        })
        .collect();
    let failed = |error: waterjar_core::SuiteError| SourceError::new("the embedder", error.to_string());
    embed(embedder, &mut told).await.map_err(failed)?;
    let mut pairs = Vec::new();
    for pairing in Pairing::of_roles(told.iter().map(|it| it.role.as_str())) {
        let of = |role: &str| told.iter().find(|it| it.role == role);
        let (Some(a), Some(b)) = (of(&pairing.a), of(&pairing.b)) else { continue };
        let (Some(said_a), Some(said_b)) = (a.heard(), b.heard()) else {
            pairs.push(PairOutcome { pairing: pairing.name, unread: true, ..PairOutcome::default() });
            continue;
        };
        let contrast = Contrast::of((&said_a.0, &said_a.1), (&said_b.0, &said_b.1), false);
        let sts = likeness(a, b);
        pairs.push(PairOutcome {
            pairing: pairing.name,
            sts,
            flipped: contrast.flipped,
            ends_elsewhere: contrast.ends_elsewhere.filter(|_| sts.is_some()),
            turned: sts.map(|_| contrast.turned.len() as u64),
            divergences: sts.map(|_| contrast.divergences),
            ..PairOutcome::default()
        });
    }
    let is_there = |role: &&str| told.iter().any(|it| it.role == *role);
    let is_whole = [CONTROL, SWAPPED, NEUTRAL].iter().all(is_there) && told.iter().all(|it| it.heard().is_some());
    let traces = told.iter().filter(|it| it.trace().is_some());
    Ok(FamilyOutcome {
        family: if ablation.is_empty() { item.clone() } else { format!("{item}~{ablation}") },
        removed: (!ablation.is_empty() && ablation != "0").then(|| format!("ablation {ablation}")),
        item,
        pairs,
        right: BTreeMap::new(),
        texts: traces.clone().count() as u64,
        cut: traces.filter(|it| it.cut).count() as u64,
        embedder: embedder.id(),
        incomplete: !is_whole,
    })
}
