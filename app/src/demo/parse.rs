//! Reading the demo's own tables: a text that is not what it should be is an error, not a panic.

use std::fmt::Display;

use domain::{Faults, SyncId};
use ports::inbound::{Error, Field, Reference};

/// The value of a table's text.
pub(super) fn text<T, E: Display>(parse: fn(&str) -> Result<T, E>, text: &str) -> Result<T, Error> {
    parse(text).map_err(|error| Error::Invalid(Faults::one("", format!("{text:?}: {error}"))))
}

/// The same as a member of a draft.
pub(super) fn field<T, E: Display>(parse: fn(&str) -> Result<T, E>, given: &str) -> Result<Field<T>, Error> {
    text(parse, given).map(Field::Given)
}

/// The same, absent for the empty text.
pub(super) fn optional<T, E: Display>(parse: fn(&str) -> Result<T, E>, given: &str) -> Result<Field<T>, Error> {
    if given.is_empty() { Ok(Field::Absent) } else { field(parse, given) }
}

/// A reference to the record of that syncId.
pub(super) fn reference(sync_id: &str) -> Result<Field<Reference>, Error> {
    text(SyncId::parse, sync_id).map(|sync_id| Field::Given(Reference::SyncId(sync_id)))
}
