//! A footprint's fields from their canonical form.

use domain::footprint::{FieldValue, Fields, JsonType, ObjectSchema, RawJson, Reference};
use domain::{Decimal, Moment};
use serde_json::value::RawValue;

use super::members::{Members, at, list, string};
use crate::json::{Json, Wrong};

/// Takes every field of the shape.
pub(super) fn take(members: &mut Members, shape: &'static ObjectSchema) -> Result<Fields, Wrong> {
    let mut fields = Fields::new(shape);
    for spec in shape.fields {
        let json = members.take(spec.name)?;
        if json == Json::Null || json == Json::Array(Vec::new()) {
            continue;
        }
        let value = value(json, spec.kind).map_err(|wrong| at(spec.name, &wrong))?;
        fields.set(spec.name, value).map_err(|error| Wrong::new(format_args!("{}: {error}", spec.name)))?;
    }
    Ok(fields)
}

fn value(json: Json, kind: JsonType) -> Result<FieldValue, Wrong> {
    Ok(match kind {
        JsonType::Text => FieldValue::Text(string(&json)?),
        JsonType::Number => FieldValue::Number(json.text(Decimal::parse)?),
        JsonType::Integer => FieldValue::Integer(json.integer(i64::MIN..=i64::MAX)?),
        JsonType::Flag => FieldValue::Flag(json.flag()?),
        JsonType::Moment => FieldValue::Moment(json.text(Moment::parse)?),
        JsonType::Raw => FieldValue::Raw(json.text(raw)?),
        JsonType::Texts => FieldValue::Texts(list(json, |item| string(&item))?),
        JsonType::References => FieldValue::References(list(json, reference)?),
        JsonType::Object(shape) => match <[Fields; 1]>::try_from(objects(json, shape)?) {
            Ok([fields]) => FieldValue::Object(fields),
            Err(_) => return Err(Wrong::new("must be an array of one object")),
        },
        JsonType::Objects(shape) => FieldValue::Objects(objects(json, shape)?),
    })
}

fn objects(json: Json, shape: &'static ObjectSchema) -> Result<Vec<Fields>, Wrong> {
    list(json, |item| {
        let mut members = Members::of(item)?;
        let fields = take(&mut members, shape)?;
        members.finish()?;
        Ok(fields)
    })
}

fn reference(json: Json) -> Result<Reference, Wrong> {
    let reference = if json.get("number").is_some() {
        let mut members = Members::of(json)?;
        let number = members.integer("number", i64::MIN..=i64::MAX)?;
        members.finish()?;
        Reference::Number(number)
    } else {
        let mut members = Members::of(json)?;
        let text = members.text("text", |text| Ok::<_, Wrong>(text.to_owned()))?;
        members.finish()?;
        Reference::Text(text)
    };
    Ok(reference)
}

fn raw(text: &str) -> Result<RawJson, Wrong> {
    // A value that came with white space around it is kept with it.
    serde_json::from_str::<&RawValue>(text).map_err(|error| Wrong::new(format_args!("is not JSON: {error}")))?;
    Ok(RawJson::new(text))
}
