//! The OpenAPI document as one page without scripts and without anything from elsewhere.

mod html;

use std::fmt::Write as _;

use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderValue};
use serde_json::Value;

use crate::answer::{self, MAX_AGE_S};
use crate::condition::IfNoneMatchParam;
use crate::problem::Problem;
use html::{escaped, kind, members, table, text};

const STYLE: &str = include_str!("style.css");

/// What people ask for first comes first; areas that are not named here follow.
const ORDER: [&str; 6] = ["Activities", "Switches", "Models", "Footprints", "Products", "Scopes"];

/// The page. It carries its own styles and nothing else.
pub(super) fn page(conditions: &IfNoneMatchParam, document: &Value, base: &str) -> Result<HttpResponse, Problem> {
    let body = html(document, base).into_bytes();
    let mut answer = answer::public(conditions, MAX_AGE_S, "text/html; charset=utf-8", body)?;
    let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(answer)
}

/// An operation: its method, its path and what the document says of it.
type Operation<'a> = (&'a str, &'a str, &'a Value);

fn html(document: &Value, base: &str) -> String {
    let base = text(base);
    let title = escaped(&document["info"]["title"]);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head>\n\
         <body><h1>{title} {}</h1>\n<p>{}</p>\n<p>Paths are below <code>{base}</code>. Send \
         <code>Authorization: Bearer KEY</code> with an API key or an access token; \
         <a href=\"#Tokens\">tokens</a> and what stands under <code>.well-known</code> need none. The same for programs: \
         <a href=\"{base}/openapi.json\">openapi.json</a>.</p>\n<nav>",
        escaped(&document["info"]["version"]),
        escaped(&document["info"]["description"]),
    );
    let areas = areas(document);
    for (name, _) in &areas {
        let _ = write!(out, "<a href=\"#{0}\">{0}</a> ", text(name));
    }
    out.push_str("<a href=\"#schemas\">Schemas</a></nav>\n");
    for (name, operations) in areas {
        let _ = writeln!(out, "<h2 id=\"{0}\">{0}</h2>", text(name));
        for operation in operations {
            section(&mut out, document, operation);
        }
    }
    out.push_str("<h2 id=\"schemas\">Schemas</h2>\n");
    for (name, schema) in members(&document["components"]["schemas"]) {
        let _ = write!(out, "<h3 id=\"{0}\">{0}</h3>\n<p>{1}</p>\n", text(name), escaped(&schema["description"]));
        let rows = members(&schema["properties"]).map(|(name, schema)| (name.as_str(), kind(schema), schema));
        table(&mut out, "", rows);
    }
    out.push_str("</body></html>\n");
    out
}

/// The operations by their area.
fn areas(document: &Value) -> Vec<(&str, Vec<Operation<'_>>)> {
    let mut areas: Vec<(&str, Vec<Operation<'_>>)> = ORDER.iter().map(|name| (*name, Vec::new())).collect();
    for (path, item) in members(&document["paths"]) {
        for (method, operation) in members(item) {
            let name = operation["tags"][0].as_str().unwrap_or("Others");
            let one = (method.as_str(), path.as_str(), operation);
            match areas.iter_mut().find(|(area, _)| *area == name) {
                Some((_, operations)) => operations.push(one),
                None => areas.push((name, vec![one])),
            }
        }
    }
    areas.retain(|(_, operations)| !operations.is_empty());
    areas
}

fn section(out: &mut String, document: &Value, (method, path, operation): Operation<'_>) {
    let _ = writeln!(
        out,
        "<details><summary><b>{}</b> <code>{}</code><span>{}</span></summary>",
        method.to_ascii_uppercase(),
        text(path),
        escaped(&operation["summary"]),
    );
    let about = escaped(&operation["description"]);
    if !about.is_empty() {
        let _ = writeln!(out, "<p>{about}</p>");
    }
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let parameters = parameters.map(|one| resolved(document, one));
    table(out, "Parameters", parameters.map(|one| (one["name"].as_str().unwrap_or(""), kind(&one["schema"]), one)));
    let body = &operation["requestBody"];
    table(
        out,
        "Body",
        members(&body["content"]).map(|(name, content)| (name.as_str(), kind(&content["schema"]), body)),
    );
    let (mut answers, mut problems) = (Vec::new(), Vec::new());
    for (status, answer) in members(&operation["responses"]) {
        let answer = resolved(document, answer);
        if answer["content"].get("application/problem+json").is_some() {
            problems.push(format!("{} ({})", text(status), escaped(&answer["description"])));
        } else {
            answers.push((status.as_str(), media(answer), answer));
        }
    }
    table(out, "Answers", answers.into_iter());
    if !problems.is_empty() {
        let _ = writeln!(out, "<p>Problems: {}.</p>", problems.join(", "));
    }
    out.push_str("</details>\n");
}

/// What a reference into the document leads to, or the value itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|path| document.pointer(path.trim_start_matches('#')));
    target.unwrap_or(value)
}

/// What an answer holds, by media type.
fn media(answer: &Value) -> String {
    let kinds: Vec<_> = members(&answer["content"])
        .map(|(name, content)| format!("{} {}", text(name), kind(&content["schema"])))
        .collect();
    kinds.join("<br>")
}
