//! The OpenAPI document as one page: it can be read without scripts, and its own script sends requests from it. Nothing
//! on it comes from elsewhere.

mod call;
mod html;
mod operation;
mod permissions;

use std::fmt::Write as _;

use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderValue};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::answer::{self, MAX_AGE_S};
use crate::condition::IfNoneMatchParam;
use crate::deprecation;
use crate::problem::Problem;
use html::{escaped, kind, members, table, text};
use operation::Operation;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What people ask for first comes first; areas that are not named here follow.
const ORDER: [&str; 6] = ["Activities", "Switches", "Models", "Footprints", "Products", "Scopes"];

/// Where the service is, as the page says it.
#[derive(Clone, Copy)]
pub(super) struct Base<'a> {
    /// The path of the base address, which requests of the page are sent below.
    pub(super) path: &'a str,
    /// The whole base address, for lines that are pasted elsewhere.
    pub(super) url: &'a str,
}

/// The page. A browser runs and paints what is on it by its hash, and nothing else; no text becomes markup in it.
pub(super) fn page(conditions: &IfNoneMatchParam, document: &Value, base: Base<'_>) -> Result<HttpResponse, Problem> {
    let body = html(document, base).into_bytes();
    let mut answer = answer::public(conditions, MAX_AGE_S, "text/html; charset=utf-8", body)?;
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        source(SCRIPT),
        source(STYLE),
    );
    let policy = HeaderValue::from_str(&policy).map_err(Problem::internal)?;
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(answer)
}

/// An inline script or style, as a Content-Security-Policy names it.
fn source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

fn html(document: &Value, base: Base<'_>) -> String {
    let areas = areas(document);
    let mut out = head(document, base);
    out.push_str("<nav aria-label=\"Areas\"><a href=\"#start\">Start</a> <a href=\"#permissions\">Permissions</a> ");
    for (name, _) in &areas {
        let _ = write!(out, "<a href=\"#{0}\">{0}</a> ", text(name));
    }
    out.push_str("<a href=\"#schemas\">Schemas</a> <a href=\"#deprecation\">Deprecation</a></nav>\n<main>\n");
    start(&mut out, document, base);
    permissions::section(&mut out, document);
    for (name, operations) in areas {
        let _ = writeln!(out, "<section class=\"area\"><h2 id=\"{0}\">{0}</h2>", text(name));
        for operation in operations {
            operation.write(&mut out, document, base);
        }
        out.push_str("</section>\n");
    }
    out.push_str("<h2 id=\"schemas\">Schemas</h2>\n");
    for (name, schema) in members(&document["components"]["schemas"]) {
        let _ = write!(out, "<h3 id=\"{0}\">{0}</h3>\n<p>{1}</p>\n", text(name), escaped(&schema["description"]));
        let rows = members(&schema["properties"]).map(|(name, schema)| (name.as_str(), kind(schema), schema));
        table(&mut out, "", rows);
    }
    let _ = writeln!(out, "<h2 id=\"deprecation\">Deprecation</h2>\n<p>{}</p>", text(deprecation::POLICY));
    let _ = writeln!(out, "</main>\n<script>{SCRIPT}</script></body></html>");
    out
}

/// All that stands before the areas.
fn head(document: &Value, base: Base<'_>) -> String {
    let title = escaped(&document["info"]["title"]);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title} API</title><style>{STYLE}</style></head>\n\
         <body data-base=\"{}\"><header><h1>{title} API <small>{}</small></h1><div id=\"bar\"></div></header>\n",
        text(base.path),
        escaped(&document["info"]["version"]),
    )
}

/// What everybody needs to know first.
fn start(out: &mut String, document: &Value, base: Base<'_>) {
    let _ = writeln!(
        out,
        "<h2 id=\"start\">Start</h2>\n<p>{}</p>\n\
         <p>Paths are below <code>{url}</code>. Send <code>Authorization: Bearer KEY</code> with an API key \
         (<code>tonne key create</code> makes one) or an access token; <a href=\"#Tokens\">tokens</a> and what stands under \
         <code>.well-known</code> need none. The same for programs, and for generators of clients: \
         <a href=\"{path}/openapi.json\">openapi.json</a>.</p>\n\
         <p>The lines for <code>curl</code> take the key from the environment: \
         <code>export TONNE_KEY=tonne_...</code></p>\n\
         <noscript><p>Without scripts this page is for reading; requests can be sent by the lines for <code>curl</code>.</p>\
         </noscript>",
        escaped(&document["info"]["description"]),
        url = text(base.url),
        path = text(base.path),
    );
}

/// The operations by their area.
fn areas(document: &Value) -> Vec<(&str, Vec<Operation<'_>>)> {
    let mut areas: Vec<(&str, Vec<Operation<'_>>)> = ORDER.iter().map(|name| (*name, Vec::new())).collect();
    for operation in operation::all(document) {
        let name = operation.about["tags"][0].as_str().unwrap_or("Others");
        match areas.iter_mut().find(|(area, _)| *area == name) {
            Some((_, operations)) => operations.push(operation),
            None => areas.push((name, vec![operation])),
        }
    }
    areas.retain(|(_, operations)| !operations.is_empty());
    areas
}
