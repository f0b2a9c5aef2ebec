//! Footprints as they are written, and their schema from the domain's own description of every field.

use std::borrow::Cow;

use domain::footprint::{FOOTPRINT, InterfaceValue, JsonType, ObjectSchema, PCF, interface_view};
use domain::{Fields, Footprint, FootprintId, Timestamp};
use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::wire::Number;

/// A value of the interface's shape, to be written.
pub(crate) struct InterfaceFootprint<'a>(pub(crate) &'a InterfaceValue<'a>);

impl Serialize for InterfaceFootprint<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            InterfaceValue::Null => serializer.serialize_unit(),
            InterfaceValue::Integer(number) => Number::of(number).serialize(serializer),
            InterfaceValue::Number(number) => Number::of(number).serialize(serializer),
            InterfaceValue::Flag(flag) => serializer.serialize_bool(*flag),
            InterfaceValue::Text(text) => serializer.serialize_str(text),
            InterfaceValue::Moment(moment) => serializer.collect_str(moment),
            InterfaceValue::List(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(&InterfaceFootprint(item))?;
                }
                seq.end()
            }
            InterfaceValue::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, &InterfaceFootprint(value))?;
                }
                map.end()
            }
            InterfaceValue::Raw(raw) => {
                let raw: &RawValue = serde_json::from_str(raw.as_str()).map_err(S::Error::custom)?;
                raw.serialize(serializer)
            }
        }
    }
}

/// The schema of a footprint of the interface: the members that are written, each of the kind that the domain says.
pub(crate) struct Record;

impl PartialSchema for Record {
    fn schema() -> RefOr<Schema> {
        let object = Timestamp::from_millis(0).map(|at| {
            let empty = Footprint::new(FootprintId::new(Uuid::nil()), 1, at, Fields::new(&FOOTPRINT));
            described(&interface_view(&empty), &FOOTPRINT)
        });
        object.unwrap_or_default().into()
    }
}

impl ToSchema for Record {
    fn name() -> Cow<'static, str> {
        "PactFootprint".into()
    }
}

/// An object that has exactly the members of the value.
fn described(value: &InterfaceValue<'_>, shape: &ObjectSchema) -> Schema {
    let mut object = ObjectBuilder::new();
    if let InterfaceValue::Object(members) = value {
        for (name, member) in members {
            let schema = match (member, shape.field(name).map(|spec| spec.kind)) {
                (InterfaceValue::Object(_), _) => described(member, &PCF),
                (_, Some(kind)) => nullable(kind),
                (_, None) => typed(Type::Integer, None),
            };
            object = object.property(*name, schema).required(*name);
        }
    }
    object.build().into()
}

/// What a field of that kind is where it is known; lists are never null.
fn nullable(kind: JsonType) -> Schema {
    let any = || Schema::from(ObjectBuilder::new().schema_type(SchemaType::AnyValue).build());
    let array = |items: Schema| ArrayBuilder::new().items(RefOr::T(items)).build().into();
    match kind {
        JsonType::Text => typed(Type::String, None),
        JsonType::Number => typed(Type::Number, None),
        JsonType::Integer => typed(Type::Integer, None),
        JsonType::Flag => typed(Type::Boolean, None),
        JsonType::Moment => typed(Type::String, Some(KnownFormat::DateTime)),
        JsonType::Object(_) => typed(Type::Object, None),
        JsonType::Texts => array(ObjectBuilder::new().schema_type(Type::String).build().into()),
        JsonType::References | JsonType::Objects(_) => array(any()),
        JsonType::Raw => any(),
    }
}

fn typed(kind: Type, format: Option<KnownFormat>) -> Schema {
    let types = SchemaType::from_iter([kind, Type::Null]);
    ObjectBuilder::new().schema_type(types).format(format.map(SchemaFormat::KnownFormat)).build().into()
}
