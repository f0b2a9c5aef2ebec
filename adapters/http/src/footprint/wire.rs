//! Footprints as they are written, and their schema from the domain's own description of every field.

use std::borrow::Cow;

use domain::footprint::{FOOTPRINT, Kind, PCF, SeedValue, Shape, seed_view};
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
pub(crate) struct Seed<'a>(pub(crate) &'a SeedValue<'a>);

impl Serialize for Seed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            SeedValue::Null => serializer.serialize_unit(),
            SeedValue::Integer(number) => Number::of(number).serialize(serializer),
            SeedValue::Number(number) => Number::of(number).serialize(serializer),
            SeedValue::Flag(flag) => serializer.serialize_bool(*flag),
            SeedValue::Text(text) => serializer.serialize_str(text),
            SeedValue::Moment(moment) => serializer.collect_str(moment),
            SeedValue::List(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(&Seed(item))?;
                }
                seq.end()
            }
            SeedValue::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, &Seed(value))?;
                }
                map.end()
            }
            SeedValue::Raw(raw) => {
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
            described(&seed_view(&empty), &FOOTPRINT)
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
fn described(value: &SeedValue<'_>, shape: &Shape) -> Schema {
    let mut object = ObjectBuilder::new();
    if let SeedValue::Object(members) = value {
        for (name, member) in members {
            let schema = match (member, shape.field(name).map(|spec| spec.kind)) {
                (SeedValue::Object(_), _) => described(member, &PCF),
                (_, Some(kind)) => nullable(kind),
                (_, None) => typed(Type::Integer, None),
            };
            object = object.property(*name, schema).required(*name);
        }
    }
    object.build().into()
}

/// What a field of that kind is where it is known; lists are never null.
fn nullable(kind: Kind) -> Schema {
    let any = || Schema::from(ObjectBuilder::new().schema_type(SchemaType::AnyValue).build());
    let array = |items: Schema| ArrayBuilder::new().items(RefOr::T(items)).build().into();
    match kind {
        Kind::Text => typed(Type::String, None),
        Kind::Number => typed(Type::Number, None),
        Kind::Integer => typed(Type::Integer, None),
        Kind::Flag => typed(Type::Boolean, None),
        Kind::Moment => typed(Type::String, Some(KnownFormat::DateTime)),
        Kind::Object(_) => typed(Type::Object, None),
        Kind::Texts => array(ObjectBuilder::new().schema_type(Type::String).build().into()),
        Kind::References | Kind::Objects(_) => array(any()),
        Kind::Raw => any(),
    }
}

fn typed(kind: Type, format: Option<KnownFormat>) -> Schema {
    let types = SchemaType::from_iter([kind, Type::Null]);
    ObjectBuilder::new().schema_type(types).format(format.map(SchemaFormat::KnownFormat)).build().into()
}
