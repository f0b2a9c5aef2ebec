//! What the cells of a table leave open, and whether a map says it.

use domain::{Day, Faults, Moment};
use ports::inbound::{Doubt, DoubtReading, WrittenForm};

use super::column::{Column, Content};
use super::marks::GuessedMarks;
use super::sample::SampleRow;
use crate::json::Json;
use crate::map::{DateForm, Digits, Edge, Map, Marks, moment};
use crate::month_names::english_month;

/// The columns whose dates or numbers can be read in several ways.
pub(super) fn found(columns: &[Column], rows: &[SampleRow], marks: &GuessedMarks) -> Vec<Doubt> {
    let of_dates = columns.iter().enumerate().filter_map(|(index, column)| match &column.content {
        Content::Dates(forms) if forms.len() > 1 => Some(dates(column, index, rows, forms)),
        Content::Dates(_) | Content::Empty | Content::Numbers | Content::Units | Content::Texts => None,
    });
    let of_numbers = marks.unsure.iter().filter_map(|(index, example)| {
        let column = columns.get(*index).filter(|column| column.has_unsure_marks)?;
        numbers(column, example, marks)
    });
    of_dates.chain(of_numbers).collect()
}

fn dates(column: &Column, index: usize, rows: &[SampleRow], forms: &[&'static str]) -> Doubt {
    // Days that one form alone has are no example of what can be read in several ways.
    let is_read = |cell: &&str| forms.iter().all(|form| read(cell, form).is_some());
    let cells = || rows.iter().map(|row| row.cell(index)).filter(is_read);
    let differs = |cell: &&str| forms.iter().any(|form| read(cell, form) != read(cell, forms[0]));
    // Where each reading gives the same day, as of 01/01/2025, a later row may tell them apart.
    let example = cells().find(differs).or_else(|| cells().next()).unwrap_or_default();
    let reading = |form: &&'static str| DoubtReading {
        form: WrittenForm::Dates((*form).to_owned()),
        becomes: read(example, form).map(in_words).unwrap_or_default(),
    };
    let readings = forms.iter().map(reading).collect();
    Doubt { column: column.name.clone(), example: example.to_owned(), readings }
}

fn read(cell: &str, form: &str) -> Option<Moment> {
    moment(cell, &[DateForm::parse(form).ok()?], Edge::Start).ok()
}

/// A day as nobody reads it in two ways: `3 April 2025`.
fn in_words(moment: Moment) -> String {
    let day: Day = moment.day();
    let (year, month, number) = day.calendar();
    format!("{number} {} {year}", english_month(month))
}

fn numbers(column: &Column, example: &str, marks: &GuessedMarks) -> Option<Doubt> {
    let mark = example.chars().find(|letter| matches!(letter, '.' | ','))?;
    let other = if mark == ',' { '.' } else { ',' };
    // Its mark is the decimal one, or sets three digits apart.
    let spaced = marks.marks.thousands.filter(|group| *group != mark && *group != other);
    let readings = [(other, Some(mark)), (mark, spaced)].into_iter().map(|(decimal, thousands)| {
        let value = Marks { decimal, thousands }.parse(example);
        let value = value.map(|number| number.to_string()).unwrap_or_default();
        let becomes = if decimal == mark {
            format!("{value}: what stands behind the {} is a fraction", called(mark))
        } else {
            format!("{value}: the {} sets three digits apart", called(mark))
        };
        DoubtReading { form: WrittenForm::Marks { decimal, thousands }, becomes }
    });
    let readings = readings.collect();
    Some(Doubt { column: column.name.clone(), example: example.to_owned(), readings })
}

const fn called(mark: char) -> &'static str {
    if mark == ',' { "comma" } else { "point" }
}

/// Whether a map reads the column of a doubt, so that somebody has to say what is in it.
#[must_use]
pub fn is_asked(map: &Map, doubt: &Doubt) -> bool {
    let read = match doubt.readings.first().map(|reading| &reading.form) {
        Some(WrittenForm::Dates(_)) => map.date_columns(),
        Some(WrittenForm::Marks { .. }) => map.number_columns(),
        None => return false,
    };
    read.contains(&doubt.column)
}

