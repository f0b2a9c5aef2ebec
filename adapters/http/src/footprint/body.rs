//! Reading a footprint: every field by the domain's own description, whatever edition of PACT it belongs to.

use std::borrow::Cow;

use domain::footprint::{FOOTPRINT, FieldSpec, FieldValue, Kind, RawJson, Reference, Shape};
use domain::{Decimal, Faults, Fields, Moment};
use files::{Json, Members, Reader, Wrong};
use ports::inbound::Field;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

/// The most items of an array of a footprint.
const MOST: usize = 1_000;

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

fn object(members: &mut Reader<'_>, shape: &'static Shape) -> Fields {
    let mut fields = Fields::new(shape);
    for spec in shape.fields {
        if let Field::Given(value) = field(members, spec) {
            // The value was read by the field's own kind, so it fits.
            let _ = fields.set(spec.name, value);
        }
    }
    fields
}

fn field(members: &mut Reader<'_>, spec: &FieldSpec) -> Field<FieldValue> {
    let name = spec.name;
    match spec.kind {
        Kind::Text => given(members.string(name), FieldValue::Text),
        Kind::Number => given(members.amount(name, Decimal::parse), FieldValue::Number),
        Kind::Integer => given(members.integer(name, i64::MIN..=i64::MAX), FieldValue::Integer),
        Kind::Flag => given(members.flag(name), FieldValue::Flag),
        Kind::Moment => given(members.text(name, Moment::parse), FieldValue::Moment),
        Kind::Texts => {
            given(members.list(name, MOST, |item| item.text(|text| Ok::<_, Wrong>(text.to_owned()))), FieldValue::Texts)
        }
        Kind::References => given(members.list(name, MOST, reference), FieldValue::References),
        Kind::Object(shape) => given(members.object(name, |inner| object(inner, shape)), FieldValue::Object),
        Kind::Objects(shape) => given(members.objects(name, MOST, |inner| object(inner, shape)), FieldValue::Objects),
        Kind::Raw => given(members.json(name), |json| FieldValue::Raw(RawJson::new(json.to_string()))),
    }
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
        Json::Text(text) => Ok(Reference::Text(text.clone())),
        Json::Number(_) => json.integer(i64::MIN..=i64::MAX).map(Reference::Number),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => {
            Err(Wrong::kind("the id of a footprint, a whole number or a UUID in a string", json))
        }
    }
}

/// The schema of a body: every field of every edition, none required, since what is missing is judged and not refused.
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
pub(super) fn described(shape: &Shape) -> utoipa::openapi::Schema {
    let object = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::Object, Type::Null]));
    let object = shape.fields.iter().fold(object, |object, spec| object.property(spec.name, kind(spec.kind)));
    object.build().into()
}

fn kind(kind: Kind) -> utoipa::openapi::Schema {
    let typed = |types: &[Type]| {
        let types: SchemaType = types.iter().cloned().chain([Type::Null]).collect();
        ObjectBuilder::new().schema_type(types)
    };
    let array = |items: utoipa::openapi::Schema| ArrayBuilder::new().items(RefOr::T(items)).build().into();
    match kind {
        Kind::Text => typed(&[Type::String]).build().into(),
        Kind::Number => typed(&[Type::Number, Type::String]).build().into(),
        Kind::Integer => typed(&[Type::Integer]).build().into(),
        Kind::Flag => typed(&[Type::Boolean]).build().into(),
        Kind::Moment => {
            let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
            typed(&[Type::String]).format(Some(format)).build().into()
        }
        Kind::Texts => array(ObjectBuilder::new().schema_type(Type::String).build().into()),
        Kind::References => array(typed(&[Type::Integer, Type::String]).build().into()),
        Kind::Object(shape) => described(shape),
        Kind::Objects(shape) => array(described(shape)),
        Kind::Raw => ObjectBuilder::new().schema_type(SchemaType::AnyValue).build().into(),
    }
}
