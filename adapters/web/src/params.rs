//! The parameters of an address: each read once, every fault noted under its name.

use std::fmt::Display;

use domain::{FaultCode, Faults, parse_uuid};
use uuid::Uuid;

/// The parameters of a query that were not taken yet, and what was wrong so far.
#[derive(Clone, Debug, Default)]
pub struct Params {
    left: Vec<(String, String)>,
    /// What was found wrong.
    pub faults: Faults,
}

impl Params {
    /// Reads a query string. A parameter without a value is as if it were not there: a form sends every field.
    #[must_use]
    pub fn parse(query: &str) -> Self {
        let mut params = Self::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (decoded(name), decoded(value)) {
                (Some(name), Some(value)) if value.trim().is_empty() => drop(name),
                (Some(name), Some(value)) => params.left.push((name, value)),
                _ => params.faults.add(name, "is not encoded as addresses are"),
            }
        }
        params
    }

    /// Takes the value of that parameter; a second one is a fault.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let mut found = Vec::new();
        self.left.retain_mut(|(known, value)| {
            let is = known == name;
            if is {
                found.push(std::mem::take(value));
            }
            !is
        });
        if found.len() > 1 {
            self.faults.add_coded(FaultCode::Repeated, name, "is given more than once");
            return None;
        }
        found.pop()
    }

    /// Takes and reads the value; what is wrong with it is noted.
    pub fn read<T, E: Display>(&mut self, name: &str, read: impl FnOnce(&str) -> Result<T, E>) -> Option<T> {
        let text = self.take(name)?;
        match read(text.trim()) {
            Ok(value) => Some(value),
            Err(wrong) => {
                self.faults.add(name, format!("{text:?} {wrong}"));
                None
            }
        }
    }

    /// Takes and reads an identifier.
    pub fn id(&mut self, name: &str) -> Option<Uuid> {
        self.read(name, |text| parse_uuid(text).map_err(|_| "is not the identifier of a record"))
    }

    /// Takes one of some words.
    pub fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Option<T> {
        self.read(name, |text| {
            let known = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
            known.ok_or_else(|| {
                format!("is none of {}", words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", "))
            })
        })
    }

    /// Notes what was not taken, and gives everything that is wrong.
    #[must_use]
    pub fn finish(mut self) -> Faults {
        for (name, _) in self.left {
            self.faults.add_coded(FaultCode::Unknown, name, "is no parameter of this page");
        }
        self.faults
    }
}

/// The text that an encoded one stands for; `None` where it is none, or not UTF-8.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [first, others @ ..] = rest {
        rest = others;
        match (first, others) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                bytes.push(digit(high)? << 4 | digit(low)?);
                rest = after;
            }
            (b'%', _) => return None,
            (byte, _) => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_noted_under_its_name() {
        let mut params = Params::parse("org=x&depth=1&depth=2&odd=1&by=&bad=%ff");
        assert_eq!((params.id("org"), params.take("depth"), params.take("by")), (None, None, None));
        let faults = params.finish();
        let names: Vec<_> = faults.as_slice().iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(names, ["bad", "org", "depth", "odd"]);
    }

    #[test]
    fn texts_are_decoded_as_forms_encode_them() {
        assert_eq!(decoded("a+b%20c%C3%A9").as_deref(), Some("a b cé"));
        for wrong in ["%", "%4", "%zz", "%ff"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }
}
