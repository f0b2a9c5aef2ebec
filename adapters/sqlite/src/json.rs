//! Lists as one parameter: JSON text for `json_each`.

use std::fmt::{Display, Write as _};

use uuid::Uuid;

/// Identifiers in hexadecimal digits, for `unhex(value)`.
pub(crate) fn ids(ids: impl IntoIterator<Item = Uuid>) -> String {
    let mut json = String::from("[");
    for id in ids {
        if json.len() > 1 {
            json.push(',');
        }
        let _ = write!(json, "\"{}\"", id.as_simple());
    }
    json.push(']');
    json
}

/// A JSON array of numbers.
pub(crate) fn numbers(numbers: impl IntoIterator<Item = impl Display>) -> String {
    let mut json = String::from("[");
    for number in numbers {
        if json.len() > 1 {
            json.push(',');
        }
        let _ = write!(json, "{number}");
    }
    json.push(']');
    json
}

/// A JSON array of texts.
pub(crate) fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    serde_json::Value::from_iter(texts).to_string()
}
