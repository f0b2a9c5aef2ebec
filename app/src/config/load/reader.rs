//! Reading settings by name: every fault is kept, every value is noted with where it came from, and what nobody asked
//! for is unknown.

use std::fmt;

use config::{Map, Value, ValueKind};
use files::did_you_mean;

use super::source::{Flag, variable};
use crate::config::ConfigError;

/// A setting as `tonne config` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, such as `server.listen`.
    pub key: String,
    /// Its value, `***` for a secret; `None` when it is not set and has no default.
    pub value: Option<String>,
    /// Where the value came from.
    pub origin: Origin,
}

/// Where a value came from; later ones win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The setting has its default.
    Default,
    /// The configuration file of that name.
    File(String),
    /// The environment variable of that name.
    Environment(String),
    /// The flag of that name.
    Flag(&'static str),
}

impl Origin {
    const fn rank(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::File(_) => 1,
            Self::Environment(_) => 2,
            Self::Flag(_) => 3,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(name) | Self::Environment(name) => f.write_str(name),
            Self::Flag(name) => f.write_str(name),
        }
    }
}

/// What was given, section by section.
pub(in crate::config) struct Settings<'a> {
    sections: Map<String, Value>,
    known: Vec<&'static str>,
    flags: &'a [Flag],
    faults: Vec<String>,
    entries: Vec<Entry>,
}

impl<'a> Settings<'a> {
    pub(in crate::config) fn new(tree: Value, faults: Vec<String>, flags: &'a [Flag]) -> Self {
        let sections = if let ValueKind::Table(sections) = tree.kind { sections } else { Map::new() };
        Self { sections, known: Vec::new(), flags, faults, entries: Vec::new() }
    }

    /// The section of that name, which may be absent.
    pub(in crate::config) fn section(&mut self, name: &'static str) -> Section<'_, 'a> {
        self.known.push(name);
        let given = match self.sections.remove(name) {
            None => Map::new(),
            Some(Value { kind: ValueKind::Table(given), .. }) => given,
            Some(_) => {
                self.faults.push(format!("{name} is a section: write [{name}] and its settings below"));
                Map::new()
            }
        };
        Section { settings: self, name, given, known: Vec::new() }
    }

    /// Every setting, or every fault.
    pub(in crate::config) fn finish(mut self) -> Result<Vec<Entry>, ConfigError> {
        let mut unknown: Vec<_> = std::mem::take(&mut self.sections).into_iter().collect();
        unknown.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (name, value) in unknown {
            let place = place(&name, &value);
            let near = did_you_mean(&name, self.known.iter().copied());
            self.faults.push(format!("{place}: there is no section {name}{near}"));
        }
        if self.faults.is_empty() { Ok(self.entries) } else { Err(ConfigError(self.faults)) }
    }
}

/// Where something unknown was found.
fn place(key: &str, value: &Value) -> String {
    if let ValueKind::Table(below) = &value.kind {
        let first = below.iter().min_by_key(|(name, _)| name.as_str());
        return first.map_or_else(|| key.to_owned(), |(name, value)| place(&format!("{key}.{name}"), value));
    }
    if from_environment(value) {
        return variable(key);
    }
    value.origin().map_or_else(|| key.to_owned(), |file| format!("{file}, {key}"))
}

fn from_environment(value: &Value) -> bool {
    value.origin() == Some("the environment")
}

