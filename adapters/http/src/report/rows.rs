//! The activities of a report, spelt batch by batch.

use async_trait::async_trait;
use files::{Shares, activity_json, activity_rows};
use ports::inbound::ReportBatches;

use crate::problem::Problem;
use crate::stream::Source;

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
}

/// The activities of a report. Dropping it lets the report's snapshot go.
pub(super) struct Rows {
    batches: Box<dyn ReportBatches>,
    spelling: Spelling,
    written: bool,
}

impl Rows {
    pub(super) fn new(batches: Box<dyn ReportBatches>, spelling: Spelling) -> Self {
        Self { batches, spelling, written: false }
    }
}

#[async_trait]
impl Source for Rows {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let batch = self.batches.next().await?;
        if batch.is_empty() {
            return Ok(None);
        }
        let Spelling { form, shift, shares } = self.spelling;
        if form == Form::Csv {
            return activity_rows(&batch, shift, shares).map(Some).map_err(Problem::internal);
        }
        let mut out = Vec::new();
        for (view, share) in &batch {
            if form == Form::Items && self.written {
                out.push(b',');
            }
            self.written = true;
            let share = (shares == Shares::Shown).then_some(*share);
            serde_json::to_writer(&mut out, &activity_json(view, shift, share)).map_err(Problem::internal)?;
            if form == Form::Lines {
                out.push(b'\n');
            }
        }
        Ok(Some(out))
    }
}
