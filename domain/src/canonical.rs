//! Canonical bytes: one spelling of a record for all stores, and its digest.
//!
//! A record is a JSON object whose members stand in a fixed order, amounts as plain decimals in strings, moments in
//! RFC 3339, absent values as `null`, without white space. Equal records have equal bytes on every store.

use std::fmt;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// SHA-256 of canonical bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// What stands before the first change of a chain.
    pub const ZERO: Self = Self([0; 32]);

    /// The digest of those bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest that was stored as these bytes.
    #[must_use]
    pub const fn from_stored(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    /// 64 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A record that has canonical bytes.
pub trait Canonical {
    /// Writes its members, always the same ones in the same order.
    fn write(&self, record: &mut CanonicalWriter);

    /// Its canonical bytes, as text.
    fn canonical(&self) -> String {
        let mut record = CanonicalWriter::new();
        self.write(&mut record);
        record.finish()
    }

    /// The digest of its canonical bytes.
    fn digest(&self) -> Digest {
        Digest::of(self.canonical().as_bytes())
    }
}

/// A canonical record in the making.
#[derive(Debug)]
pub struct CanonicalWriter {
    text: String,
}

impl CanonicalWriter {
    fn new() -> Self {
        Self { text: String::from("{") }
    }

    fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }

    fn key(&mut self, name: &str) {
        if !self.text.ends_with(['{', '[']) {
            self.text.push(',');
        }
        quote(&mut self.text, name);
        self.text.push(':');
    }

    /// A member whose value is the text of `value`.
    pub fn text(&mut self, name: &str, value: impl fmt::Display) {
        self.key(name);
        quote(&mut self.text, &value.to_string());
    }

    /// A member whose value is the text of `value`, or `null`.
    pub fn optional(&mut self, name: &str, value: Option<impl fmt::Display>) {
        if let Some(value) = value {
            self.text(name, value);
        } else {
            self.key(name);
            self.text.push_str("null");
        }
    }

    /// A member that is a whole number.
    pub fn integer(&mut self, name: &str, value: i64) {
        self.key(name);
        let _ = write!(self.text, "{value}");
    }

    /// A member that is true or false.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.key(name);
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// A member that is a list of texts.
    pub fn texts(&mut self, name: &str, values: impl IntoIterator<Item = impl fmt::Display>) {
        self.key(name);
        self.text.push('[');
        for value in values {
            if !self.text.ends_with('[') {
                self.text.push(',');
            }
            quote(&mut self.text, &value.to_string());
        }
        self.text.push(']');
    }

    /// A member that is a list of records.
    pub fn records<'a, T: Canonical + 'a>(&mut self, name: &str, values: impl IntoIterator<Item = &'a T>) {
        self.key(name);
        self.text.push('[');
        for value in values {
            if !self.text.ends_with('[') {
                self.text.push(',');
            }
            self.text.push_str(&value.canonical());
        }
        self.text.push(']');
    }
}

fn quote(out: &mut String, value: &str) {
    out.push('"');
    let mut rest = value;
    // Most texts have nothing to escape and are taken in one piece.
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            control => {
                let _ = write!(out, "\\u{control:04x}");
            }
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}
