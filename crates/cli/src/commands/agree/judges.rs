//! The judges of a run as raters: a run that was judged again, by another model or by people, holds the verdicts of each.

use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use waterjar_core::{FamilyVerdict, Outcome, Ruling, SourceError, SuiteId};
use waterjar_engine::{EngineError, RunDir};
use waterjar_store::{Mode, Store};

use super::Rows;

/// Families read at a time.
const PAGE: u32 = 256;

/// What every judge of a suite says of every answer: a row per answer, a column per judge. Where answers are graded, grades are
/// compared, and controls, which are held against something else, are left out; elsewhere it is the outcome.
pub async fn read(run: &Path, suite: Option<&str>) -> Result<(Vec<String>, Rows)> {
    let store = Store::open(RunDir::new(run).database(), Mode::Read).await.map_err(EngineError::from)?;
    let suites = store.measured_suites().await.map_err(EngineError::from)?;
    let mut judged = Vec::new();
    for id in suites.iter().filter(|id| suite.is_none_or(|wanted| id.as_str() == wanted)) {
        let ratings = Ratings::of(&store, id).await?;
        if ratings.judges.len() > 1 {
            judged.push((id, ratings));
        }
    }
    store.close().await;
    let here = |problem: String, hint: String| SourceError::at(run, problem).with_hint(hint);
    let names = || suites.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match (judged.pop(), judged.is_empty()) {
        (Some((_, ratings)), true) => Ok(ratings.table()),
        (Some(_), false) => {
            let problem = "several suites were judged by more than one judge".to_owned();
            Err(EngineError::from(here(problem, format!("choose one with --suite: {}", names()))).into())
        }
        (None, _) => {
            let problem = match suite {
                Some(suite) => format!("no two judges have judged `{suite}`"),
                None => "no suite was judged by two judges".to_owned(),
            };
            let hint = format!("the suites are: {}; name another judge in the study and run `waterjar judge`", names());
            Err(EngineError::from(here(problem, hint)).into())
        }
    }
}

#[derive(Default)]
struct Ratings {
    judges: BTreeSet<String>,
    graded: bool,
    /// By subject, repeat and variant, then by judge.
    items: BTreeMap<(String, u32, String), BTreeMap<String, Rating>>,
}

struct Rating {
    grade: Option<f64>,
    outcome: Outcome,
}

impl Ratings {
    async fn of(store: &Store, suite: &SuiteId) -> Result<Self> {
        let mut ratings = Self::default();
        let mut after = 0;
        loop {
            let page = store.verdicts_page(suite, after, PAGE).await.map_err(EngineError::from)?;
            page.items.iter().for_each(|it| ratings.add(&it.verdict));
            match page.next {
                Some(next) => after = next,
                None => return Ok(ratings),
            }
        }
    }

    fn add(&mut self, verdict: &FamilyVerdict) {
        self.judges.insert(verdict.judge.to_string());
        let is_graded = |ruling: &&Ruling| ruling.role != "control" && ruling.score.is_some();
        self.graded |= verdict.rulings.iter().any(|it| is_graded(&it));
        for ruling in &verdict.rulings {
            let item = (verdict.subject.to_string(), verdict.repeat, ruling.variant.to_string());
            let grade = Some(ruling).filter(is_graded).and_then(|it| it.score);
            let rating = Rating { grade, outcome: ruling.outcome };
            self.items.entry(item).or_default().insert(verdict.judge.to_string(), rating);
        }
    }

    fn table(self) -> (Vec<String>, Rows) {
        let judges: Vec<String> = self.judges.into_iter().collect();
        let graded = self.graded;
        let told = |rating: &Rating| match (graded, rating.outcome) {
            (true, _) => rating.grade.map(|grade| grade.to_string()),
            (false, Outcome::Missing) => None,
            (false, outcome) => Some(outcome.as_str().to_owned()),
        };
        let row = |by_judge: BTreeMap<String, Rating>| -> Vec<Option<String>> {
            judges.iter().map(|judge| by_judge.get(judge).and_then(told)).collect()
        };
        let rows = self.items.into_values().map(row).filter(|row| row.iter().any(Option::is_some)).collect();
        (judges, rows)
    }
}
