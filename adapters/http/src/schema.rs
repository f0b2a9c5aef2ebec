//! What values are in JSON, each said once: in answers, in bodies that add a record, and in bodies that change one.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Answer,
    /// In a body that adds a record.
    New,
    /// In a body that changes a record: a merge patch.
    Change,
}

/// The schemas of a document, by their names.
pub(crate) type Components = BTreeMap<String, Value>;

/// An object that has a name and a schema of its own.
pub(crate) trait Named: Sync {
    /// What the schema is called there.
    fn name(&self, side: Side) -> String;

    /// The schema. Those it refers to are added.
    fn describe(&self, side: Side, components: &mut Components) -> Value;
}

/// What a value is.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Uuid,
    /// A string of so many characters.
    Text(u32, u32),
    /// A string of another standard's form, such as `uri`.
    Formatted(&'static str),
    /// A moment of the service's clock: UTC, milliseconds.
    Time,
    /// A moment with the offset it came with; a date is read too.
    Moment,
    /// A day of the calendar.
    Date,
    /// An exact decimal, written as a string; a number is read too.
    Amount,
    /// An exact decimal, written as a number; a string is read too.
    Number,
    /// A whole number within bounds.
    Integer(i64, i64),
    Flag,
    /// One of those words.
    Word(fn() -> Vec<&'static str>),
    /// An array of at most so many.
    List(&'static Kind, usize),
    /// An object, or something else with a schema of its own.
    Object(&'static dyn Named),
}

impl Kind {
    pub(crate) fn schema(self, side: Side, components: &mut Components) -> Value {
        match self {
            Self::Uuid => json!({ "type": "string", "format": "uuid" }),
            Self::Text(min, max) => json!({ "type": "string", "minLength": min, "maxLength": max }),
            Self::Formatted(format) => json!({ "type": "string", "format": format }),
            Self::Time => json!({ "type": "string", "format": "date-time" }),
            Self::Moment if side == Side::Answer => json!({ "type": "string", "format": "date-time" }),
            Self::Moment => json!({ "type": "string", "minLength": 10, "maxLength": 64 }),
            Self::Date => json!({ "type": "string", "format": "date" }),
            Self::Amount if side == Side::Answer => json!({ "type": "string", "format": "decimal" }),
            Self::Number if side == Side::Answer => json!({ "type": "number", "format": "decimal" }),
            Self::Amount | Self::Number => json!({ "type": ["number", "string"], "format": "decimal" }),
            Self::Integer(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Word(words) => json!({ "type": "string", "enum": words() }),
            Self::List(item, most) => {
                let items = item.schema(side, components);
                if side == Side::Answer {
                    json!({ "type": "array", "items": items })
                } else {
                    json!({ "type": "array", "items": items, "maxItems": most })
                }
            }
            Self::Object(named) => reference(named, side, components),
        }
    }
}

/// A reference to a schema among the components, where it is added unless it is there.
pub(crate) fn reference(named: &dyn Named, side: Side, components: &mut Components) -> Value {
    let name = named.name(side);
    if !components.contains_key(&name) {
        // Its place is taken first: a schema may refer to itself.
        components.insert(name.clone(), Value::Null);
        let schema = named.describe(side, components);
        components.insert(name.clone(), schema);
    }
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The schema of the same value or null.
pub(crate) fn nullable(mut schema: Value) -> Value {
    if schema.get("$ref").is_some() {
        return json!({ "oneOf": [schema, { "type": "null" }] });
    }
    match schema.get_mut("type") {
        Some(Value::Array(types)) => types.push("null".into()),
        Some(one) => *one = json!([one.clone(), "null"]),
        None => {}
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    schema
}

/// The schema with members added to it; beside a reference they are too, as OpenAPI 3.1 allows.
pub(crate) fn with(mut schema: Value, members: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    if let Value::Object(object) = &mut schema {
        object.extend(members.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
    schema
}
