//! Reading the plain table.

use domain::{
    Day, Decimal, FactorSet, Gas, GasAmount, GasSplit, GwpSet, Intensity, Name, PublishedFactor, PublishedUse, Source,
    Unit,
};

use super::columns::{Column, OF_THE_SET, REQUIRED};
use crate::delimited::{Cells, joined_names, ragged};
use crate::error::FileError;
use crate::published::account::{PublishedAccount, Skipped};
use crate::published::amount::check_gases;
use crate::published::draft;
use crate::published::layout::PublishedLayout;
use crate::published::sheet::{Row, Sheet, source_row, text, value};
use crate::published::{Origin, PublishedFile};

/// The sheet that has the table, and the place of its header; an error where the header lacks some columns that every table has.
pub(in crate::published) fn find(sheets: &[Sheet]) -> Result<Option<(&Sheet, usize)>, FileError> {
    let mut lacking = None;
    for sheet in sheets {
        let Some(Ok(cells)) = sheet.rows.first().map(|row| row.cells.as_ref()) else { continue };
        let is_there = |name: &&str| cells.iter().any(|cell| cell.trim() == *name);
        let (there, missing): (Vec<_>, Vec<_>) = REQUIRED.into_iter().partition(is_there);
        if missing.is_empty() {
            return Ok(Some((sheet, 0)));
        }
        // With fewer it may be any table.
        if there.len() > missing.len() {
            lacking.get_or_insert(missing);
        }
    }
    lacking.map_or(Ok(None), |missing| {
        let detail = format!("has most columns of a table of Tonne's own, without {}", missing.join(", "));
        Err(FileError::Published(detail))
    })
}

/// Its factors.
pub(in crate::published) fn read(
    (sheet, header): (&Sheet, usize),
    origin: &Origin,
) -> Result<PublishedFile, FileError> {
    let refused = |detail: String| FileError::Published(detail);
    let table = Table::new(sheet, header).map_err(refused)?;
    let mut account = PublishedAccount::default();
    let mut first: Option<(FactorSet, Vec<&str>)> = None;
    let mut factors = Vec::new();
    for row in &sheet.rows[header + 1..] {
        account.rows += 1;
        let read = row.cells.as_ref().map_err(Clone::clone).and_then(|cells| {
            table.check_length(cells)?;
            let of_set = table.of_set(cells);
            if let Some((_, texts)) = &first {
                check_set(texts, &of_set)?;
            } else {
                first = Some((table.set(cells, origin)?, of_set));
            }
            let gwp = first.as_ref().and_then(|(set, _)| set.gwp);
            table.factor(row, cells, gwp)
        });
        match read {
            Ok(Some(factor)) => {
                account.used += 1;
                factors.push(factor);
            }
            Ok(None) => account.skip(Skipped::NoValue, 1),
            Err(detail) => {
                account.skip(Skipped::Faulty, 1);
                account.find(sheet.name.as_deref(), row.number, detail);
            }
        }
    }
    let Some((set, _)) = first else {
        let why = account.findings.first().map(ToString::to_string).unwrap_or_default();
        return Err(refused(format!("has no row that says which set it is: {why}")));
    };
    Ok(PublishedFile { layout: PublishedLayout::Plain, set, factors, account })
}

/// The table, and what its columns hold.
struct Table<'a> {
    sheet: &'a Sheet,
    names: Vec<String>,
    columns: Vec<Column>,
}

impl<'a> Table<'a> {
    fn new(sheet: &'a Sheet, header: usize) -> Result<Self, String> {
        let cells = sheet.rows[header].cells.as_ref().map_err(Clone::clone)?;
        let names = joined_names(&[cells]);
        let mut columns = Vec::with_capacity(names.len());
        for name in &names {
            let column = Column::parse(name)?;
            if columns.contains(&column) {
                return Err(format!("has the column {name:?} twice"));
            }
            columns.push(column);
        }
        Ok(Self { sheet, names, columns })
    }

    /// A sheet ends its rows where their last cell is, a text file where its header does.
    fn check_length(&self, cells: &Cells) -> Result<(), String> {
        let (found, expected) = (cells.len(), self.columns.len());
        let fits = if self.sheet.name.is_some() { found <= expected } else { found == expected };
        if fits { Ok(()) } else { Err(ragged(found, expected)) }
    }

