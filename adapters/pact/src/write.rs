//! Writing a footprint as an edition shows it: what is not known is absent, never null; amounts are texts, or numbers where
//! the edition's table says so; digits are those of the exact decimal.

use domain::Fields;
use domain::footprint::{FieldSpec, FieldValue, Projection, Reference};

/// Appends the footprint as one JSON object.
///
/// `precedingPfIds` must have been [resolved](Projection::resolve): a number that is left is not written.
pub fn write(projection: &Projection, to: &mut String) {
    to.push_str("{\"id\":");
    text(&projection.footprint.id.to_string(), to);
    let writer = Writer { projection };
    writer.members(&projection.footprint.fields, false, to);
    to.push('}');
}

struct Writer<'a> {
    projection: &'a Projection,
}

impl Writer<'_> {
    /// Writes the members that are given, in the order of their schema.
    fn members(&self, fields: &Fields, mut is_first: bool, to: &mut String) {
        for spec in fields.schema().fields {
            let Some(value) = fields.find(spec.name).filter(|value| is_written(value)) else { continue };
            if !std::mem::take(&mut is_first) {
                to.push(',');
            }
            text(spec.name, to);
            to.push(':');
            self.value(spec, value, to);
        }
    }

    fn object(&self, fields: &Fields, to: &mut String) {
        to.push('{');
        self.members(fields, true, to);
        to.push('}');
    }

    fn value(&self, spec: &FieldSpec, value: &FieldValue, to: &mut String) {
        match value {
            FieldValue::Text(value) => text(value, to),
            FieldValue::Number(value) if spec.is_json_number(self.projection.edition.major()) => {
                to.push_str(&value.to_string());
            }
            FieldValue::Number(value) => text(&value.to_string(), to),
            FieldValue::Integer(value) => to.push_str(&value.to_string()),
            FieldValue::Flag(value) => to.push_str(if *value { "true" } else { "false" }),
            FieldValue::Moment(value) => text(&value.to_string(), to),
            FieldValue::Texts(values) => list(values, to, |value, to| text(value, to)),
            FieldValue::References(values) => list(values.iter().filter_map(uuid), to, text),
            FieldValue::Object(fields) => self.object(fields, to),
            FieldValue::Objects(objects) => list(objects, to, |fields, to| self.object(fields, to)),
            FieldValue::Raw(json) => to.push_str(json.as_str()),
        }
    }
}

/// Whether there is something to write: references may all be numbers.
fn is_written(value: &FieldValue) -> bool {
    if let FieldValue::References(references) = value { references.iter().any(|one| uuid(one).is_some()) } else { true }
}

fn uuid(reference: &Reference) -> Option<&str> {
    match reference {
        Reference::Text(text) => Some(text),
        Reference::Number(_) => None,
    }
}

fn list<T>(items: impl IntoIterator<Item = T>, to: &mut String, write: impl Fn(T, &mut String)) {
    to.push('[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            to.push(',');
        }
        write(item, to);
    }
    to.push(']');
}

/// The text in quotation marks, escaped.
fn text(value: &str, to: &mut String) {
    // A text is always written.
    to.push_str(&serde_json::to_string(value).unwrap_or_default());
}
