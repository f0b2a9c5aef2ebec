//! The conditions of a map under which a row leaves an activity out.

use domain::{Decimal, Faults};

use super::row::Row;
use super::table_spec::words;
use crate::json::{Json, Members, Reader, Wrong};

/// A condition under which an activity is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Skip {
    /// The column is empty or a null word.
    Empty(String),
    /// The column is the number zero.
    Zero(String),
    /// The column is one of these words.
    Equals(String, Vec<String>),
}

impl Skip {
    /// Reads `{ empty = [...], zero = [...], equals = { COLUMN = [...] } }`.
    pub(super) fn read(json: &Json, at: &str, faults: &mut Faults) -> Option<Vec<Self>> {
        let mut reader = match Reader::at(json, at, Members::Given) {
            Ok(reader) => reader,
            Err(found) => {
                faults.extend(found);
                return None;
            }
        };
        let empty = reader.value("empty", words).into_option().unwrap_or_default();
        let zero = reader.value("zero", words).into_option().unwrap_or_default();
        let equals = reader.value("equals", equals).into_option().unwrap_or_default();
        let found = reader.finish();
        let sound = found.is_empty();
        faults.extend(found);
        let all = empty.into_iter().map(Self::Empty).chain(zero.into_iter().map(Self::Zero));
        sound.then(|| all.chain(equals.into_iter().map(|(column, words)| Self::Equals(column, words))).collect())
    }

    pub(super) fn column(&self) -> &str {
        match self {
            Self::Empty(column) | Self::Zero(column) | Self::Equals(column, _) => column,
        }
    }

    /// Whether it holds in a row; an error when the cell that must be a number is none.
    pub(super) fn holds(&self, row: &Row<'_>) -> Result<bool, String> {
        match self {
            Self::Empty(column) => Ok(row.cell(column).is_none()),
            Self::Zero(column) => Ok(row.number(column)?.is_some_and(Decimal::is_zero)),
            Self::Equals(column, words) => {
                Ok(row.cell(column).is_some_and(|cell| words.iter().any(|word| word == cell)))
            }
        }
    }
}

fn equals(json: &Json) -> Result<Vec<(String, Vec<String>)>, Wrong> {
    match json {
        Json::Object(members) => members.iter().map(|(column, json)| Ok((column.clone(), words(json)?))).collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Array(_) => {
            Err(Wrong::kind("a table of columns and words", json))
        }
    }
}
