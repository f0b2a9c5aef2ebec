//! Whether a JSON value is what a schema of the OpenAPI document describes.
//!
//! Only what the document uses is known here: a schema that says anything else fails the test, so that nothing that is
//! described goes unchecked. An object has no members but those that are described.

use domain::{Decimal, Timestamp};
use uuid::Uuid;

use super::Value;

/// What explains a schema and says nothing of the value.
const COMMENTS: [&str; 3] = ["description", "examples", "example"];

/// What differs from the schema, each with a pointer to where; `document` has the schemas that it refers to.
pub(crate) fn differences(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(document, schema, value, "", &mut found);
    found
}

/// The schema itself, where what is there refers to one.
pub(crate) fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    schema["$ref"].as_str().map_or(schema, |reference| {
        let target = document.pointer(reference.trim_start_matches('#'));
        target.unwrap_or_else(|| panic!("the document refers to {reference}, which it lacks"))
    })
}

fn compare(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let members = schema.as_object().unwrap_or_else(|| panic!("no schema at {at}: {schema}"));
    for (keyword, says) in members {
        let holds = match keyword.as_str() {
            "$ref" => {
                compare(document, resolved(document, schema), value, at, found);
                true
            }
            "type" => one_or_more(says).iter().any(|name| is_of(name, value)),
            "enum" => says.as_array().unwrap().contains(value),
            "format" => value.as_str().is_none_or(|text| has_format(says.as_str().unwrap(), text)),
            "minLength" => length(value).is_none_or(|length| length >= says.as_u64().unwrap()),
            "maxLength" => length(value).is_none_or(|length| length <= says.as_u64().unwrap()),
            "minimum" => value.as_f64().is_none_or(|number| number >= says.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= says.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= says.as_u64().unwrap()),
            "pattern" => {
                assert_eq!(says, r"^-?\d+(\.\d+)?$", "nothing checks another pattern, of the schema at {at}");
                value.as_str().is_none_or(is_sum)
            }
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= says.as_u64().unwrap()),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    compare(document, says, item, &format!("{at}/{index}"), found);
                }
                true
            }
            "properties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    match says.get(name) {
                        Some(schema) => compare(document, schema, member, &format!("{at}/{name}"), found),
                        None => found.push(format!("{at}/{name} is not described: {member}")),
                    }
                }
                true
            }
            "required" => value.as_object().is_none_or(|members| {
                says.as_array().unwrap().iter().all(|name| members.contains_key(name.as_str().unwrap()))
            }),
            "oneOf" => {
                let fits = |one: &&Value| differences(document, one, value).is_empty();
                says.as_array().unwrap().iter().filter(fits).count() == 1
            }
            "additionalProperties" => {
                // What an event says is described by the standard, in many forms.
                assert!(says == false || at == "/data", "a schema at {at} lets members in that it does not describe");
                true
            }
            other => {
                assert!(COMMENTS.contains(&other), "nothing checks the keyword {other} of the schema at {at}");
                true
            }
        };
        if !holds {
            found.push(format!("{at}: {keyword} must be {says}: {value}"));
        }
    }
}

fn one_or_more(value: &Value) -> Vec<&str> {
    value.as_array().map_or_else(|| vec![value], |items| items.iter().collect()).into_iter().map(text).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    }
}

fn length(value: &Value) -> Option<u64> {
    value.as_str().map(|text| text.chars().count() as u64)
}

fn has_format(name: &str, text: &str) -> bool {
    match name {
        "uuid" => text.len() == 36 && Uuid::parse_str(text).is_ok(),
        "date" => domain::Day::parse(text).is_ok(),
        "date-time" => text.len() > 10 && Timestamp::parse(text).is_ok(),
        "decimal" => Decimal::parse(text).is_ok() || is_sum(text),
        "uri" => text.split_once(':').is_some_and(|(scheme, rest)| {
            !rest.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        }),
        other => panic!("nothing checks the format {other}"),
    }
}

/// Sums have more digits than any decimal that is read.
fn is_sum(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction].iter().all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
}
