//! `waterjar export --format inspect`: a log for every suite and subject.

use super::{Chosen, PAGE, question};
use crate::commands::card::{self, Card};
use crate::outlet;
use crate::output::Output;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use waterjar_core::{FamilyVerdict, Metric, MetricsFile, counted};
use waterjar_engine::{EngineError, PlannedSubject, PlannedSuite};
use waterjar_exchange::inspect::{LogFormat, LogHead, LogSample, LogWriter};
use waterjar_store::{Bench, Store, SubjectCounts};

pub async fn write(chosen: &Chosen<'_>, store: &Store, to: &Path, out: &Output) -> Result<()> {
    let card = card::last(chosen.target, store).await?;
    let figures = figures(&chosen.target.dir.file("metrics.json"))?;
    let mut logs: Vec<(&PlannedSuite, &PlannedSubject)> = Vec::new();
    for planned in &chosen.suites {
        let is_wanted = |it: &&PlannedSubject| chosen.subject.is_none_or(|name| it.id.as_str() == name);
        logs.extend(planned.subjects.iter().filter(is_wanted).map(|subject| (*planned, subject)));
    }
    let format = LogFormat::of(to);
    if let (Some(_), true) = (format, logs.len() > 1) {
        let error = EngineError::file(to, format!("is one file, and there would be {} logs", logs.len()));
        let hint = "name a folder instead, or choose with --suite and --subject";
        return Err(error.with_hint(hint).into());
    }
    if format.is_none() {
        std::fs::create_dir_all(to).with_context(|| format!("{} cannot be made", to.display()))?;
    }
    // All are looked at before the first is written.
    let mut heads: Vec<(LogHead, PathBuf)> = Vec::new();
    for of in &logs {
        let head = head(chosen, store, &card, &figures, *of).await?;
        let path = if format.is_some() { to.to_owned() } else { to.join(head.file_name()) };
        outlet::check(&path)?;
        heads.push((head, path));
    }
    for ((planned, subject), (head, path)) in logs.into_iter().zip(heads) {
        let mut log = LogWriter::create(&path, format.unwrap_or(LogFormat::Eval), head)?;
        for repeat in 0..chosen.target.plan.repeats {
            samples(store, planned, subject, repeat, &mut log).await?;
        }
        let n = log.finish()?;
        let answers = counted(n, "answer", "answers");
        out.say(&format!("{answers} of {} to {} → {}", subject.id, planned.id(), path.display()));
    }
    Ok(())
}

type Figures = BTreeMap<(String, String), BTreeMap<String, Metric>>;

/// By suite and subject. A run that was not measured has none.
fn figures(path: &Path) -> Result<Figures> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(Figures::new()) };
    let file: MetricsFile =
        serde_json::from_str(&text).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(file.results.into_iter().map(|it| ((it.suite.to_string(), it.subject.to_string()), it.metrics)).collect())
}

async fn head(
    chosen: &Chosen<'_>,
    store: &Store,
    card: &Card,
    figures: &Figures,
    (planned, subject): (&PlannedSuite, &PlannedSubject),
) -> Result<LogHead> {
    let (plan, suite) = (&chosen.target.plan, planned.suite());
    let about = suite.card();
    let counts = store.subjects(suite.id()).await.map_err(EngineError::from)?;
    let SubjectCounts { responses, failed } = counts.get(&subject.id).copied().unwrap_or_default();
    Ok(LogHead {
        study: plan.name.clone(),
        seed: plan.seed.0,
        suite: suite.id().clone(),
        version: about.version,
        about: about.about.to_owned(),
        subject: subject.id.clone(),
        agent: subject.agent.id().to_string(),
        model: subject.model.clone(),
        judge: suite.judge_id(),
        date: card.date().to_owned(),
        benchmark: card.variants_hash().to_owned(),
        repeats: plan.repeats,
        variants: store.variants(suite.id()).await.map_err(EngineError::from)?,
        answered: responses,
        failed,
        metrics: figures.get(&(suite.id().to_string(), subject.id.to_string())).cloned().unwrap_or_default(),
        headline: about.columns.iter().find(|it| it.primary).map(|it| it.name.clone()),
        main: about.columns.into_iter().filter(|it| !it.drawn).map(|it| it.name).collect(),
    })
}

/// A page at a time. What nobody answered is no sample; the head counts it.
async fn samples(
    store: &Store,
    planned: &PlannedSuite,
    subject: &PlannedSubject,
    repeat: u32,
    log: &mut LogWriter,
) -> Result<()> {
    let suite = planned.suite();
    let judge = suite.judge_id();
    let bench = Bench { suite: suite.id(), subject: &subject.id, repeat, judge: &judge };
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.judging_page(bench, position, PAGE).await.map_err(EngineError::from)?;
        let verdicts = store.verdicts_on(suite.id(), &subject.id, &judge, position, PAGE).await;
        let verdicts = verdicts.map_err(EngineError::from)?.items;
        for of_family in &page.items {
            let verdict: Option<&FamilyVerdict> = verdicts
                .iter()
                .find(|it| it.position == of_family.position && it.verdict.repeat == repeat)
                .map(|it| &it.verdict);
            for member in &of_family.family.members {
                let Some(response) = &member.response else { continue };
                let variant = &member.variant;
                let ruling = verdict.and_then(|it| it.rulings.iter().find(|ruling| ruling.variant == variant.id));
                log.sample(&LogSample {
                    variant,
                    question: &question::of(suite, variant),
                    response,
                    ruling: verdict.map(|it| &it.judge).zip(ruling),
                    named: ruling.and_then(|it| it.named.as_ref()).map(|it| suite.name_of(it)),
                })?;
            }
        }
        after = page.next;
    }
    Ok(())
}
