//! A footprint's fields from their canonical text.

use domain::footprint::{FOOTPRINT, FieldError, FieldValue, Fields, JsonType, ObjectSchema, RawJson, Reference};
use domain::{Decimal, Moment};
use serde_json::{Map, Value};

/// Why a text is not the canonical form of a footprint's fields.
#[derive(Debug, thiserror::Error)]
pub(super) enum FieldsError {
    #[error("is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("has {0}, which is not of the form its field has")]
    Form(String),
    #[error("has {0}, which {1}")]
    Field(String, FieldError),
}

/// Reads what the canonical form of [`Fields`] writes. Amounts stand in texts there; its only numbers are whole.
pub(super) fn parse(text: &str) -> Result<Fields, FieldsError> {
    object(serde_json::from_str(text)?, &FOOTPRINT)
}

fn object(mut members: Map<String, Value>, shape: &'static ObjectSchema) -> Result<Fields, FieldsError> {
    let mut fields = Fields::new(shape);
    for spec in shape.fields {
        let form = || FieldsError::Form(spec.name.to_owned());
        let json = members.remove(spec.name).ok_or_else(form)?;
        if json.is_null() || json.as_array().is_some_and(Vec::is_empty) {
            continue;
        }
        let value = value(json, spec.kind)?.ok_or_else(form)?;
        fields.set(spec.name, value).map_err(|error| FieldsError::Field(spec.name.to_owned(), error))?;
    }
    match members.into_iter().next() {
        Some((name, _)) => Err(FieldsError::Field(name, FieldError::Unknown)),
        None => Ok(fields),
    }
}

/// A value that was given; `None` when the JSON is not of the kind's form.
fn value(json: Value, kind: JsonType) -> Result<Option<FieldValue>, FieldsError> {
    Ok(match (kind, json) {
        (JsonType::Text, Value::String(text)) => Some(FieldValue::Text(text)),
        (JsonType::Number, Value::String(text)) => Decimal::parse(&text).ok().map(FieldValue::Number),
        (JsonType::Moment, Value::String(text)) => Moment::parse(&text).ok().map(FieldValue::Moment),
        (JsonType::Raw, Value::String(text)) => Some(FieldValue::Raw(RawJson::new(text))),
        (JsonType::Integer, Value::Number(number)) => number.as_i64().map(FieldValue::Integer),
        (JsonType::Flag, Value::Bool(flag)) => Some(FieldValue::Flag(flag)),
        (JsonType::Texts, Value::Array(items)) => {
            items.into_iter().map(text).collect::<Option<_>>().map(FieldValue::Texts)
        }
        (JsonType::References, Value::Array(items)) => {
            items.into_iter().map(reference).collect::<Option<_>>().map(FieldValue::References)
        }
        (JsonType::Object(shape), Value::Array(items)) => match <[Value; 1]>::try_from(items) {
            Ok([Value::Object(members)]) => Some(FieldValue::Object(object(members, shape)?)),
            Ok(_) | Err(_) => None,
        },
        (JsonType::Objects(shape), Value::Array(items)) => objects(items, shape)?.map(FieldValue::Objects),
        _ => None,
    })
}

fn objects(items: Vec<Value>, shape: &'static ObjectSchema) -> Result<Option<Vec<Fields>>, FieldsError> {
    let mut fields = Vec::with_capacity(items.len());
    for item in items {
        let Value::Object(members) = item else { return Ok(None) };
        fields.push(object(members, shape)?);
    }
    Ok(Some(fields))
}

fn text(json: Value) -> Option<String> {
    if let Value::String(text) = json { Some(text) } else { None }
}

fn reference(json: Value) -> Option<Reference> {
    let Value::Object(mut members) = json else { return None };
    let (number, text) = (members.remove("number"), members.remove("text"));
    match (number, text, members.is_empty()) {
        (Some(Value::Number(number)), None, true) => number.as_i64().map(Reference::Number),
        (None, Some(Value::String(text)), true) => Some(Reference::Text(text)),
        _ => None,
    }
}
