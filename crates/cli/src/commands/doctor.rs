//! `waterjar doctor`: what a run of the study would stumble over, and what to do about it. It asks no model anything
//! unless told to.

mod embedders;
mod endpoint;
mod models;
mod place;
mod room;
mod sources;
mod study;
mod vectors;

use crate::cli::DoctorArgs;
use crate::exit::Exit;
use crate::output::{Output, checks};
use crate::target::run_dir;
use anyhow::Result;
use serde::Serialize;
use study::Examined;

pub async fn run(args: DoctorArgs, out: &Output) -> Result<Exit> {
    let mut list: Vec<Check> = Vec::new();
    let Examined { study, plan } = study::examine(&args.study, &args.set, &mut list);
    if let Some(plan) = &plan {
        list.extend(sources::check(plan));
    }
    if let Some(study) = &study {
        list.extend(models::check(study, plan.as_ref(), &args).await);
        let dir = run_dir(&study.study.name, args.out.as_deref());
        list.extend(place::check(&dir, plan.as_ref()).await);
        if let Some(plan) = &plan {
            list.extend(embedders::check(study, plan, &args).await);
            list.push(room::check(&dir, plan).await);
        }
    }
    let fails = list.iter().filter(|check| check.state == State::Fail).count();
    if args.json {
        out.json(&Report { schema: "waterjar.doctor/1", ok: fails == 0, checks: &list })?;
    } else {
        out.print(&checks::list(&list));
    }
    out.say(&checks::summary(&list));
    Ok(if fails > 0 { Exit::BadInput } else { Exit::Done })
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    ok: bool,
    checks: &'a [Check],
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// `key`, `endpoint`, `disk` …
    pub what: &'static str,
    /// The model, suite or file it is about.
    pub of: String,
    pub state: State,
    pub found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub todo: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Ok,
    /// A run may go well all the same.
    Warn,
    /// A run would not go well.
    Fail,
}

impl Check {
    fn ok(what: &'static str, of: impl Into<String>, found: impl Into<String>) -> Self {
        Self { what, of: of.into(), state: State::Ok, found: found.into(), todo: None }
    }

    fn warn(what: &'static str, of: impl Into<String>, found: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { state: State::Warn, todo: Some(todo.into()), ..Self::ok(what, of, found) }
    }

    fn fail(what: &'static str, of: impl Into<String>, found: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { state: State::Fail, todo: Some(todo.into()), ..Self::ok(what, of, found) }
    }
}
