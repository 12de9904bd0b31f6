//! A Parquet file, row by row. What is held in memory is a few hundred rows of one row group.

use super::cell;
use arrow::record_batch::{RecordBatch, RecordBatchReader};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use serde_json::{Map, Value};
use std::path::Path;
use waterjar_core::SourceError;

/// Rows decoded at a time.
const AT_ONCE: usize = 256;

pub struct Rows {
    reader: ParquetRecordBatchReader,
    batch: Option<RecordBatch>,
    at: usize,
    /// After a row group that cannot be decoded there is nothing to go on with.
    failed: bool,
}

impl Rows {
    pub(super) fn open(path: &Path) -> Result<Self, SourceError> {
        let bad = |problem: String| SourceError::at(path, problem);
        let unreadable = |error: parquet::errors::ParquetError| {
            bad(format!("cannot be read as Parquet: {error}")).with_hint("is it whole? Its last bytes are PAR1")
        };
        let file = super::open(path)?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(unreadable)?;
        let reader = builder.with_batch_size(AT_ONCE).build().map_err(unreadable)?;
        Ok(Self { reader, batch: None, at: 0, failed: false })
    }

    pub(super) fn columns(&self) -> Vec<String> {
        self.reader.schema().fields().iter().map(|it| it.name().clone()).collect()
    }
}

impl Iterator for Rows {
    type Item = Result<Map<String, Value>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        while self.batch.as_ref().is_none_or(|batch| self.at == batch.num_rows()) {
            match self.reader.next()? {
                Ok(batch) => (self.batch, self.at) = (Some(batch), 0),
                Err(error) => {
                    self.failed = true;
                    return Some(Err(format!("cannot be decoded: {error}")));
                }
            }
        }
        let batch = self.batch.as_ref()?;
        let at = self.at;
        self.at += 1;
        let schema = batch.schema_ref();
        let cells = schema.fields().iter().zip(batch.columns());
        let mut row = Map::new();
        for (field, column) in cells {
            match cell::value(column.as_ref(), at) {
                Ok(Some(value)) => drop(row.insert(field.name().clone(), value)),
                Ok(None) => {}
                Err(error) => return Some(Err(format!("column `{}`: {error}", field.name()))),
            }
        }
        Some(Ok(row))
    }
}
