//! What the cells of a column are.

use domain::{Unit, UnitError};

use super::date_part::DatePart;
use super::dates::{FORMS, likely_by};
use super::marks::GuessedMarks;
use super::months::{Month, month_of};
use super::sample::SampleRow;
use crate::delimited::CellKind;
use crate::map::{DateForm, Edge, Marks, moment};
use crate::workbook::is_failure;

/// Words that stand for nothing in columns of numbers and dates.
const NULLS: [&str; 17] = [
    "NULL", "null", "n/a", "N/A", "NA", "n.a.", "-", "--", "k.A.", "k. A.", "none", "unknown", "?", ".", "NaN", "nan",
    "Unknown",
];

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
    /// What its cells say of a date of which other columns say the rest.
    pub(super) part: Option<DatePart>,
    /// The first cells that say something.
    pub(super) examples: Vec<String>,
    /// Cells that are not what the others are: rows with them would be rejected.
    pub(super) odd: Vec<String>,
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
        let cells = filled_cells(index, rows);
        let mut nulls: Vec<String> =
            cells.iter().filter(|(cell, _)| is_null(cell)).map(|(cell, _)| (*cell).to_owned()).collect();
        nulls.sort();
        nulls.dedup();
        let said: Vec<(&str, CellKind)> = cells.into_iter().filter(|(cell, _)| !is_null(cell)).collect();
        let content = content(name, &said, marks.marks);
        if content == Content::Texts {
            nulls.retain(|word| word == "NULL");
        }
        let odd = odd(&content, &said, marks.marks);
        let mut sorted: Vec<&str> = said.iter().map(|(cell, _)| *cell).collect();
        let part = DatePart::of(name, &sorted);
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
            part,
            examples,
            odd,
        }
    }

    /// Whether it is numbers by the marks of the table, or by others.
    pub(super) fn may_be_numbers(&self, index: usize, rows: &[SampleRow], others: Marks) -> bool {
        if self.content == Content::Numbers {
            return true;
        }
        let mut said = filled_cells(index, rows);
        said.retain(|(cell, _)| !is_null(cell));
        content(&self.name, &said, others) == Content::Numbers
    }

    /// Whether it is named after a month of no year.
    pub(super) fn lacks_year(&self) -> bool {
        self.month.is_some_and(|month| month.year.is_none())
    }

    /// Whether it is in braces as it is.
    pub(super) fn has_name(&self) -> bool {
        !self.name.is_empty() && !self.name.contains(['{', '}'])
    }
}

/// The cells that say something. What a formula failed with stands for nothing that a map may pass over.
fn filled_cells(index: usize, rows: &[SampleRow]) -> Vec<(&str, CellKind)> {
    let cells = rows.iter().map(|row| (row.cell(index), row.kind(index)));
    cells.filter(|(cell, kind)| !cell.is_empty() && *kind != CellKind::Error && !is_failure(cell)).collect()
}

fn is_null(cell: &str) -> bool {
    NULLS.contains(&cell)
}

/// How many of so many cells may be something else than the column is: one of ten, or of few cells one of four, but two at most.
fn most_odd(cells: usize) -> usize {
    (cells / 10).max((cells / 4).min(2))
}

/// The first of the cells that are not what the column is.
fn odd(content: &Content, cells: &[(&str, CellKind)], marks: Marks) -> Vec<String> {
    let is_date = |cell: &str, forms: &[&str]| {
        let forms: Vec<DateForm> = forms.iter().filter_map(|form| DateForm::parse(form).ok()).collect();
        moment(cell, &forms, Edge::Start).is_ok()
    };
    let is_so = |(cell, kind): &(&str, CellKind)| match content {
        Content::Dates(forms) => is_date(cell, forms),
        Content::Numbers => is_number(cell, *kind, marks),
        Content::Units => is_unit(cell),
        Content::Empty | Content::Texts => true,
    };
    let mut odd: Vec<String> = Vec::new();
    for (cell, _) in cells.iter().filter(|cell| !is_so(cell)) {
        let shown: String = cell.chars().take(30).collect();
        if odd.len() < 3 && !odd.contains(&shown) {
            odd.push(shown);
        }
    }
    odd
}

fn is_number(cell: &str, kind: CellKind, marks: Marks) -> bool {
    kind == CellKind::Number || marks.parse(cell).is_ok()
}

/// What the cells are, but for a few.
fn content(name: &str, cells: &[(&str, CellKind)], marks: Marks) -> Content {
    if cells.is_empty() {
        return Content::Empty;
    }
    let most = |is: &dyn Fn(&str, CellKind) -> bool| {
        cells.iter().filter(|(cell, kind)| !is(cell, *kind)).count() <= most_odd(cells.len())
    };
    let is_date = |cell: &str, forms: &[DateForm]| moment(cell, forms, Edge::Start).is_ok();
    if most(&|cell, _| is_date(cell, &[])) {
        return Content::Dates(Vec::new());
    }
    // Which cells have the form, where most do.
    let read_by = |form: &'static str| {
        let forms = [DateForm::parse(form).ok()?];
        // Four or eight digits are a number, unless the name says otherwise.
        let is_plain = form.chars().all(char::is_alphabetic);
        let read: Vec<bool> = cells.iter().map(|(cell, _)| is_date(cell, &forms) && likely_by(form, cell)).collect();
        let odd = read.iter().filter(|is_read| !**is_read).count();
        let fits = (!is_plain || super::words::is_called_a_date(name)) && odd <= most_odd(cells.len());
        fits.then_some((form, read))
    };
    let fitting: Vec<(&'static str, Vec<bool>)> = FORMS.iter().copied().filter_map(read_by).collect();
    let reads_more =
        |other: &[bool], read: &[bool]| other != read && other.iter().zip(read).all(|(other, own)| *other || !*own);
    // One day that a form does not have decides between two, unless another day speaks for it.
    let best = fitting.iter().filter(|(_, read)| !fitting.iter().any(|(_, other)| reads_more(other, read)));
    let forms: Vec<&'static str> = best.map(|(form, _)| *form).collect();
    if !forms.is_empty() {
        return Content::Dates(without_looser(&forms));
    }
    if most(&|cell, kind| is_number(cell, kind, marks)) {
        return Content::Numbers;
    }
    if most(&|cell, kind| kind == CellKind::Text && is_unit(cell)) { Content::Units } else { Content::Texts }
}

/// Whether a cell is a unit, or a word for several.
fn is_unit(cell: &str) -> bool {
    matches!(Unit::parse(cell), Ok(_) | Err(UnitError::Ambiguous { .. })) || !Unit::meanings(cell).is_empty()
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
