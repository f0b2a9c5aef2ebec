//! A staged file, to be opened again and again, and its rows in batches.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use files::{FileError, Map};
use ports::inbound::{Error, RowDraft};
use ports::spool::{Spool, SpoolPart};
use ports::staged_import::StagedReading;
use ports::{Grant, Read, StagedId};
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::reader::SpoolReader;
use super::{Kept, StagedService, invalid};
use crate::table_source::{Content, Format, content_of, rows};

/// A staged file.
#[derive(Clone)]
pub(super) struct Opened {
    spool: Arc<dyn Spool>,
    grant: Grant<Read>,
    runtime: Handle,
    id: StagedId,
    bytes: u64,
    batch_rows: usize,
    /// What it is called.
    pub(super) name: String,
}

/// Rows that are handed over together.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) rows: Vec<RowDraft>,
    /// How many bytes of the file were read for them and all before; `None` of a workbook.
    pub(super) read: Option<u64>,
}

/// What was noticed beside the rows.
#[derive(Debug, Default)]
pub(super) struct Noticed {
    /// How many activities the map left out.
    pub(super) skipped: u64,
    /// Columns whose numbers may mean something else than the map says, a sentence each.
    pub(super) doubts: Vec<String>,
}

impl Opened {
    pub(super) fn of(service: &StagedService, kept: &Kept) -> Self {
        Self {
            spool: Arc::clone(&service.spool),
            grant: kept.grant.to_read(),
            runtime: service.runtime.clone(),
            id: kept.staged.id,
            bytes: kept.staged.bytes,
            batch_rows: service.batch_rows.max(1),
            name: kept.staged.name.clone(),
        }
    }

    /// A part of it, from its first byte on.
    pub(super) fn part(&self, part: SpoolPart) -> SpoolReader {
        SpoolReader {
            spool: Arc::clone(&self.spool),
            grant: self.grant.clone(),
            runtime: self.runtime.clone(),
            id: self.id,
            part,
            length: (part == SpoolPart::File).then_some(self.bytes),
            at: 0,
            told: Arc::default(),
            chunk: None,
        }
    }

    /// What is in it.
    pub(super) fn content(&self) -> Result<Content, FileError> {
        content_of(self.part(SpoolPart::File))
    }

    /// The form that its name implies, where it is read without a map.
    pub(super) fn format(&self) -> Format {
        let lower = self.name.to_lowercase();
        let plain = lower.strip_suffix(".gz").unwrap_or(&lower);
        let is_lines = [".ndjson", ".jsonl"].iter().any(|ending| plain.ends_with(ending));
        if is_lines { Format::Ndjson } else { Format::Csv }
    }

    /// The rows as they are read in that way, handed over until nobody takes them.
    pub(super) fn feed(&self, reading: &StagedReading, give: &Sender<Batch>) -> Result<Noticed, Error> {
        let map = map_of(reading)?;
        let sheet = map.as_ref().map_or(reading.sheet.as_deref(), Map::sheet_name);
        let file = self.part(SpoolPart::File);
        let at = Arc::clone(&file.told);
        let content = content_of(file).map_err(unreadable)?;
        let is_text = matches!(content, Content::Text(_));
        let mut rows = rows(content, self.format(), map.as_ref(), sheet).map_err(unreadable)?;
        loop {
            let batch: Vec<RowDraft> =
                rows.by_ref().take(self.batch_rows).collect::<Result<_, _>>().map_err(unreadable)?;
            let is_last = batch.len() < self.batch_rows;
            let batch = Batch { rows: batch, read: is_text.then(|| at.load(Ordering::Relaxed)) };
            if !batch.rows.is_empty() && give.blocking_send(batch).is_err() || is_last {
                return Ok(Noticed { skipped: rows.skipped(), doubts: rows.doubts() });
            }
        }
    }
}

/// The map by which a file is read.
pub(super) fn map_of(reading: &StagedReading) -> Result<Option<Map>, Error> {
    let map = reading.map.as_deref().map(Map::parse).transpose().map_err(unreadable)?;
    Ok(map.map(|map| map.with_sheet(reading.sheet.as_deref())))
}

/// That a file or a map is wrong.
pub(super) fn unreadable(error: FileError) -> Error {
    match error {
        FileError::Map(faults) | FileError::Header(faults) => Error::Invalid(faults),
        FileError::Read(_)
        | FileError::Catalog(_)
        | FileError::Workbook(_)
        | FileError::Sheet(_)
        | FileError::NoTable(_)
        | FileError::Published(_) => invalid("", format!("the file {error}")),
    }
}
