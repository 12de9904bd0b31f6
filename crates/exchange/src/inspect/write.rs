//! Writing a log, sample by sample. It is made aside and moved into place when it is whole.

use super::head::LogHead;
use super::sample::LogSample;
use crate::WriteError;
use serde_json::Value;
use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Eval,
    Json,
}

impl LogFormat {
    /// By the file's extension.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "eval" => Some(Self::Eval),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

pub struct LogWriter {
    head: LogHead,
    path: PathBuf,
    to: To,
    samples: u64,
    aside: Aside,
}

enum To {
    Eval {
        zip: Box<ZipWriter<BufWriter<File>>>,
        /// Written beside the archive: in memory they would grow with the run.
        summaries: BufWriter<File>,
    },
    Json(BufWriter<File>),
}

/// What was written aside and not moved into place is of no use to anybody.
struct Aside {
    log: PathBuf,
    summaries: PathBuf,
}

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.log);
        let _ = std::fs::remove_file(&self.summaries);
    }
}

impl LogWriter {
    pub fn create(path: &Path, format: LogFormat, head: LogHead) -> Result<Self, WriteError> {
        let name = path.file_name().ok_or_else(|| WriteError::new(path, "it has no name"))?.to_string_lossy();
        let beside = |what: &str| path.with_file_name(format!(".{name}{what}.part"));
        let aside = Aside { log: beside(""), summaries: beside(".summaries") };
        let file = BufWriter::new(File::create(&aside.log).map_err(WriteError::at(path))?);
        let to = match format {
            LogFormat::Json => To::Json(file),
            LogFormat::Eval => {
                let mut options = File::options();
                let summaries = options.create(true).truncate(true).read(true).write(true).open(&aside.summaries);
                let summaries = BufWriter::new(summaries.map_err(WriteError::at(path))?);
                To::Eval { zip: Box::new(ZipWriter::new(file)), summaries }
            }
        };
        let mut log = Self { head, path: path.to_owned(), to, samples: 0, aside };
        log.begin().map_err(WriteError::at(path))?;
        Ok(log)
    }

    pub fn sample(&mut self, sample: &LogSample<'_>) -> Result<(), WriteError> {
        self.add(sample).map_err(WriteError::at(&self.path))?;
        self.samples += 1;
        Ok(())
    }

    /// Tells how many samples there are.
    pub fn finish(self) -> Result<u64, WriteError> {
        let Self { head, path, to, samples, aside } = self;
        end(to, &head).map_err(WriteError::at(&path))?;
        std::fs::rename(&aside.log, &path).map_err(WriteError::at(&path))?;
        Ok(samples)
    }

    fn begin(&mut self) -> std::io::Result<()> {
        match &mut self.to {
            To::Eval { zip, summaries, .. } => {
                entry(zip, "_journal/start.json", &self.head.start())?;
                summaries.write_all(b"[")
            }
            To::Json(file) => {
                let mut head = serde_json::to_vec(&self.head.header())?;
                // The object goes on: its last member is the list of samples.
                head.pop();
                file.write_all(&head)?;
                file.write_all(b",\"samples\":[")
            }
        }
    }

    fn add(&mut self, sample: &LogSample<'_>) -> std::io::Result<()> {
        let between: &[u8] = if self.samples == 0 { b"\n" } else { b",\n" };
        match &mut self.to {
            To::Eval { zip, summaries, .. } => {
                entry(zip, &sample.file_name(), &sample.json(&self.head))?;
                summaries.write_all(between)?;
                summaries.write_all(&serde_json::to_vec(&sample.summary(&self.head))?)
            }
            To::Json(file) => {
                file.write_all(between)?;
                file.write_all(&serde_json::to_vec(&sample.json(&self.head))?)
            }
        }
    }
}

fn end(to: To, head: &LogHead) -> std::io::Result<()> {
    let mut file = match to {
        To::Eval { mut zip, mut summaries } => {
            summaries.write_all(b"]")?;
            summaries.seek(SeekFrom::Start(0))?;
            zip.start_file("summaries.json", options())?;
            std::io::copy(&mut BufReader::new(summaries.get_ref()), &mut zip)?;
            entry(&mut zip, "header.json", &head.header())?;
            zip.finish()?
        }
        To::Json(mut file) => {
            file.write_all(b"]}\n")?;
            file
        }
    };
    file.flush()?;
    file.get_ref().sync_all()
}

fn entry(zip: &mut ZipWriter<BufWriter<File>>, name: &str, content: &Value) -> std::io::Result<()> {
    zip.start_file(name, options())?;
    zip.write_all(&serde_json::to_vec(content)?)
}

/// Without the time of writing: the same run is the same bytes.
fn options() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644)
}
