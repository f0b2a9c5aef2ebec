//! Parsing JSON: the syntax is checked by `serde_json`, numbers are kept as text, and the depth is bounded.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use domain::{FaultCode, Faults};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Json, pointer};
use crate::counted::counted;

/// Reads one JSON value that is all of `bytes`, with at most `max_depth` arrays and objects around each other.
///
/// Refused are: what is no UTF-8, anything behind the value, names twice in one object, and escapes that are half a
/// character. The faults are those that can be found, the first thousand of them: each doubled name, each escape. A pointer
/// is empty for the whole, whose detail says line and column; names of more than 255 characters are cut in it.
pub fn parse(bytes: &[u8], max_depth: usize) -> Result<Json, Faults> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Faults::one("", format!("is not UTF-8 from byte {} on", error.valid_up_to() + 1)))?;
    let raw =
        serde_json::from_str::<&RawValue>(text).map_err(|error| Faults::one("", format!("is not JSON: {error}")))?;
    let mut reading = Reading { too_deep: false, found: 0, faults: Faults::new() };
    let json = reading.value(raw, &Place::Whole, max_depth);
    reading.into_faults().into_result().map(|()| json)
}

/// The most faults that are kept: a small body can have hundreds of thousands.
const MOST_FAULTS: usize = 1_000;
/// The most characters of a name that a pointer has.
const MOST_NAMED: usize = 255;

/// Where a value stands; written out only for a fault, as most values have none.
enum Place<'a> {
    Whole,
    Item(&'a Place<'a>, usize),
    Member(&'a Place<'a>, &'a str),
}

impl Place<'_> {
    fn pointer(&self) -> String {
        match self {
            Self::Whole => String::new(),
            Self::Item(base, index) => format!("{}/{index}", base.pointer()),
            Self::Member(base, name) => pointer(&base.pointer(), &shortened(name)),
        }
    }
}

fn shortened(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(MOST_NAMED) {
        Some((end, _)) => Cow::Owned(format!("{}...", &name[..end])),
        None => Cow::Borrowed(name),
    }
}

/// Reads the parts of a text that has passed as JSON.
struct Reading {
    too_deep: bool,
    /// How many faults there are, kept or not.
    found: usize,
    faults: Faults,
}

impl Reading {
    fn into_faults(mut self) -> Faults {
        if self.found > MOST_FAULTS {
            let more = counted((self.found - MOST_FAULTS) as u64, "more fault", "more faults");
            self.faults.add_coded(FaultCode::TooMuch, "", format!("has {more} of this kind"));
        }
        self.faults
    }

    fn fault(&mut self, code: FaultCode, at: &Place<'_>, detail: &str) {
        self.found += 1;
        if self.found <= MOST_FAULTS {
            self.faults.add_coded(code, at.pointer(), detail);
        }
    }

    /// The value at that place; null in the place of what is refused.
    fn value(&mut self, raw: &RawValue, at: &Place<'_>, depth: usize) -> Json {
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

    fn array(&mut self, text: &str, at: &Place<'_>, depth: usize) -> Json {
        let Some(depth) = self.deeper(at, depth) else { return Json::Null };
        let Some(items) = self.unescaped::<Vec<&RawValue>>(text, at) else { return Json::Null };
        let items = items.into_iter().enumerate();
        Json::Array(items.map(|(index, item)| self.value(item, &Place::Item(at, index), depth)).collect())
    }

    fn object(&mut self, text: &str, at: &Place<'_>, depth: usize) -> Json {
        let Some(depth) = self.deeper(at, depth) else { return Json::Null };
        let Some(RawMembers(members)) = self.unescaped(text, at) else { return Json::Null };
        let mut seen = HashSet::with_capacity(members.len());
        let mut repeated = HashSet::new();
        for (name, _) in &members {
            if !seen.insert(name.as_str()) && repeated.insert(name.as_str()) {
                self.fault(FaultCode::Repeated, &Place::Member(at, name), "stands twice in the same object");
            }
        }
        let read = |(name, raw): &(String, &RawValue)| (name.clone(), self.value(raw, &Place::Member(at, name), depth));
        Json::Object(members.iter().map(read).collect())
    }

    /// What the text says once its escapes are resolved.
    fn unescaped<'a, T: Deserialize<'a>>(&mut self, text: &'a str, at: &Place<'_>) -> Option<T> {
        let value = serde_json::from_str(text);
        let detail = "holds an escape that is half a character (a lone surrogate)";
        value.map_err(|_| self.fault(FaultCode::Invalid, at, detail)).ok()
    }

    fn deeper(&mut self, at: &Place<'_>, depth: usize) -> Option<usize> {
        let deeper = depth.checked_sub(1);
        // Said once: a small body can have it in hundreds of thousands of places.
        if deeper.is_none() && !std::mem::replace(&mut self.too_deep, true) {
            self.fault(FaultCode::TooMuch, at, "is nested too deeply");
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
