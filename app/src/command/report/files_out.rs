//! Reports as files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};
use files::{
    ByteOrderMark, Cells, Look, ShownStatement, breakdown_lines, breakdown_page, breakdown_sheet, breakdown_table,
    statement_page, statement_xlsx, table_csv, table_xlsx,
};
use ports::inbound::Breakdown;

use super::super::{Usage, output};

/// Which files to write instead of printing.
#[derive(Debug, Args)]
pub(super) struct FilesOut {
    /// Write the rows to this file as CSV; - is standard output.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Begin the CSV with a byte-order mark.
    #[arg(long, requires = "csv")]
    bom: bool,
    /// How cells of the CSV are written: text puts an apostrophe before what a spreadsheet would take for a formula.
    #[arg(long, value_enum, default_value_t = CellsOut::Verbatim, requires = "csv")]
    cells: CellsOut,
    /// Write the rows to this file as NDJSON, an object a line; - is standard output.
    #[arg(long, value_name = "FILE")]
    ndjson: Option<PathBuf>,
    /// Write the table to this file as a workbook; - is standard output.
    #[arg(long, value_name = "FILE")]
    xlsx: Option<PathBuf>,
    /// Write a page to print to this file; - is standard output.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// How cells of CSV are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CellsOut {
    /// As they are.
    Verbatim,
    /// With an apostrophe before what a spreadsheet would take for a formula.
    Text,
}

impl From<CellsOut> for Cells {
    fn from(cells: CellsOut) -> Self {
        match cells {
            CellsOut::Verbatim => Self::Verbatim,
            CellsOut::Text => Self::Text,
        }
    }
}

impl FilesOut {
    const fn mark(&self) -> ByteOrderMark {
        if self.bom { ByteOrderMark::Written } else { ByteOrderMark::Absent }
    }

    /// Writes the files that are asked for, and says whether there were any. A file that is there is replaced.
    pub(super) fn write(&self, found: &Breakdown, look: Look, company: &str) -> Result<bool> {
        let files = [&self.csv, &self.ndjson, &self.xlsx, &self.html];
        if files.iter().filter(|file| file.as_deref() == Some(Path::new("-"))).count() > 1 {
            return Err(Usage("one form alone goes to standard output: name a file for the others".to_owned()).into());
        }
        if let Some(path) = &self.csv {
            output::keep(path, &table_csv(&breakdown_table(found, look), self.cells.into(), self.mark())?)?;
        }
        if let Some(path) = &self.ndjson {
            output::keep(path, &breakdown_lines(found, look))?;
        }
        if let Some(path) = &self.xlsx {
            output::keep(path, &table_xlsx(&breakdown_sheet(found, look))?)?;
        }
        if let Some(path) = &self.html {
            output::keep(path, breakdown_page(found, look, &format!("Emissions of {company}")).as_bytes())?;
        }
        Ok(files.iter().any(|file| file.is_some()))
    }
}

impl FilesOut {
    /// The same of a statement, of which there is neither CSV nor NDJSON.
    pub(super) fn write_statement(&self, shown: ShownStatement<'_>) -> Result<bool> {
        let files = [&self.xlsx, &self.html];
        if files.iter().all(|file| file.as_deref() == Some(Path::new("-"))) {
            return Err(Usage("one form alone goes to standard output: name a file for the other".to_owned()).into());
        }
        if let Some(path) = &self.xlsx {
            output::keep(path, &statement_xlsx(shown)?)?;
        }
        if let Some(path) = &self.html {
            output::keep(path, statement_page(shown).as_bytes())?;
        }
        Ok(files.iter().any(|file| file.is_some()))
    }
}
