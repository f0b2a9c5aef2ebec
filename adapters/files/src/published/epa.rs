//! The Emission Factors Hub of the US EPA: one sheet with a dozen tables below each other, each with a header of its own.

mod columns;
mod gases;
mod potential;
mod section;
mod treatment;

use std::collections::HashSet;

use domain::{Day, Decimal, FactorSet, GwpSet, Name, PublishedFactor, PublishedUse, Source};

use super::account::{PublishedAccount, Skipped};
use super::gwp::set_of;
use super::layout::PublishedLayout;
use super::sheet::{Row, Sheet, text, value};
use super::{Origin, PublishedFile, draft};
use crate::delimited::Cells;
use crate::error::FileError;
use section::Section;

const TITLE: &str = "Emission Factors for Greenhouse Gas Inventories";

/// The sheet that is read.
pub(super) struct Found<'a> {
    sheet: &'a Sheet,
}

/// The first sheet that is called as the hub is, and has numbered tables.
pub(super) fn find(sheets: &[Sheet]) -> Option<Found<'_>> {
    let is_title = |row: &Row| row.cells.as_ref().is_ok_and(|cells| cells.iter().any(|cell| cell.trim() == TITLE));
    let is_table = |row: &Row| row.cells.as_ref().is_ok_and(|cells| section::marker(cells).is_some());
    let sheet = sheets.iter().find(|sheet| sheet.rows.iter().any(is_title) && sheet.rows.iter().any(is_table))?;
    Some(Found { sheet })
}

/// What the tables are read with.
struct Reading<'a> {
    sheet: &'a Sheet,
    /// The potentials that the hub counts with.
    gwp: GwpSet,
    /// Fuels that were told to be of living matter by the heading that they stand below.
    biomass: HashSet<String>,
    factors: Vec<PublishedFactor>,
    account: PublishedAccount,
}

/// Its factors.
pub(super) fn read(found: &Found<'_>, origin: Origin) -> Result<PublishedFile, FileError> {
    let sheet = found.sheet;
    let refused =
        |what: &str| FileError::Published(format!("has the title of the US EPA's Emission Factors Hub, and {what}"));
    let first =
        sheet.rows.iter().position(|row| row.cells.as_ref().is_ok_and(|cells| section::marker(cells).is_some()));
    let above = &sheet.rows[..first.unwrap_or_default()];
    let gwp = gwp(above).ok_or_else(|| {
        refused(
            "no table of the potentials of CH4 and N2O above the first table, by which the set behind its CO2e is told",
        )
    })?;
    let (date, year) = modified(above).ok_or_else(|| refused("no cell that says when it was last modified"))?;
    let set = set(year, date, gwp, origin).map_err(FileError::Published)?;
    let mut reading =
        Reading { sheet, gwp, biomass: HashSet::new(), factors: Vec::new(), account: PublishedAccount::default() };
    for section in section::sections(sheet) {
        reading.section(&section);
    }
    let Reading { factors, mut account, .. } = reading;
    account.findings.sort_by_key(|finding| finding.row);
    Ok(PublishedFile { layout: PublishedLayout::EpaHub, set, factors, account })
}

