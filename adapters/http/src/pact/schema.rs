//! The schemas of footprints in the forms of PACT, from the domain's own description of every field.

use domain::footprint::{Edition, FOOTPRINT, FieldSpec, JsonType, ObjectSchema, Requirement};
use serde_json::{Map, Value, json};

use crate::schema::{Components, Named, Side};

/// A footprint of version 2.3.
pub(super) static FOOTPRINT_2: Shown = Shown(Edition::V2);
/// A footprint of version 3.0.
pub(super) static FOOTPRINT_3: Shown = Shown(Edition::V3);

/// A footprint as an edition shows it.
pub(super) struct Shown(Edition);

impl Named for Shown {
    fn name(&self, _: Side) -> String {
        format!("Pact{}Footprint", self.0.segment())
    }

    fn describe(&self, _: Side, _: &mut Components) -> Value {
        let mut schema = object(&FOOTPRINT, self.0);
        schema["description"] = json!(format!("A footprint in the form of PACT {}.", self.0));
        schema["properties"]["id"] = json!({ "type": "string", "format": "uuid" });
        if let Some(required) = schema["required"].as_array_mut() {
            required.insert(0, json!("id"));
        }
        schema
    }
}

fn object(schema: &ObjectSchema, edition: Edition) -> Value {
    let need = |spec: &FieldSpec| spec.need(edition.spec_version());
    let known = || schema.fields.iter().filter(|spec| need(spec) != Requirement::Unknown);
    let properties: Map<_, _> = known().map(|spec| (spec.name.to_owned(), field(spec, edition))).collect();
    let required: Vec<_> = known().filter(|spec| need(spec) == Requirement::Required).map(|spec| spec.name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn field(spec: &FieldSpec, edition: Edition) -> Value {
    let list = |items: Value| json!({ "type": "array", "items": items, "minItems": 1 });
    match spec.kind {
        JsonType::Text => json!({ "type": "string" }),
        JsonType::Number if spec.is_json_number(edition.major()) => json!({ "type": "number" }),
        JsonType::Number => json!({ "type": "string", "pattern": r"^-?\d+(\.\d+)?$" }),
        JsonType::Integer => json!({ "type": "integer" }),
        JsonType::Flag => json!({ "type": "boolean" }),
        JsonType::Moment => json!({ "type": "string", "format": "date-time" }),
        JsonType::Texts => list(json!({ "type": "string" })),
        JsonType::References => list(json!({ "type": "string", "format": "uuid" })),
        JsonType::Object(inner) => object(inner, edition),
        JsonType::Objects(inner) => list(object(inner, edition)),
        JsonType::Raw => json!({ "type": "object" }),
    }
}
