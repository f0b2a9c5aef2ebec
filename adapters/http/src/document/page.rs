//! The OpenAPI document as one page without scripts and without anything from elsewhere.

use std::fmt::Write as _;

use actix_web::HttpResponse;
use actix_web::http::header;
use serde_json::Value;
use utoipa::openapi::OpenApi;

use crate::problem::Problem;
use crate::routes::BASE;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
    h2{border-bottom:1px solid #ccc}code{background:#f4f4f4;padding:.1em .3em}table{border-collapse:collapse}\
    td,th{border:1px solid #ddd;padding:.2em .6em;text-align:left;vertical-align:top}";

/// The page.
pub(super) fn page(document: &OpenApi) -> Result<HttpResponse, Problem> {
    let document = serde_json::to_value(document).map_err(Problem::internal)?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"))
        .content_type("text/html; charset=utf-8")
        .body(html(&document)))
}

fn html(document: &Value) -> String {
    let title = escaped(&document["info"]["title"]);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style></head>\n\
         <body><h1>{title} {}</h1>\n<p>{}</p>\n<p><a href=\"{BASE}/openapi.json\">openapi.json</a></p>\n",
        escaped(&document["info"]["version"]),
        escaped(&document["info"]["description"]),
    );
    for (path, item) in members(&document["paths"]) {
        for (method, operation) in members(item) {
            section(&mut out, path, method, operation);
        }
    }
    out.push_str("<h2>Schemas</h2>\n");
    for (name, schema) in members(&document["components"]["schemas"]) {
        let _ = write!(out, "<h3 id=\"{0}\">{0}</h3>\n<p>{1}</p>\n", text(name), escaped(&schema["description"]));
        table(&mut out, members(&schema["properties"]).map(|(name, schema)| (name.as_str(), kind(schema), schema)));
    }
    out.push_str("</body></html>\n");
    out
}

fn section(out: &mut String, path: &str, method: &str, operation: &Value) {
    let _ = write!(
        out,
        "<h2><code>{} {}</code></h2>\n<p><b>{}</b></p>\n<p>{}</p>\n",
        method.to_ascii_uppercase(),
        text(path),
        escaped(&operation["summary"]),
        escaped(&operation["description"]),
    );
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    table(out, parameters.map(|one| (one["name"].as_str().unwrap_or(""), kind(&one["schema"]), one)));
    let answers = members(&operation["responses"]);
    table(out, answers.map(|(status, answer)| (status.as_str(), media(answer), answer)));
}

fn table<'a>(out: &mut String, rows: impl Iterator<Item = (&'a str, String, &'a Value)>) {
    out.push_str("<table>\n");
    for (name, kind, about) in rows {
        let about = escaped(&about["description"]);
        let _ = writeln!(out, "<tr><td><code>{}</code></td><td>{kind}</td><td>{about}</td></tr>", text(name));
    }
    out.push_str("</table>\n");
}

/// What an answer holds, by media type.
fn media(answer: &Value) -> String {
    let kinds: Vec<_> = members(&answer["content"])
        .map(|(name, content)| format!("{} {}", text(name), kind(&content["schema"])))
        .collect();
    kinds.join("<br>")
}

/// What a value is: a linked name, or its JSON type.
fn kind(schema: &Value) -> String {
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

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn escaped(value: &Value) -> String {
    value.as_str().map(text).unwrap_or_default()
}

/// The text for HTML, with what stands between backticks as code.
fn text(text: &str) -> String {
    let safe = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    crate::problem::marked(&safe)
}
