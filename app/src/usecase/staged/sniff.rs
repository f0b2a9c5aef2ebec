//! What a staged file seems to be, and its first rows as they are read.

use std::io::{BufRead as _, Read as _};

use files::{AskingMap, FileError, Map, TableSample, Visibility, asking_map, check_doubts};
use ports::inbound::{Error, SniffedTable, TriedRow, TriedRows};
use ports::staged_import::{StagedReading, ToldRow};

use super::opened::{Opened, map_of, unreadable};
use crate::draft_fields::draft_fields;
use crate::table_source::{Content, Format, rows};

/// So many rows are shown.
const SHOWN: usize = 20;
/// The most bytes of a line that is shown.
const MOST_LINE: u64 = 64 << 10;

/// Looks at the first rows, below the header that a map says where the reading has one.
pub(super) fn sniff(opened: &Opened, reading: &StagedReading) -> Result<SniffedTable, Error> {
    let map = reading.map.as_deref().and_then(Map::of_what_is_sound);
    let map = map.as_ref();
    match opened.content().map_err(unreadable)? {
        Content::Text(mut source) if opened.format() == Format::Ndjson => {
            let mut shown = Vec::new();
            for number in 1..=SHOWN as u64 {
                let mut line = Vec::new();
                let read = source.by_ref().take(MOST_LINE).read_until(b'\n', &mut line);
                if read.map_err(|error| unreadable(FileError::Read(error)))? == 0 {
                    break;
                }
                shown.push((number, vec![String::from_utf8_lossy(line.trim_ascii()).into_owned()]));
            }
            Ok(SniffedTable {
                form: "NDJSON: one JSON object a line".to_owned(),
                rows: shown,
                ..SniffedTable::default()
            })
        }
        Content::Text(source) => {
            let sample = match map {
                Some(map) => TableSample::of_text_by(source, map),
                None => TableSample::of_text(source),
            };
            Ok(sniffed(&sample.map_err(unreadable)?, map))
        }
        Content::Workbook(workbook) => {
            let shown = workbook.sheets().iter().filter(|one| one.visibility == Visibility::Shown);
            let sheets: Vec<String> = shown.map(|one| one.name.clone()).collect();
            let sheet = reading.sheet.as_deref().or_else(|| map.and_then(Map::sheet_name));
            let chosen = workbook.choose(sheet).map(|sheet| sheet.name.clone());
            let looked_at = match chosen {
                Ok(chosen) => TableSample::of_sheet(workbook, Some(&chosen)).map(|sample| (sample, chosen)),
                Err(error) => Err(error),
            };
            Ok(match looked_at {
                Ok((sample, chosen)) => SniffedTable { sheets, sheet: Some(chosen), ..sniffed(&sample, map) },
                Err(error) => {
                    let (form, wrong) = ("a workbook".to_owned(), Some(format!("The file {error}.")));
                    SniffedTable { form, sheets, wrong, ..SniffedTable::default() }
                }
            })
        }
    }
}

fn sniffed(sample: &TableSample, map: Option<&Map>) -> SniffedTable {
    let plain =
        SniffedTable { form: sample.form_in_words(), rows: sample.first_rows(SHOWN), ..SniffedTable::default() };
    match asking_map(sample, map) {
        Some(AskingMap { map, columns, doubts }) => SniffedTable { map: Some(map), columns, doubts, ..plain },
        None => plain,
    }
}

/// Refuses a way to read the file that leaves open what its cells leave open.
pub(super) fn check_reading(opened: &Opened, reading: &StagedReading) -> Result<(), Error> {
    try_reading(opened, reading)?;
    let Some(map) = map_of(reading)? else { return Ok(()) };
    let sniffed = sniff(opened, reading)?;
    check_doubts(&map, &sniffed.doubts).into_result().map_err(Error::Invalid)
}

/// Reads the first rows.
pub(super) fn try_reading(opened: &Opened, reading: &StagedReading) -> Result<TriedRows, Error> {
    let map = map_of(reading)?;
    let sheet = map.as_ref().map_or(reading.sheet.as_deref(), Map::sheet_name);
    let content = opened.content().map_err(unreadable)?;
    let read = rows(content, opened.format(), map.as_ref(), sheet).map_err(unreadable)?;
    let mut tried = Vec::new();
    for row in read.take(SHOWN) {
        let row = row.map_err(unreadable)?;
        let faults = row.draft.faults.as_slice().iter().map(|fault| told(row.line, fault)).collect();
        tried.push(TriedRow { line: row.line, fields: draft_fields(&row.draft), faults });
    }
    Ok(TriedRows { rows: tried })
}

/// A fault of a row, to be shown.
pub(super) fn told(line: u64, fault: &domain::Fault) -> ToldRow {
    ToldRow { line, field: fault.pointer.trim_start_matches('/').to_owned(), detail: fault.detail.clone() }
}
