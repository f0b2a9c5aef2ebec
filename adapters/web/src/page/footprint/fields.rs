//! The fields of a footprint as they were written, each with what every edition finds wrong with it.

use std::fmt::Display;

use domain::Fields;
use domain::footprint::{Edition, FieldValue, Footprint, Layer, Reference, Verdict, Violation};
use maud::{Markup, html};

use crate::here::Here;
use crate::page::footprints::titled;

/// A field: where it is, and its value where one was written.
struct Line {
    pointer: String,
    value: Option<Value>,
}

/// A value that is no object.
enum Value {
    Text(String),
    Number(String),
}

impl Value {
    fn text(value: impl Display) -> Self {
        Self::Text(value.to_string())
    }

    fn number(value: impl Display) -> Self {
        Self::Number(value.to_string())
    }
}

/// Every field that was written or that a rule names, with the rules that are broken there.
pub(super) fn table(here: &Here, footprint: &Footprint, verdict: &Verdict) -> Markup {
    let mut lines = Vec::new();
    flatten("", &footprint.fields, &mut lines);
    let found = Edition::ALL.map(|edition| verdict.edition(edition).findings.as_slice());
    for pointer in found.iter().copied().flatten().map(|finding| finding.pointer.as_str()) {
        if !lines.iter().any(|line| line.pointer == pointer) {
            add(&mut lines, pointer);
        }
    }
    html! {
        div.scroll { table.compact {
            caption { "Each field as it was written, and what each edition finds there" }
            thead { tr { th scope="col" { "Field" } th scope="col" { "Value" } @for edition in Edition::ALL { th scope="col" { (titled(edition)) } } } }
            tbody { @for line in &lines { tr {
                th scope="row" { code { (line.pointer.trim_start_matches('/').replace('/', " ")) } }
                td.wrap { @match &line.value {
                    Some(Value::Number(number)) => data value=(number) { (here.numbers().plain(number)) },
                    Some(Value::Text(text)) => (text),
                    None => span.muted { "-" },
                } }
                @for findings in found { td.wrap { @for finding in findings.iter().filter(|one| one.pointer == line.pointer) { (broken(finding)) } } }
            } } }
        } }
    }
}

fn broken(finding: &Violation) -> Markup {
    let (kind, word) = match finding.layer() {
        Layer::Wire | Layer::Rule => ("bad", "! rule"),
        Layer::Advice => ("warn", "advice"),
    };
    html! { div { span.tag.(kind) { (word) } " " (finding.detail) " " code.muted { (finding.rule.name()) } } }
}

/// Puts a field that was not written behind the last one of its object, and one that has others in it before them.
fn add(lines: &mut Vec<Line>, pointer: &str) {
    let below = format!("{pointer}/");
    if let Some(at) = lines.iter().position(|line| line.pointer.starts_with(&below)) {
        lines.insert(at, Line { pointer: pointer.to_owned(), value: Some(Value::text("as below")) });
        return;
    }
    let object = pointer.rsplit_once('/').map_or("", |(object, _)| object);
    let within = |line: &Line| line.pointer.rsplit_once('/').is_some_and(|(other, _)| other == object);
    let at = lines.iter().rposition(within).map_or(lines.len(), |place| place + 1);
    lines.insert(at, Line { pointer: pointer.to_owned(), value: None });
}

fn flatten(above: &str, fields: &Fields, lines: &mut Vec<Line>) {
    for spec in fields.schema().fields {
        let Some(value) = fields.find(spec.name) else { continue };
        let pointer = format!("{above}/{}", spec.name);
        let mut line = |pointer: String, value: Value| lines.push(Line { pointer, value: Some(value) });
        match value {
            FieldValue::Text(text) => line(pointer, Value::text(text)),
            FieldValue::Number(number) => line(pointer, Value::number(number)),
            FieldValue::Integer(number) => line(pointer, Value::number(number)),
            FieldValue::Flag(flag) => line(pointer, Value::text(if *flag { "yes" } else { "no" })),
            FieldValue::Moment(moment) => line(pointer, Value::text(moment)),
            FieldValue::Raw(json) => line(pointer, Value::text(json)),
            FieldValue::Texts(texts) => {
                for (index, text) in texts.iter().enumerate() {
                    line(format!("{pointer}/{index}"), Value::text(text));
                }
            }
            FieldValue::References(references) => {
                for (index, reference) in references.iter().enumerate() {
                    let named = match reference {
                        Reference::Number(number) => number.to_string(),
                        Reference::Text(text) => text.clone(),
                    };
                    line(format!("{pointer}/{index}"), Value::text(named));
                }
            }
            FieldValue::Object(object) => flatten(&pointer, object, lines),
            FieldValue::Objects(objects) => {
                for (index, object) in objects.iter().enumerate() {
                    flatten(&format!("{pointer}/{index}"), object, lines);
                }
            }
        }
    }
}
