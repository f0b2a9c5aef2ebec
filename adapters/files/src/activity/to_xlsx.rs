//! Activities out, as a workbook: the columns of CSV, amounts as number cells where these say them exactly.

use std::fs::File;
use std::io::{Seek as _, SeekFrom};

use domain::Co2e;
use ports::inbound::ActivityView;

use super::columns::OfActivity;
use super::supplied::{BIOGENIC, DOWNSTREAM, UPSTREAM};
use super::to_csv::{Shares, columns};
use crate::table::Cell;
use crate::xlsx::{SheetRows, WorkbookError};

/// The columns of amounts.
const AMOUNTS: [&str; 7] = ["quantity", UPSTREAM, DOWNSTREAM, BIOGENIC, "CO2e", "marketCO2e", "periodCO2e"];

/// A sheet of activities that is being written.
#[derive(Debug)]
pub struct ActivitySheet {
    rows: SheetRows,
    shift: i8,
    shares: Shares,
}

impl ActivitySheet {
    /// A sheet without activities, whose CO2e are shifted by `shift` decimal places from kg.
    pub fn new(shift: i8, shares: Shares) -> Result<Self, WorkbookError> {
        let names: Vec<String> = columns(shift, shares).map(|column| column.name.to_owned()).collect();
        Ok(Self { rows: SheetRows::new("activities", &names)?, shift, shares })
    }

    /// Adds activities, each with its share of the period.
    pub fn push(&mut self, batch: &[(ActivityView, Option<Co2e>)]) -> Result<(), WorkbookError> {
        for (view, share) in batch {
            let of = OfActivity { view, share: *share, shift: self.shift };
            let cells: Vec<Cell> = columns(self.shift, self.shares)
                .map(|column| {
                    let text = (column.write)(&of);
                    if AMOUNTS.contains(&column.name) { Cell::Number(text) } else { Cell::Text(text) }
                })
                .collect();
            self.rows.push(&cells)?;
        }
        Ok(())
    }

    /// The workbook, in a temporary file that is gone once it is closed, to be read from its start.
    pub fn finish(self) -> Result<File, WorkbookError> {
        let failed = |error| WorkbookError::Failed(Box::new(error));
        let mut file = tempfile::tempfile().map_err(failed)?;
        self.rows.finish(&[], &file)?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        Ok(file)
    }
}
