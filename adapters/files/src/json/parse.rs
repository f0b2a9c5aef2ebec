//! Parsing JSON: the syntax is checked by `serde_json`, numbers are kept as text, and the depth is bounded.

use std::collections::HashSet;
use std::fmt;

use domain::{FaultCode, Faults};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Json, pointer};

/// Reads one JSON value that is all of `bytes`, with at most `max_depth` arrays and objects around each other.
///
/// Refused are: what is no UTF-8, anything behind the value, names twice in one object, and escapes that are half a
/// character. The faults are all of those that can be found: each doubled name, each escape; a pointer is empty for the
/// whole, whose detail says line and column.
pub fn parse(bytes: &[u8], max_depth: usize) -> Result<Json, Faults> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Faults::one("", format!("is not UTF-8 from byte {} on", error.valid_up_to() + 1)))?;
    let raw =
        serde_json::from_str::<&RawValue>(text).map_err(|error| Faults::one("", format!("is not JSON: {error}")))?;
    let mut reading = Reading { too_deep: false, faults: Faults::new() };
    let json = reading.value(raw, "", max_depth);
    reading.faults.into_result().map(|()| json)
}

/// Reads the parts of a text that has passed as JSON.
struct Reading {
    too_deep: bool,
    faults: Faults,
}

impl Reading {
    /// The value at the pointer `at`; null in the place of what is refused.
    fn value(&mut self, raw: &RawValue, at: &str, depth: usize) -> Json {
        let text = raw.get();
        // The whole text is JSON, so the first byte tells the kind and only escapes can still be wrong.
        match text.as_bytes().first() {
            Some(b'n') => Json::Null,
            Some(b't') => Json::Bool(true),
            Some(b'f') => Json::Bool(false),
            Some(b'"') => self.unescaped(text, at).map_or(Json::Null, Json::Text),
            Some(b'[') => self.array(text, at, depth),
            Some(b'{') => self.object(text, at, depth),
            _ => Json::Number(text.to_owned()),
        }
    }

    fn array(&mut self, text: &str, at: &str, depth: usize) -> Json {
        let Some(depth) = self.deeper(at, depth) else { return Json::Null };
        let Some(items) = self.unescaped::<Vec<&RawValue>>(text, at) else { return Json::Null };
        let items = items.into_iter().enumerate();
        Json::Array(items.map(|(index, item)| self.value(item, &format!("{at}/{index}"), depth)).collect())
    }

    fn object(&mut self, text: &str, at: &str, depth: usize) -> Json {
        let Some(depth) = self.deeper(at, depth) else { return Json::Null };
        let Some(RawMembers(members)) = self.unescaped(text, at) else { return Json::Null };
        let mut seen = HashSet::with_capacity(members.len());
        let mut repeated = HashSet::new();
        for (name, _) in &members {
            if !seen.insert(name.as_str()) && repeated.insert(name.as_str()) {
                self.faults.add_coded(FaultCode::Repeated, pointer(at, name), "stands twice in the same object");
            }
        }
        let read = |(name, raw): &(String, &RawValue)| (name.clone(), self.value(raw, &pointer(at, name), depth));
        Json::Object(members.iter().map(read).collect())
    }

    /// What the text says once its escapes are resolved.
    fn unescaped<'a, T: Deserialize<'a>>(&mut self, text: &'a str, at: &str) -> Option<T> {
        let value = serde_json::from_str(text);
        value.map_err(|_| self.faults.add(at, "holds an escape that is half a character (a lone surrogate)")).ok()
    }

    fn deeper(&mut self, at: &str, depth: usize) -> Option<usize> {
        let deeper = depth.checked_sub(1);
        // Said once: a small body can have it in hundreds of thousands of places.
        if deeper.is_none() && !std::mem::replace(&mut self.too_deep, true) {
            self.faults.add_coded(FaultCode::TooMuch, at, "is nested too deeply");
        }
        deeper
    }
}

/// The members of an object as they come, doubled ones too.
struct RawMembers<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for RawMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = RawMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(RawMembers(members))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