/// What a map must still say: a fault for each doubt about a column that it reads and of which it does not say which way is right.
#[must_use]
pub fn check_doubts(map: &Map, doubts: &[Doubt]) -> Faults {
    let mut faults = Faults::new();
    for doubt in doubts.iter().filter(|doubt| is_open(map, doubt)) {
        let ways: Vec<&str> = doubt.readings.iter().map(|reading| reading.becomes.as_str()).collect();
        let (key, said) = match doubt.readings.first().map(|reading| &reading.form) {
            Some(WrittenForm::Marks { decimal, .. }) => ("decimal", Json::Text(decimal.to_string()).to_string()),
            Some(WrittenForm::Dates(form)) => ("dates", format!("[{}]", Json::Text(form.clone()))),
            None => continue,
        };
        let column = Json::Text(doubt.column.clone());
        let detail = format!(
            "must be decided: {:?} may be {}; for the first one say columns = {{ {column} = {{ {key} = {said} }} }} in [table]",
            doubt.example,
            ways.join(", or ")
        );
        faults.add(format!("table.columns.{column}.{key}"), detail);
    }
    faults
}

/// Whether a doubt is about a column that a map reads, and the map does not say which way is right.
#[must_use]
pub fn is_open(map: &Map, doubt: &Doubt) -> bool {
    is_asked(map, doubt) && !doubt.readings.iter().any(|reading| is_said(map, doubt, &reading.form))
}

/// Whether a map says that the column of a doubt is written so: with that form, or with another one that means the same.
#[must_use]
pub fn is_said(map: &Map, doubt: &Doubt, form: &WrittenForm) -> bool {
    match form {
        WrittenForm::Dates(form) => reads_as(map.dates_in(&doubt.column), form, doubt),
        WrittenForm::Marks { decimal, .. } => map.said_decimal_in(&doubt.column) == Some(*decimal),
    }
}

/// Whether forms read the column of a doubt as `wanted` does.
fn reads_as(forms: &[DateForm], wanted: &str, doubt: &Doubt) -> bool {
    let Ok(wanted) = DateForm::parse(wanted) else { return false };
    let is_same = |cell: &str| {
        let meant = moment(cell, std::slice::from_ref(&wanted), Edge::Start);
        meant.is_ok() && moment(cell, forms, Edge::Start) == meant
    };
    let ways: Vec<Option<Moment>> = doubt
        .readings
        .iter()
        .map(|reading| match &reading.form {
            WrittenForm::Dates(form) => read(&doubt.example, form),
            WrittenForm::Marks { .. } => None,
        })
        .collect();
    if ways.windows(2).any(|pair| pair[0] != pair[1]) {
        return is_same(&doubt.example);
    }
    // The example, such as 01/01/2025, is the same day either way.
    [Digits::Fewest, Digits::Most].into_iter().any(|digits| probes().all(|day| is_same(&wanted.written(day, digits))))
}

/// Days that tell apart what stands where in a date: of one digit, and of two.
fn probes() -> impl Iterator<Item = Day> {
    [(2025, 3, 4), (2025, 12, 11)]
        .into_iter()
        .filter_map(|(year, month, day)| Day::from_calendar(year, month, day).ok())
}

/// Whether a form reads a date that one of `ways` writes, as whatever day.
pub(crate) fn reads_any(form: &str, ways: &[WrittenForm]) -> bool {
    let Ok(form) = DateForm::parse(form) else { return false };
    let reads = |cell: String| moment(&cell, std::slice::from_ref(&form), Edge::Start).is_ok();
    let is_read = |way: &WrittenForm| match way {
        WrittenForm::Dates(way) => DateForm::parse(way).is_ok_and(|way| {
            probes().any(|day| [Digits::Fewest, Digits::Most].into_iter().any(|digits| reads(way.written(day, digits))))
        }),
        WrittenForm::Marks { .. } => false,
    };
    ways.iter().any(is_read)
}
