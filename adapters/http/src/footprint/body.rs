//! Reading a footprint: every field by the domain's own description, whatever edition of PACT it belongs to.

use std::borrow::Cow;

use domain::footprint::{FOOTPRINT, FieldSpec, FieldValue, JsonType, ObjectSchema, RawJson, Reference};
use domain::{Decimal, Faults, Fields, Moment};
use files::{Json, Members, Reader, Wrong};
use ports::inbound::Field;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

/// The most items of an array of a footprint.
const MOST: usize = 1_000;
const NUL: &str = "must not contain the character U+0000";

/// What a body says, with what cannot be stored of it. The error is a body that is no object.
pub(super) fn read(json: &Json) -> Result<(Fields, Faults), Faults> {
    let mut members = Reader::new(json, Members::Given)?;
    let fields = object(&mut members, &FOOTPRINT);
    members.read_only(&["id", "uuid", "valid", "brokenRules"]);
    Ok((fields, members.finish()))
}

/// The fields that no amendment can change.
pub(super) fn unchangeable() -> impl Iterator<Item = &'static str> {
    FOOTPRINT.fields.iter().map(|spec| spec.name).filter(|name| !matches!(*name, "status" | "statusComment"))
}

fn object(members: &mut Reader<'_>, shape: &'static ObjectSchema) -> Fields {
    let mut fields = Fields::new(shape);
    for spec in shape.fields {
        if let Field::Given(value) = field(members, spec) {
            if let Err(error) = fields.set(spec.name, value) {
                members.fault(spec.name, error);
            }
        }
    }
    fields
}

fn field(members: &mut Reader<'_>, spec: &FieldSpec) -> Field<FieldValue> {
    let name = spec.name;
    match spec.kind {
        JsonType::Text => given(members.text(name, storable), FieldValue::Text),
        JsonType::Number => given(members.amount(name, Decimal::parse), FieldValue::Number),
        JsonType::Integer => given(members.integer(name, i64::MIN..=i64::MAX), FieldValue::Integer),
        JsonType::Flag => given(members.flag(name), FieldValue::Flag),
        JsonType::Moment => given(members.text(name, Moment::parse), FieldValue::Moment),
        JsonType::Texts => given(members.list(name, MOST, |item| item.text(storable)), FieldValue::Texts),
        JsonType::References => given(members.list(name, MOST, reference), FieldValue::References),
        JsonType::Object(shape) => given(members.object(name, |inner| object(inner, shape)), FieldValue::Object),
        JsonType::Objects(shape) => {
            given(members.objects(name, MOST, |inner| object(inner, shape)), FieldValue::Objects)
        }
        JsonType::Raw => given(members.value(name, |json| RawJson::parse(&json.to_string())), FieldValue::Raw),
    }
}

/// The text, unless it has U+0000, which not every store and partner can keep.
pub(super) fn storable(text: &str) -> Result<String, &'static str> {
    if text.contains('\0') { Err(NUL) } else { Ok(text.to_owned()) }
}

fn given<T>(field: Field<T>, value: impl FnOnce(T) -> FieldValue) -> Field<FieldValue> {
    match field {
        Field::Given(inner) => Field::Given(value(inner)),
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
        Field::Faulty => Field::Faulty,
    }
}

/// A whole number names one of ours, a string someone else's.
fn reference(json: &Json) -> Result<Reference, Wrong> {
    match json {
        Json::Text(_) => json.text(storable).map(Reference::Text),
        Json::Number(_) => json.integer(i64::MIN..=i64::MAX).map(Reference::Number),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => {
            Err(Wrong::kind("the id of a footprint, a whole number or a UUID in a string", json))
        }
    }
}

/// The schema of a body: every field of every edition, none required, since what is missing is validated and not refused.
pub(crate) struct Schema;

impl PartialSchema for Schema {
    fn schema() -> RefOr<utoipa::openapi::Schema> {
        described(&FOOTPRINT).into()
    }
}

impl ToSchema for Schema {
    fn name() -> Cow<'static, str> {
        "FootprintDraft".into()
    }
}

/// An object that may have the fields of the shape.
pub(super) fn described(shape: &ObjectSchema) -> utoipa::openapi::Schema {
    let object = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::Object, Type::Null]));
    let object = shape.fields.iter().fold(object, |object, spec| object.property(spec.name, kind(spec.kind)));
    object.build().into()
}

fn kind(kind: JsonType) -> utoipa::openapi::Schema {
    let typed = |types: &[Type]| {
        let types: SchemaType = types.iter().cloned().chain([Type::Null]).collect();
        ObjectBuilder::new().schema_type(types)
    };
    let array = |items: utoipa::openapi::Schema| ArrayBuilder::new().items(RefOr::T(items)).build().into();
    match kind {
        JsonType::Text => typed(&[Type::String]).build().into(),
        JsonType::Number => typed(&[Type::Number, Type::String]).build().into(),
        JsonType::Integer => typed(&[Type::Integer]).build().into(),
        JsonType::Flag => typed(&[Type::Boolean]).build().into(),
        JsonType::Moment => {
            let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
            typed(&[Type::String]).format(Some(format)).build().into()
        }
        JsonType::Texts => array(ObjectBuilder::new().schema_type(Type::String).build().into()),
        JsonType::References => array(typed(&[Type::Integer, Type::String]).build().into()),
        JsonType::Object(shape) => described(shape),
        JsonType::Objects(shape) => array(described(shape)),
        JsonType::Raw => ObjectBuilder::new().schema_type(SchemaType::AnyValue).build().into(),
    }
}
