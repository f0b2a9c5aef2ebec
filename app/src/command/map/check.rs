//! `tonne map check`: all that is wrong with a map, and a row as it is read by it.

use std::io::BufRead;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use files::{FileError, MAX_ROW_BYTES, Map, MapRows};
use ports::inbound::{ActivityDraft, RowDraft};

use super::super::import::{Content, Input, complaint, refused};
use super::super::{Ending, Usage, output};
use crate::counted::counted;
use crate::draft_fields::draft_fields;

/// So many rejected activities are told.
const TOLD: usize = 10;

/// Try a map on a table.
///
/// Tells every fault of the map at once, shows the first row that it makes activities of, field by field, and reads the whole
/// table. Whether products, scopes and other records are there is found out by `tonne import activities --dry-run`.
#[derive(Debug, Args)]
pub(in crate::command) struct CheckMap {
    /// The map (TOML).
    #[arg(value_name = "MAP.toml")]
    map: PathBuf,
    /// The table: text or workbook, compressed or not; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The sheet of a workbook, where it is another than the map names.
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
}

impl CheckMap {
    pub(super) fn run(self) -> Result<Ending> {
        let name = self.map.display().to_string();
        let text = std::fs::read_to_string(&self.map).with_context(|| format!("the map {name} cannot be read"))?;
        let mut input = Input::new(self.file.clone());
        input.keep()?;
        let fault = match Map::parse(&text) {
            Ok(_) => None,
            Err(_) => Some(match input.open()?.0 {
                Content::Text(source) => Map::refusal(&text, source, MAX_ROW_BYTES),
                Content::Workbook(workbook) => Map::workbook_refusal(&text, workbook, MAX_ROW_BYTES),
            }),
        };
        if fault.is_some() && self.are_swapped() {
            let detail = format!("the map comes first: tonne map check {} {name}", self.file.display());
            return Err(Usage(detail).into());
        }
        if let Some(FileError::Map(faults)) = &fault {
            for fault in faults.as_slice() {
                let place = if fault.pointer.is_empty() { String::new() } else { format!("{}: ", fault.pointer) };
                output::note(&format!("{name}: {place}{}", fault.detail));
            }
        }
        let sound = Map::of_what_is_sound(&text).map(|map| map.with_sheet(self.sheet.as_deref()));
        if let Some(map) = &sound {
            match rows(map, &input) {
                Ok(tried) => tried.told(&input.name())?,
                Err(error) if fault.is_none() => return Err(refused(&input.name(), error)),
                // The columns that are missing are among the faults of the map already.
                Err(_) => {}
            }
        }
        if fault.is_none() {
            output::say(&format!("{name}: the map is sound"))?;
        }
        Ok(if fault.is_none() { Ending::Done } else { Ending::Failed })
    }

    /// Whether the table is a map, so that the two were given in the other order.
    fn are_swapped(&self) -> bool {
        std::fs::read_to_string(&self.file).is_ok_and(|text| Map::parse(&text).is_ok())
    }
}

/// What came of reading the whole table.
#[derive(Default)]
struct Tried {
    /// The activities of the first row that makes any.
    first: Vec<RowDraft>,
    activities: u64,
    rejected: u64,
    complaints: Vec<String>,
    /// Columns whose numbers may mean something else than the map says.
    doubts: Vec<String>,
}

fn rows(map: &Map, input: &Input) -> Result<Tried, FileError> {
    let open = || input.open().map_err(|error| FileError::Read(std::io::Error::other(format!("{error:#}"))));
    let mut tried = Tried::default();
    match open()?.0 {
        Content::Text(source) => tried.take(map.rows(source, MAX_ROW_BYTES)?)?,
        Content::Workbook(workbook) => tried.take(map.workbook_rows(workbook, MAX_ROW_BYTES)?)?,
    }
    Ok(tried)
}

impl Tried {
    fn take<R: BufRead>(&mut self, mut rows: MapRows<'_, R>) -> Result<(), FileError> {
        for row in &mut rows {
            let row = row?;
            self.activities += 1;
            if !row.draft.faults.is_empty() {
                self.rejected += 1;
                if self.complaints.len() < TOLD {
                    self.complaints.extend(complaint(row.line, &row.draft.faults));
                }
            }
            if self.first.first().is_none_or(|first| first.line == row.line) {
                self.first.push(row);
            }
        }
        self.doubts = rows.doubts();
        Ok(())
    }

    fn told(&self, name: &str) -> Result<()> {
        match self.first.first() {
            None => output::say(&format!("{name}: no row makes an activity"))?,
            Some(first) => output::say(&format!("{name}, line {}, as the map reads it:", first.line))?,
        }
        for row in &self.first {
            output::say(&fields(&row.draft).join("\n"))?;
        }
        let activities = counted(self.activities, "activity", "activities");
        output::say(&format!("{name}: {activities}, of which {} cannot be read", self.rejected))?;
        self.complaints.iter().take(TOLD).for_each(|line| output::note(line));
        self.doubts.iter().for_each(|doubt| output::note(&format!("warning: {doubt}")));
        Ok(())
    }
}

/// Every field that the map gives, and what is wrong with it.
fn fields(draft: &ActivityDraft) -> Vec<String> {
    let mut lines = vec!["  activity".to_owned()];
    for fault in draft.faults.as_slice().iter().filter(|fault| fault.pointer.is_empty()) {
        lines.push(format!("    WRONG: the row {}", fault.detail));
    }
    lines.extend(draft_fields(draft).into_iter().map(|(name, shown)| format!("    {name:<15} {shown}")));
    lines
}
