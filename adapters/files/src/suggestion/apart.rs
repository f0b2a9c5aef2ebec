//! Columns of numbers that are no consumption of the row's days: plans, running sums, parts of another column, readings of
//! meters, areas, figures per something and those of other years.

use std::collections::{BTreeSet, HashMap};

use domain::{Decimal, Dimension};

use super::column::{Column, Content};
use super::marks::GuessedMarks;
use super::sample::SampleRow;
use super::totals::is_total;
use super::words::speaks_of;

const PLANS: [&str; 13] = [
    "budget",
    "forecast",
    "plan",
    "planned",
    "target",
    "planung",
    "soll",
    "zielwert",
    "prognose",
    "pr\u{e9}vision",
    "objectif",
    "presupuesto",
    "baseline",
];
const RUNNING: [&str; 10] = [
    "ytd",
    "year to date",
    "cumulative",
    "cumulated",
    "cum",
    "kumuliert",
    "kumulativ",
    "cumul\u{e9}",
    "acumulado",
    "running total",
];
const PARTS: [&str; 6] = ["of which", "davon", "dont", "thereof", "di cui", "waarvan"];
const AREAS: [&str; 10] =
    ["floor area", "gross area", "area", "fl\u{e4}che", "surface", "superficie", "gfa", "nla", "bgf", "sqm"];
const READINGS: [&str; 10] = [
    "reading",
    "readings",
    "z\u{e4}hlerstand",
    "index",
    "relev\u{e9}",
    "meter stand",
    "meterstand",
    "lectura",
    "lettura",
    "meter reading",
];
const YEARS_BEFORE: [&str; 9] = [
    "prior year",
    "previous year",
    "last year",
    "vorjahr",
    "py",
    "ly",
    "ann\u{e9}e pr\u{e9}c\u{e9}dente",
    "a\u{f1}o anterior",
    "year ago",
];
/// What stands in the names of figures per something.
const PER: [&str; 20] = [
    "/m2",
    "/m\u{b2}",
    "/ m2",
    "/ m\u{b2}",
    "/ft2",
    "/sf",
    "/sqft",
    "/sqm",
    " per m2",
    " per m\u{b2}",
    " per sqm",
    " per ft2",
    " per sqft",
    " je m",
    " pro m",
    "/fte",
    "/employee",
    " per employee",
    " per fte",
    "intensity",
];

/// Why a column of numbers is no quantity of the row's days; `None` where nothing says so.
pub(super) fn why_apart(
    column: &Column,
    columns: &[Column],
    rows: &[SampleRow],
    marks: &GuessedMarks,
) -> Option<String> {
    let name = column.name.to_lowercase();
    let starts = |words: &[&str]| {
        words
            .iter()
            .any(|word| name.trim().strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphabetic)))
    };
    if speaks_of(&name, &PLANS) {
        return Some("it says what was planned, not what was".to_owned());
    }
    if speaks_of(&name, &RUNNING) {
        return Some("it adds up the rows before it, which would count them twice".to_owned());
    }
    if starts(&PARTS) {
        return Some("it is a part of what another column counts already".to_owned());
    }
    if speaks_of(&name, &YEARS_BEFORE) {
        return Some("it is about the year before, not about the row's days".to_owned());
    }
    if PER.iter().any(|per| name.contains(per)) {
        return Some("it is a figure per something, and no quantity".to_owned());
    }
    let is_area = column.unit.is_some_and(|unit| unit.dimension() == Dimension::Area);
    if is_area || (column.unit.is_none() && speaks_of(&name, &AREAS)) {
        return Some("it is an area, and no consumption".to_owned());
    }
    if speaks_of(&name, &READINGS) && only_rises(column, columns, rows, marks) {
        return Some(
            "it seems to be the reading of a meter, which only rises: the difference of two readings is a consumption"
                .to_owned(),
        );
    }
    None
}

/// Why the year that a column is named after is none of the row's days, which the column `date` has.
pub(super) fn why_of_other_year(
    column: &Column,
    columns: &[Column],
    date: Option<&Column>,
    rows: &[SampleRow],
) -> Option<String> {
    let date = date?;
    let at = columns.iter().position(|other| other.name == date.name)?;
    let years: BTreeSet<u16> = rows.iter().flat_map(|row| years_in(row.cell(at))).collect();
    let own = years_in(&column.name);
    let own = own.first().filter(|_| own.len() == 1 && !years.is_empty())?;
    (!years.contains(own))
        .then(|| format!("it is named after {own}, and the days in {:?} are of other years", date.name))
}

fn years_in(text: &str) -> Vec<u16> {
    let numbers = text.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| digits.len() == 4);
    numbers.filter_map(|digits| digits.parse().ok()).filter(|year| (1990..2100).contains(year)).collect()
}

/// Whether its numbers fall nowhere, in the order of the rows, among those that say the same in some column of texts or in
/// the whole table.
fn only_rises(column: &Column, columns: &[Column], rows: &[SampleRow], marks: &GuessedMarks) -> bool {
    let Some(at) = columns.iter().position(|other| other.name == column.name) else { return false };
    let rows: Vec<&SampleRow> = rows.iter().filter(|row| !is_total(row, columns)).collect();
    let number = |row: &SampleRow| -> Option<Decimal> { marks.marks.parse(row.cell(at)).ok() };
    let rises = |by: Option<usize>| {
        let mut last: HashMap<&str, Decimal> = HashMap::new();
        rows.iter().all(|row| {
            let Some(value) = number(row) else { return true };
            let before = last.insert(by.map_or("", |by| row.cell(by)), value);
            before.is_none_or(|before| before <= value)
        })
    };
    let groups =
        (0..columns.len()).filter(|index| columns[*index].content == Content::Texts && !columns[*index].unique);
    rises(None)
        || groups.map(Some).any(rises)
        || columns.iter().any(|other| other.content == Content::Texts && other.unique)
}
