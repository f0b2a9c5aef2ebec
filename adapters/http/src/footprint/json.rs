//! Fields of a footprint from and to JSON: every field by the domain's own description, whatever version of PACT it
//! belongs to.

use domain::footprint::{FieldSpec, FieldValue, JsonType, ObjectSchema, RawJson, Reference};
use domain::{Decimal, Fields, Moment};
use files::{Json, Reader, Wrong};
use ports::inbound::Field;

use super::interface::InterfaceValue;
use crate::answer_value::{list, number, text};

/// The most items of an array of a footprint.
const MOST: usize = 1_000;
const NUL: &str = "must not contain the character U+0000";
/// How deep JSON that is kept verbatim may be.
const DEPTH: usize = 64;

/// Takes the fields that the schema has.
pub(super) fn taken(members: &mut Reader<'_>, schema: &'static ObjectSchema) -> Fields {
    let mut fields = Fields::new(schema);
    for spec in schema.fields {
        if let Field::Given(value) = field(members, spec)
            && let Err(error) = fields.set(spec.name, value)
        {
            members.fault(spec.name, error);
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
        JsonType::Object(inner) => given(members.object(name, |members| taken(members, inner)), FieldValue::Object),
        JsonType::Objects(inner) => {
            given(members.objects(name, MOST, |members| taken(members, inner)), FieldValue::Objects)
        }
        JsonType::Raw => given(members.value(name, raw), FieldValue::Raw),
    }
}

/// The text, unless it has U+0000, which not every store and partner can keep.
pub(super) fn storable(text: &str) -> Result<String, &'static str> {
    if text.contains('\0') { Err(NUL) } else { Ok(text.to_owned()) }
}

/// The value as text, unless a text or a name in it has U+0000.
fn raw(json: &Json) -> Result<RawJson, Wrong> {
    fn has_nul(json: &Json) -> bool {
        match json {
            Json::Text(text) => text.contains('\0'),
            Json::Array(items) => items.iter().any(has_nul),
            Json::Object(members) => members.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
            Json::Null | Json::Bool(_) | Json::Number(_) => false,
        }
    }
    if has_nul(json) {
        return Err(Wrong::new(NUL));
    }
    RawJson::parse(&json.to_string()).map_err(Wrong::new)
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

/// A value that was written.
pub(super) fn shown(value: &FieldValue) -> Json {
    match value {
        FieldValue::Text(value) => text(value),
        FieldValue::Number(value) => number(value),
        FieldValue::Integer(value) => number(value),
        FieldValue::Flag(flag) => Json::Bool(*flag),
        FieldValue::Moment(moment) => text(moment),
        FieldValue::Texts(texts) => list(texts, text),
        FieldValue::References(references) => list(references, |one| match one {
            Reference::Number(value) => number(value),
            Reference::Text(value) => text(value),
        }),
        FieldValue::Object(fields) => object(fields),
        FieldValue::Objects(objects) => list(objects, object),
        FieldValue::Raw(raw) => verbatim(raw),
    }
}

fn object(fields: &Fields) -> Json {
    let members = fields.schema().fields.iter();
    Json::Object(members.filter_map(|spec| Some((spec.name.to_owned(), shown(fields.find(spec.name)?)))).collect())
}

/// A value of the interface's footprint.
pub(super) fn of_interface(value: &InterfaceValue<'_>) -> Json {
    match value {
        InterfaceValue::Null => Json::Null,
        InterfaceValue::Integer(value) => number(value),
        InterfaceValue::Number(value) => number(value),
        InterfaceValue::Flag(flag) => Json::Bool(*flag),
        InterfaceValue::Text(value) => text(value),
        InterfaceValue::Moment(moment) => text(moment),
        InterfaceValue::List(items) => list(items, of_interface),
        InterfaceValue::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| ((*name).to_owned(), of_interface(value))).collect())
        }
        InterfaceValue::Raw(raw) => verbatim(raw),
    }
}

/// JSON that is kept as it came; it was read when it was taken.
fn verbatim(raw: &RawJson) -> Json {
    files::parse(raw.as_str().as_bytes(), DEPTH).unwrap_or(Json::Null)
}
