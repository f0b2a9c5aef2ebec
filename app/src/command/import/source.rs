//! Where rows come from: a text, a table that a map describes, or a sheet of a workbook; compressed or not.

use std::io::BufRead;
use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use files::{CsvRows, FileError, MAX_ROW_BYTES, Map, MapRows, NdjsonRows, Visibility, Workbook};
use ports::inbound::RowDraft;

use super::super::{Usage, output};
use super::input::Content;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Comma-separated values; the first row names the columns.
    Csv,
    /// One JSON object a line.
    Ndjson,
    /// A workbook: .xlsx, .xls or .ods.
    Workbook,
}

impl Format {
    /// The form that the file's name implies; that it is compressed is seen from its content.
    pub(super) fn of(path: &Path) -> Result<Self> {
        let lower = path.to_string_lossy().to_lowercase();
        let plain = Path::new(lower.strip_suffix(".gz").unwrap_or(&lower));
        match plain.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Ok(Self::Csv),
            Some("ndjson" | "jsonl") => Ok(Self::Ndjson),
            Some("xlsx" | "xlsm" | "xls" | "ods") => Ok(Self::Workbook),
            Some(_) | None if path == Path::new("-") => Err(Usage(
                "standard input has no name that tells its form: add --format csv, ndjson or workbook".into(),
            )
            .into()),
            Some(_) | None => Err(Usage(format!(
                "{} ends in none of .csv, .ndjson, .xlsx, .xls and .ods: add --format csv, ndjson or workbook",
                path.display()
            ))
            .into()),
        }
    }
}

/// Rows, one after the other.
pub(super) type Rows<'a> = Box<dyn ReadRows + Send + 'a>;

/// A reader of rows.
pub(super) trait ReadRows: Iterator<Item = Result<RowDraft, FileError>> {
    /// How many activities a map has left out so far.
    fn skipped(&self) -> u64 {
        0
    }

    /// Columns whose numbers may mean something else than a map says, of the rows so far; a sentence each.
    fn doubts(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<R: BufRead> ReadRows for MapRows<'_, R> {
    fn skipped(&self) -> u64 {
        Self::skipped(self)
    }

    fn doubts(&self) -> Vec<String> {
        Self::doubts(self)
    }
}

impl<R: BufRead> ReadRows for CsvRows<R> {}

impl<R: BufRead> ReadRows for NdjsonRows<R> {}

/// The rows of a content, by the map where there is one. `sheet` is the one to read of a workbook without a map.
pub(super) fn rows<'a>(
    content: Content,
    format: Format,
    map: Option<&'a Map>,
    sheet: Option<&str>,
) -> Result<Rows<'a>, FileError> {
    Ok(match (content, map, format) {
        (Content::Text(source), Some(map), _) => Box::new(map.rows(source, MAX_ROW_BYTES)?),
        (Content::Text(source), None, Format::Csv) => Box::new(CsvRows::new(source, MAX_ROW_BYTES)?),
        (Content::Text(source), None, Format::Ndjson) => Box::new(NdjsonRows::new(source, MAX_ROW_BYTES)),
        (Content::Text(_), None, Format::Workbook) => {
            let detail = "it is a text, whatever its name says; --format csv reads it as one".to_owned();
            return Err(FileError::Workbook(detail));
        }
        (Content::Workbook(workbook), Some(map), _) => Box::new(map.workbook_rows(workbook, MAX_ROW_BYTES)?),
        (Content::Workbook(workbook), None, _) => Box::new(CsvRows::of_sheet(workbook, sheet, MAX_ROW_BYTES)?),
    })
}

/// Says which sheet of a workbook is read, where there are others.
pub(super) fn tell_of_sheets(name: &str, workbook: &Workbook, sheet: Option<&str>) {
    let Ok(chosen) = workbook.choose(sheet) else { return };
    let others: Vec<String> = workbook
        .sheets()
        .iter()
        .filter(|sheet| *sheet != chosen)
        .map(|sheet| match sheet.visibility {
            Visibility::Shown => format!("{:?}", sheet.name),
            Visibility::Hidden => format!("{:?} (hidden)", sheet.name),
        })
        .collect();
    let hidden = if chosen.visibility == Visibility::Hidden { ", which is hidden," } else { "" };
    if !others.is_empty() || !hidden.is_empty() {
        let left = if others.is_empty() { String::new() } else { format!("; not read: {}", others.join(", ")) };
        output::note(&format!("{name}: the sheet {:?}{hidden} is read{left}", chosen.name));
    }
}

/// Says which file it is that cannot be read, or is wrong.
pub(in crate::command) fn refused(name: &str, error: FileError) -> anyhow::Error {
    let sentence = format!("{name} {error}");
    match error {
        FileError::Read(cause) => anyhow::Error::new(cause).context(sentence),
        FileError::Header(_)
        | FileError::Map(_)
        | FileError::Catalog(_)
        | FileError::Workbook(_)
        | FileError::Sheet(_)
        | FileError::NoTable(_)
        | FileError::Published(_) => anyhow::Error::msg(sentence),
    }
}

/// The same of a table of activities: where its columns are others than an activity's, how to bring it in.
pub(super) fn table_refused(name: &str, error: FileError) -> anyhow::Error {
    let has_own_columns = matches!(&error, FileError::Header(faults)
        if faults.as_slice().iter().any(|fault| fault.detail.contains("is not known")));
    let refused = refused(name, error);
    if !has_own_columns {
        return refused;
    }
    anyhow::Error::msg(format!(
        "{refused:#}\nA table with columns of its own comes in by a map. A first one: tonne map suggest {name} > map.toml"
    ))
}

/// Standard input where it is `-`, else the file.
pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// What a file is called in messages.
pub(super) fn name_of(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}
