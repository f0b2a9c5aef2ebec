//! JSON text that is kept byte for byte.

use std::fmt;

/// JSON text that is kept byte for byte, with the white space around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawJson(Box<str>);

/// A text that is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not JSON: byte {at} of it is not what may stand there")]
pub struct RawJsonError {
    /// How many bytes are before the fault.
    pub at: usize,
}

impl RawJson {
    /// Keeps a text that is one JSON value (RFC 8259), however deep.
    pub fn parse(text: &str) -> Result<Self, RawJsonError> {
        let mut syntax = Syntax { bytes: text.as_bytes(), at: 0 };
        if syntax.value().is_some() && syntax.at == text.len() {
            Ok(Self(text.into()))
        } else {
            Err(RawJsonError { at: syntax.at })
        }
    }

    /// The JSON text as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a JSON object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.0.trim_start().starts_with('{')
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How far a text was found to be JSON. Each step is `None` where it is not, and then is at the fault.
struct Syntax<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Syntax<'_> {
    /// A value with the white space around it. Open objects and lists are in a list of their own, so that no depth
    /// exhausts the stack.
    fn value(&mut self) -> Option<()> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            self.blanks();
            match self.peek()? {
                begin @ (b'{' | b'[') => {
                    self.at += 1;
                    self.blanks();
                    // The closing bracket is two above the opening one in ASCII.
                    if self.take(begin + 2) {
                        self.close(&mut open)?;
                    } else {
                        open.push(begin);
                        self.name(begin)?;
                        continue;
                    }
                }
                b'"' => {
                    self.string()?;
                    self.close(&mut open)?;
                }
                b'-' | b'0'..=b'9' => {
                    self.number()?;
                    self.close(&mut open)?;
                }
                _ => {
                    self.word()?;
                    self.close(&mut open)?;
                }
            }
            if open.is_empty() {
                return Some(());
            }
        }
    }

    /// What is behind a value: the ends of the objects and lists that it ends, or the comma before the next one.
    fn close(&mut self, open: &mut Vec<u8>) -> Option<()> {
        loop {
            self.blanks();
            let Some(begin) = open.last().copied() else { return Some(()) };
            if self.take(b',') {
                return self.name(begin);
            }
            self.expect(begin + 2)?;
            open.pop();
        }
    }

    /// The name of a member, where an object is open.
    fn name(&mut self, open: u8) -> Option<()> {
        if open == b'{' {
            self.blanks();
            self.string()?;
            self.blanks();
            self.expect(b':')?;
        }
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        self.expect(b'"')?;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => {
                    self.at += 1;
                    match self.peek()? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
                        b'u' => {
                            self.at += 1;
                            for _ in 0..4 {
                                self.peek().filter(u8::is_ascii_hexdigit)?;
                                self.at += 1;
                            }
                        }
                        _ => return None,
                    }
                }
                0..=0x1f => return None,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        self.peek().filter(u8::is_ascii_digit)?;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Some(())
    }

    fn word(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at..];
        let word = [&b"true"[..], b"false", b"null"].into_iter().find(|word| rest.starts_with(word))?;
        self.at += word.len();
        Some(())
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.take(byte).then_some(())
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_kept_as_it_is() {
        for text in [
            "{}",
            " [ ] ",
            "0",
            "-0.50e+10",
            "1E400",
            "\"\"",
            "\t\"\\u00fc\\n\\/\" ",
            "true",
            "null",
            "{\"a\":[1,{\"a\":{}}],\"a\":2}",
            "\n[[],[[]],{\"\":false}]\r",
        ] {
            assert_eq!(RawJson::parse(text).map(|json| json.to_string()), Ok(text.to_owned()));
        }
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        assert!(RawJson::parse(&deep).is_ok());
    }

    #[test]
    fn what_is_no_json_says_where() {
        for (text, at) in [
            ("", 0),
            (" ", 1),
            ("{", 1),
            ("[1,]", 3),
            ("[1}", 2),
            ("{\"a\"}", 4),
            ("{\"a\":1,}", 7),
            ("{a:1}", 1),
            ("01", 1),
            ("1.", 2),
            (".5", 0),
            ("+1", 0),
            ("1e", 2),
            ("-", 1),
            ("\"a", 2),
            ("\"\n\"", 1),
            ("\"\\x\"", 2),
            ("\"\\u12g4\"", 5),
            ("tru", 0),
            ("nulll", 4),
            ("1 2", 2),
            ("[]]", 2),
            ("\u{feff}1", 0),
            ("\"\0\"", 1),
        ] {
            assert_eq!(RawJson::parse(text), Err(RawJsonError { at }), "{text:?}");
        }
    }
}