/// One section of the settings. What is left in it at the end is unknown.
pub(in crate::config) struct Section<'s, 'a> {
    settings: &'s mut Settings<'a>,
    name: &'static str,
    given: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Section<'_, '_> {
    /// The value of that setting, or the default.
    pub(in crate::config) fn value<T: fmt::Display>(
        &mut self,
        key: &'static str,
        default: T,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> T {
        let shown = default.to_string();
        let given = self.given(key, parse);
        let (value, origin) = given.map_or((default, Origin::Default), |(value, origin)| (value, origin));
        let shown = if origin == Origin::Default { shown } else { value.to_string() };
        self.note(key, Some(shown), origin);
        value
    }

    /// The value of a setting that may be unset.
    pub(in crate::config) fn optional<T: fmt::Display>(
        &mut self,
        key: &'static str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let given = self.given(key, parse);
        let shown = given.as_ref().map(|(value, _)| value.to_string());
        self.note(key, shown, given.as_ref().map_or(Origin::Default, |(_, origin)| origin.clone()));
        given.map(|(value, _)| value)
    }

    /// The values of a setting that is a list: an array, or one text with commas between them. Each wrong one is a
    /// fault.
    pub(in crate::config) fn list<T: fmt::Display>(
        &mut self,
        key: &'static str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Vec<T> {
        self.known.push(key);
        let Some(value) = self.given.remove(key) else {
            self.note(key, None, Origin::Default);
            return Vec::new();
        };
        let origin = self.origin(key, &value);
        let mut list = Vec::new();
        for text in texts(&value) {
            match text.ok_or_else(|| "is not of the kind this setting takes".to_owned()).and_then(|text| parse(&text)) {
                Ok(value) => list.push(value),
                Err(detail) => self.fault(key, &origin, &detail),
            }
        }
        let shown: Vec<_> = list.iter().map(T::to_string).collect();
        self.note(key, Some(shown.join(", ")), origin);
        list
    }

    /// A whole number within bounds.
    pub(in crate::config) fn number(
        &mut self,
        key: &'static str,
        default: u64,
        bounds: std::ops::RangeInclusive<u64>,
    ) -> u64 {
        self.value(key, default, |text| {
            let number = text.parse().ok().filter(|number| bounds.contains(number));
            number.ok_or_else(|| format!("is no whole number from {} to {}", bounds.start(), bounds.end()))
        })
    }

    /// A secret, from the setting itself or from the file that the setting `file_key` names; given both ways at
    /// places of the same rank is a fault.
    pub(in crate::config) fn secret<T>(
        &mut self,
        key: &'static str,
        file_key: &'static str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> (Option<T>, Option<String>) {
        let own = self.given(key, |text| parse(text));
        let file = self.given(file_key, |text| Ok(text.to_owned()));
        let (own, file) = match (own, file) {
            (Some((_, one)), Some((_, other))) if one.rank() == other.rank() => {
                self.fault(key, &one, &format!("is given twice, here and by {file_key} ({other}): leave one out"));
                (None, None)
            }
            (Some(own), Some(file)) if own.1.rank() > file.1.rank() => (Some(own), None),
            (Some(_), Some(file)) => (None, Some(file)),
            either => either,
        };
        let origin = |given: Option<&Origin>| given.cloned().unwrap_or(Origin::Default);
        self.note(key, own.as_ref().map(|_| "***".to_owned()), origin(own.as_ref().map(|(_, origin)| origin)));
        self.note(file_key, file.as_ref().map(|(path, _)| path.clone()), origin(file.as_ref().map(|(_, at)| at)));
        (own.map(|(value, _)| value), file.map(|(path, _)| path))
    }

    /// Whether that setting was given, well or not.
    pub(in crate::config) fn is_given(&self, key: &str) -> bool {
        self.given.contains_key(key)
    }

    /// Notes what is wrong with settings that do not go together.
    pub(in crate::config) fn note_fault(&mut self, fault: String) {
        self.settings.faults.push(fault);
    }

    /// Notes what nobody asked for.
    pub(in crate::config) fn finish(mut self) {
        let mut unknown: Vec<_> = std::mem::take(&mut self.given).into_iter().collect();
        unknown.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (key, value) in unknown {
            let name = self.name;
            let place = place(&format!("{name}.{key}"), &value);
            let near = did_you_mean(&key, self.known.iter().copied());
            let fault = format!("{place}: there is no setting {key} in the section {name}{near}");
            self.settings.faults.push(fault);
        }
    }

    fn given<T>(&mut self, key: &'static str, parse: impl FnOnce(&str) -> Result<T, String>) -> Option<(T, Origin)> {
        self.known.push(key);
        let value = self.given.remove(key)?;
        let origin = self.origin(key, &value);
        match text(&value)
            .ok_or_else(|| "is not of the kind this setting takes".to_owned())
            .and_then(|text| parse(&text))
        {
            Ok(value) => Some((value, origin)),
            Err(detail) => {
                self.fault(key, &origin, &detail);
                None
            }
        }
    }

    fn origin(&self, key: &str, value: &Value) -> Origin {
        let key = format!("{}.{key}", self.name);
        match value.origin() {
            Some(_) if from_environment(value) => Origin::Environment(variable(&key)),
            Some(file) => Origin::File(file.to_owned()),
            None => {
                let flag = self.settings.flags.iter().find(|flag| flag.key == key);
                flag.map_or(Origin::Default, |flag| Origin::Flag(flag.name))
            }
        }
    }

    fn fault(&mut self, key: &str, origin: &Origin, detail: &str) {
        let name = self.name;
        self.settings.faults.push(match origin {
            Origin::Default => format!("{name}.{key} {detail}"),
            Origin::File(file) => format!("{file}, {name}.{key}: {detail}"),
            Origin::Environment(variable) => format!("{variable}: {detail}"),
            Origin::Flag(flag) => format!("{flag}: {detail}"),
        });
    }

    fn note(&mut self, key: &str, value: Option<String>, origin: Origin) {
        self.settings.entries.push(Entry { key: format!("{}.{key}", self.name), value, origin });
    }
}

/// The texts of a list.
fn texts(value: &Value) -> Vec<Option<String>> {
    if let ValueKind::Array(values) = &value.kind {
        return values.iter().map(text).collect();
    }
    text(value).map_or_else(|| vec![None], |text| text.split(',').map(|part| Some(part.trim().to_owned())).collect())
}

/// The text of a value.
fn text(value: &Value) -> Option<String> {
    match &value.kind {
        ValueKind::String(text) => Some(text.clone()),
        ValueKind::I64(number) => Some(number.to_string()),
        ValueKind::U64(number) => Some(number.to_string()),
        ValueKind::Boolean(word) => Some(word.to_string()),
        ValueKind::Nil
        | ValueKind::I128(_)
        | ValueKind::U128(_)
        | ValueKind::Float(_)
        | ValueKind::Table(_)
        | ValueKind::Array(_) => None,
    }
}

/// Reads `true` or `false`.
pub(in crate::config) fn flag(given: &str) -> Result<bool, String> {
    given.parse().map_err(|_| format!("{given:?} is neither true nor false"))
}
