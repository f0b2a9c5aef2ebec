//! Parsing JSON: the syntax is checked by `serde_json`, numbers are kept as text, and the depth is bounded.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Json, pointer};

/// Why bytes are no JSON that is accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct JsonFault {
    /// Where: a JSON pointer; empty for the whole, whose `detail` says line and column.
    pub pointer: String,
    /// What is wrong there.
    pub detail: String,
}

impl JsonFault {
    fn new(detail: impl Into<String>) -> Self {
        Self { pointer: String::new(), detail: detail.into() }
    }

    /// The same fault, seen from one level further out.
    fn below(mut self, name: &str) -> Self {
        self.pointer.insert_str(0, &pointer("", name));
        self
    }
}

/// Reads one JSON value that is all of `bytes`, with at most `max_depth` arrays and objects around each other.
///
/// Refused are: what is no UTF-8, anything behind the value, a name twice in one object, and escapes that are half a
/// character.
pub fn parse(bytes: &[u8], max_depth: usize) -> Result<Json, JsonFault> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| JsonFault::new(format!("is not UTF-8 from byte {} on", error.valid_up_to() + 1)))?;
    let raw =
        serde_json::from_str::<&RawValue>(text).map_err(|error| JsonFault::new(format!("is not JSON: {error}")))?;
    read(raw, max_depth)
}

fn read(raw: &RawValue, depth: usize) -> Result<Json, JsonFault> {
    let text = raw.get();
    // The whole text has passed as JSON, so that the first byte tells the kind and only escapes can still be wrong.
    let escape = |_| JsonFault::new("holds an escape that is half a character (a lone surrogate)");
    match text.as_bytes().first() {
        Some(b'n') => Ok(Json::Null),
        Some(b't') => Ok(Json::Bool(true)),
        Some(b'f') => Ok(Json::Bool(false)),
        Some(b'"') => serde_json::from_str(text).map(Json::Text).map_err(escape),
        Some(b'[') => {
            let depth = deeper(depth)?;
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(escape)?;
            let read =
                |(index, item): (usize, &RawValue)| read(item, depth).map_err(|fault| fault.below(&index.to_string()));
            items.into_iter().enumerate().map(read).collect::<Result<_, _>>().map(Json::Array)
        }
        Some(b'{') => {
            let depth = deeper(depth)?;
            let RawMembers(members) = serde_json::from_str(text).map_err(escape)?;
            let mut seen = HashSet::with_capacity(members.len());
            if let Some((name, _)) = members.iter().find(|(name, _)| !seen.insert(name.as_str())) {
                return Err(JsonFault::new("stands twice in the same object").below(name));
            }
            let read = |(name, raw): (String, &RawValue)| match read(raw, depth) {
                Ok(value) => Ok((name, value)),
                Err(fault) => Err(fault.below(&name)),
            };
            members.into_iter().map(read).collect::<Result<_, _>>().map(Json::Object)
        }
        _ => Ok(Json::Number(text.to_owned())),
    }
}

fn deeper(depth: usize) -> Result<usize, JsonFault> {
    depth.checked_sub(1).ok_or_else(|| JsonFault::new("is nested too deeply"))
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
