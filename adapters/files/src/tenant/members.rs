//! Taking the members of a canonical object, which stand in a fixed order.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::vec::IntoIter;

use crate::json::{Json, Wrong};

/// The members that are still to be taken.
pub(super) struct Members(IntoIter<(String, Json)>);

impl Members {
    /// Those of an object.
    pub(super) fn of(json: Json) -> Result<Self, Wrong> {
        match json {
            Json::Object(members) => Ok(Self(members.into_iter())),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Array(_) => {
                Err(Wrong::kind("an object", &json))
            }
        }
    }

    /// The next member, which must have that name.
    pub(super) fn take(&mut self, name: &str) -> Result<Json, Wrong> {
        match self.0.next() {
            Some((found, json)) if found == name => Ok(json),
            Some((found, _)) => Err(Wrong::new(format_args!("has {found:?} where {name:?} is expected"))),
            None => Err(Wrong::new(format_args!("has no {name:?}"))),
        }
    }

    /// A text that `parse` reads.
    pub(super) fn text<T, E: Display>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, Wrong> {
        self.take(name)?.text(parse).map_err(|wrong| at(name, &wrong))
    }

    /// A text that `parse` reads, or `null`.
    pub(super) fn optional<T, E: Display>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Wrong> {
        match self.take(name)? {
            Json::Null => Ok(None),
            json @ (Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Array(_) | Json::Object(_)) => {
                json.text(parse).map(Some).map_err(|wrong| at(name, &wrong))
            }
        }
    }

    /// A text as it is, if every store can keep it.
    pub(super) fn string(&mut self, name: &str) -> Result<String, Wrong> {
        self.text(name, storable)
    }

    /// A number within `range` that stands as such.
    pub(super) fn integer(&mut self, name: &str, range: RangeInclusive<i64>) -> Result<i64, Wrong> {
        self.take(name)?.integer(range).map_err(|wrong| at(name, &wrong))
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, name: &str) -> Result<bool, Wrong> {
        self.take(name)?.flag().map_err(|wrong| at(name, &wrong))
    }

    /// The items of an array, each read.
    pub(super) fn list<T>(&mut self, name: &str, read: impl FnMut(Json) -> Result<T, Wrong>) -> Result<Vec<T>, Wrong> {
        list(self.take(name)?, read).map_err(|wrong| at(name, &wrong))
    }

    /// Refuses what was not taken.
    pub(super) fn finish(mut self) -> Result<(), Wrong> {
        match self.0.next() {
            Some((name, _)) => Err(Wrong::new(format_args!("has {name:?}, which is not known"))),
            None => Ok(()),
        }
    }
}

/// The items of an array, each read.
pub(super) fn list<T>(json: Json, read: impl FnMut(Json) -> Result<T, Wrong>) -> Result<Vec<T>, Wrong> {
    match json {
        Json::Array(items) => items.into_iter().map(read).collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Object(_) => {
            Err(Wrong::kind("an array", &json))
        }
    }
}

/// The text, unless it has U+0000, which not every store can keep.
pub(super) fn storable(text: &str) -> Result<String, Wrong> {
    if text.contains('\0') { Err(Wrong::new("must not contain U+0000")) } else { Ok(text.to_owned()) }
}

/// A text as it is.
pub(super) fn string(json: &Json) -> Result<String, Wrong> {
    json.text(|text| Ok::<_, Wrong>(text.to_owned()))
}

/// What is wrong with the member of that name.
pub(super) fn at(name: &str, wrong: &Wrong) -> Wrong {
    Wrong::new(format_args!("{name}: {wrong}"))
}
