//! Where rows come from: a text, a table that a map describes, or a sheet of a workbook; compressed or not.

use std::path::Path;

use anyhow::Result;
use files::{FileError, Visibility, Workbook};

use super::super::{Usage, output};
pub(super) use crate::table_source::{Format, Rows, rows};

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
