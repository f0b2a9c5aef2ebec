//! The OpenAPI document: whole, valid by its own references, and the same as what the service answers.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::api::send;

fn document() -> Value {
    serde_json::from_str(&tonne_http::openapi()).unwrap()
}

#[actix_web::test]
async fn documented_operations_are_those_that_are_registered() {
    let document = document();
    let documented: BTreeSet<_> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| {
            item.as_object().unwrap().keys().map(move |method| format!("{} {path}", method.to_uppercase()))
        })
        .collect();
    let registered: BTreeSet<_> =
        tonne_http::operations().into_iter().map(|(method, path)| format!("{method} {path}")).collect();
    assert_eq!(documented, registered);
}

#[actix_web::test]
async fn every_operation_but_the_public_ones_asks_for_credentials() {
    let document = document();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let at = format!(
                "/api{}",
                path.replace("{uuid}", crate::fake::SWITCH)
                    .replace("{id}", crate::fake::SWITCH)
                    .replace("{set}", "00000000")
                    .replace("{cell}", "A1")
            );
            let answer = send(&method.to_uppercase(), &at, &[], "").await;
            let bearer = operation["security"].to_string().contains("bearer");
            assert_eq!(
                answer.status == 401 && answer.header("www-authenticate") == Some("Bearer"),
                bearer,
                "{method} {path}"
            );
        }
    }
}

#[test]
fn every_reference_leads_somewhere() {
    fn visit(value: &Value, document: &Value) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(target)) = members.get("$ref") {
                    assert!(document.pointer(target.trim_start_matches('#')).is_some(), "{target}");
                }
                members.values().for_each(|member| visit(member, document));
            }
            Value::Array(items) => items.iter().for_each(|item| visit(item, document)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let document = document();
    visit(&document, &document);
}

#[test]
fn the_document_speaks_for_itself() {
    let document = document();
    assert_eq!((document["openapi"].as_str(), document["info"]["title"].as_str()), (Some("3.1.0"), Some("Tonne")));
    assert!(document["info"].get("contact").is_none());
    assert_eq!(tonne_http::openapi(), tonne_http::openapi());
}

#[test]
fn what_the_parser_refuses_before_it_knows_the_path_is_documented_of_every_operation() {
    let document = document();
    let problem = "application/problem+json";
    let mut operations = 0;
    for (path, members) in document["paths"].as_object().unwrap() {
        let methods = members.as_object().unwrap().iter().filter(|(name, _)| *name != "parameters");
        for (method, operation) in methods {
            operations += 1;
            for status in ["400", "431"] {
                let place =
                    operation["responses"][status]["$ref"].as_str().unwrap_or_else(|| panic!("{method} {path}"));
                let answer = document.pointer(place.trim_start_matches('#')).unwrap();
                assert!(answer["content"].get(problem).is_some(), "{method} {path}: {status} as {place}");
            }
        }
    }
    assert!(operations > 100, "{operations}");
}

#[actix_web::test]
async fn the_page_needs_nothing_from_elsewhere() {
    let page = send("GET", "/api/docs", &[("Accept", "text/html")], "").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("<code>/v1/activity</code>") && page.text.contains("activity:report"));
    assert!(!page.text.contains("src=") && !page.text.contains("<link") && !page.text.contains("href=\"http"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
}

#[actix_web::test]
async fn what_is_the_same_for_everybody_may_be_kept_and_is_not_sent_twice() {
    for (path, seconds) in [
        ("/api/openapi.json", 3600),
        ("/api/docs", 3600),
        ("/api/.well-known/jwks.json", 300),
        ("/api/.well-known/openid-configuration", 3600),
        ("/api/.well-known/oauth-authorization-server", 3600),
    ] {
        let kept = format!("public, max-age={seconds}");
        let answer = send("GET", path, &[], "").await;
        assert_eq!((answer.status, answer.header("cache-control")), (200, Some(kept.as_str())), "{path}");
        let tag = answer.header("etag").unwrap();
        for known in [tag, &format!("\"other\", W/{tag}"), "*"] {
            let same = send("GET", path, &[("If-None-Match", known)], "").await;
            assert_eq!((same.status, same.text.as_str()), (304, ""), "{path} {known}");
            assert_eq!((same.header("etag"), same.header("cache-control")), (Some(tag), Some(kept.as_str())), "{path}");
        }
        assert_eq!(send("GET", path, &[("If-None-Match", "\"other\"")], "").await.text, answer.text, "{path}");
        assert_eq!(send("GET", path, &[("If-Match", tag)], "").await.status, 200, "{path}");
        assert_eq!(send("GET", path, &[("If-Match", "\"other\"")], "").await.status, 412, "{path}");
    }
}

/// Every schema of the document that has properties, with its place.
fn objects(document: &Value) -> Vec<(String, &Value)> {
    fn visit<'a>(value: &'a Value, at: &str, found: &mut Vec<(String, &'a Value)>) {
        match value {
            Value::Object(members) => {
                if members.get("properties").is_some_and(Value::is_object) {
                    found.push((at.to_owned(), value));
                }
                members.iter().for_each(|(name, member)| visit(member, &format!("{at}/{name}"), found));
            }
            Value::Array(items) => items.iter().for_each(|item| visit(item, at, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut found = Vec::new();
    visit(document, "", &mut found);
    found
}

#[test]
fn every_amount_can_be_written_as_a_string() {
    let document = document();
    let mut amounts = 0;
    for (at, object) in objects(&document) {
        for (name, schema) in object["properties"].as_object().unwrap() {
            if schema["format"] != "decimal" {
                continue;
            }
            amounts += 1;
            let is_body = object["additionalProperties"] == false;
            let types = schema["type"].to_string();
            assert!(!is_body || (types.contains("string") && types.contains("number")), "{at}/{name}: {types}");
        }
    }
    assert!(amounts > 60, "{amounts}");
    for name in ["quantity", "UpstreamCO2e"] {
        let types = &document["components"]["schemas"]["ActivityDraft"]["properties"][name]["type"];
        assert_eq!(*types, serde_json::json!(["number", "string", "null"]), "{name}");
    }
}

#[test]
fn every_heading_says_what_stands_under_it() {
    for tag in document()["tags"].as_array().unwrap() {
        assert!(tag["description"].as_str().is_some_and(|text| !text.is_empty()), "{tag}");
    }
}

#[test]
fn every_operation_names_its_permission_as_a_scope() {
    let document = document();
    let scopes = document["components"]["securitySchemes"]["oauth2"]["flows"]["clientCredentials"]["scopes"].clone();
    let mut needed = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(scope) = operation["security"][0]["oauth2"][0].as_str() else { continue };
            assert!(scopes.get(scope).is_some(), "{method} {path}: {scope}");
            assert!(operation["security"][1]["bearer"].is_array(), "{method} {path}");
            needed.insert(scope.to_owned());
        }
    }
    assert!(needed.len() >= 10 && needed.contains("activity:report"), "{needed:?}");
}
