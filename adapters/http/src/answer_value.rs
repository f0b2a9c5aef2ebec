//! Writing values of answers: exact decimals, texts, references to other records.

use std::fmt::Display;

use files::Json;
use ports::inbound::Named;
use serde_json::{Value, json};

use crate::schema::{self, Components, Side, with};

/// The text that is displayed.
pub(crate) fn text(value: impl Display) -> Json {
    Json::Text(value.to_string())
}

/// The number whose digits are displayed.
pub(crate) fn number(value: impl Display) -> Json {
    Json::Number(value.to_string())
}

/// What is known, or null.
pub(crate) fn or_null<T>(value: Option<T>, show: impl FnOnce(T) -> Json) -> Json {
    value.map_or(Json::Null, show)
}

/// The text that is displayed, or null.
pub(crate) fn text_or_null(value: Option<impl Display>) -> Json {
    or_null(value, text)
}

/// A list of what is shown so.
pub(crate) fn list<T>(items: impl IntoIterator<Item = T>, show: impl FnMut(T) -> Json) -> Json {
    Json::Array(items.into_iter().map(show).collect())
}

/// Another record, as it is referred to.
pub(crate) fn reference(named: &Named) -> Json {
    Json::Object(vec![("uuid".to_owned(), text(named.id)), ("name".to_owned(), text(&named.name))])
}

/// The schema of a record that another refers to.
pub(crate) static REFERENCE: ReferenceSchema = ReferenceSchema;

pub(crate) struct ReferenceSchema;

impl schema::Named for ReferenceSchema {
    fn name(&self, side: Side) -> String {
        if side == Side::Answer { "Reference" } else { "ReferenceDraft" }.to_owned()
    }

    fn describe(&self, side: Side, _: &mut Components) -> Value {
        let uuid = json!({ "type": "string", "format": "uuid", "description": "Identifies it." });
        let text = |description: &str| json!({ "type": "string", "description": description });
        if side == Side::Answer {
            return json!({
                "type": "object",
                "description": "A record that another refers to.",
                "properties": {
                    "uuid": uuid,
                    "name": text("What it is called."),
                    "syncId": text("What another system calls it; of nodes, in rows of NDJSON alone."),
                    "path": text("The names from the root to it; of nodes, in rows of NDJSON alone."),
                },
                "required": ["uuid", "name"],
            });
        }
        let repeated = text("As answers show it; not read.");
        let sync_id = with(text("What another system calls it."), [("maxLength", json!(255))]);
        json!({
            "type": "object",
            "description": "Another record: its uuid or its syncId, one of them.",
            "properties": { "uuid": uuid, "syncId": sync_id, "name": repeated, "slug": repeated, "path": repeated },
            "additionalProperties": false,
            "examples": [{ "syncId": "diesel" }],
        })
    }
}
