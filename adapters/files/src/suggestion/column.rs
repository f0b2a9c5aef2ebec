//! What the cells of a column are.

use domain::Unit;

use super::dates::{FORMS, likely};
use super::marks::GuessedMarks;
use super::months::{Month, month_of};
use super::sample::SampleRow;
use crate::delimited::CellKind;
use crate::map::{DateForm, Edge, moment};
use crate::workbook::is_failure;

/// Words that stand for nothing in columns of numbers and dates.
const NULLS: [&str; 10] = ["NULL", "null", "n/a", "N/A", "NA", "-", "--", "k.A.", "none", "."];

/// A column of a sample.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// How many rows say something in it.
    pub(super) filled: usize,
    /// How many rows there are.
    pub(super) rows: usize,
    pub(super) content: Content,
    /// Whether each row says something else in it.
    pub(super) unique: bool,
    /// Whether it counts the rows, from 0 or 1.
    pub(super) counts_up: bool,
    /// Whether its numbers can be read in two ways.
    pub(super) has_unsure_marks: bool,
    /// Words that stand for nothing.
    pub(super) nulls: Vec<String>,
    /// The unit that its name ends with, such as `kWh` in `Gas (kWh)`.
    pub(super) unit: Option<Unit>,
    /// The month that it is named after.
    pub(super) month: Option<Month>,
    /// The first cells that say something.
    pub(super) examples: Vec<String>,
}

/// What most cells of a column are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Empty,
    /// Dates: of RFC 3339 and workbooks where there is no form, else of these forms, of which one alone is right.
    Dates(Vec<&'static str>),
    Numbers,
    /// Codes of units.
    Units,
    Texts,
}

impl Column {
    pub(super) fn of(name: &str, index: usize, rows: &[SampleRow], marks: &GuessedMarks) -> Self {
        // What a formula failed with stands for nothing that a map may pass over.
        let cells: Vec<(&str, CellKind)> = rows
            .iter()
            .map(|row| (row.cell(index), row.kind(index)))
            .filter(|(cell, kind)| !cell.is_empty() && *kind != CellKind::Error && !is_failure(cell))
            .collect();
        let is_null = |cell: &str| NULLS.contains(&cell);
        let mut nulls: Vec<String> =
            cells.iter().filter(|(cell, _)| is_null(cell)).map(|(cell, _)| (*cell).to_owned()).collect();
        nulls.sort();
        nulls.dedup();
        let said: Vec<(&str, CellKind)> = cells.into_iter().filter(|(cell, _)| !is_null(cell)).collect();
        let content = content(name, &said, marks);
        if content == Content::Texts {
            nulls.retain(|word| word == "NULL");
        }
        let mut sorted: Vec<&str> = said.iter().map(|(cell, _)| *cell).collect();
        sorted.sort_unstable();
        let unique = said.len() == rows.len() && sorted.windows(2).all(|pair| pair[0] != pair[1]);
        let mut examples: Vec<String> = Vec::new();
        for (cell, _) in &said {
            if examples.len() < 3 && !examples.iter().any(|example| example == cell) {
                examples.push(cell.chars().take(30).collect());
            }
        }
        Self {
            name: name.to_owned(),
            filled: said.len(),
            rows: rows.len(),
            unique,
            counts_up: counts_up(&said),
            has_unsure_marks: content == Content::Numbers && marks.is_unsure(index),
            content,
            nulls,
            unit: unit_of(name),
            month: month_of(name),
            examples,
        }
    }

    /// Whether it is in braces as it is.
    pub(super) fn has_name(&self) -> bool {
        !self.name.is_empty() && !self.name.contains(['{', '}'])
    }
}

/// What at least nine of ten cells are.
fn content(name: &str, cells: &[(&str, CellKind)], marks: &GuessedMarks) -> Content {
    if cells.is_empty() {
        return Content::Empty;
    }
    let most = |is: &dyn Fn(&str, CellKind) -> bool| {
        cells.iter().filter(|(cell, kind)| is(cell, *kind)).count() * 10 >= cells.len() * 9
    };
    let is_date = |cell: &str, forms: &[DateForm]| moment(cell, forms, Edge::Start).is_ok();
    if most(&|cell, _| is_date(cell, &[])) {
        return Content::Dates(Vec::new());
    }
    let fits = |form: &&'static str| {
        let Ok(parsed) = DateForm::parse(form) else { return false };
        let forms = [parsed];
        // Four or eight digits are a number, unless the name says otherwise.
        let is_plain = form.chars().all(char::is_alphabetic);
        (!is_plain || super::words::is_called_a_date(name)) && most(&|cell, _| is_date(cell, &forms) && likely(cell))
    };
    let forms: Vec<&'static str> = FORMS.iter().copied().filter(|form| fits(form)).collect();
    if !forms.is_empty() {
        return Content::Dates(without_looser(&forms));
    }
    let is_number = |cell: &str, kind: CellKind| kind == CellKind::Number || marks.marks.parse(cell).is_ok();
    if most(&is_number) {
        return Content::Numbers;
    }
    let is_unit = |cell: &str, kind: CellKind| kind == CellKind::Text && Unit::parse(cell).is_ok();
    if most(&is_unit) { Content::Units } else { Content::Texts }
}

fn counts_up(cells: &[(&str, CellKind)]) -> bool {
    let number = |(cell, _): &(&str, CellKind)| cell.parse::<u64>().ok();
    let first = cells.first().and_then(number);
    first.is_some_and(|first| first <= 1 && (first..).zip(cells).all(|(wanted, cell)| number(cell) == Some(wanted)))
}

/// The forms without those that are only less strict than another: `D.M.YYYY` beside `DD.MM.YYYY`.
fn without_looser(forms: &[&'static str]) -> Vec<&'static str> {
    let strict = |form: &str| form.replace("DD", "D").replace("MM", "M");
    let kept = forms.iter().filter(|form| !forms.iter().any(|other| other != *form && strict(other) == **form));
    kept.copied().collect()
}

/// The unit that a name ends with, in brackets or as its last word.
fn unit_of(name: &str) -> Option<Unit> {
    let name = name.trim();
    if let Some((_, rest)) = name.rsplit_once(['(', '['])
        && let Some((inside, _)) = rest.split_once([')', ']'])
    {
        return Unit::parse(inside.trim()).ok();
    }
    let last = name.rsplit([' ', '_', '/']).next()?;
    Unit::parse(last).ok()
}
