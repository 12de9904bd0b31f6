//! `waterjar rehearse`: the whole study against a simulated endpoint on the loopback. It counts calls and tokens,
//! estimates cost and time, and spends nothing.

mod assumed;
mod cast;
mod factors;
mod figures;
mod filling;
mod ledger;
mod play;
mod time;

pub use figures::{Calls, Figures};

use super::passes::stop_on_interrupt;
use crate::catalog::PartsWith;
use crate::cli::RehearseArgs;
use crate::exit::Exit;
use crate::output::{Output, rehearsal};
use anyhow::{Context, Result};
use assumed::Assumed;
use cast::Cast;
use figures::figures;
use ledger::Ledger;
use play::{Scope, play};
use std::sync::Arc;
use waterjar_core::{ModelId, Seed};
use waterjar_engine::gateway::GatewayEvent;
use waterjar_engine::plan::WantedModel;
use waterjar_engine::{EngineError, Plan, Run, RunDir, RunEvent, StudyFile};
use waterjar_simulation::{Clinician, Endpoint, EndpointSettings, Fault, Faults, Persona};

pub async fn run(args: RehearseArgs, out: &Output) -> Result<Exit> {
    let study = StudyFile::read(&args.study, &args.set)?;
    let assumed = Assumed::of(&args);
    let endpoint = Endpoint::start(simulated(&assumed, Seed(study.study.seed)))
        .await
        .context("the simulated endpoint finds no free port on this machine")?;
    let cast = Cast::new(endpoint.url());
    let mut plan = study.resolve(&PartsWith(|wanted: &WantedModel<'_>| cast.vendor_model(wanted)))?;
    // A rehearsal spends nothing and waits for nobody.
    let stated = std::mem::take(&mut plan.gateway);
    let parts = cast.parts();
    for (model, _) in parts.iter().filter(|(_, part)| part.in_batches) {
        plan.prices = plan.prices.with_batches_of(model);
        out.say(&format!(
            "note: {model} is asked in batches, at half the price; each may take a day, which the time below does not count"
        ));
    }
    for embedder in plan.remote_embedders() {
        out.say(&format!("note: texts are compared without {embedder}; what it will be sent is not counted below"));
    }
    let ledger = Arc::new(Ledger::new(assumed, parts));
    out.say(&format!("rehearsing {}: every model is simulated on this machine, nothing is spent", plan.name));
    let scopes = match rehearse(&plan, &ledger, args.limit, out).await? {
        Err(EngineError::Interrupted) => {
            out.warn("the rehearsal was interrupted; nothing of it is kept");
            return Ok(Exit::Stopped);
        }
        played => played?,
    };
    let heard = ledger.heard();
    let first_failure = heard.first_failure.clone();
    let figures = figures(&plan, &stated, heard, scopes, assumed);
    tell(&figures, first_failure, out);
    if args.json {
        out.json(&figures)?;
    } else {
        out.print(&rehearsal::table(&figures));
    }
    Ok(if figures.failed > 0 { Exit::MissingAnswers } else { Exit::Done })
}

/// A clinician who answers whatever a study's models are asked for.
fn simulated(assumed: &Assumed, seed: Seed) -> EndpointSettings {
    let clinician = Clinician::new(Persona::default(), seed).writing_traps().accepting(assumed.accepted).auditing();
    let faults = Faults::new(assumed.asked_again, vec![Fault::WrongSchema], seed);
    EndpointSettings { clinician, faults, seed, ..EndpointSettings::default() }
}

/// In a directory of its own, gone afterwards; Ctrl-C ends it between two units of work.
async fn rehearse(
    plan: &Plan,
    ledger: &Arc<Ledger>,
    limit: Option<u64>,
    out: &Output,
) -> Result<Result<Vec<Scope>, EngineError>> {
    let place = crate::private::folder("rehearsal").context("there is no temporary directory to rehearse in")?;
    let dir = RunDir::new(place.path().join("rehearsal"));
    let store = dir.open(plan, concat!("waterjar ", env!("CARGO_PKG_VERSION"))).await?;
    let stop = stop_on_interrupt();
    let progress = Arc::new(out.progress());
    let (told, hears) = (Arc::clone(&progress), Arc::clone(ledger));
    let tell: waterjar_engine::Tell = Arc::new(move |event| {
        hears.hear(&event);
        // Prices and budgets are told once, at the end.
        if matches!(event, RunEvent::Gateway(GatewayEvent::Called(_))) || !matches!(event, RunEvent::Gateway(_)) {
            told.tell(&event);
        }
    });
    let with = |limit| Run {
        plan,
        dir: dir.clone(),
        store: store.clone(),
        stop: stop.clone(),
        limit,
        tell: Arc::clone(&tell),
        tell_calls: true,
        others: None,
    };
    let played = play(&with(limit), &with(None)).await;
    progress.clear();
    store.close().await;
    Ok(played)
}

fn tell(figures: &Figures, first_failure: Option<String>, out: &Output) {
    for missing in &figures.missing {
        let models: Vec<&str> = missing.models.iter().map(ModelId::as_str).collect();
        out.say(&format!("note: {} is not set; `run` needs it for {}", missing.variable, models.join(", ")));
    }
    if let Some(failure) = first_failure {
        out.warn(&format!("{} simulated calls ended without an answer, the first: {failure}", figures.failed));
    }
    for text in rehearsal::warnings(figures) {
        out.warn(&text);
    }
}
