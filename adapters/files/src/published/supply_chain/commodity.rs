//! The rows of one commodity.

use std::collections::HashMap;
use std::fmt;

use domain::{
    Decimal, Gas, GasAmount, GasSplit, GwpSet, Intensity, Name, PublishedFactor, PublishedUse, SourceRow, Unit,
};

use super::Columns;
use crate::delimited::Cells;
use crate::published::amount::check_sum;
use crate::published::draft;
use crate::published::sheet::{Sheet, source_row, text, value};

/// CO2e is rounded to so many digits after the point.
const DIGITS: u32 = 3;
/// What single gases are read under where the file does not tell: their masses are the same under any set.
const ANY: GwpSet = GwpSet::Ar5;

/// What a factor is per.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Price {
    pub(super) year: u16,
    /// Such as `purchaser price`.
    basis: String,
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} USD, {}", self.year, self.basis)
    }
}

/// A row.
pub(super) struct Line {
    code: String,
    title: String,
    part: Part,
    pub(super) price: Price,
    /// With margins and without, with their columns; `None` where there is no value.
    with_margins: (usize, Option<Decimal>),
    without_margins: (usize, Option<Decimal>),
    /// What is to be told of them.
    pub(super) told: Option<String>,
    source: SourceRow,
}

/// What a row gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// All gases, in CO2e.
    Co2e,
    /// Kilograms of one.
    Mass(Gas),
    /// CO2e of gases that are not told apart.
    Unnamed,
}

/// Commodities in the order of their first rows.
#[derive(Default)]
pub(super) struct Commodities {
    all: Vec<Commodity>,
    places: HashMap<String, usize>,
}

/// The rows of a commodity.
pub(super) struct Commodity(Vec<Line>);

/// Reads a row; the error completes "the row ...".
pub(super) fn line(columns: &Columns, number: u32, cells: &Cells) -> Result<Line, String> {
    let of = |column: usize| text(cells, column);
    let (is_co2e, price) = price(of(columns.unit)).ok_or_else(|| {
        format!(
            "has {:?} as its unit, which is not of the form \"kg CO2e/2022 USD, purchaser price\"",
            of(columns.unit)
        )
    })?;
    let part = match (of(columns.gas), is_co2e) {
        ("All GHGs", true) => Part::Co2e,
        (_, true) => Part::Unnamed,
        (gas, false) => Part::Mass(Gas::parse(gas).map_err(|error| format!("has a gas that is not known: {error}"))?),
    };
    let (with_margins, told) = value(cells, columns.with_margins)?;
    let (without_margins, also_told) = value(cells, columns.without_margins)?;
    let (margins, _) = value(cells, columns.margins)?;
    if let (Some(with), Some(without), Some(margins)) = (with_margins, without_margins, margins) {
        let digits = if is_co2e { DIGITS } else { 0 };
        check_sum(with, &[(without, Decimal::ONE), (margins, Decimal::ONE)], digits)?;
    }
    Ok(Line {
        code: of(columns.code).to_owned(),
        title: of(columns.title).to_owned(),
        part,
        price,
        with_margins: (columns.with_margins, with_margins),
        without_margins: (columns.without_margins, without_margins),
        told: told.or(also_told),
        source: source_row(number, &columns.names, cells),
    })
}

/// Whether it is CO2e, and what it is per.
fn price(unit: &str) -> Option<(bool, Price)> {
    let (mass, per) = unit.split_once('/')?;
    let is_co2e = match mass.trim() {
        "kg CO2e" => true,
        "kg" => false,
        _ => return None,
    };
    let (money, basis) = per.split_once(',')?;
    let year = money.trim().strip_suffix(" USD")?.parse().ok().filter(|year| (1990..2200).contains(year))?;
    Some((is_co2e, Price { year, basis: basis.trim().to_owned() }))
}

impl Commodities {
    pub(super) fn add(&mut self, line: Line) {
        if let Some(place) = self.places.get(&line.code) {
            self.all[*place].0.push(line);
        } else {
            self.places.insert(line.code.clone(), self.all.len());
            self.all.push(Commodity(vec![line]));
        }
    }

    pub(super) fn into_all(self) -> Vec<Commodity> {
        self.all
    }
}

impl Commodity {
    pub(super) fn rows(&self) -> u64 {
        self.0.len() as u64
    }

    /// The number of its first row.
    pub(super) fn row(&self) -> u32 {
        self.0.first().map_or(0, |line| line.source.row)
    }

    /// Its two factors; those without a value are none.
    pub(super) fn factors(
        &self,
        sheet: &Sheet,
        price: &Price,
        gwp: Option<GwpSet>,
    ) -> Result<Vec<PublishedFactor>, String> {
        for (place, line) in self.0.iter().enumerate() {
            if line.part != Part::Unnamed && self.0[..place].iter().any(|before| before.part == line.part) {
                return Err(format!("gives what row {} gives too, of the same commodity", line.source.row));
            }
        }
        let with = self.factor(sheet, price, gwp, "", |line| line.with_margins)?;
        let without = self.factor(sheet, price, gwp, ", without margins", |line| line.without_margins)?;
        Ok(with.into_iter().chain(without).collect())
    }

    fn factor(
        &self,
        sheet: &Sheet,
        price: &Price,
        gwp: Option<GwpSet>,
        suffix: &str,
        figure: impl Fn(&Line) -> (usize, Option<Decimal>),
    ) -> Result<Option<PublishedFactor>, String> {
        let Some(first) = self.0.first() else { return Ok(None) };
        let values: Vec<_> = self.0.iter().filter_map(|line| Some((line.part, figure(line).1?))).collect();
        if values.is_empty() {
            return Ok(None);
        }
        if values.len() < self.0.len() {
            return Err("has gases without a value beside others with one".to_owned());
        }
        let masses = values.iter().filter_map(|(part, value)| match part {
            Part::Mass(gas) => Some((*gas, GasAmount::Mass(*value))),
            Part::Co2e | Part::Unnamed => None,
        });
        let masses: Vec<_> = masses.collect();
        let told = values.iter().filter(|(part, _)| !matches!(part, Part::Mass(_)));
        let sum = |sum: Option<Decimal>, (_, value): &(Part, Decimal)| sum.and_then(|sum| sum.checked_add(*value));
        let told = told.fold(Some(Decimal::ZERO), sum).ok_or("has figures that are too large")?;
        let set = gwp.unwrap_or(ANY);
        let split =
            if masses.is_empty() { None } else { Some(GasSplit::new(set, masses).map_err(|error| error.to_string())?) };
        let (co2e, gases) = match split {
            None => (Some(told), None),
            Some(split) if told.is_zero() => (None, Some(split)),
            // A part of it has no gases, so that the gases of the rest would not be all of them.
            Some(split) => {
                let total = split.co2e(set).map_err(|error| error.to_string())?.total.decimal();
                (Some(total.checked_add(told).ok_or("has figures that are too large")?), None)
            }
        };
        let usd = Unit::parse("USD").map_err(|error| error.to_string())?;
        let cell = draft::name("place", &sheet.cell(first.source.row, figure(first).0))?;
        let name = draft::name("name", &format!("{}{suffix}", first.title))?;
        let path = draft::path([format!("NAICS {}", first.code).as_str(), price.to_string().as_str()])?;
        let factor = PublishedFactor::new(cell, name, usd, PublishedUse::ValueChain)
            .with_path(path)
            .with_co2e(co2e.map(Intensity::new))
            .with_gases(gases)
            .with_region(Name::parse("US").ok())
            .with_rows(self.0.iter().map(|line| line.source.clone()).collect());
        draft::with_figure(factor).map(Some)
    }
}
