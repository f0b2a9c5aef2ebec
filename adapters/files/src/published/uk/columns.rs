//! The header of the flat file: which column is where, and which sheet has it.

use super::TITLE;
use crate::delimited::{Cells, joined_names};
use crate::error::FileError;
use crate::published::sheet::{Sheet, header_words, text};

/// The header stands in one of the first rows.
const MOST_ROWS_ABOVE: usize = 60;

/// The sheet that is read, and where its header is.
#[derive(Debug)]
pub(in crate::published) struct Found<'a> {
    pub(super) sheet: &'a Sheet,
    /// Its place among the rows of the sheet.
    pub(super) header: usize,
    pub(super) columns: Columns,
    /// Other sheets with such a header, and its row: copies that are not the publisher's.
    pub(super) passed_over: Vec<(&'a Sheet, u32, String)>,
}

/// Where the columns stand.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    pub(super) scope: usize,
    /// From the widest.
    pub(super) levels: Vec<usize>,
    pub(super) column_text: Option<usize>,
    pub(super) unit: usize,
    pub(super) gas: usize,
    pub(super) value: usize,
    pub(super) year: u16,
}

/// The sheet with the header, where there is one; an error where it lacks a column, or several sheets have it.
pub(in crate::published) fn find(sheets: &[Sheet]) -> Result<Option<Found<'_>>, FileError> {
    let (mut candidates, mut incomplete) = (Vec::new(), Vec::new());
    for sheet in sheets {
        match header(sheet) {
            Ok(Some((header, columns))) => candidates.push((sheet, header, columns)),
            Ok(None) => {}
            Err((row, detail)) => incomplete.push((sheet, row, detail)),
        }
    }
    let titled: Vec<_> = candidates.iter().filter(|(sheet, header, _)| has_title(sheet, *header)).collect();
    let (sheet, header, columns) = match (titled.as_slice(), candidates.as_slice()) {
        (_, []) => {
            let first = incomplete.into_iter().next();
            return first.map_or(Ok(None), |(_, _, detail)| Err(FileError::Published(detail)));
        }
        ([one], _) => (*one).clone(),
        ([], [one]) => one.clone(),
        _ => {
            let names: Vec<_> = candidates.iter().filter_map(|(sheet, ..)| sheet.name.as_deref()).collect();
            return Err(FileError::Published(format!(
                "has the header of the UK flat file on several sheets: {}; leave the one that is the publisher's",
                names.join(", ")
            )));
        }
    };
    let others = candidates.into_iter().filter(|(other, ..)| !std::ptr::eq(*other, sheet));
    let title = "has the header of the flat file too, without the publisher's title above it: the sheet is not read";
    let untitled = others.map(|(sheet, header, _)| (sheet, sheet.rows[header].number, title.to_owned()));
    let unread = |(sheet, row, detail)| (sheet, row, format!("{detail}: the sheet is not read"));
    let passed_over = untitled.chain(incomplete.into_iter().map(unread)).collect();
    Ok(Some(Found { sheet, header, columns, passed_over }))
}

fn has_title(sheet: &Sheet, header: usize) -> bool {
    let above = sheet.rows[..header].iter().filter_map(|row| row.cells.as_ref().ok());
    above.flat_map(Cells::iter).any(|cell| cell.trim().eq_ignore_ascii_case(TITLE))
}

/// Where the header is and its columns; the error is its row and what it lacks.
fn header(sheet: &Sheet) -> Result<Option<(usize, Columns)>, (u32, String)> {
    let rows = sheet.rows.iter().take(MOST_ROWS_ABOVE).enumerate();
    for (place, cells) in rows.filter_map(|(place, row)| Some((place, row.cells.as_ref().ok()?))) {
        let words: Vec<_> = (0..cells.len()).map(|column| header_words(text(cells, column))).collect();
        let Some((value, year)) = words.iter().enumerate().find_map(|(column, words)| Some((column, year(words)?)))
        else {
            continue;
        };
        let at = |names: &[&str]| names.iter().find_map(|name| words.iter().position(|found| found == name));
        let needed = |names: &[&str]| {
            let row = sheet.rows[place].number;
            at(names).ok_or_else(|| {
                (row, format!("has the header of the UK flat file in row {row}, without its column {:?}", names[0]))
            })
        };
        let levels: Vec<_> = (1..=9).map_while(|level| at(&[&format!("level {level}")])).collect();
        if levels.is_empty() {
            needed(&["level 1"])?;
        }
        let columns = Columns {
            names: joined_names(&[cells]),
            scope: needed(&["scope"])?,
            levels,
            column_text: at(&["column text"]),
            unit: needed(&["uom", "uom (simple)"])?,
            gas: needed(&["ghg/unit", "ghg"])?,
            value,
            year,
        };
        return Ok(Some((place, columns)));
    }
    Ok(None)
}

/// The year of a header such as `GHG Conversion Factor 2024`.
fn year(words: &str) -> Option<u16> {
    let year = words.strip_prefix("ghg conversion factor")?.trim();
    (year.len() == 4).then(|| year.parse().ok()).flatten().filter(|year| (1990..2200).contains(year))
}
