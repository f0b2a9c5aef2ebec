//! How single columns of a table are written, where that is not as the rest of it.

use std::collections::BTreeMap;

use domain::Faults;

use super::dates::DateForm;
use super::numbers::Marks;
use crate::json::{Json, Members, Reader, Wrong, pointer};

/// How many date forms a map may have.
pub(super) const MOST_FORMS: usize = 20;

/// How columns are written, by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnForms(BTreeMap<String, ColumnForm>);

/// How one column is written.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnForm {
    /// The forms of its dates, in place of those of the table.
    pub(super) dates: Option<Vec<DateForm>>,
    /// The marks of its numbers, in place of those of the table.
    pub(super) marks: Option<Marks>,
    /// The decimal mark, where it says it.
    pub(super) said_decimal: Option<char>,
}

impl ColumnForms {
    /// Reads `{ Due = { dates = ["MM/DD/YYYY"] }, kWh = { decimal = ",", thousands = "." } }`; a column that says one mark only has the
    /// decimal mark of the table.
    pub(super) fn read(json: &Json, at: &str, table: Marks, faults: &mut Faults) -> Option<Self> {
        let Json::Object(members) = json else {
            faults.add(at, Wrong::kind("a table of columns and how they are written", json).to_string());
            return None;
        };
        let before = faults.as_slice().len();
        let mut forms = BTreeMap::new();
        for (column, json) in members {
            match Reader::at(json, &pointer(at, column), Members::Given) {
                Ok(mut reader) => {
                    forms.insert(column.trim().to_owned(), ColumnForm::read(&mut reader, table));
                    faults.extend(reader.finish());
                }
                Err(found) => faults.extend(found),
            }
        }
        (faults.as_slice().len() == before).then_some(Self(forms))
    }

    /// How a column is written; `None` where it is as the rest of the table.
    pub(super) fn of(&self, column: &str) -> Option<&ColumnForm> {
        self.0.get(column)
    }

    /// The columns of which it is said.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl ColumnForm {
    fn read(reader: &mut Reader<'_>, table: Marks) -> Self {
        let dates = reader.list("dates", MOST_FORMS, |form| form.text(DateForm::parse)).into_option();
        let said_decimal = reader.text("decimal", mark).into_option();
        let thousands = reader.text("thousands", mark).into_option();
        let decimal = said_decimal.unwrap_or(table.decimal);
        if thousands == Some(decimal) {
            reader.fault("thousands", "is the decimal mark of the column too");
        }
        let says_marks = said_decimal.is_some() || thousands.is_some();
        Self { dates, marks: says_marks.then_some(Marks { decimal, thousands }), said_decimal }
    }
}

pub(super) fn mark(text: &str) -> Result<char, &'static str> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(mark), None) if !mark.is_alphanumeric() && !matches!(mark, '+' | '-') => Ok(mark),
        _ => Err("must be one mark, such as . or ,"),
    }
}
