//! A footprint as the service keeps it: the fields that were written, its number, and the rules that it breaks.

use std::borrow::Cow;

use domain::footprint::{FOOTPRINT, FieldValue, Reference};
use domain::{Fields, Violation};
use ports::inbound::FootprintView;
use serde::ser::{Error as _, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::body;
use crate::wire::Number;

/// What the service says of a footprint beside its fields: `uuid`, `id`, `valid` and `brokenRules`. Of `created`,
/// `updated`, `version` and `status` it shows its own where none was written.
pub(crate) struct Shown(FootprintView);

impl Shown {
    /// The footprint as it is shown.
    pub(super) fn of(view: FootprintView) -> Self {
        Self(view)
    }
}

/// A rule that a footprint breaks.
#[derive(Serialize)]
struct BrokenRule<'a> {
    rule: &'static str,
    pointer: &'a str,
    detail: &'a str,
}

impl<'a> BrokenRule<'a> {
    fn of(violations: &'a Violation) -> Self {
        Self { rule: violations.rule.name(), pointer: &violations.pointer, detail: &violations.detail }
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let footprint = &self.0.footprint.value;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("uuid", &footprint.id.uuid())?;
        map.serialize_entry("id", &footprint.number)?;
        map.serialize_entry("valid", &self.0.violations.is_empty())?;
        let rules: Vec<_> = self.0.violations.iter().map(BrokenRule::of).collect();
        map.serialize_entry("brokenRules", &rules)?;
        for spec in FOOTPRINT.fields {
            match spec.name {
                "created" => map.serialize_entry("created", &footprint.created().to_string())?,
                "updated" => match footprint.updated() {
                    Some(updated) => map.serialize_entry("updated", &updated.to_string())?,
                    None => map.serialize_entry("updated", &())?,
                },
                "version" => map.serialize_entry("version", &footprint.version())?,
                "status" => map.serialize_entry("status", footprint.status())?,
                name => {
                    if let Some(value) = footprint.fields.find(name) {
                        map.serialize_entry(name, &Value(value))?;
                    }
                }
            }
        }
        map.end()
    }
}

struct Value<'a>(&'a FieldValue);

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            FieldValue::Text(text) => serializer.serialize_str(text),
            FieldValue::Number(number) => Number::of(number).serialize(serializer),
            FieldValue::Integer(number) => serializer.serialize_i64(*number),
            FieldValue::Flag(flag) => serializer.serialize_bool(*flag),
            FieldValue::Moment(moment) => serializer.collect_str(moment),
            FieldValue::Texts(texts) => serializer.collect_seq(texts),
            FieldValue::References(references) => serializer.collect_seq(references.iter().map(Named)),
            FieldValue::Object(fields) => Members(fields).serialize(serializer),
            FieldValue::Objects(objects) => serializer.collect_seq(objects.iter().map(Members)),
            FieldValue::Raw(raw) => {
                let raw: &RawValue = serde_json::from_str(raw.as_str()).map_err(S::Error::custom)?;
                raw.serialize(serializer)
            }
        }
    }
}

struct Named<'a>(&'a Reference);

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Reference::Number(number) => serializer.serialize_i64(*number),
            Reference::Text(text) => serializer.serialize_str(text),
        }
    }
}

struct Members<'a>(&'a Fields);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.0.shape().fields.iter();
        serializer.collect_map(fields.filter_map(|spec| Some((spec.name, Value(self.0.find(spec.name)?)))))
    }
}

impl PartialSchema for Shown {
    fn schema() -> RefOr<utoipa::openapi::Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let rule = ["rule", "pointer", "detail"]
            .into_iter()
            .fold(ObjectBuilder::new(), |object, name| object.property(name, text().build()).required(name));
        let uuid = text().format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid))).build();
        let mut object = ObjectBuilder::new()
            .property("uuid", uuid)
            .property("id", ObjectBuilder::new().schema_type(Type::Integer).build())
            .property("valid", ObjectBuilder::new().schema_type(Type::Boolean).build())
            .property("brokenRules", ArrayBuilder::new().items(rule.build()).build());
        for name in ["uuid", "id", "valid", "brokenRules", "created", "updated", "version", "status"] {
            object = object.required(name);
        }
        if let utoipa::openapi::Schema::Object(fields) = body::described(&FOOTPRINT) {
            object = fields.properties.into_iter().fold(object, |object, (name, schema)| object.property(name, schema));
        }
        object.build().into()
    }
}

impl ToSchema for Shown {
    fn name() -> Cow<'static, str> {
        "Footprint".into()
    }
}
