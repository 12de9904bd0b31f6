//! `waterjar agree FILE --key RUN`: what raters said of stories, held against the key of the run that these are from.

use super::tell_without_intervals;
use crate::cli::AgreeArgs;
use crate::commands::export::stories::no_stories;
use crate::exit::Exit;
use crate::output::{Output, keyed, table};
use crate::target::Target;
use anyhow::Result;
use std::collections::HashMap;
use std::path::Path;
use waterjar_annotation::stories::{Held, Pick, Row, Sheet, bare, stories};
use waterjar_core::{MetricsFile, Seed, SourceError, SubjectResult};
use waterjar_engine::{Asks, EngineError};
use waterjar_scoring::stats::agreement::agreement_of;
use waterjar_scoring::stats::{AgreementReport, ScaleKind, StatsError};
use waterjar_store::{Mode, Store};

/// Families read at a time.
const PAGE: u32 = 256;

/// Cells told one by one that are no answers.
const TOLD: usize = 10;

pub async fn run(args: &AgreeArgs, run: &Path, out: &Output) -> Result<Exit> {
    let file = &args.file;
    let mut sheet = Sheet::read(file, &args.items).map_err(EngineError::from)?;
    let silent = sheet.without_silent();
    if sheet.raters.is_empty() {
        let error = SourceError::at(file, "nobody has answered yet");
        return Err(EngineError::from(error.with_hint("raters write a or b into a column of their own")).into());
    }
    for rater in silent {
        out.say(&format!("nothing stands in the column `{rater}`: it is left out"));
    }
    let reading = Reading::of(&sheet, file, run).await?;
    reading.warn(out);
    let seed = Seed(args.seed);
    let between = if sheet.raters.len() > 1 { Some(reading.between(&sheet, file, seed)?) } else { None };
    let raters = sheet.raters.clone();
    let held: Vec<(String, Held)> = sheet.raters.into_iter().zip(reading.held).collect();
    if let Some(report) = &between {
        tell_without_intervals(report, out);
    }
    if args.json {
        let mut results: Vec<SubjectResult> = held.iter().map(|(rater, held)| held.result(rater)).collect();
        results.extend(between.iter().flat_map(|report| report.metrics(seed).results));
        out.json(&MetricsFile::new("agree", seed.0, results))?;
    } else {
        let between = between.map(|report| format!("\n{}", table::agreement(&report, &raters))).unwrap_or_default();
        out.print(&format!("{}{}{between}", keyed::table(&held), table::legend(false, "--json")));
    }
    Ok(Exit::Done)
}

/// What stands on the sheet, as the run understands it.
struct Reading {
    /// By rater.
    held: Vec<Held>,
    /// By row and rater.
    said: Vec<Vec<Option<Pick>>>,
    /// Cells that are no answers, by row.
    odd: Vec<(usize, String)>,
}

impl Reading {
    /// Goes through the run a page at a time and takes what the sheet has.
    async fn of(sheet: &Sheet, file: &Path, run: &Path) -> Result<Self> {
        let target = Target::resolve(run, None, &[], Asks::Nobody).await?;
        let store = Store::open(target.dir.database(), Mode::Read).await.map_err(EngineError::from)?;
        let at: HashMap<&str, usize> = sheet.rows.iter().map(|row| row.item.as_str()).zip(0..).collect();
        let held = vec![Held::default(); sheet.raters.len()];
        let mut reading = Self { held, said: vec![Vec::new(); sheet.rows.len()], odd: Vec::new() };
        let mut any = false;
        for planned in &target.plan.suites {
            let suite = planned.suite();
            let mut after = Some(0);
            while let Some(position) = after {
                let page = store.told_page(suite.id(), position, PAGE).await.map_err(EngineError::from)?;
                let told = page.items.iter().flat_map(|family| stories(target.plan.seed, suite.id(), &family.variants));
                for story in told {
                    any = true;
                    let Some(&at) = at.get(story.item.as_str()) else { continue };
                    let row = &sheet.rows[at];
                    let names = story.diagnoses.map(|it| suite.name_of(it));
                    check_cells(file, row, &names, &story.variant.text).map_err(EngineError::from)?;
                    reading.said[at] = reading.answers(row, &sheet.raters, &names);
                    for (held, said) in reading.held.iter_mut().zip(&reading.said[at]) {
                        held.add(&story, *said);
                    }
                }
                after = page.next;
            }
        }
        store.close().await;
        if !any {
            return Err(no_stories(&target).into());
        }
        reading.check_found(sheet, file, run).map_err(EngineError::from)?;
        Ok(reading)
    }