    fn member<'c>(&self, cells: &'c Cells, name: &str) -> &'c str {
        let place = self.columns.iter().position(|column| matches!(column, Column::Member(found) if *found == name));
        place.map_or("", |place| text(cells, place))
    }

    fn of_set<'c>(&self, cells: &'c Cells) -> Vec<&'c str> {
        OF_THE_SET.iter().map(|name| self.member(cells, name)).collect()
    }

    /// The set that a row says it is of.
    fn set(&self, cells: &Cells, origin: &Origin) -> Result<FactorSet, String> {
        let wrong = |name: &str, error: &dyn std::fmt::Display| format!("has a {name} that is wrong: {error}");
        let named = |name: &str| Name::parse(self.member(cells, name)).map_err(|error| wrong(name, &error));
        let given = |name: &str| Some(self.member(cells, name)).filter(|text| !text.is_empty());
        let day = |name: &str, text: &str| Day::parse(text).map_err(|error| wrong(name, &error));
        let publisher = named("publisher")?;
        let title = if given("title").is_some() { named("title")? } else { publisher.clone() };
        let licence = Source::parse(self.member(cells, "licence")).map_err(|error| wrong("licence", &error))?;
        let valid_from = day("validFrom", self.member(cells, "validFrom"))?;
        let valid_to = given("validTo").map(|text| day("validTo", text)).transpose()?;
        if valid_to.is_some_and(|end| end <= valid_from) {
            return Err("has a validTo that is not after its validFrom: it is the day after the last".to_owned());
        }
        let gwp = given("gwp").map(GwpSet::parse).transpose().map_err(|error| error.to_string())?;
        let (id, file) = (origin.id, origin.file.clone());
        let set = FactorSet::new(id, file, publisher, title, named("edition")?, licence, valid_from);
        Ok(set.with_valid_to(valid_to).with_gwp(gwp))
    }

    /// The factor of a row; `None` where it has no figure.
    fn factor(&self, row: &Row, cells: &Cells, gwp: Option<GwpSet>) -> Result<Option<PublishedFactor>, String> {
        let (mut co2e, mut gases, mut first) = (None, Vec::<(Gas, GasAmount)>::new(), None);
        for (place, column) in self.columns.iter().enumerate() {
            let figure = match column {
                Column::Member("co2e") | Column::Mass(_) | Column::Co2e(_) => exact(cells, place)?,
                Column::Member(_) | Column::Path(_) => None,
            };
            let Some(value) = figure else { continue };
            first.get_or_insert(place);
            match column {
                Column::Mass(gas) => gases.push((*gas, GasAmount::Mass(value))),
                Column::Co2e(gas) => gases.push((*gas, GasAmount::Co2e(value))),
                Column::Member(_) | Column::Path(_) => co2e = Some(value),
            }
        }
        let Some(place) = first else { return Ok(None) };
        let unit = Unit::parse(self.member(cells, "unit")).map_err(|error| format!("has no unit: {error}"))?;
        let usage = PublishedUse::parse(self.member(cells, "use")).map_err(|error| error.to_string())?;
        let cell = draft::name("place", &self.sheet.cell(row.number, place))?;
        let name = draft::name("name", self.member(cells, "name"))?;
        let mut levels: Vec<_> = self.columns.iter().enumerate().filter_map(level).collect();
        levels.sort_unstable();
        let region = Some(self.member(cells, "region")).filter(|text| !text.is_empty());
        let split = match gwp {
            _ if gases.is_empty() => None,
            None => return Err("has gases, and no gwp says under which set their CO2e is computed".to_owned()),
            Some(set) => {
                if let Some(total) = co2e.filter(|_| usage != PublishedUse::OutsideScopes) {
                    check_gases(total, &gases, set, 0)?;
                }
                Some(GasSplit::new(set, gases).map_err(|error| error.to_string())?)
            }
        };
        let factor = PublishedFactor::new(cell, name, unit, usage)
            .with_path(draft::path(levels.into_iter().map(|(_, place)| text(cells, place)))?)
            .with_co2e(co2e.map(Intensity::new))
            .with_gases(split)
            .with_region(region.map(|region| draft::name("region", region)).transpose()?)
            .with_rows(vec![source_row(row.number, &self.names, cells)]);
        draft::with_figure(factor).map(Some)
    }
}

/// The value of a cell, which is none that has to be rounded: whoever writes this table can write it in full.
fn exact(cells: &Cells, place: usize) -> Result<Option<Decimal>, String> {
    match value(cells, place)? {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(format!("has {}, which has too many digits after the point", text(cells, place))),
    }
}

/// An error where a row is of another set than the first one.
fn check_set(first: &[&str], found: &[&str]) -> Result<(), String> {
    let differs = OF_THE_SET.iter().zip(first.iter().zip(found)).find(|(_, (first, found))| first != found);
    differs.map_or(Ok(()), |(name, (first, found))| {
        Err(format!("has {found:?} as its {name}, but the rows above have {first:?}: a file is one set"))
    })
}

fn level((place, column): (usize, &Column)) -> Option<(u8, usize)> {
    match column {
        Column::Path(level) => Some((*level, place)),
        Column::Member(_) | Column::Mass(_) | Column::Co2e(_) => None,
    }
}
