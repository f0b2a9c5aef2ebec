//! The tokens of canonical text.

use std::borrow::Cow;
use std::fmt;

use super::error::CanonicalError;

/// A text and how far it was read.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// How many bytes were read.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// An error at the place reached.
    pub(super) fn wrong(&self, detail: impl fmt::Display) -> CanonicalError {
        if self.is_at_end() { CanonicalError::new(self.at, "is cut off") } else { CanonicalError::new(self.at, detail) }
    }

    pub(super) fn is_next(&self, token: char) -> bool {
        self.rest().starts_with(token)
    }

    pub(super) fn take(&mut self, token: char) -> bool {
        let is_next = self.is_next(token);
        self.at += if is_next { token.len_utf8() } else { 0 };
        is_next
    }

    pub(super) fn expect(&mut self, token: char, detail: &str) -> Result<(), CanonicalError> {
        if self.take(token) { Ok(()) } else { Err(self.wrong(detail)) }
    }

    /// Takes the name of a member and what is around it, if it comes next.
    pub(super) fn take_name(&mut self, name: &str, is_first: bool) -> bool {
        let rest = self.rest();
        let rest = if is_first { Some(rest) } else { rest.strip_prefix(',') };
        let rest = rest
            .and_then(|rest| rest.strip_prefix('"'))
            .and_then(|rest| rest.strip_prefix(name))
            .and_then(|rest| rest.strip_prefix("\":"));
        if let Some(rest) = rest {
            self.at = self.text.len() - rest.len();
        }
        rest.is_some()
    }

    /// The name of the member that comes next, for a message.
    pub(super) fn next_name(&self) -> Option<&'a str> {
        let rest = self.rest();
        let (name, _) = rest.strip_prefix(',').unwrap_or(rest).strip_prefix('"')?.split_once("\":")?;
        Some(name)
    }

    pub(super) fn string(&mut self) -> Result<Cow<'a, str>, CanonicalError> {
        self.expect('"', "is not a text")?;
        let plain = self.run();
        if self.take('"') {
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_owned();
        loop {
            text.push(self.escape()?);
            text.push_str(self.run());
            if self.take('"') {
                return Ok(Cow::Owned(text));
            }
        }
    }

    pub(super) fn integer<T: TryFrom<i128>>(&mut self) -> Result<T, CanonicalError> {
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
        let digits = &rest[..length];
        let bare = digits.strip_prefix('-').unwrap_or(digits);
        let is_plain = digits == "0" || !bare.is_empty() && !bare.starts_with(['0', '-']);
        let value = digits.parse::<i128>().ok().filter(|_| is_plain);
        let Some(value) = value else { return Err(self.wrong("is not a whole number")) };
        let value = T::try_from(value).map_err(|_| self.wrong("is a whole number beyond its bounds"))?;
        self.at += length;
        Ok(value)
    }

    pub(super) fn flag(&mut self) -> Result<bool, CanonicalError> {
        for (word, value) in [("true", true), ("false", false)] {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.wrong("is neither true nor false"))
    }

    /// Takes the characters up to the next that ends a text or that is not written as itself.
    fn run(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\').unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Takes a character that is written with a backslash.
    fn escape(&mut self) -> Result<char, CanonicalError> {
        let rest = self.rest().as_bytes();
        let (length, character) = match rest {
            [b'\\', quoted @ (b'"' | b'\\'), ..] => (2, *quoted),
            [b'\\', b'u', b'0', b'0', high @ b'0'..=b'1', low @ (b'0'..=b'9' | b'a'..=b'f'), ..] => {
                let low = if low.is_ascii_digit() { low - b'0' } else { low - b'a' + 10 };
                (6, (high - b'0') * 16 + low)
            }
            _ => return Err(self.wrong("has a character that is not written in the canonical form")),
        };
        if character == 0 {
            return Err(self.wrong("must not contain U+0000"));
        }
        self.at += length;
        Ok(char::from(character))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
}
