//! The supply-chain factors of the US EPA: kg of CO2e, or of each gas, per dollar of what is bought.

mod commodity;

use domain::{Day, FactorSet, GwpSet, Name, Source};

use super::account::{PublishedAccount, Skipped};
use super::layout::PublishedLayout;
use super::sheet::{Sheet, header_words, text};
use super::{Origin, PublishedFile, draft};
use crate::delimited::{Cells, joined_names};
use crate::error::FileError;
use commodity::{Commodities, Price};

/// By the year of its dollars: the version, and the potentials behind its CO2e. The model specifications of the publisher
/// say the latter (USEEIOv2.1.19-GHG: AR4, USEEIOv2.2.22-GHG: AR5).
const VERSIONS: [(u16, &str, GwpSet); 2] = [(2021, "v1.2", GwpSet::Ar4), (2022, "v1.3.0", GwpSet::Ar5)];

/// The sheet that is read, and where its header is.
pub(super) struct Found<'a> {
    sheet: &'a Sheet,
    columns: Columns,
}

/// Where the columns stand.
pub(super) struct Columns {
    names: Vec<String>,
    code: usize,
    title: usize,
    gas: usize,
    unit: usize,
    without_margins: usize,
    margins: usize,
    with_margins: usize,
}

/// The first sheet whose first row is the header; an error where the header lacks a column on every sheet that has it.
pub(super) fn find(sheets: &[Sheet]) -> Result<Option<Found<'_>>, FileError> {
    let mut lacking = None;
    for sheet in sheets {
        let Some(row) = sheet.rows.first() else { continue };
        match row.cells.as_ref().map_or(Ok(None), |cells| columns(cells)) {
            Ok(Some(columns)) => return Ok(Some(Found { sheet, columns })),
            Ok(None) => {}
            Err(column) => {
                lacking.get_or_insert((row.number, column));
            }
        }
    }
    lacking.map_or(Ok(None), |(row, column)| {
        let detail =
            format!("has the header of the US supply-chain factors in row {row}, without its column {column:?}");
        Err(FileError::Published(detail))
    })
}

/// Where the columns stand, `None` where it is not that header; the error is a column that it lacks.
fn columns(cells: &Cells) -> Result<Option<Columns>, &'static str> {
    let words: Vec<_> = (0..cells.len()).map(|column| header_words(text(cells, column))).collect();
    if !words.iter().any(|words| words.starts_with("supply chain emission factors")) {
        return Ok(None);
    }
    // The year of the classification stands before its codes and titles.
    let at = |name: &'static str| words.iter().position(|words| words.ends_with(name)).ok_or(name);
    let exactly = |name: &'static str| words.iter().position(|words| words == name).ok_or(name);
    Ok(Some(Columns {
        names: joined_names(&[cells]),
        code: at("naics code")?,
        title: at("naics title")?,
        gas: exactly("ghg")?,
        unit: exactly("unit")?,
        without_margins: exactly("supply chain emission factors without margins")?,
        margins: exactly("margins of supply chain emission factors")?,
        with_margins: exactly("supply chain emission factors with margins")?,
    }))
}

/// Its factors: two a commodity, with the margins of trade and transport and without.
pub(super) fn read(found: &Found<'_>, origin: Origin) -> Result<PublishedFile, FileError> {
    let sheet = found.sheet;
    let mut account = PublishedAccount::default();
    let mut commodities = Commodities::default();
    let mut price: Option<Price> = None;
    for row in &sheet.rows[1..] {
        account.rows += 1;
        let read = row.cells.as_ref().map_err(Clone::clone).and_then(|cells| {
            let line = commodity::line(&found.columns, row.number, cells)?;
            let first = price.get_or_insert_with(|| line.price.clone());
            if *first != line.price {
                return Err(format!("is per {}, but the rows above are per {first}: a file is one set", line.price));
            }
            Ok(line)
        });
        match read {
            Ok(line) => {
                if let Some(detail) = &line.told {
                    account.find(sheet.name.as_deref(), row.number, detail.clone());
                }
                commodities.add(line);
            }
            Err(detail) => {
                account.skip(Skipped::Faulty, 1);
                account.find(sheet.name.as_deref(), row.number, detail);
            }
        }
    }
    let Some(price) = price else {
        return Err(FileError::Published(
            "has the header of the US supply-chain factors, and no row that can be read".to_owned(),
        ));
    };
    let version = VERSIONS.into_iter().find(|(year, ..)| *year == price.year);
    let gwp = version.map(|(.., gwp)| gwp);
    let mut factors = Vec::new();
    for commodity in commodities.into_all() {
        let rows = commodity.rows();
        match commodity.factors(sheet, &price, gwp) {
            Ok(made) if made.is_empty() => account.skip(Skipped::NoValue, rows),
            Ok(made) => {
                account.used += rows;
                factors.extend(made);
            }
            Err(detail) => {
                account.skip(Skipped::Faulty, rows);
                account.find(sheet.name.as_deref(), commodity.row(), detail);
            }
        }
    }
    account.findings.sort_by_key(|finding| finding.row);
    let set = set(&price, version, origin).map_err(FileError::Published)?;
    Ok(PublishedFile { layout: PublishedLayout::UsSupplyChain, set, factors, account })
}

fn set(price: &Price, version: Option<(u16, &str, GwpSet)>, origin: Origin) -> Result<FactorSet, String> {
    let dollars = format!("{} USD", price.year);
    let edition = version.map_or_else(|| dollars.clone(), |(_, version, _)| format!("{version}, {dollars}"));
    let licence = "Public domain in the United States (17 U.S.C. 105). Source: US EPA, Supply Chain Greenhouse Gas Emission Factors";
    let licence = Source::parse(&format!("{licence}, {edition}")).map_err(|error| error.to_string())?;
    let name = |text: &str| -> Result<Name, String> { draft::name("title", text) };
    let valid_from = Day::parse(&format!("{:04}-01-01", price.year)).map_err(|error| error.to_string())?;
    let title = "Supply Chain Greenhouse Gas Emission Factors";
    let set =
        FactorSet::new(origin.id, origin.file, name("US EPA")?, name(title)?, name(&edition)?, licence, valid_from);
    Ok(set.with_gwp(version.map(|(.., gwp)| gwp)))
}
