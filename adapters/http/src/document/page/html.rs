//! Pieces of the page: tables, the names of types, safe text.

use std::fmt::Write as _;

use serde_json::Value;

/// A table of names, what they are, and what is said about them; nothing where there are no rows.
pub(super) fn table<'a>(out: &mut String, caption: &str, rows: impl Iterator<Item = (&'a str, String, &'a Value)>) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    out.push_str("<table>\n");
    if !caption.is_empty() {
        let _ = writeln!(out, "<caption>{caption}</caption>");
    }
    for (name, kind, about) in rows {
        row(out, "", name, &kind, about);
    }
    out.push_str("</table>\n");
}

/// A row of a table, with those attributes.
pub(super) fn row(out: &mut String, attributes: &str, name: &str, kind: &str, about: &Value) {
    let about = escaped(&about["description"]);
    let _ = writeln!(out, "<tr{attributes}><td><code>{}</code></td><td>{kind}</td><td>{about}</td></tr>", text(name));
}

/// What a value is: a linked name, or its JSON type.
pub(super) fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return format!("<a href=\"#{0}\">{0}</a>", text(name));
    }
    let choices = ["oneOf", "anyOf", "allOf"].iter().filter_map(|key| schema[*key].as_array()).flatten();
    let choices: Vec<_> = choices.map(kind).collect();
    match (&schema["type"], choices.is_empty()) {
        (_, false) => choices.join(" or "),
        (Value::String(one), true) if one == "array" => format!("array of {}", kind(&schema["items"])),
        (Value::String(one), true) => text(one),
        (Value::Array(several), true) => several.iter().map(escaped).collect::<Vec<_>>().join(" or "),
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_), true) => String::new(),
    }
}

/// The members of an object; none of anything else.
pub(super) fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// A text of the document, for HTML.
pub(super) fn escaped(value: &Value) -> String {
    value.as_str().map(text).unwrap_or_default()
}

/// The text for HTML, with what is between backticks as code.
pub(super) fn text(text: &str) -> String {
    let safe = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    crate::problem_pages::marked(&safe)
}
