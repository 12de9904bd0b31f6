//! `waterjar import`: a data set as cases, one JSON line each.

use crate::cli::{ImportArgs, ImportKind};
use crate::exit::Exit;
use crate::output::Output;
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use waterjar_core::CaseSource;
use waterjar_engine::EngineError;
use waterjar_suites::ddxplus_source;

pub fn run(args: ImportArgs, out: &Output) -> Result<Exit> {
    let ImportKind::Ddxplus { path, knowledge, out: file } = args.kind;
    if file.as_deref() == Some(path.as_path()) {
        let error = EngineError::file(&path, "would be overwritten by its own cases");
        return Err(error.with_hint("choose another --out").into());
    }
    let source = ddxplus_source(&path, knowledge.as_deref()).map_err(EngineError::from)?;
    let count = match &file {
        Some(file) => write_to_file(&source, file)?,
        None => write(&source, &mut BufWriter::new(std::io::stdout().lock()))?,
    };
    out.say(&format!("{count} cases"));
    Ok(Exit::Done)
}

/// Written aside first, so that a source that turns out to be broken leaves nothing half-written.
fn write_to_file(source: &dyn CaseSource, path: &Path) -> Result<u64> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let aside = path.with_file_name(format!(".{name}.part"));
    let file = File::create(&aside).with_context(|| format!("{} cannot be written", path.display()))?;
    let mut to = BufWriter::new(file);
    let count = write(source, &mut to).inspect_err(|_| {
        let _ = std::fs::remove_file(&aside);
    })?;
    std::fs::rename(&aside, path).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(count)
}

fn write(source: &dyn CaseSource, to: &mut impl Write) -> Result<u64> {
    let mut count = 0;
    for case in source.cases() {
        let case = case.map_err(EngineError::from)?;
        serde_json::to_writer(&mut *to, &case).context("a case cannot be written")?;
        to.write_all(b"\n").context("a case cannot be written")?;
        count += 1;
    }
    to.flush().context("the cases cannot be written")?;
    Ok(count)
}
