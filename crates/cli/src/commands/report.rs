//! `waterjar report`: what a run found, as a page or as tables.

use crate::cli::{FAMILIES, FigureKind, Format, ReportArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::target::Target;
use anyhow::{Context, Result};
use std::path::PathBuf;
use waterjar_core::counted;
use waterjar_engine::{Asks, EngineError, export};
use waterjar_report::tables::{self, Tabled};
use waterjar_report::{Fonts, Leads, families_cut_to, figure_csv, figure_png, figure_svg};
use waterjar_store::{Mode, Store};
use waterjar_views::OpenRun;

const FIGURES: &str = "figures";
const PAGE: &str = "report.html";

pub async fn run(args: ReportArgs, out: &Output) -> Result<Exit> {
    let target = Target::resolve(&args.run, None, &[], Asks::Nobody).await?;
    let store = Store::open(target.dir.database(), Mode::Read).await.map_err(EngineError::from)?;
    for format in args.format {
        let written = match format {
            Format::Html => vec![write_html(&target, &store, args.families).await?],
            format => write_tables(&target, &store, format).await?,
        };
        for path in written {
            out.say(&format!("wrote {}", path.display()));
        }
    }
    if !args.figures.is_empty() {
        let written = write_figures(&target, &store, &args.figures).await?;
        out.say(&format!(
            "wrote {} to {}",
            counted(written as u64, "figure", "figures"),
            target.dir.file(FIGURES).display()
        ));
    }
    Ok(Exit::Done)
}

pub async fn write_html(target: &Target, store: &Store, families: usize) -> Result<PathBuf> {
    let path = target.dir.file(PAGE);
    let run = OpenRun { plan: &target.plan, dir: &target.dir, store };
    let mut report = waterjar_views::report(run, families).await?;
    // The store of a run that an earlier version began does not hold it.
    if let Some(registration) = &mut report.study.registration {
        registration.undeclared = target.undeclared().to_vec();
    }
    let html = waterjar_report::html(&report)?;
    export::write_text(&path, &html)?;
    Ok(path)
}

/// A page that is there is written anew, with as many pairs as somebody wanted to see: it would disagree with what was measured since.
pub async fn renew_html(target: &Target, store: &Store) -> Result<Option<PathBuf>> {
    let Ok(page) = std::fs::read_to_string(target.dir.file(PAGE)) else { return Ok(None) };
    write_html(target, store, families_cut_to(&page).unwrap_or(FAMILIES)).await.map(Some)
}

/// One file per suite: `einstellung.csv`.
async fn write_tables(target: &Target, store: &Store, format: Format) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for planned in &target.plan.suites {
        let results = waterjar_views::results(store, planned).await?;
        let (columns, divides_by) = (planned.suite().card().columns, planned.suite().divides_by());
        let leads = match format {
            // It marks nobody.
            Format::Csv => Leads::new(),
            _ => waterjar_views::leads(store, &results, &columns).await?,
        };
        let tabled = Tabled { results: &results, columns: &columns, divides_by: &divides_by, leads: &leads };
        let (text, extension) = match format {
            Format::Csv => (tables::csv(&results, &columns), "csv"),
            Format::Latex => (tables::latex(&tabled, &target.plan.name), "tex"),
            Format::Markdown | Format::Html => (tables::markdown(&tabled), "md"),
        };
        let path = target.dir.file(&format!("{}.{extension}", planned.id()));
        export::write_text(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

/// `figures/einstellung-trap-rates.svg`, with the numbers in `.csv`. How many figures there are.
async fn write_figures(target: &Target, store: &Store, kinds: &[FigureKind]) -> Result<usize> {
    let folder = target.dir.file(FIGURES);
    std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let fonts = if kinds.contains(&FigureKind::Png) { Some(Fonts::of_this_machine()?) } else { None };
    let mut written = 0;
    for planned in &target.plan.suites {
        let results = waterjar_views::results(store, planned).await?;
        let checks = store.checks(planned.id()).await.map_err(EngineError::from)?;
        for figure in planned.suite().figures(&results, &checks) {
            let file = |extension: &str| folder.join(format!("{}-{}.{extension}", planned.id(), figure.id));
            export::write_text(&file("csv"), &figure_csv(&figure))?;
            if kinds.contains(&FigureKind::Svg) {
                export::write_text(&file("svg"), &figure_svg(&figure, planned.id().as_str()))?;
            }
            if let Some(fonts) = &fonts {
                export::write_bytes(&file("png"), &figure_png(&figure, planned.id().as_str(), fonts)?)?;
            }
            written += 1;
        }
    }
    Ok(written)
}
