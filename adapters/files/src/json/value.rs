//! Reading one value as what a member should be: right, or a sentence that says what was expected and what came.

use std::fmt;
use std::ops::RangeInclusive;

use domain::FaultCode;

use super::Json;

/// What is wrong with a value; completes "`member` ...".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Wrong {
    /// What sort of fault it is.
    pub code: FaultCode,
    detail: String,
}

impl Wrong {
    /// A sentence without its subject, such as `must not be empty`.
    #[must_use]
    pub fn new(detail: impl fmt::Display) -> Self {
        Self { code: FaultCode::Invalid, detail: detail.to_string() }
    }

    /// `expected` was to come, `json` came.
    #[must_use]
    pub fn kind(expected: &str, json: &Json) -> Self {
        Self { code: FaultCode::Type, detail: format!("must be {expected}, not {}", json.kind()) }
    }
}

impl Json {
    /// A string that `parse` reads: names, dates, codes, identifiers.
    pub fn text<T, E: fmt::Display>(&self, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<T, Wrong> {
        match self {
            Self::Text(text) => parse(text).map_err(Wrong::new),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Array(_) | Self::Object(_) => {
                Err(Wrong::kind("a text", self))
            }
        }
    }

    /// A number or a string that `parse` reads from the digits as they came.
    pub fn amount<T, E: fmt::Display>(&self, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<T, Wrong> {
        match self {
            Self::Number(digits) | Self::Text(digits) => parse(digits).map_err(Wrong::new),
            Self::Null | Self::Bool(_) | Self::Array(_) | Self::Object(_) => {
                Err(Wrong::kind("a number, or a text with a number", self))
            }
        }
    }

    /// A whole number within `range`, written without point and exponent.
    pub fn integer(&self, range: RangeInclusive<i64>) -> Result<i64, Wrong> {
        let Self::Number(digits) = self else { return Err(Wrong::kind("a whole number", self)) };
        match digits.parse() {
            Ok(value) if range.contains(&value) => Ok(value),
            _ => Err(Wrong::new(format_args!("must be a whole number from {} to {}", range.start(), range.end()))),
        }
    }

    /// The value, if it is a JSON boolean.
    pub fn flag(&self) -> Result<bool, Wrong> {
        match self {
            Self::Bool(flag) => Ok(*flag),
            Self::Null | Self::Number(_) | Self::Text(_) | Self::Array(_) | Self::Object(_) => {
                Err(Wrong::kind("true or false", self))
            }
        }
    }
}
