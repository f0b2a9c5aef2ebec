//! Reports as files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use files::{ByteOrderMark, Cells, Look, breakdown_page, breakdown_table, table_csv, table_xlsx};
use ports::inbound::Breakdown;

use super::super::output;

/// Which files to write instead of printing.
#[derive(Debug, Args)]
pub(super) struct FilesOut {
    /// Write the rows to this file as CSV.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Begin the CSV with a byte-order mark.
    #[arg(long, requires = "csv")]
    bom: bool,
    /// How cells of the CSV are written: text puts an apostrophe before what a spreadsheet would take for a formula.
    #[arg(long, value_enum, default_value_t = CellsOut::Verbatim, requires = "csv")]
    cells: CellsOut,
    /// Write the table to this file as a workbook.
    #[arg(long, value_name = "FILE")]
    xlsx: Option<PathBuf>,
    /// Write a page to print to this file.
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
    pub(super) fn write(&self, found: &Breakdown, look: Look) -> Result<bool> {
        let table = || breakdown_table(found, look);
        if let Some(path) = &self.csv {
            keep(path, &table_csv(&table(), self.cells.into(), self.mark())?)?;
        }
        if let Some(path) = &self.xlsx {
            keep(path, &table_xlsx(&table())?)?;
        }
        if let Some(path) = &self.html {
            keep(path, breakdown_page(found, look, "Emissions").as_bytes())?;
        }
        Ok([&self.csv, &self.xlsx, &self.html].iter().any(|file| file.is_some()))
    }
}

fn keep(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    output::note(&format!("wrote {}", path.display()));
    Ok(())
}
