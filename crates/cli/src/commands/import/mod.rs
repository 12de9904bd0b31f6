//! `waterjar import`: a data set as cases or pairs, one JSON line each; or answers made elsewhere, into a run.

mod places;
mod recorded;
mod study;

use crate::cli::{ImportArgs, ImportKind};
use crate::exit::Exit;
use crate::outlet;
use crate::output::Output;
use anyhow::{Context, Result};
use recorded::Tool;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use waterjar_core::{CaseSource, Seed, SourceError, counted};
use waterjar_engine::{EngineError, export};
use waterjar_suites::einstellung::{PairRow, Published, sound};
use waterjar_suites::sensitivity::Charts;
use waterjar_suites::{OpenError, ddxplus_source, parity};
use waterjar_vignettes::{Doubts, tagged};

pub async fn run(args: ImportArgs, out: &Output) -> Result<Exit> {
    match args.kind {
        ImportKind::Inspect(args) => return recorded::run(Tool::Inspect, args, out).await,
        ImportKind::LmEval(args) => return recorded::run(Tool::LmEval, args, out).await,
        ImportKind::Promptfoo(args) => return recorded::run(Tool::Promptfoo, args, out).await,
        ImportKind::Ddxplus { path, knowledge, out: file } => {
            ddxplus(&path, knowledge.as_deref(), file.as_deref(), out)?;
        }
        ImportKind::Charts { path, keep_identifiers, seed, out: file } => {
            let scrub = (!keep_identifiers).then_some(Seed(seed));
            charts(&path, scrub, file.as_deref(), out)?;
        }
        ImportKind::Vignettes { kind, path, mapping, spans, out: file } => {
            let source = format!("{kind}:{}", path.display());
            let settings = parity::Settings { source, mapping, spans, ..parity::Settings::default() };
            vignettes(&settings, &path, file.as_deref(), out)?;
        }
        ImportKind::Medeinst { path, out: file } => medeinst(&path, file.as_deref(), out)?,
    }
    Ok(Exit::Done)
}

fn ddxplus(path: &Path, knowledge: Option<&Path>, file: Option<&Path>, out: &Output) -> Result<()> {
    check_place(path, file)?;
    let source = ddxplus_source(path, knowledge).map_err(EngineError::from)?;
    let count = save(source.cases(), file)?;
    out.say(&counted(count, "case", "cases"));
    Ok(())
}

fn charts(path: &Path, scrub: Option<Seed>, file: Option<&Path>, out: &Output) -> Result<()> {
    check_place(path, file)?;
    let source = Charts::open("charts", path, scrub, "").map_err(EngineError::from)?;
    save(source.cases(), file)?;
    if let Some(read) = source.read_through().map_err(EngineError::from)? {
        out.say(&read);
    }
    Ok(())
}

fn vignettes(settings: &parity::Settings, path: &Path, file: Option<&Path>, out: &Output) -> Result<()> {
    check_place(path, file)?;
    let vignettes = parity::load(settings, Path::new("")).map_err(|error| match error {
        OpenError::Source(error) => EngineError::from(error),
        error => EngineError::file(path, error.to_string()),
    })?;
    let text = tagged::write_all(&vignettes);
    match file {
        Some(file) => export::write_text(file, &text)?,
        None => out.print(&text),
    }
    let findings: usize = vignettes.iter().map(|it| it.spans.len()).sum();
    out.say(&format!(
        "{}, {}",
        counted(vignettes.len() as u64, "vignette", "vignettes"),
        counted(findings as u64, "finding", "findings")
    ));
    let mut doubts = Doubts::default();
    vignettes.iter().for_each(|it| doubts.look(it));
    doubts.told(false).iter().for_each(|it| out.warn(it));
    let without = vignettes.iter().filter(|it| it.spans.is_empty()).count();
    if without > 0 {
        let who = counted(without as u64, "vignette has", "vignettes have");
        out.warn(&format!("{who} no finding marked; `waterjar suggest` marks them"));
    }
    Ok(())
}

/// Pairs that cannot be used are counted by what is wrong with them.
fn medeinst(path: &Path, file: Option<&Path>, out: &Output) -> Result<()> {
    check_place(path, file)?;
    let source = Published::open("medeinst", path).map_err(EngineError::from)?;
    let mut losses: BTreeMap<String, u64> = BTreeMap::new();
    let pairs = source.cases().filter_map(|case| match case.map(|case| sound(&case).map(|_| PairRow::of(&case))) {
        Err(error) => Some(Err(error)),
        Ok(Ok(row)) => Some(Ok(row)),
        Ok(Err(loss)) => {
            *losses.entry(loss.reason.replace('_', " ")).or_default() += 1;
            None
        }
    });
    let count = save(pairs, file)?;
    let lost = losses.iter().map(|(reason, n)| format!("; lost: {reason} {n}")).collect::<String>();
    out.say(&format!("{}{lost}", counted(count, "pair", "pairs")));
    Ok(())
}

/// What is made of a file is never put in its place.
fn check_place(from: &Path, to: Option<&Path>) -> Result<()> {
    let Some(to) = to else { return Ok(()) };
    if from == to || from.canonicalize().is_ok_and(|from| to.canonicalize().is_ok_and(|to| from == to)) {
        let error = EngineError::file(from, "would be overwritten by what is made of it");
        return Err(error.with_hint("choose another --out").into());
    }
    Ok(outlet::check(to)?)
}

type Rows<'a, T> = dyn Iterator<Item = Result<T, SourceError>> + 'a;

fn save<T: Serialize>(mut rows: impl Iterator<Item = Result<T, SourceError>>, file: Option<&Path>) -> Result<u64> {
    match file {
        Some(file) => write_to_file(&mut rows, file),
        None => write(&mut rows, &mut BufWriter::new(std::io::stdout().lock())),
    }
}

/// Written aside first, so that a source that turns out to be broken leaves nothing half-written.
fn write_to_file<T: Serialize>(rows: &mut Rows<'_, T>, path: &Path) -> Result<u64> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let aside = path.with_file_name(format!(".{name}.part"));
    let file = File::create(&aside).with_context(|| format!("{} cannot be written", path.display()))?;
    let mut to = BufWriter::new(file);
    let count = write(rows, &mut to).inspect_err(|_| {
        let _ = std::fs::remove_file(&aside);
    })?;
    std::fs::rename(&aside, path).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(count)
}

fn write<T: Serialize>(rows: &mut Rows<'_, T>, to: &mut impl Write) -> Result<u64> {
    let mut count = 0;
    for row in rows {
        let row = row.map_err(EngineError::from)?;
        serde_json::to_writer(&mut *to, &row).context("a row cannot be written")?;
        to.write_all(b"\n").context("a row cannot be written")?;
        count += 1;
    }
    to.flush().context("the rows cannot be written")?;
    Ok(count)
}