impl Reading<'_> {
    fn section(&mut self, section: &Section<'_>) {
        match section.kind() {
            section::Kind::Gases(usage) => gases::read(self, section, usage),
            section::Kind::Treatments => treatment::read(self, section),
            section::Kind::Potentials => potential::read(self, section),
            section::Kind::Unknown => {
                let row = section.rows.first().map_or(0, |row| row.number);
                let detail = format!("is of the table {:?}, which has no header that is known", section.title);
                self.account.find(self.sheet.name.as_deref(), row, detail);
                self.account.rows += section.rows.len() as u64;
                self.account.skip(Skipped::Faulty, section.rows.len() as u64);
            }
        }
    }

    /// Counts a row that gave those factors, or says why it gave none.
    fn finish_row(&mut self, made: Vec<PublishedFactor>, skipped: &[Skipped]) {
        self.account.rows += 1;
        match (made.is_empty(), skipped.first()) {
            (false, _) => {
                self.account.used += 1;
                for reason in skipped {
                    self.account.skip_value(reason.clone());
                }
            }
            (true, Some(_)) => {
                // What says most: a fault, else a unit, else that there is no value.
                let most = skipped.iter().max().cloned().unwrap_or(Skipped::NoValue);
                self.account.skip(most, 1);
            }
            (true, None) => self.account.skip(Skipped::Note, 1),
        }
        self.factors.extend(made);
    }

    /// The cells of a row; one that cannot be read is told and counted.
    fn cells<'r>(&mut self, row: &'r Row) -> Option<&'r Cells> {
        match &row.cells {
            Ok(cells) => Some(cells),
            Err(detail) => {
                self.find(row.number, detail.clone());
                self.finish_row(Vec::new(), &[Skipped::Faulty]);
                None
            }
        }
    }

    fn find(&mut self, row: u32, detail: impl Into<String>) {
        self.account.find(self.sheet.name.as_deref(), row, detail);
    }

    /// The value of a cell; a fault and a rounding are told.
    fn value(&mut self, row: u32, cells: &Cells, column: usize) -> Result<Option<Decimal>, Skipped> {
        match value(cells, column) {
            Ok((value, told)) => {
                if let Some(told) = told {
                    self.find(row, told);
                }
                Ok(value)
            }
            Err(detail) => {
                self.find(row, detail);
                Err(Skipped::Faulty)
            }
        }
    }
}

/// The set of potentials by the small table above the first one.
fn gwp(above: &[Row]) -> Option<GwpSet> {
    let of = |gas: &str| {
        above.iter().filter_map(|row| row.cells.as_ref().ok()).find_map(|cells| {
            let place = (0..cells.len()).find(|place| text(cells, *place) == gas)?;
            value(cells, place + 1).ok()?.0
        })
    };
    set_of(of("CH4")?, of("N2O")?)
}

/// What it says behind `Last Modified:`, and the year of it.
fn modified(above: &[Row]) -> Option<(&str, u16)> {
    let cells = above.iter().filter_map(|row| row.cells.as_ref().ok()).flat_map(Cells::iter);
    let date = cells.filter_map(|cell| cell.trim().strip_prefix("Last Modified:")).map(str::trim).next()?;
    let year = date.get(date.len().checked_sub(4)?..)?.parse().ok()?;
    (1990..2200).contains(&year).then_some((date, year))
}

fn set(year: u16, date: &str, gwp: GwpSet, origin: Origin) -> Result<FactorSet, String> {
    let name = |text: &str| -> Result<Name, String> { draft::name("title", text) };
    let licence = format!(
        "Public domain in the United States (17 U.S.C. 105). Source: US EPA Center for Corporate Climate Leadership, {TITLE}, last modified {date}"
    );
    let licence = Source::parse(&licence).map_err(|error| error.to_string())?;
    let first_day = Day::parse(&format!("{year:04}-01-01")).map_err(|error| error.to_string())?;
    let set = FactorSet::new(
        origin.id,
        origin.file,
        name("US EPA")?,
        name(TITLE)?,
        name(&format!("{year} ({date})"))?,
        licence,
        first_day,
    );
    Ok(set.with_gwp(Some(gwp)))
}

/// What the emissions of a table are, by its title.
fn usage(title: &str) -> Option<PublishedUse> {
    let title = title.to_lowercase();
    let has = |words: &str| title.contains(words);
    Some(match () {
        () if has("scope 3") => PublishedUse::ValueChain,
        () if has("combustion") => PublishedUse::Direct,
        () if has("electricity") || has("steam") => PublishedUse::PurchasedEnergy,
        () => return None,
    })
}
