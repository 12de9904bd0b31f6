//! `waterjar export`: what a run holds, for other programs and other people.

mod dataset;
mod failures;
mod hf;
mod inspect;
pub mod question;
mod sheet;
pub mod stories;

use crate::cli::{ExportArgs, ExportFormat};
use crate::exit::Exit;
use crate::output::Output;
use crate::target::Target;
use anyhow::Result;
use waterjar_engine::{Asks, EngineError, PlannedSuite, plan::suggest};
use waterjar_store::{Mode, Store};

/// Families read at a time.
const PAGE: u32 = 64;

pub async fn run(args: ExportArgs, out: &Output) -> Result<Exit> {
    let target = Target::resolve(&args.run, None, &[], Asks::Nobody).await?;
    let store = Store::open(target.dir.database(), Mode::Read).await.map_err(EngineError::from)?;
    if let Some(path) = &args.failures {
        failures::write(&target, &store, path, out).await?;
    }
    if let Some(path) = &args.stories {
        stories::write(&target, &store, path, args.sample, out).await?;
    }
    if let (Some(format), Some(to)) = (args.format, &args.out) {
        let chosen = Chosen::of(&target, &args)?;
        match format {
            ExportFormat::Hf => hf::write(&chosen, &store, to, out).await?,
            ExportFormat::Inspect => inspect::write(&chosen, &store, to, out).await?,
            ExportFormat::InspectDataset => {
                dataset::write(&chosen, &store, to, waterjar_exchange::inspect::row, out).await?
            }
            ExportFormat::Promptfoo => {
                dataset::write(&chosen, &store, to, waterjar_exchange::promptfoo::row, out).await?
            }
            ExportFormat::LmEval => dataset::lm_eval(&chosen, &store, to, out).await?,
        }
    }
    Ok(Exit::Done)
}

/// What of a run is wanted.
struct Chosen<'a> {
    target: &'a Target,
    suites: Vec<&'a PlannedSuite>,
    subject: Option<&'a str>,
}

impl<'a> Chosen<'a> {
    fn of(target: &'a Target, args: &'a ExportArgs) -> Result<Self> {
        let suites = &target.plan.suites;
        let names = || suites.iter().map(|it| it.id().as_str()).collect::<Vec<_>>();
        let is_wanted = |it: &&PlannedSuite| args.suite.as_ref().is_none_or(|name| it.id().as_str() == name);
        let chosen: Vec<&PlannedSuite> = suites.iter().filter(is_wanted).collect();
        if let (true, Some(name)) = (chosen.is_empty(), &args.suite) {
            let error = EngineError::file(target.dir.path(), format!("has no suite `{name}`"));
            return Err(error.with_hint(suggest::hint(name, "suites of this run", names())).into());
        }
        let subjects = || chosen.iter().flat_map(|it| &it.subjects).map(|it| it.id.as_str()).collect::<Vec<_>>();
        if let Some(name) = args.subject.as_ref().filter(|name| !subjects().contains(&name.as_str())) {
            let error = EngineError::file(target.dir.path(), format!("has no subject `{name}`"));
            return Err(error.with_hint(suggest::hint(name, "subjects of this run", subjects())).into());
        }
        Ok(Self { target, suites: chosen, subject: args.subject.as_deref() })
    }

    /// For formats that hold one.
    fn one_suite(&self) -> Result<&'a PlannedSuite> {
        match self.suites.as_slice() {
            [one] => Ok(one),
            several => {
                let names: Vec<&str> = several.iter().map(|it| it.id().as_str()).collect();
                let error = EngineError::file(self.target.dir.path(), "holds several suites, and the file holds one");
                Err(error.with_hint(format!("choose one with --suite: {}", names.join(", "))).into())
            }
        }
    }
}
