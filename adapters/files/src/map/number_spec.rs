//! A number of an activity: the same in each row, or of a column.

use domain::Decimal;

use super::row::Row;
use super::template::Template;
use crate::json::{Json, Wrong};

/// A number of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// The same in each.
    Constant(Decimal),
    /// What the column says.
    Column(String),
}

impl Number {
    /// The number of a row; `None` where its cell is empty.
    pub(super) fn value(&self, row: &Row<'_>) -> Result<Option<Decimal>, String> {
        match self {
            Self::Constant(value) => Ok(Some(*value)),
            Self::Column(column) => row.number(column),
        }
    }

    pub(super) fn column(&self) -> Option<&str> {
        match self {
            Self::Column(column) => Some(column),
            Self::Constant(_) => None,
        }
    }

    /// A text with a column in braces, or with digits and a point.
    pub(super) fn read(json: &Json) -> Result<Self, Wrong> {
        match json {
            Json::Text(text) => Self::parse(text),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => {
                Err(Wrong::kind("a text such as \"{kWh}\" or \"1.5\", which keeps every digit", json))
            }
        }
    }

    /// A column in braces, or digits with a point.
    fn parse(text: &str) -> Result<Self, Wrong> {
        if !text.contains(['{', '}']) {
            return Decimal::parse(text).map(Self::Constant).map_err(Wrong::new);
        }
        let template = Template::parse(text).map_err(Wrong::new)?;
        let column = template.column().ok_or_else(|| Wrong::new("must be one column, such as {kWh}, or a number"))?;
        Ok(Self::Column(column.to_owned()))
    }
}
