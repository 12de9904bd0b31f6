//! Outputs made elsewhere: one row per answer, JSON Lines or CSV.

use super::answer::{Read, refuses};
use super::contrast::Contrast;
use super::judge::Told;
use super::labelled::Labelled;
use super::likeness::{embed, likeness, unsexed_likeness};
use super::outcome::{FamilyOutcome, PairOutcome};
use super::pairing::{CONTROL, NEUTRAL, Pairing, SWAPPED};
use super::trace::Trace;
use crate::table::{Columns, Rows};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use waterjar_core::{Embedder, SourceError};

/// `{"item","ablation"?,"variant","subject"?,"reasoning","answer"?}`
#[derive(Clone, Debug, Deserialize)]
struct Row {
    item: String,
    ablation: Option<String>,
    variant: String,
    subject: Option<String>,
    reasoning: Option<String>,
    answer: Option<String>,
}

/// What was removed: a number, or whatever somebody calls it. Nothing removed is told as no ablation, or as 0.
fn removed(ablation: Option<String>) -> Result<String, String> {
    let Some(name) = ablation.filter(|it| !is_nothing(it)) else { return Ok(String::new()) };
    match name.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number.fract() != 0.0 => {
            Err(format!("`ablation` is {name}: number what was removed 1, 2, 3 …, or call it by a name"))
        }
        Ok(0.0) => Ok(String::new()),
        // pandas writes whole numbers with a point where some cells of the column are empty.
        Ok(number) if number.is_finite() && name.contains('.') => Ok(format!("{number:.0}")),
        _ => Ok(name),
    }
}

/// Empty, or what programs write into a cell that is.
fn is_nothing(cell: &str) -> bool {
    let cell = cell.trim();
    cell.is_empty() || ["nan", "n/a", "none", "null", "-"].iter().any(|it| cell.eq_ignore_ascii_case(it))
}

const COLUMNS: Columns = Columns {
    told: "the columns are: item, ablation (optional), variant (original, swapped or neutral; again for the original asked twice), \
                       subject (optional), reasoning, answer (optional)",
    texts: &["item", "ablation", "variant", "subject", "answer"],
    others: &["reasoning"],
    one_line: false,
    optional: &["ablation", "subject", "answer"],
};
const UNNAMED: &str = "outputs";

type Key = (String, String);
type Families = BTreeMap<Key, BTreeMap<String, (Option<String>, Option<String>)>>;

type Outcomes = BTreeMap<String, Vec<FamilyOutcome>>;

/// The outcomes by subject, and what should be known of the rows.
pub async fn read(paths: &[&Path], embedder: &Arc<dyn Embedder>) -> Result<(Outcomes, Vec<String>), SourceError> {
    let mut subjects: BTreeMap<String, Families> = BTreeMap::new();
    let mut table = Rows::new(&COLUMNS);
    for path in paths {
        table.each(path, &mut |line, row: Row| {
            let bad = |problem: String| SourceError::at_line(path, line, problem).with_hint(COLUMNS.told);
            let role = match row.variant.as_str() {
                "original" | CONTROL => CONTROL,
                role @ (SWAPPED | NEUTRAL | super::pairing::AGAIN) => role,
                other => return Err(bad(format!("no variant is called `{other}`"))),
            };
            let subject = row.subject.clone().unwrap_or_else(|| UNNAMED.to_owned());
            let ablation = removed(row.ablation).map_err(bad)?;
            let families = subjects.entry(subject.clone()).or_default();
            let family = families.entry((row.item.clone(), ablation)).or_default();
            let reasoning = row.reasoning.filter(|it| !is_nothing(it));
            let answer = row.answer.filter(|it| !it.trim().is_empty());
            if family.insert(role.to_owned(), (reasoning, answer)).is_some() {
                return Err(bad(format!("`{}` of item `{}` of `{subject}` is there twice", row.variant, row.item)));
            }
            Ok(())
        })?;
    }
    if subjects.is_empty() {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(SourceError::new(names.join(", "), "no rows").with_hint(COLUMNS.told));
    }
    let mut outcomes = BTreeMap::new();
    for (subject, mut families) in subjects {
        leave_out_nothing(&mut families);
        // Who answers anywhere was asked for answers; who never does tells reasonings, and they alone are compared.
        let answers = families.values().flat_map(BTreeMap::values).any(|(_, answer)| answer.is_some());
        let mut of_subject = Vec::new();
        for (key, rows) in families {
            of_subject.push(outcome(embedder, key, rows, answers).await?);
        }
        outcomes.insert(subject, of_subject);
    }
    Ok((outcomes, table.note().into_iter().collect()))
}

/// `nan` and the like are no answers, unless the subject gives a letter to an option of that name: `D. None`.
fn leave_out_nothing(families: &mut Families) {
    let told = families.values().flat_map(BTreeMap::values).filter_map(|(_, answer)| answer.as_deref());
    let options = Labelled::of(told);
    for (_, answer) in families.values_mut().flat_map(BTreeMap::values_mut) {
        if answer.as_deref().is_some_and(|it| is_nothing(it) && !options.has(it)) {
            *answer = None;
        }
    }
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
            unsexed: unsexed_likeness(a, b),
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
