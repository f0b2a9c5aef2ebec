//! The activities of a report, spelt batch by batch.

use std::mem;

use async_trait::async_trait;
use domain::Co2e;
use files::{Cells, Shares, activity_rows, write_activity_json, write_activity_row};
use ports::inbound::{ActivityView, Error, ReportBatches};
use tokio::task::JoinHandle;

use crate::problem::Problem;
use crate::stream::Source;

/// About how long an activity is in JSON.
const ROW_BYTES: usize = 800;

/// How activities follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As items of a JSON array.
    Items,
    /// As one JSON object a line.
    Lines,
    /// As rows of CSV.
    Csv,
}

/// How activities are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelling {
    /// How they follow each other.
    pub(super) form: Form,
    /// By how many decimal places CO2e in kg is shifted.
    pub(super) shift: i8,
    /// Whether they say what of them falls in the period.
    pub(super) shares: Shares,
    /// How the cells of CSV are written.
    pub(super) cells: Cells,
}

/// The activities of a report: each batch is read while the one before it is spelt. Dropping it lets the report's snapshot
/// go, once the batch that is being read is there.
pub(super) struct Rows {
    next: Next,
    spelling: Spelling,
    written: bool,
}

/// Where the next batch comes from.
enum Next {
    /// It is read when it is asked for.
    Unread(Box<dyn ReportBatches>),
    /// It is being read.
    Reading(JoinHandle<Read>),
    /// There is none.
    Ended,
}

/// A batch that was read, and where the next one comes from.
struct Read {
    batch: Result<Vec<(ActivityView, Option<Co2e>)>, Error>,
    batches: Box<dyn ReportBatches>,
}

impl Rows {
    pub(super) fn new(batches: Box<dyn ReportBatches>, spelling: Spelling) -> Self {
        Self { next: Next::Unread(batches), spelling, written: false }
    }
}

async fn read(mut batches: Box<dyn ReportBatches>) -> Read {
    Read { batch: batches.next().await, batches }
}

#[async_trait]
impl Source for Rows {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let Read { batch, batches } = match mem::replace(&mut self.next, Next::Ended) {
            Next::Unread(batches) => read(batches).await,
            Next::Reading(reading) => reading.await.map_err(Problem::internal)?,
            Next::Ended => return Ok(None),
        };
        let batch = batch?;
        if batch.is_empty() {
            return Ok(None);
        }
        self.next = Next::Reading(tokio::spawn(read(batches)));
        let Spelling { form, shift, shares, cells } = self.spelling;
        if form == Form::Csv {
            return activity_rows(&batch, shift, shares, cells).map(Some).map_err(Problem::internal);
        }
        let mut out = String::with_capacity(batch.len() * ROW_BYTES);
        for (view, share) in &batch {
            if form == Form::Items && self.written {
                out.push(',');
            }
            self.written = true;
            let share = (shares == Shares::Shown).then_some(*share);
            let write = if form == Form::Lines { write_activity_row } else { write_activity_json };
            write(&mut out, view, shift, share);
            if form == Form::Lines {
                out.push('\n');
            }
        }
        Ok(Some(out.into_bytes()))
    }
}
