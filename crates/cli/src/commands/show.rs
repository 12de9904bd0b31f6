//! `waterjar show`: what there is, and one case with its variants as a diff.

use crate::cli::{CaseArgs, ShowArgs, ShowWhat};
use crate::exit::Exit;
use crate::makers;
use crate::output::{Output, diff, table, verdicts};
use crate::target::Target;
use anyhow::Result;
use waterjar_core::Variant;
use waterjar_engine::{Asks, EngineError, PlannedSuite};
use waterjar_models::{KeyNeed, VendorRow};
use waterjar_report::meaning;
use waterjar_store::{Mode, Store, StoredFamily};

mod record;

/// As many ids as are worth naming where one was mistyped.
const NEAR: u32 = 12;

pub async fn run(args: ShowArgs, out: &Output) -> Result<Exit> {
    match args.what {
        ShowWhat::Suites => {
            let rows = waterjar_suites::all().iter().map(|it| (it.kind, it.about.to_owned())).collect::<Vec<_>>();
            out.print(&table::list(&rows));
        }
        ShowWhat::Agents => {
            let rows = waterjar_agents::all().iter().map(|it| (it.id, it.about.to_owned())).collect::<Vec<_>>();
            out.print(&table::list(&rows));
        }
        ShowWhat::Models => out.print(&table::list(&makers::table())),
        ShowWhat::Vendors => out.print(&table::list(&vendors())),
        ShowWhat::Schema => out.json(&super::reference::schema())?,
        ShowWhat::Case(args) => show_case(&args, out).await?,
    }
    Ok(Exit::Done)
}

/// Name, address and key of each vendor. A model is named `vendor/model`.
fn vendors() -> Vec<(&'static str, String)> {
    let told = |(name, row): (&'static String, &VendorRow)| {
        let variable = |name: &String| format!("the address in {name}");
        let address = row.url.clone().or_else(|| row.url_env.as_ref().map(variable));
        let address = address.unwrap_or_else(|| "any other address: give the model a `url`".to_owned());
        let need = if row.key == KeyNeed::Optional { ", if the server wants a key" } else { "" };
        (name.as_str(), format!("{address} ({}{need})", row.key_env))
    };
    waterjar_models::all().iter().map(told).collect()
}

async fn show_case(args: &CaseArgs, out: &Output) -> Result<()> {
    let case = args.case.as_deref();
    let target = Target::resolve(&args.run, None, &[], Asks::Nobody).await?;
    let store = Store::open(target.dir.database(), Mode::Read).await.map_err(EngineError::from)?;
    // Ids that begin as what was typed, such as a vignette's ablations.
    let mut near: Vec<String> = Vec::new();
    for planned in &target.plan.suites {
        let mut after = 0;
        loop {
            let page = store.families_page(planned.id(), after, 64).await.map_err(EngineError::from)?;
            // Left to us, one in which something is changed.
            let found = match case {
                Some(case) => page.items.iter().find(|family| family.id.as_str() == case),
                None => page.items.iter().find(|family| family.variants.len() > 1).or(page.items.first()),
            };
            if let Some(StoredFamily { id, variants, position }) = found {
                check_role(args, variants)?;
                let shown = diff::family(planned.suite(), id.as_str(), variants);
                let found = record::find(&store, planned, *position, args).await?;
                let told = found.as_ref().map(record::rendered).unwrap_or_default();
                out.print(&format!("{shown}{}{told}", answers(&store, planned, *position).await?));
                return draw(args, id.as_str(), found.as_ref(), out);
            }
            let begins = |id: &&str| case.is_some_and(|case| id.starts_with(case));
            let ids = page.items.iter().map(|family| family.id.as_str()).filter(begins);
            near.extend(ids.map(str::to_owned));
            near.sort();
            near.truncate(NEAR as usize);
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
    }
    Err(not_there(args, &store, &target, &near).await?.into())
}

/// A lost case is no family, and whoever asks for it wants to know why. `near` are families whose ids begin as what was typed.
async fn not_there(args: &CaseArgs, store: &Store, target: &Target, near: &[String]) -> Result<EngineError> {
    let case = args.case.as_deref().unwrap_or_default();
    let mut lost = Vec::new();
    for planned in &target.plan.suites {
        lost.extend(store.lost_like(planned.id(), case, NEAR).await.map_err(EngineError::from)?);
    }
    if let Some((_, reason)) = lost.iter().find(|(id, _)| id.as_str() == case) {
        let meaning = meaning(reason).map_or_else(String::new, |it| format!(": {it}"));
        let problem = format!("`{case}` was lost ({}){meaning}", reason.replace('_', " "));
        let hint = "a lost case is asked of nobody; `waterjar vary RUN` counts them by reason";
        return Ok(EngineError::file(&args.run, problem).with_hint(hint));
    }
    let problem = format!("no family of the run is called `{case}`");
    let lost: Vec<&str> = lost.iter().map(|(id, _)| id.as_str()).collect();
    let hint = match (near, lost.as_slice()) {
        ([], []) => "the ids are in variants.jsonl; without one, the first is shown".to_owned(),
        ([], lost) => format!("lost were: {}", lost.join(", ")),
        (near, _) => format!("there are: {}", near.join(", ")),
    };
    Ok(EngineError::file(&args.run, problem).with_hint(hint))
}

/// The default is the trap, which not every suite has.
fn check_role(args: &CaseArgs, variants: &[Variant]) -> Result<()> {
    if args.variant == "trap" || variants.iter().any(|it| it.role() == args.variant) {
        return Ok(());
    }
    let roles: Vec<&str> = variants.iter().map(Variant::role).collect();
    let problem = format!("this case has no variant `{}`", args.variant);
    Err(EngineError::file(&args.run, problem).with_hint(format!("there are: {}", roles.join(", "))).into())
}

fn draw(args: &CaseArgs, case: &str, found: Option<&record::Found>, out: &Output) -> Result<()> {
    let Some(path) = &args.graph else { return Ok(()) };
    let Some(found) = found else {
        let problem = "holds no record with a graph for this case";
        return Err(EngineError::file(&args.run, problem).with_hint("only agents of the kind `ecr` leave one").into());
    };
    record::write_graph(found, case, path)?;
    out.say(&format!("wrote {}", path.display()));
    Ok(())
}

/// What the subjects made of the family, as far as it was judged.
async fn answers(store: &Store, planned: &PlannedSuite, position: i64) -> Result<String> {
    let judged = store.verdicts_page(planned.id(), position - 1, 1).await.map_err(EngineError::from)?.items;
    let judge = planned.suite().judge_id();
    let verdicts: Vec<_> = judged.iter().map(|it| &it.verdict).filter(|it| it.judge == judge).collect();
    Ok(if verdicts.is_empty() { String::new() } else { format!("\n== answers\n{}", verdicts::answers(&verdicts)) })
}
