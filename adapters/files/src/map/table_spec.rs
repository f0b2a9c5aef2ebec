//! What a mapping file says of how the table is written.

use super::column_form::{ColumnForms, MOST_FORMS, mark};
use super::dates::DateForm;
use super::numbers::Marks;
use super::unit_words::UnitWords;
use crate::encoding::TextEncoding;
use crate::json::{Json, Reader, Wrong};

/// How many rows a header may have.
const MOST_HEADER_ROWS: usize = 5;

/// How the table is written.
#[derive(Clone, Debug)]
pub(super) struct TableSpec {
    pub(super) encoding: TextEncoding,
    pub(super) delimiter: u8,
    /// The sheet of a workbook.
    pub(super) sheet: Option<String>,
    /// The lines of the header.
    pub(super) header: Vec<u64>,
    pub(super) marks: Marks,
    /// The decimal mark, where the map says it.
    pub(super) said_decimal: Option<char>,
    pub(super) dates: Vec<DateForm>,
    /// How single columns are written, where that is not as the rest.
    pub(super) columns: ColumnForms,
    pub(super) nulls: Vec<String>,
    /// The columns whose empty cells have what stands above them, those of wider groups first.
    pub(super) fill: Vec<String>,
    /// What words for units mean in it.
    pub(super) units: UnitWords,
}

impl Default for TableSpec {
    fn default() -> Self {
        let marks = Marks { decimal: '.', thousands: None };
        Self {
            encoding: TextEncoding::default(),
            delimiter: b',',
            sheet: None,
            header: vec![1],
            marks,
            said_decimal: None,
            dates: Vec::new(),
            columns: ColumnForms::default(),
            nulls: Vec::new(),
            fill: Vec::new(),
            units: UnitWords::default(),
        }
    }
}

impl TableSpec {
    /// The forms of the dates that a template makes: those of its column, where it is nothing but one.
    pub(super) fn dates_of(&self, column: Option<&str>) -> &[DateForm] {
        column.map_or(&self.dates, |column| self.dates_in(column))
    }

    /// The forms of dates in a column.
    pub(super) fn dates_in(&self, column: &str) -> &[DateForm] {
        self.columns.of(column).and_then(|form| form.dates.as_ref()).unwrap_or(&self.dates)
    }

    /// The marks of numbers in a column.
    pub(super) fn marks_in(&self, column: &str) -> Marks {
        self.columns.of(column).and_then(|form| form.marks).unwrap_or(self.marks)
    }

    /// Whether the marks of a column are not those of the table.
    pub(super) fn has_own_marks(&self, column: &str) -> bool {
        self.columns.of(column).is_some_and(|form| form.marks.is_some())
    }

    /// The decimal mark of a column, where the map says it.
    pub(super) fn said_decimal_in(&self, column: &str) -> Option<char> {
        self.columns.of(column).and_then(|form| form.said_decimal).or(self.said_decimal)
    }
}

pub(super) fn table(reader: &mut Reader<'_>) -> TableSpec {
    let plain = TableSpec::default();
    let said_decimal = reader.text("decimal", mark).into_option();
    let decimal = said_decimal.unwrap_or(plain.marks.decimal);
    let thousands = reader.text("thousands", mark).into_option();
    if thousands == Some(decimal) {
        reader.fault(
            "thousands",
            "is the decimal mark too; the decimal mark is a point unless table.decimal says otherwise",
        );
    }
    let marks = Marks { decimal, thousands };
    TableSpec {
        encoding: reader.text("encoding", TextEncoding::parse).into_option().unwrap_or_default(),
        delimiter: reader.text("delimiter", delimiter).into_option().unwrap_or(plain.delimiter),
        sheet: reader.string("sheet").into_option(),
        header: reader.value("header", header).into_option().unwrap_or(plain.header),
        marks,
        said_decimal,
        dates: reader.list("dates", MOST_FORMS, |form| form.text(DateForm::parse)).into_option().unwrap_or_default(),
        columns: reader
            .member("columns", |json, at, faults| ColumnForms::read(json, at, marks, faults))
            .into_option()
            .unwrap_or_default(),
        nulls: reader.value("nulls", words).into_option().unwrap_or_default(),
        fill: reader.value("fill", words).into_option().unwrap_or_default(),
        units: reader.member("units", UnitWords::read).into_option().unwrap_or_default(),
    }
}

/// A line, or several in their order.
fn header(json: &Json) -> Result<Vec<u64>, Wrong> {
    let line = |json: &Json| json.integer(1..=10_000).map(i64::unsigned_abs);
    let Json::Array(items) = json else { return line(json).map(|line| vec![line]) };
    let lines: Vec<u64> = items.iter().map(line).collect::<Result<_, _>>()?;
    let in_order = lines.windows(2).all(|pair| pair[0] < pair[1]);
    if in_order && (1..=MOST_HEADER_ROWS).contains(&lines.len()) {
        Ok(lines)
    } else {
        Err(Wrong::new(format!("must be one line, or at most {MOST_HEADER_ROWS} from the top down, such as [1, 2]")))
    }
}

/// One text, or an array of texts.
pub(super) fn words(json: &Json) -> Result<Vec<String>, Wrong> {
    let word = |json: &Json| json.text(|text| Ok::<_, Wrong>(text.to_owned()));
    match json {
        Json::Array(items) => items.iter().map(word).collect(),
        Json::Text(_) => word(json).map(|word| vec![word]),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => {
            Err(Wrong::kind("a text or an array of texts", json))
        }
    }
}

fn delimiter(text: &str) -> Result<u8, &'static str> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && !matches!(byte, b'"' | b'\n' | b'\r') => {
            Ok(*byte)
        }
        _ => Err(r#"must be one mark, such as "," or ";" or "\t""#),
    }
}
