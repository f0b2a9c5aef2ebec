//! The file of `--errors`: rejected rows as they were, to be mended and imported again.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use files::{Map, copy_rejected, copy_rejected_lines, copy_rejected_of_sheet};

use super::super::Usage;
use super::input::{Content, Input};
use super::source::Format;

/// The file that rejected rows are copied to.
pub(super) struct RejectedFile {
    path: PathBuf,
    file: File,
}

impl RejectedFile {
    /// Makes the file, so that it is not missing in the end. One that says something is replaced only by force: rows in it may
    /// have been mended.
    pub(super) fn make(path: &Path, force: bool) -> Result<Self> {
        if !force && path.metadata().is_ok_and(|known| known.len() > 0) {
            let detail = format!("{} is there already: name another file for --errors, or add --force", path.display());
            return Err(Usage(detail).into());
        }
        let file = File::create(path).with_context(|| cannot(path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Reads the input once more, and copies the rows that there are reasons for.
    pub(super) fn fill(
        self,
        input: &Input,
        format: Format,
        map: Option<&Map>,
        sheet: Option<&str>,
        reasons: File,
    ) -> Result<()> {
        let Self { path, file } = self;
        let copied = match (input.open()?.0, format, map) {
            (Content::Text(source), Format::Ndjson, None) => copy_rejected_lines(source, reasons, file),
            (Content::Text(source), Format::Csv | Format::Workbook | Format::Ndjson, _) => {
                copy_rejected(source, map, reasons, file)
            }
            (Content::Workbook(workbook), _, _) => copy_rejected_of_sheet(workbook, sheet, map, reasons, file),
        };
        copied.with_context(|| cannot(&path))
    }
}

fn cannot(path: &Path) -> String {
    format!("the file of --errors, {}, cannot be written", path.display())
}
