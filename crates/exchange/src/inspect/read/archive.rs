//! `.eval`: a zip archive with a file per sample. Nothing is unpacked whole.

use super::head::Head;
use super::not_a_log;
use super::sample::Sample;
use crate::python_json::PythonJson;
use crate::recorded::Each;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use waterjar_core::SourceError;
use zip::ZipArchive;

/// What one file of an archive may be unpacked. A question with its answer is a few kilobytes, a long transcript of an agent some megabytes; an
/// archive can be made to unpack without end.
const MOST: u64 = 128 << 20;

type Archive = ZipArchive<BufReader<File>>;

pub(super) fn head(path: &Path) -> Result<Head, SourceError> {
    let mut archive = open(path)?;
    // An eval that is under way, or was killed, has a start and no header.
    let known = ["header.json", "_journal/start.json"];
    let Some(name) = known.into_iter().find(|name| archive.index_for_name(name).is_some()) else {
        return Err(not_a_log(path, "the archive holds no header.json"));
    };
    let at = archive.index_for_name(name).expect("it was just found");
    read(path, &mut archive, at)
}

pub(super) fn each(path: &Path, each: Each<'_>) -> Result<(), SourceError> {
    let mut archive = open(path)?;
    let names: Vec<String> = (0..archive.len()).map(|at| name(&archive, at)).collect();
    if let Some(name) = names.iter().find(|name| is_chunked(name)) {
        let place = format!("{}, {name}", path.display());
        return Err(SourceError::new(place, "is a sample in chunks, which we do not read")
            .with_hint("write the log anew: inspect_ai.log.write_eval_log(inspect_ai.log.read_eval_log(LOG), NEW)"));
    }
    for (at, name) in names.iter().enumerate() {
        if name.starts_with("samples/") && name.ends_with(".json") {
            let sample: Sample = read(path, &mut archive, at)?;
            each(sample.recorded(path)?)?;
        }
    }
    Ok(())
}

fn open(path: &Path) -> Result<Archive, SourceError> {
    let file = File::open(path).map_err(|error| SourceError::unreadable(path, &error))?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| {
        SourceError::at(path, format!("is cut off or damaged: {error}"))
            .with_hint("copy it again; what a killed eval left behind, `inspect log recover` makes whole")
    })
}

/// `samples/ID_epoch_N/sample.json`: a form for very long samples, into which logs can be converted.
fn is_chunked(name: &str) -> bool {
    let folder = name.strip_prefix("samples/").and_then(|rest| rest.strip_suffix("/sample.json"));
    let epoch = folder.and_then(|folder| folder.rsplit_once("_epoch_")).map(|(_, epoch)| epoch);
    epoch.is_some_and(|epoch| !epoch.is_empty() && epoch.bytes().all(|it| it.is_ascii_digit()))
}

fn name(archive: &Archive, at: usize) -> String {
    archive.name_for_index(at).and_then(Result::ok).unwrap_or_default().into_owned()
}

fn read<T: DeserializeOwned>(path: &Path, archive: &mut Archive, at: usize) -> Result<T, SourceError> {
    let name = name(archive, at);
    let bad = |problem: String| SourceError::new(format!("{}, {name}", path.display()), problem);
    let file = archive.by_index(at).map_err(|error| bad(format!("cannot be unpacked: {error}")))?;
    if file.size() > MOST {
        return Err(bad(too_large()));
    }
    // What an archive says of its sizes need not be true.
    let mut bounded = file.take(MOST + 1);
    let read = serde_json::from_reader(BufReader::new(PythonJson::new(&mut bounded)));
    let left = bounded.limit();
    read.map_err(|error| bad(if left == 0 { too_large() } else { format!("is not what Inspect writes: {error}") }))
}

fn too_large() -> String {
    format!("unpacks to more than {} MB: that is no answer to a question", MOST >> 20)
}
