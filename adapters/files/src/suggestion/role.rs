//! What the columns of a table may mean, by their names and what is in them.

use super::apart::{why_apart, why_of_other_year};
use super::column::{Column, Content};
use super::factor::{Per, per};
use super::marks::GuessedMarks;
use super::parted::PartedDate;
use super::sample::SampleRow;
use super::words::{
    DATE_ENDS, DATE_STARTS, EMISSIONS, KEYS, MONEY, NAMES, ORGS, PRODUCTS, QUANTITIES, TAXONOMIES, UNITS, YEARS, rank,
    speaks_of,
};

/// The columns that are taken for something, and why.
#[derive(Debug, Default)]
pub(super) struct Roles<'a> {
    pub(super) start: Option<&'a Column>,
    pub(super) end: Option<&'a Column>,
    /// A date in several columns, where none has whole dates.
    pub(super) parted: Option<PartedDate<'a>>,
    pub(super) quantity: Option<&'a Column>,
    pub(super) unit: Option<&'a Column>,
    pub(super) product: Option<&'a Column>,
    pub(super) org: Option<&'a Column>,
    pub(super) taxonomy: Option<&'a Column>,
    pub(super) key: Option<&'a Column>,
    /// A column whose name speaks of what tells rows apart, and that does not, or not all of them.
    pub(super) named_key: Option<&'a Column>,
    pub(super) name: Option<&'a Column>,
    pub(super) scope: Option<&'a Column>,
    /// kg or t of CO2e.
    pub(super) emissions: Vec<&'a Column>,
    /// CO2e per unit of something.
    pub(super) factors: Vec<(&'a Column, Per)>,
    /// Columns of quantities, each of which is an activity of its own.
    pub(super) wide: Vec<&'a Column>,
    /// Columns of months.
    pub(super) months: Vec<&'a Column>,
    /// Columns of numbers that are no quantity of the row's days, each with the reason.
    pub(super) apart: Vec<(&'a Column, String)>,
}

impl<'a> Roles<'a> {
    pub(super) fn of(columns: &'a [Column]) -> Self {
        let named: Vec<&Column> = columns
            .iter()
            .filter(|column| column.has_name() && column.filled > 0)
            .filter(|column| columns.iter().filter(|other| other.name == column.name).count() == 1)
            .collect();
        let best = |words: &[&str], is: &dyn Fn(&Column) -> bool| {
            let ranked = named.iter().copied().filter(|column| is(column));
            ranked.filter_map(|column| Some((rank(&column.name, words)?, column))).min_by_key(|(rank, _)| *rank)
        };
        let of = |words: &[&str], is: &dyn Fn(&Column) -> bool| best(words, is).map(|(_, column)| column);
        let is_date = |column: &Column| matches!(column.content, Content::Dates(_));
        let is_number = |column: &Column| column.content == Content::Numbers;
        let is_text = |column: &Column| column.content == Content::Texts;
        let is_money = |column: &Column| speaks_of(&column.name, &MONEY);
        let is_emission = |column: &Column| speaks_of(&column.name, &EMISSIONS);
        let months: Vec<&Column> =
            named.iter().copied().filter(|column| column.month.is_some() && is_number(column)).collect();
        let months = if months.len() >= 3 { months } else { Vec::new() };
        let end = of(&DATE_ENDS, &is_date);
        let is_start = |column: &Column| is_date(column) && end.is_none_or(|end| end.name != column.name);
        let start = of(&DATE_STARTS, &is_start)
            .or_else(|| of(&YEARS, &is_start))
            .or_else(|| named.iter().copied().find(|column| is_start(column)));
        let is_whole = |column: &Column| column.content != Content::Dates(vec!["YYYY"]);
        let parted = PartedDate::of(&named).filter(|_| months.is_empty() && !start.is_some_and(is_whole));
        let unit = of(&UNITS, &|column| column.content == Content::Units)
            .or_else(|| named.iter().copied().find(|column| column.content == Content::Units));
        let measured =
            |column: &Column| is_number(column) && !is_money(column) && !is_emission(column) && column.month.is_none();
        let wide: Vec<&Column> =
            named.iter().copied().filter(|column| measured(column) && column.unit.is_some()).collect();
        let wide = if unit.is_some() { Vec::new() } else { wide };
        let quantity = None;
        let product = of(&PRODUCTS, &is_text);
        // The type of a building is no building, and what a program wrote for programs is no name.
        let is_place = |column: &Column| {
            let is_code = column.examples.iter().any(|example| example.starts_with(['{', '[']));
            is_text(column) && !is_code && !speaks_of(&column.name, &TAXONOMIES)
        };
        let org = of(&ORGS, &|column| is_place(column) && product.is_none_or(|other| other.name != column.name));
        let taken = |column: &Column| [product, org].into_iter().flatten().any(|other| other.name == column.name);
        let taxonomy = of(&TAXONOMIES, &|column| is_text(column) && !taken(column) && !column.unique);
        let key = of(&KEYS, &|column| column.unique && (is_text(column) || is_number(column)));
        let named_key = of(&KEYS, &|column| !column.unique && (is_text(column) || is_number(column)));
        let scope = of(&["scope"], &|column| matches!(column.content, Content::Texts | Content::Numbers));
        let is_key = |column: &Column| key.is_some_and(|key| key.name == column.name);
        let name = of(&NAMES, &|column| is_text(column) && !is_key(column));
        let of_carbon = named.iter().copied().filter(|column| is_number(column) && is_emission(column));
        let (factors, emissions): (Vec<_>, Vec<_>) = of_carbon.partition(|column| per(&column.name).is_some());
        let factors = factors.into_iter().filter_map(|column| Some((column, per(&column.name)?))).collect();
        Self {
            start,
            end,
            parted,
            quantity,
            unit,
            product,
            org,
            taxonomy,
            key,
            named_key,
            name,
            scope,
            emissions,
            factors,
            wide,
            months,
            apart: Vec::new(),
        }
    }

    /// Takes the column of quantities, where the table has one of units, from those that are quantities of the row's days; what is
    /// none of its days is put apart.
    pub(super) fn leave_apart(&mut self, columns: &'a [Column], rows: &[SampleRow], marks: &GuessedMarks) {
        let is_measured = |column: &&Column| {
            column.has_name()
                && column.filled > 0
                && column.content == Content::Numbers
                && !speaks_of(&column.name, &MONEY)
                && !speaks_of(&column.name, &EMISSIONS)
                && column.month.is_none()
                && columns.iter().filter(|other| other.name == column.name).count() == 1
        };
        let date = match &self.parted {
            Some(date) => date.year,
            None => self.start,
        };
        let mut left: Vec<&Column> = Vec::new();
        for column in columns.iter().filter(is_measured) {
            let why =
                why_apart(column, columns, rows, marks).or_else(|| why_of_other_year(column, columns, date, rows));
            match why {
                Some(why) => self.apart.push((column, why)),
                None => left.push(column),
            }
        }
        self.wide.retain(|column| left.iter().any(|other| other.name == column.name));
        if self.unit.is_some() {
            let ranked = left.into_iter().filter_map(|column| Some((rank(&column.name, &QUANTITIES)?, column)));
            self.quantity = ranked.min_by_key(|(rank, _)| *rank).map(|(_, column)| column);
        }
    }
}
