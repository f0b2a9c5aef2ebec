//! Writing canonical text, or its digest without keeping the text.

use std::fmt::{self, Write as _};

use sha2::{Digest as _, Sha256};

use super::digest::Digest;

/// So many bytes are gathered before they are hashed.
const PIECE: usize = 8 * 1024;

/// Canonical text in the making: one JSON object whose members are written in their order.
///
/// A member without a value is left out, and so is an empty list. Names of members need no escape in JSON. No text has
/// the character U+0000; the types whose texts are written see to that, and [`CanonicalReader`](super::CanonicalReader)
/// refuses it.
#[derive(Debug)]
pub struct CanonicalWriter {
    text: String,
    hash: Option<Sha256>,
    is_first: bool,
}

impl CanonicalWriter {
    /// The text of an object whose members `write` writes.
    #[must_use]
    pub fn text_of(write: impl FnOnce(&mut Self)) -> String {
        let mut writer = Self { text: String::new(), hash: None, is_first: true };
        writer.braces(write);
        writer.text
    }

    /// The digest of the text of an object whose members `write` writes. The text is never held as a whole.
    #[must_use]
    pub fn digest_of(write: impl FnOnce(&mut Self)) -> Digest {
        let mut writer = Self { text: String::new(), hash: Some(Sha256::new()), is_first: true };
        writer.braces(write);
        let mut hash = writer.hash.unwrap_or_default();
        hash.update(writer.text.as_bytes());
        Digest::from_stored(hash.finalize().into())
    }

    /// A member that is the text of `value`.
    pub fn text(&mut self, name: &str, value: impl fmt::Display) {
        self.name(name);
        self.quoted(value);
    }

    /// A member that is the text of `value`, where there is one.
    pub fn optional(&mut self, name: &str, value: Option<impl fmt::Display>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    /// A member that is a whole number.
    pub fn integer(&mut self, name: &str, value: impl Into<i128>) {
        self.name(name);
        self.digits(value.into());
    }

    /// A member that is a whole number, where there is one.
    pub fn optional_integer(&mut self, name: &str, value: Option<impl Into<i128>>) {
        if let Some(value) = value {
            self.integer(name, value);
        }
    }

    /// A member that is true or false.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.name(name);
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// A member that is an object whose members `write` writes.
    pub fn object(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.name(name);
        self.braces(write);
    }

    /// A member that is an object of that canonical text.
    pub fn object_of(&mut self, name: &str, canonical: &str) {
        self.name(name);
        self.text.push_str(canonical);
    }

    /// A member that is an object whose members `write` writes, where there is a value.
    pub fn optional_object<T>(&mut self, name: &str, value: Option<T>, write: impl FnOnce(T, &mut Self)) {
        if let Some(value) = value {
            self.object(name, |to| write(value, to));
        }
    }

    /// A member that is a list of the texts of `values`; left out when there are none.
    pub fn texts(&mut self, name: &str, values: impl IntoIterator<Item = impl fmt::Display>) {
        self.list(name, values, write_text);
    }

    /// A member that is a list of objects, the members of each written by `write`; left out when there are none.
    pub fn objects<T>(&mut self, name: &str, values: impl IntoIterator<Item = T>, mut write: impl FnMut(T, &mut Self)) {
        self.list(name, values, |item, value| item.object(|to| write(value, to)));
    }

    /// A member that is a list, each of whose items `write` writes; left out when there are none.
    pub fn list<T>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = T>,
        mut write: impl FnMut(CanonicalItem<'_>, T),
    ) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_none() {
            return;
        }
        self.name(name);
        self.text.push('[');
        self.is_first = true;
        for value in values {
            self.separate();
            write(CanonicalItem { to: self }, value);
        }
        self.text.push(']');
        self.is_first = false;
    }

    fn name(&mut self, name: &str) {
        self.separate();
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
    }

    /// Puts a comma before all members and items but the first.
    fn separate(&mut self) {
        if !self.is_first {
            self.text.push(',');
        }
        self.is_first = false;
        if let Some(hash) = &mut self.hash
            && self.text.len() >= PIECE
        {
            hash.update(self.text.as_bytes());
            self.text.clear();
        }
    }

    fn braces(&mut self, write: impl FnOnce(&mut Self)) {
        self.text.push('{');
        self.is_first = true;
        write(self);
        self.text.push('}');
        self.is_first = false;
    }

    fn quoted(&mut self, value: impl fmt::Display) {
        self.text.push('"');
        // Writing to a string never fails.
        let _ = write!(Escaped(&mut self.text), "{value}");
        self.text.push('"');
    }

    fn digits(&mut self, value: i128) {
        let _ = write!(self.text, "{value}");
    }
}

/// The place of one item of a list.
#[derive(Debug)]
pub struct CanonicalItem<'a> {
    to: &'a mut CanonicalWriter,
}

impl CanonicalItem<'_> {
    /// An item that is the text of `value`.
    pub fn text(self, value: impl fmt::Display) {
        self.to.quoted(value);
    }

    /// An item that is a whole number.
    pub fn integer(self, value: impl Into<i128>) {
        self.to.digits(value.into());
    }

    /// An item that is an object whose members `write` writes.
    pub fn object(self, write: impl FnOnce(&mut CanonicalWriter)) {
        self.to.braces(write);
    }
}

fn write_text(item: CanonicalItem<'_>, value: impl fmt::Display) {
    item.text(value);
}

/// Escapes what JSON wants escaped in a string: `"`, `\` and the control characters below a blank, those as `\u00xx`.
struct Escaped<'a>(&'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        // Most texts have nothing to escape and are taken in one piece.
        while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            self.0.push_str(&rest[..at]);
            match rest.as_bytes()[at] {
                b'"' => self.0.push_str("\\\""),
                b'\\' => self.0.push_str("\\\\"),
                control => write!(self.0, "\\u{control:04x}")?,
            }
            rest = &rest[at + 1..];
        }
        self.0.push_str(rest);
        Ok(())
    }
}
