//! Writing JSON values: numbers with the digits they came with.

use std::fmt;

use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

use super::Json;

impl Serialize for Json {
    /// For `serde_json` serialisers alone, which write a number's own text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Number(digits) => number(digits).map_err(S::Error::custom)?.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => serializer.collect_map(members.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl fmt::Display for Json {
    /// The shortest form: no blanks, members in their order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

/// A number to write exactly as its digits say; an error when they are no JSON number.
pub(crate) fn number(digits: &str) -> Result<Box<RawValue>, serde_json::Error> {
    RawValue::from_string(digits.to_owned())
}
