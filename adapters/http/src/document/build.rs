//! Building the OpenAPI document from the table of operations.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::Method;
use serde_json::{Map, Value, json};

use super::answers;
use super::common::{heading, responses, security_schemes};
use crate::authenticate::Audience;
use crate::deprecation::Deprecation;
use crate::media;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::problem::Kind;
use crate::request_part::{Parameter, Place};
use crate::schema::{Components, Side, reference, with};

/// The document of those operations, of a service of that version at that base path.
pub(crate) fn document(operations: &[Operation], version: &str, base: &str) -> Value {
    let mut components = Components::new();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for one in operations {
        let method = one.method.as_str().to_ascii_lowercase();
        paths.entry(one.path).or_default().insert(method, operation(one, &mut components));
    }
    let tags: BTreeSet<_> = operations.iter().map(|one| one.about.tag).collect();
    let tags: Vec<_> = tags.into_iter().map(|tag| json!({ "name": tag, "description": heading(tag) })).collect();
    let responses = responses(&mut components);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tonne",
            "version": version,
            "description": "Product carbon footprints, activity reports, switches and model inputs. Every amount is an \
                            exact decimal: read and write it as a string. Errors are RFC 9457 problems that name \
                            everything that is wrong at once.",
            "license": { "name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT" },
        },
        "servers": [{ "url": base }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": components,
            "responses": responses,
            "securitySchemes": security_schemes(base),
        },
    })
}

fn operation(one: &Operation, components: &mut Components) -> Value {
    let about = &one.about;
    let mut value = json!({
        "operationId": about.id,
        "tags": [about.tag],
        "summary": about.summary,
        "description": description(one),
        "security": security(one.audience),
        "responses": answers(one, components),
    });
    if about.deprecation.is_some() {
        value["deprecated"] = json!(true);
    }
    if !about.parameters.is_empty() {
        let parameters: Vec<_> = about.parameters.iter().map(|one| parameter(one, components)).collect();
        value["parameters"] = json!(parameters);
    }
    if let Some(body) = &about.body {
        let schema = (body.schema)(components);
        let example = body.example.clone().map(|example| ("example", example));
        let content = with(json!({ "schema": schema }), example);
        let media = body.media.first().copied().unwrap_or_default();
        value["requestBody"] = json!({ "required": true, "content": { media: content } });
    }
    value
}

fn description(one: &Operation) -> String {
    let needs = match one.audience {
        Audience::Holders(permission) => format!("Needs the permission {permission}."),
        Audience::Clients => "Needs the client's own id and secret.".to_owned(),
        Audience::Everybody => "Needs no credentials.".to_owned(),
    };
    let deprecated = one
        .about
        .deprecation
        .map(|Deprecation { since, ends }| format!("Deprecated since {since}; answers until {ends}."));
    let sentences = [Some(needs), deprecated, Some(one.about.note.clone())].into_iter().flatten();
    sentences.filter(|one| !one.is_empty()).collect::<Vec<_>>().join(" ")
}

fn parameter(one: &Parameter, components: &mut Components) -> Value {
    let place = match one.place {
        Place::Path => "path",
        Place::Query => "query",
        Place::Header => "header",
    };
    let more = one.more.iter().filter_map(|(name, text)| Some((*name, serde_json::from_str(text).ok()?)));
    let schema = with(one.kind.schema(Side::New, components), more);
    json!({
        "name": one.name,
        "in": place,
        "required": one.place == Place::Path,
        "description": one.doc,
        "schema": schema,
    })
}

fn answers(one: &Operation, components: &mut Components) -> Map<String, Value> {
    let mut all = Map::new();
    for answer in &one.about.answers {
        all.insert(answer.status.to_string(), described(answer, answers::example(&one.about.id), components));
    }
    if one.about.parameters.iter().any(|parameter| parameter.name == "If-None-Match") {
        let known = json!({ "description": "It is what If-None-Match names: the reader has it already." });
        all.insert("304".to_owned(), known);
    }
    for kind in refusals(one) {
        let form = match (one.audience, one.path.split('/').nth(1)) {
            // It is refused before its path is read.
            _ if kind == Kind::HeadTooLarge => "",
            (Audience::Clients, _) => "Token",
            (_, Some("2")) => "Pact2",
            (_, Some("3")) => "Pact3",
            (_, _) => "",
        };
        let name = format!("{form}{kind:?}");
        let response = json!({ "$ref": format!("#/components/responses/{name}") });
        all.entry(kind.status().as_u16().to_string()).or_insert(response);
    }
    all
}

/// The answer, with what the operation answered once where that is JSON.
fn described(answer: &Answer, example: Option<&Value>, components: &mut Components) -> Value {
    let mut value = json!({ "description": answer.doc });
    let content: Map<_, _> = answer
        .content
        .iter()
        .map(|(media, schema)| {
            let schema = match schema {
                SchemaOf::Named(named) => reference(*named, Side::Answer, components),
                SchemaOf::Made(make) => make(components),
                SchemaOf::Text => json!({ "type": "string" }),
            };
            let example = example.filter(|_| *media == media::JSON).map(|example| ("example", example.clone()));
            ((*media).to_owned(), with(json!({ "schema": schema }), example))
        })
        .collect();
    if !content.is_empty() {
        value["content"] = Value::Object(content);
    }
    let headers: Map<_, _> = answer
        .headers
        .iter()
        .map(|(name, says, is_required)| {
            let header = json!({ "description": says, "required": is_required, "schema": { "type": "string" } });
            ((*name).to_owned(), header)
        })
        .collect();
    if !headers.is_empty() {
        value["headers"] = Value::Object(headers);
    }
    value
}

/// The problems that an operation can have, by what it is made of.
fn refusals(one: &Operation) -> Vec<Kind> {
    let about = &one.about;
    let has = |place: Place| about.parameters.iter().any(|parameter| parameter.place == place);
    let conditional = about.parameters.iter().any(|one| matches!(one.name, "If-Match" | "If-None-Match"));
    let mut kinds =
        vec![Kind::Malformed, Kind::NotAcceptable, Kind::QueryTooLong, Kind::HeadTooLarge, Kind::Internal, Kind::Busy];
    match one.audience {
        Audience::Holders(_) => kinds.extend([Kind::Unauthenticated, Kind::Forbidden, Kind::TooFast]),
        Audience::Clients => kinds.extend([Kind::Unauthenticated, Kind::TooFast]),
        Audience::Everybody => {}
    }
    if has(Place::Path) {
        kinds.push(Kind::NotFound);
    }
    if conditional {
        kinds.push(Kind::Stale);
    }
    if about.body.is_some() {
        kinds.extend([Kind::Timeout, Kind::TooLarge, Kind::MediaType]);
    }
    // Events are refused as malformed, whatever is wrong with them.
    let is_event = one.path.ends_with("/events");
    if about.body.is_some() && one.audience != Audience::Clients && one.method != Method::GET && !is_event {
        kinds.push(Kind::Invalid);
    }
    kinds.extend(&about.refusals);
    kinds
}

fn security(audience: Audience) -> Value {
    match audience {
        Audience::Holders(permission) => {
            json!([{ "oauth2": [permission.as_str()] }, { "bearer": [] }])
        }
        Audience::Clients => json!([{ "client": [] }, {}]),
        Audience::Everybody => json!([]),
    }
}
