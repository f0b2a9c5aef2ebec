//! Building the JSON that commands print: members in their order, amounts as texts.

use std::fmt;

use files::Json;

/// An object of those members.
pub(super) fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::Object(self::members(members))
}

/// Members of an object that others come to.
pub(super) fn members<const N: usize>(members: [(&str, Json); N]) -> Vec<(String, Json)> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

pub(super) fn text(value: impl fmt::Display) -> Json {
    Json::Text(value.to_string())
}

/// A string, or null.
pub(super) fn optional(value: Option<impl fmt::Display>) -> Json {
    value.map_or(Json::Null, text)
}

pub(super) fn count(value: u64) -> Json {
    Json::Number(value.to_string())
}

pub(super) fn array(values: impl IntoIterator<Item = Json>) -> Json {
    Json::Array(values.into_iter().collect())
}
