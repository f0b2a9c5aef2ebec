//! Writing JSON values: numbers with the digits they came with.

use std::fmt::{self, Write as _};

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
fn number(digits: &str) -> Result<Box<RawValue>, serde_json::Error> {
    RawValue::from_string(digits.to_owned())
}

/// Appends the text in quotation marks, escaped.
pub(crate) fn write_text(to: &mut String, text: &str) {
    to.push('"');
    let mut rest = text;
    // Most texts have nothing to escape and are taken in one piece.
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        to.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => to.push_str("\\\""),
            b'\\' => to.push_str("\\\\"),
            b'\n' => to.push_str("\\n"),
            b'\r' => to.push_str("\\r"),
            b'\t' => to.push_str("\\t"),
            0x08 => to.push_str("\\b"),
            0x0c => to.push_str("\\f"),
            // Writing to a string never fails.
            control => drop(write!(to, "\\u{control:04x}")),
        }
        rest = &rest[at + 1..];
    }
    to.push_str(rest);
    to.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_are_escaped_as_a_json_library_escapes_them(text in "(\\PC|[\\x00-\\x22\\\\\u{7f}\u{2028}])*") {
            let mut written = String::new();
            super::write_text(&mut written, &text);
            prop_assert_eq!(written, serde_json::to_string(&text).unwrap());
        }
    }
}
