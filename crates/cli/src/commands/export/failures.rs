//! `waterjar export --failures`: the answers that kept the old diagnosis, for people to label.

use super::sheet::{Sheet, as_text};
use crate::output::Output;
use crate::target::Target;
use anyhow::Result;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use waterjar_core::{Audit, FailureMode, Family, FamilyVerdict, Ruling, Suite, counted};
use waterjar_engine::{EngineError, PlannedSubject, PlannedSuite};
use waterjar_store::{Bench, Store};
use waterjar_suites::einstellung::RULES;

/// Families read at a time.
const PAGE: u32 = 64;

/// The columns that are not raters; `agree` knows them.
const ABOUT: [&str; 10] = [
    "item",
    "suite",
    "case",
    "subject",
    "repeat",
    "right_answer",
    "given_answer",
    "key_evidence",
    "reasoning",
    "decided_by",
];

pub async fn write(target: &Target, store: &Store, path: &Path, out: &Output) -> Result<()> {
    let auditors: BTreeSet<String> = target.plan.suites.iter().map(auditor).collect();
    let sheet = Sheet::at(path, &ABOUT, &auditors.iter().map(String::as_str).collect::<Vec<_>>())?;
    let n = sheet.settle(failures(target, store, auditors, &sheet.aside).await)?;
    out.say(&format!("{} that kept the old diagnosis → {}", counted(n, "answer", "answers"), path.display()));
    Ok(())
}

/// Tells how many there are.
async fn failures(target: &Target, store: &Store, auditors: BTreeSet<String>, path: &Path) -> Result<u64> {
    let mut rows = Rows { auditors: auditors.into_iter().collect(), csv: csv::Writer::from_path(path)?, n: 0 };
    rows.head()?;
    for planned in &target.plan.suites {
        for subject in &planned.subjects {
            for repeat in 0..target.plan.repeats {
                rows.add(store, planned, subject, repeat).await?;
            }
        }
    }
    rows.csv.flush()?;
    Ok(rows.n)
}

/// Whose labels the suite's audits are.
fn auditor(planned: &PlannedSuite) -> String {
    planned.suite().roles().auditor.unwrap_or_else(|| RULES.to_owned())
}

/// A row per answer, a column per auditor.
struct Rows {
    auditors: Vec<String>,
    csv: csv::Writer<File>,
    n: u64,
}

impl Rows {
    fn head(&mut self) -> Result<()> {
        Ok(self.csv.write_record(ABOUT.into_iter().chain(self.auditors.iter().map(String::as_str)))?)
    }

    async fn add(
        &mut self,
        store: &Store,
        planned: &PlannedSuite,
        subject: &PlannedSubject,
        repeat: u32,
    ) -> Result<()> {
        let suite = planned.suite();
        let judge = suite.judge_id();
        let bench = Bench { suite: suite.id(), subject: &subject.id, repeat, judge: &judge };
        let mut after = 0;
        loop {
            let page = store.judging_page(bench, after, PAGE).await.map_err(EngineError::from)?;
            let verdicts = store.verdicts_on(suite.id(), &subject.id, &judge, after, PAGE).await;
            let verdicts = verdicts.map_err(EngineError::from)?.items;
            for to_judge in &page.items {
                let of_family = |it: &&waterjar_store::StoredVerdict| {
                    it.position == to_judge.position && it.verdict.repeat == repeat
                };
                if let Some(stored) = verdicts.iter().find(of_family) {
                    self.add_family(suite, &auditor(planned), &to_judge.family, &stored.verdict)?;
                }
            }
            match page.next {
                Some(next) => after = next,
                None => return Ok(()),
            }
        }
    }

    fn add_family(&mut self, suite: &dyn Suite, rater: &str, family: &Family, verdict: &FamilyVerdict) -> Result<()> {
        for (ruling, audit) in verdict.rulings.iter().filter_map(|it| Some((it, it.audit.as_ref()?))) {
            let mut row = about(suite, family, ruling, audit);
            let labels = self.auditors.iter().map(|it| if it == rater { label(audit) } else { "" });
            row.extend(labels.map(str::to_owned));
            self.csv.write_record(&row)?;
            self.n += 1;
        }
        Ok(())
    }
}

fn about(suite: &dyn Suite, family: &Family, ruling: &Ruling, audit: &Audit) -> Vec<String> {
    let member = family.members.iter().find(|member| member.variant.id == ruling.variant);
    let right =
        member.and_then(|member| member.variant.expectation.condition()).map(|condition| suite.name_of(condition));
    let answer = member.and_then(|member| member.conclusion());
    let parts = answer.map(|it| it.reasoning.iter().map(String::as_str).chain([it.text.as_str()]));
    let reasoning = parts.map(|parts| parts.collect::<Vec<_>>().join("\n\n")).unwrap_or_default();
    let evidence: Vec<&str> = audit.evidence.iter().map(|it| it.said.as_str()).collect();
    vec![
        format!("{}#{}#{}", ruling.variant, family.subject, family.repeat),
        suite.id().to_string(),
        family.id.to_string(),
        family.subject.to_string(),
        family.repeat.to_string(),
        right.unwrap_or_default(),
        ruling.named.as_ref().map(|named| suite.name_of(named)).unwrap_or_default(),
        evidence.join("\n"),
        as_text(reasoning),
        match &audit.failure {
            Some(failure) => format!("nobody: {}", failure.detail),
            None if audit.mode == FailureMode::NoReasoning => "nobody: there is no reasoning".to_owned(),
            None => audit.auditor.to_string(),
        },
    ]
}

/// What could not be decided is no rating.
fn label(audit: &Audit) -> &'static str {
    match audit.mode {
        FailureMode::NoReasoning | FailureMode::Unaudited => "",
        mode => mode.as_str(),
    }
}
