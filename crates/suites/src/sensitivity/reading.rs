//! Residue found by reading: a model goes through the changed chart and lists what still states the old fact. What it quotes must stand
//! in the chart.

use super::Sensitivity;
use super::audit::{Finder, Reader, Residue};
use super::catalog::Entry;
use super::vary::{Attempted, Attempts, Record};
use crate::prompts::rendered;
use askama::Template;
use schemars::JsonSchema;
use serde::Deserialize;
use waterjar_core::{ChatModel, Edit, ModelError, SuiteError, Variant};
use waterjar_structured::ask_checked;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reading {
    /// Every place that still states the old fact; empty where there is none.
    still_said: Vec<Place>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Place {
    /// The words, copied exactly from the chart.
    quote: String,
    /// Why they belong to the old fact, in a few words.
    reason: String,
}

#[derive(Template)]
#[template(path = "sensitivity/prompts/residue.md", escape = "none")]
struct Question<'a> {
    title: &'a str,
    edits: &'a [Edit],
    more: usize,
    chart: &'a str,
}

/// The same words are often changed in many places; a reader needs to see some.
const EDITS_SHOWN: usize = 12;

impl Sensitivity {
    /// Adds to the audit of every variant what the model finds. A variant that nobody could read is not clean.
    pub(super) async fn read(&self, model: &dyn ChatModel, family: &mut [Variant]) -> Result<(), SuiteError> {
        let mut read = Vec::new();
        for variant in family.iter_mut() {
            let Some(entry) = variant.intervention.as_ref().and_then(|it| self.catalog.entry(&it.name)) else {
                continue;
            };
            let mut record: Record = match serde_json::from_value(variant.record.clone()) {
                Ok(record) => record,
                Err(error) => {
                    let problem = format!("the audit of {} cannot be read: {error}", entry.id);
                    return Err(SuiteError::Case { case: variant.case.to_string(), problem });
                }
            };
            let failed = match residue(model, entry, variant, record.past).await {
                Ok(mut found) => {
                    let stays = |it: &Residue| entry.may_stay.iter().any(|may| may.is_match(&it.said) == Ok(true));
                    found.retain(|it| !stays(it));
                    record.audit.add(found);
                    None
                }
                Err(error @ (ModelError::InvalidOutput(_) | ModelError::Refused(_))) => Some(error.to_string()),
                Err(error) => return Err(SuiteError::Unanswered { model: model.id().clone(), error }),
            };
            record.audit.reader = Some(Reader { model: model.id().to_string(), failed });
            let (clean, flags) = (record.audit.is_clean(), record.audit.flags().map(str::to_owned).collect());
            variant.strata.insert("clean".to_owned(), if clean { "yes" } else { "no" }.to_owned());
            variant.record = serde_json::to_value(&record).expect("a record holds nothing JSON cannot");
            read.push((entry.id.clone(), Attempted::Asked { clean, flags }));
        }
        let control = family.iter_mut().find(|variant| variant.is_control());
        if let Some((control, mut tried)) =
            control.and_then(|it| serde_json::from_value::<Attempts>(it.record.clone()).ok().map(|tried| (it, tried)))
        {
            for (id, outcome) in read {
                if let Some(attempt) = tried.attempts.iter_mut().find(|it| it.intervention == id) {
                    attempt.outcome = outcome;
                }
            }
            control.record = serde_json::to_value(&tried).expect("a record holds nothing JSON cannot");
        }
        Ok(())
    }
}

async fn residue(
    model: &dyn ChatModel,
    entry: &Entry,
    variant: &Variant,
    past: Option<(usize, usize)>,
) -> Result<Vec<Residue>, ModelError> {
    let edits = variant.intervention.as_ref().map_or(&[][..], |it| it.edits.as_slice());
    let mut shown: Vec<Edit> = Vec::new();
    for edit in edits {
        if shown.len() < EDITS_SHOWN && !shown.contains(edit) {
            shown.push(edit.clone());
        }
    }
    let more = edits.iter().filter(|edit| !shown.contains(edit)).count();
    let prompt = rendered(&Question { title: &entry.title, edits: &shown, more, chart: &variant.text });
    let check = |reading: &Reading| -> Result<Vec<Option<Residue>>, String> {
        reading.still_said.iter().map(|place| found(&variant.text, place, past)).collect()
    };
    let found = ask_checked(model, &prompt, "chart_residue", check).await?;
    Ok(found.into_iter().flatten().collect())
}

/// Where a quote stands; letters count, spaces do not. None where only entries from before what happened say it: they may.
fn found(chart: &str, place: &Place, past: Option<(usize, usize)>) -> Result<Option<Residue>, String> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = words(&place.quote);
    let is_past = |line: usize| past.is_some_and(|(first, last)| (first..=last).contains(&line));
    let all = chart.lines().zip(1..).filter(|(line, _)| !wanted.is_empty() && words(line).contains(&wanted));
    let lines: Vec<usize> = all.map(|(_, line)| line).collect();
    match lines.iter().find(|line| !is_past(**line)) {
        Some(line) => {
            Ok(Some(Residue { by: Finder::Reading, said: wanted, line: *line, why: Some(words(&place.reason)) }))
        }
        None if !lines.is_empty() => Ok(None),
        None => Err(format!("`{wanted}` stands on no line of the chart; copy the words of one line exactly")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_must_stand_in_the_chart() {
        let chart = "== Biomarkers ==\nneu oncogene:  amplified\n";
        let look =
            |quote: &str| found(chart, &Place { quote: quote.to_owned(), reason: "the same gene".to_owned() }, None);
        let place = look("neu oncogene: amplified").unwrap().unwrap();
        assert_eq!((place.line, place.by, place.why.as_deref()), (2, Finder::Reading, Some("the same gene")));
        assert!(look("HER2 positive").is_err());
        assert!(look(" ").is_err());
    }

    #[test]
    fn what_was_written_before_it_happened_is_nothing_left_behind() {
        let chart = "== Medications ==\nEarlier: none\n\n== Chronology ==\n2024-01-03 [Note] Earlier: none\n2024-01-04 [Note] No drugs yet\n2024-04-08 \
                     [Note] Stopped\n";
        let look = |quote: &str| {
            let place = Place { quote: quote.to_owned(), reason: "old".to_owned() };
            found(chart, &place, Some((5, 6))).unwrap().map(|it| it.line)
        };
        assert_eq!(look("Earlier: none"), Some(2), "the block is written last");
        assert_eq!(look("No drugs yet"), None);
        assert_eq!(look("Stopped"), Some(7));
    }
}