    /// What is neither is told and counts as no answer, unlike a rating off a declared scale: a physician who writes "neither" has said
    /// something, and must not keep the others' answers from being counted.
    fn answers(&mut self, row: &Row, raters: &[String], names: &[String; 2]) -> Vec<Option<Pick>> {
        let mut said = Vec::new();
        for (rater, cell) in raters.iter().zip(&row.cells) {
            let pick = Pick::read(cell, names);
            if pick.is_none() && !cell.is_empty() {
                let [a, b] = names;
                let told = format!("row {}: {rater} says `{cell}`, which is neither a ({a}) nor b ({b})", row.number);
                self.odd.push((row.number, told));
            }
            said.push(pick);
        }
        said
    }

    /// A row of which the run knows nothing cannot be held against anything.
    fn check_found(&self, sheet: &Sheet, file: &Path, run: &Path) -> Result<(), SourceError> {
        let mut unknown = sheet.rows.iter().zip(&self.said).filter(|(_, said)| said.is_empty()).map(|(row, _)| row);
        let Some(first) = unknown.next() else { return Ok(()) };
        let others = match unknown.count() {
            0 => String::new(),
            n => format!(", nor of {n} further rows"),
        };
        let problem = format!("{} has no story `{}`{others}", run.display(), first.item);
        Err(first.bad(file, problem).with_hint(
            "name the run that the sheet was exported from: another study, or the same with another seed, has other stories and other codes",
        ))
    }

    fn warn(&self, out: &Output) {
        let mut odd: Vec<&(usize, String)> = self.odd.iter().collect();
        odd.sort_by_key(|(row, _)| *row);
        for (_, told) in odd.iter().take(TOLD) {
            out.warn(&format!("{told}: taken as unanswered"));
        }
        if odd.len() > TOLD {
            out.warn(&format!("{} further cells are no answers: taken as unanswered", odd.len() - TOLD));
        }
    }

    /// By letters, which are drawn for every story: chance agrees in half of them, whatever a rater leans to.
    /// In the order of the codes, so that the draws of the interval do not depend on how the sheet was sorted.
    fn between(&self, sheet: &Sheet, file: &Path, seed: Seed) -> Result<AgreementReport> {
        let letter = |said: &Option<Pick>| said.map(|it| it.as_str().to_owned());
        let mut said: Vec<_> = sheet.rows.iter().map(|row| &row.item).zip(&self.said).collect();
        said.sort_by_key(|(item, _)| *item);
        let rows = said.into_iter().map(|(_, row)| row.iter().map(letter).collect()).collect();
        let scale = Pick::ALL.map(|it| it.as_str().to_owned());
        let report = agreement_of(rows, ScaleKind::Nominal, &scale, seed);
        let told = |error: StatsError| EngineError::from(SourceError::at(file, error.to_string()));
        Ok(report.map_err(told)?)
    }
}

/// Who sorts one column of a spreadsheet alone gives every story another's diagnoses, and another's answers.
fn check_cells(file: &Path, row: &Row, names: &[String; 2], text: &str) -> Result<(), SourceError> {
    if let Some(story) = row.story.as_ref().filter(|it| bare(it) != bare(text)) {
        let problem = format!("has another story than `{}` in the run", row.item);
        return Err(row.bad(file, problem).with_hint(what_happened(story, text)));
    }
    for ((pick, name), on_sheet) in Pick::ALL.into_iter().zip(names).zip(&row.diagnoses) {
        if let Some(other) = on_sheet.as_ref().filter(|it| bare(it) != bare(name)) {
            let problem = format!("says that {} is `{other}`, where the run says `{name}`", pick.as_str());
            return Err(row.bad(file, problem).with_hint(what_happened(other, name)));
        }
    }
    Ok(())
}

fn what_happened(on_sheet: &str, in_run: &str) -> &'static str {
    if differ_in_letters_only(on_sheet, in_run) {
        "the file was saved in another encoding: open the exported sheet as UTF-8 (in Excel: Data, From Text/CSV, 65001), copy the answers over \
         and save it as “CSV UTF-8”"
    } else {
        "cells were moved, or letters lost: move and sort whole rows only, save as UTF-8, and export the sheet again"
    }
}

/// Whether only what stands outside ASCII is another thing, in a text that is ASCII for the most part: of Chinese too little is left to say so.
fn differ_in_letters_only(on_sheet: &str, in_run: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let ours = plain(in_run);
    let letters = in_run.chars().filter(|letter| letter.is_alphanumeric()).count();
    2 * ours.len() > letters && ours == plain(on_sheet)
}

#[cfg(test)]
mod tests {
    use super::what_happened;

    fn check(on_sheet: &str, in_run: &str, told: &str) {
        assert!(what_happened(on_sheet, in_run).starts_with(told), "{on_sheet}");
    }

    #[test]
    fn letters_that_another_encoding_spoilt_are_no_moved_cells() {
        check("Guillain-BarrÃ© syndrome", "Guillain-Barré syndrome", "the file was saved in another encoding");
        check("Guillain-Barr? syndrome", "Guillain-Barré syndrome", "the file was saved in another encoding");
        check("Pericarditis", "Guillain-Barré syndrome", "cells were moved");
        check("心绞痛", "心包炎", "cells were moved");
    }
}
