//! The flat file of the UK Government's GHG conversion factors, of any year: several rows a factor, one of them the total,
//! the others its gases in CO2e.

mod columns;
mod group;
mod refrigerant;
mod row;

use domain::{Day, FactorSet, GwpSet, Name, Source};

use super::account::{PublishedAccount, Skipped};
use super::layout::PublishedLayout;
use super::sheet::{Sheet, text};
use super::{Origin, PublishedFile, draft};
use crate::error::FileError;
pub(super) use columns::{Found, find};
use group::{Group, Groups};
use row::Line;

/// What the publisher calls the table, on every sheet of it.
const TITLE: &str = "UK Government GHG Conversion Factors for Company Reporting";
const PUBLISHER: &str = "UK Government (DESNZ and Defra)";

/// The factors of the sheet that was found.
pub(super) fn read(found: &Found<'_>, sheets: &[Sheet], origin: Origin) -> Result<PublishedFile, FileError> {
    let mut account = PublishedAccount::default();
    for (sheet, row, detail) in &found.passed_over {
        account.find(sheet.name.as_deref(), *row, detail.clone());
    }
    let groups = groups(found, &mut account);
    let gwp = refrigerant::gwp(&groups);
    let set = set(found, sheets, gwp, origin).map_err(FileError::Published)?;
    let siblings = refrigerant::Siblings::of(&groups);
    let mut factors = Vec::new();
    for group in &groups {
        let rows = group.lines.len() as u64;
        match group.factor(found.sheet, gwp, &siblings) {
            Ok(read) => {
                account.used += rows;
                if let Some(left) = read.left_out {
                    account.find(found.sheet.name.as_deref(), group.row(), left);
                }
                factors.push(read.factor);
            }
            Err(group::No::Skipped(reason)) => account.skip(reason, rows),
            Err(group::No::Contradictory(detail)) => {
                account.skip(Skipped::Contradictory, rows);
                account.find(found.sheet.name.as_deref(), group.row(), detail);
            }
            Err(group::No::Faulty(detail)) => {
                account.skip(Skipped::Faulty, rows);
                account.find(found.sheet.name.as_deref(), group.row(), detail);
            }
            // What is wrong was told of its row.
            Err(group::No::Broken) => account.skip(Skipped::Faulty, rows),
        }
    }
    account.findings.sort_by(|a, b| (&a.sheet, a.row).cmp(&(&b.sheet, b.row)));
    Ok(PublishedFile { layout: PublishedLayout::UkFlatFile, set, factors, account })
}

/// The rows below the header that have figures, put together to factors.
fn groups(found: &Found<'_>, account: &mut PublishedAccount) -> Vec<Group> {
    let sheet = found.sheet;
    let header = &sheet.rows[found.header];
    let mut groups = Groups::default();
    let mut last = header.number;
    for row in &sheet.rows[found.header + 1..] {
        if sheet.name.is_some() {
            let empty = u64::from(row.number.saturating_sub(last + 1));
            account.rows += empty;
            account.skip(Skipped::Empty, empty);
        }
        last = row.number;
        account.rows += 1;
        let line =
            row.cells.as_ref().map_err(Clone::clone).and_then(|cells| row::read(&found.columns, row.number, cells));
        match line {
            Ok(Line::Figure(key, line)) => {
                if let Some(detail) = &line.told {
                    account.find(sheet.name.as_deref(), row.number, detail.clone());
                }
                groups.add(key, line);
            }
            Ok(Line::Skipped(reason)) => account.skip(reason, 1),
            Err(detail) => {
                account.skip(Skipped::Faulty, 1);
                account.find(sheet.name.as_deref(), row.number, detail);
            }
        }
    }
    groups.into_all()
}

fn set(found: &Found<'_>, sheets: &[Sheet], gwp: Option<GwpSet>, origin: Origin) -> Result<FactorSet, String> {
    let year = found.columns.year;
    let edition = version(sheets).map_or_else(|| year.to_string(), |version| format!("{year} v{version}"));
    let licence = format!(
        "Open Government Licence v3.0. Contains public sector information licensed under the Open Government Licence v3.0: {TITLE}, {edition}"
    );
    let first_day = |year: u16| Day::parse(&format!("{year:04}-01-01")).map_err(|error| error.to_string());
    let licence = Source::parse(&licence).map_err(|error| error.to_string())?;
    let name = |text: &str| -> Result<Name, String> { draft::name("title", text) };
    let set = FactorSet::new(
        origin.id,
        origin.file,
        name(PUBLISHER)?,
        name(TITLE)?,
        name(&edition)?,
        licence,
        first_day(year)?,
    );
    Ok(set.with_valid_to(Some(first_day(year + 1)?)).with_gwp(gwp))
}

/// The version that a sheet says behind `Version:`.
fn version(sheets: &[Sheet]) -> Option<String> {
    let rows = sheets.iter().flat_map(|sheet| sheet.rows.iter().take(40));
    rows.filter_map(|row| row.cells.as_ref().ok()).find_map(|cells| {
        let place = (0..cells.len()).find(|place| text(cells, *place).eq_ignore_ascii_case("version:"))?;
        let said = (place + 1..cells.len()).map(|place| text(cells, place)).find(|text| !text.is_empty())?;
        let is_number = said.len() <= 8 && said.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        is_number.then(|| said.to_owned())
    })
}
