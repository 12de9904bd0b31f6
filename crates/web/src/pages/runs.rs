//! Every run that is served.

use super::{Address, Frame, Page, count, html, percent};
use crate::Site;
use crate::shelf::Slot;
use crate::texts;
use askama::Template;
use axum::extract::State;

#[derive(Template)]
#[template(path = "runs.html")]
struct Runs {
    frame: Frame,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    address: String,
    /// Why it cannot be opened, or what it is.
    told: Result<Told, String>,
}

struct Told {
    study: String,
    suites: String,
    state: Doing,
    done: String,
    stopped_early: bool,
    families: String,
    missing: u64,
    cost: String,
}

/// What a run does, in a word and a sign that is told apart without colour.
struct Doing {
    sign: &'static str,
    word: &'static str,
}

pub async fn page(State(site): State<Site>) -> Page {
    let mut rows = Vec::new();
    for slot in site.shelf.fresh_slots().await {
        rows.push(Row { name: slot.name.clone(), address: Address::run(&slot.name), told: told(&site, &slot).await });
    }
    html(&Runs { frame: Frame::new(texts::spoken().runs.as_str()), rows })
}

async fn told(site: &Site, slot: &Slot) -> Result<Told, String> {
    let run = site.shelf.run(&slot.name).await.map_err(|error| error.to_string())?;
    let summary = run.summary().await.map_err(|error| error.to_string())?;
    let state = match (run.is_running().await, summary.is_measured()) {
        (true, _) => Doing { sign: "▶", word: "running" },
        (false, true) if summary.breaks_a_bound() => Doing { sign: "✗", word: "bound broken" },
        (false, true) => Doing { sign: "✓", word: "finished" },
        (false, false) if summary.answered() == 0 => Doing { sign: "□", word: "not answered" },
        (false, false) => Doing { sign: "■", word: "stopped" },
    };
    let suites: Vec<&str> = summary.suites.iter().map(|suite| suite.id.as_str()).collect();
    let (answered, expected) = (summary.answered(), summary.expected());
    Ok(Told {
        study: run.opened.plan.name.clone(),
        suites: suites.join(", "),
        state,
        done: format!("{} of {} ({} %)", count(answered), count(expected), percent(answered, expected)),
        stopped_early: summary.stopped_early(),
        families: count(summary.suites.iter().map(|suite| suite.families).sum()),
        missing: summary.missing(),
        cost: summary.cost(),
    })
}
