//! One table as Parquet files. Rows stream through: what is held in memory is at most one row group.

use super::column::{Cell, Column, Filling};
use crate::WriteError;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a batch is given to the encoder at, in bytes of text or in rows.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_ROWS: usize = 1024;
/// A reader holds a row group at a time.
const GROUP_BYTES: usize = 16 << 20;
/// The viewers of such files like them below a few hundred megabytes.
const SHARD_BYTES: usize = 256 << 20;

/// What became of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub rows: u64,
    /// Of the files, and of what is in them.
    pub bytes: u64,
    pub unpacked: u64,
    pub files: usize,
}

pub(super) struct Shards {
    folder: PathBuf,
    name: &'static str,
    schema: SchemaRef,
    filling: Vec<Filling>,
    /// Of the batch that is being filled.
    rows: usize,
    bytes: usize,
    open: Option<ArrowWriter<File>>,
    /// Under their first names: how many there will be is not known yet.
    parts: Vec<PathBuf>,
    written: Written,
}

impl Shards {
    pub fn create(folder: &Path, name: &'static str, columns: &'static [Column]) -> Self {
        let fields: Vec<_> = columns.iter().map(Column::field).collect();
        // Where the `datasets` library looks for the columns of a file.
        let features: serde_json::Map<String, serde_json::Value> = columns
            .iter()
            .map(|it| (it.name.to_owned(), serde_json::json!({ "dtype": it.kind.feature(), "_type": "Value" })))
            .collect();
        let info = serde_json::json!({ "info": { "features": features } }).to_string();
        let metadata = HashMap::from([("huggingface".to_owned(), info)]);
        Self {
            folder: folder.to_owned(),
            name,
            schema: Arc::new(Schema::new_with_metadata(fields, metadata)),
            filling: columns.iter().map(Filling::of).collect(),
            rows: 0,
            bytes: 0,
            open: None,
            parts: Vec::new(),
            written: Written::default(),
        }
    }

    /// `cells` are in the order of the columns.
    pub fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), WriteError> {
        for (column, cell) in self.filling.iter_mut().zip(cells) {
            column.add(cell);
            self.bytes += cell.bytes();
            self.written.unpacked += cell.bytes() as u64;
        }
        self.rows += 1;
        self.written.rows += 1;
        if self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES { self.encode() } else { Ok(()) }
    }

    fn encode(&mut self) -> Result<(), WriteError> {
        let arrays = self.filling.iter_mut().map(Filling::take).collect();
        (self.rows, self.bytes) = (0, 0);
        let mut writer = match self.open.take() {
            Some(writer) => writer,
            None => self.next_part()?,
        };
        let path = self.parts.last().expect("a writer has a file");
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays).map_err(WriteError::at(path))?;
        writer.write(&batch).map_err(WriteError::at(path))?;
        if writer.in_progress_size() >= GROUP_BYTES {
            writer.flush().map_err(WriteError::at(path))?;
        }
        if writer.bytes_written() >= SHARD_BYTES {
            writer.close().map_err(WriteError::at(path))?;
        } else {
            self.open = Some(writer);
        }
        Ok(())
    }

    fn next_part(&mut self) -> Result<ArrowWriter<File>, WriteError> {
        let path = self.folder.join(format!("{}-{:05}.part", self.name, self.parts.len()));
        let file = File::create(&path).map_err(WriteError::at(&path))?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("waterjar ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let writer = ArrowWriter::try_new(file, Arc::clone(&self.schema), Some(properties));
        let writer = writer.map_err(WriteError::at(&path))?;
        self.parts.push(path);
        Ok(writer)
    }

    /// A table without rows is a file as well: its columns are declared.
    pub fn finish(mut self) -> Result<Written, WriteError> {
        if self.rows > 0 || self.parts.is_empty() {
            self.encode()?;
        }
        if let (Some(writer), Some(path)) = (self.open.take(), self.parts.last()) {
            writer.close().map_err(WriteError::at(path))?;
        }
        let n = self.parts.len();
        for (at, part) in self.parts.iter().enumerate() {
            let path = self.folder.join(format!("{}-{at:05}-of-{n:05}.parquet", self.name));
            std::fs::rename(part, &path).map_err(WriteError::at(&path))?;
            self.written.bytes += std::fs::metadata(&path).map_err(WriteError::at(&path))?.len();
        }
        self.written.files = n;
        Ok(self.written)
    }
}
