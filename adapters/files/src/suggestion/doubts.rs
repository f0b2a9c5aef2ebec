//! What the cells of a table leave open, and whether a map says it.

use domain::{Day, Faults, Moment};
use ports::inbound::{Doubt, DoubtReading, WrittenForm};

use super::column::{Column, Content};
use super::marks::GuessedMarks;
use super::sample::SampleRow;
use crate::map::{DateForm, Edge, Map, Marks, moment};
use crate::month_names::english_month;

/// The dates and numbers that can be read in several ways: those of each set of forms together, and the numbers of all columns.
pub(super) fn found(columns: &[Column], rows: &[SampleRow], marks: &GuessedMarks) -> Vec<Doubt> {
    let mut doubts: Vec<(&[&str], Doubt)> = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let Content::Dates(forms) = &column.content else { continue };
        if forms.len() < 2 {
            continue;
        }
        match doubts.iter_mut().find(|(known, _)| known == forms) {
            Some((_, doubt)) => doubt.columns.push(column.name.clone()),
            None => doubts.push((forms, dates(column, index, rows, forms))),
        }
    }
    let numbers = numbers(columns, marks);
    doubts.into_iter().map(|(_, doubt)| doubt).chain(numbers).collect()
}

fn dates(column: &Column, index: usize, rows: &[SampleRow], forms: &[&'static str]) -> Doubt {
    let cells = || rows.iter().map(|row| row.cell(index)).filter(|cell| read(cell, forms[0]).is_some());
    let differs = |cell: &&str| forms.iter().any(|form| read(cell, form) != read(cell, forms[0]));
    // Where each reading gives the same day, as of 01/01/2025, a later row may tell them apart.
    let example = cells().find(differs).or_else(|| cells().next()).unwrap_or_default();
    let reading = |form: &&'static str| DoubtReading {
        form: WrittenForm::Dates((*form).to_owned()),
        becomes: read(example, form).map(in_words).unwrap_or_default(),
    };
    let readings = forms.iter().map(reading).collect();
    Doubt { columns: vec![column.name.clone()], example: example.to_owned(), readings }
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

fn numbers(columns: &[Column], marks: &GuessedMarks) -> Option<Doubt> {
    let name = |(index, _): &(usize, String)| {
        let column = columns.get(*index).filter(|column| column.has_unsure_marks)?;
        Some(column.name.clone())
    };
    let (columns, examples): (Vec<String>, Vec<&String>) =
        marks.unsure.iter().filter_map(|unsure| Some((name(unsure)?, &unsure.1))).unzip();
    let example = (*examples.first()?).clone();
    let mark = example.chars().find(|letter| matches!(letter, '.' | ','))?;
    let other = if mark == ',' { '.' } else { ',' };
    // Its mark is the decimal one, or sets three digits apart.
    let spaced = marks.marks.thousands.filter(|group| *group != mark && *group != other);
    let readings = [(other, Some(mark)), (mark, spaced)].into_iter().map(|(decimal, thousands)| {
        let value = Marks { decimal, thousands }.parse(&example);
        let value = value.map(|number| number.to_string()).unwrap_or_default();
        let becomes = if decimal == mark {
            format!("{value}: what stands behind the {} is a fraction", called(mark))
        } else {
            format!("{value}: the {} sets three digits apart", called(mark))
        };
        DoubtReading { form: WrittenForm::Marks { decimal, thousands }, becomes }
    });
    let readings = readings.collect();
    Some(Doubt { columns, example, readings })
}

const fn called(mark: char) -> &'static str {
    if mark == ',' { "comma" } else { "point" }
}

/// What a map must still say: a fault for each doubt about a column that it reads and of which it does not say which way is right.
#[must_use]
pub fn check_doubts(map: &Map, doubts: &[Doubt]) -> Faults {
    let mut faults = Faults::new();
    for doubt in doubts {
        let Some(reading) = doubt.readings.first() else { continue };
        let (read, key) = match reading.form {
            WrittenForm::Dates(_) => (map.date_columns(), "dates"),
            WrittenForm::Marks { .. } => (map.number_columns(), "decimal"),
        };
        let concerns = doubt.columns.iter().any(|column| read.contains(column));
        if concerns && !doubt.readings.iter().any(|reading| is_said(map, &reading.form)) {
            let ways: Vec<&str> = doubt.readings.iter().map(|reading| reading.becomes.as_str()).collect();
            let detail = format!("must be decided: {:?} may be {}", doubt.example, ways.join(", or "));
            faults.add(format!("table.{key}"), detail);
        }
    }
    faults
}

/// Whether a map says that its table is written so.
#[must_use]
pub fn is_said(map: &Map, form: &WrittenForm) -> bool {
    match form {
        WrittenForm::Dates(form) => map.has_dates_of(form),
        WrittenForm::Marks { decimal, .. } => map.said_decimal() == Some(*decimal),
    }
}
