//! The members of an object of an event, each as the JSON that it came as.

use std::collections::HashSet;

use domain::{FaultCode, Faults};
use serde::Deserialize as _;
use serde_json::value::RawValue;

use crate::json::{Kind, RawMembers, pointer};

/// The most items of an array.
const MOST: usize = 10_000;

/// The members of an object of an event.
pub(super) struct Members<'a> {
    at: &'a str,
    all: Vec<(String, &'a RawValue)>,
}

impl<'a> Members<'a> {
    /// Those of the object at that place. One that stands twice is a fault.
    pub(super) fn read(raw: &'a RawValue, at: &'a str, faults: &mut Faults) -> Option<Self> {
        if Kind::of(raw) != Kind::Object {
            faults.add_coded(FaultCode::Type, at, format!("must be an object, not {}", Kind::of(raw).words()));
            return None;
        }
        let RawMembers(all) = match serde_json::from_str(raw.get()) {
            Ok(members) => members,
            Err(error) => {
                faults.add(at, error.to_string());
                return None;
            }
        };
        let mut before = HashSet::with_capacity(all.len());
        for (name, _) in &all {
            if !before.insert(name.as_str()) {
                faults.add_coded(FaultCode::Repeated, pointer(at, name), "stands twice in the same object");
            }
        }
        Some(Self { at, all })
    }

    /// All of them, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.all.iter().map(|(name, raw)| (name.as_str(), *raw))
    }

    /// The member of that name; `null` is none.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.iter().find(|(own, raw)| *own == name && Kind::of(raw) != Kind::Null).map(|(_, raw)| raw)
    }

    /// The text of a member that may be absent.
    pub(super) fn text(&self, name: &str, most: usize, faults: &mut Faults) -> Option<String> {
        let raw = self.get(name)?;
        let at = pointer(self.at, name);
        let Ok(text) = String::deserialize(raw) else {
            faults.add_coded(FaultCode::Type, at, format!("must be a text, not {}", Kind::of(raw).words()));
            return None;
        };
        if text.chars().count() > most {
            faults.add_coded(FaultCode::TooMuch, at, format!("has more than {most} characters"));
            return None;
        }
        Some(text)
    }

    /// The text of a member that must be there, with a character at least.
    pub(super) fn required_text(&self, name: &str, most: usize, faults: &mut Faults) -> Option<String> {
        if self.get(name).is_none() {
            faults.add_coded(FaultCode::Required, pointer(self.at, name), "is missing");
            return None;
        }
        let text = self.text(name, most, faults)?;
        if text.is_empty() {
            faults.add_coded(FaultCode::Required, pointer(self.at, name), "must not be empty");
            return None;
        }
        Some(text)
    }

    /// The items of a member that must be an array, with one item at least.
    pub(super) fn items(&self, name: &str, faults: &mut Faults) -> Option<Vec<&'a RawValue>> {
        let at = pointer(self.at, name);
        let Some(raw) = self.get(name) else {
            faults.add_coded(FaultCode::Required, at, "is missing");
            return None;
        };
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(raw.get()) else {
            faults.add_coded(FaultCode::Type, at, format!("must be an array, not {}", Kind::of(raw).words()));
            return None;
        };
        match items.len() {
            0 => faults.add_coded(FaultCode::Required, at, "must have one item at least"),
            1..=MOST => return Some(items),
            more => faults.add_coded(FaultCode::TooMuch, at, format!("has {more} items; at most {MOST} are read")),
        }
        None
    }
}
