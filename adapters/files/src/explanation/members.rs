//! The members of explanations as JSON.

use std::fmt::Display;

use crate::json::Json;

pub(super) type Members = Vec<(String, Json)>;

pub(super) fn member(name: &str, value: Json) -> (String, Json) {
    (name.to_owned(), value)
}

pub(super) fn text(value: impl Display) -> Json {
    Json::Text(value.to_string())
}

pub(super) fn optional(value: Option<impl Display>) -> Json {
    value.map_or(Json::Null, text)
}
