//! Every answer that a test gets is compared with what the OpenAPI document says of its operation: status, media type,
//! headers and body. Of what was accepted the request is compared too: what is read but not described is as wrong.

use std::sync::LazyLock;

use super::schema::{differences, resolved};
use super::{Answer, Value};

/// The document; that it is the one that is served, `operations` shows.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(&http::openapi()).unwrap());

/// Headers that an answer of success has only where the document says so.
const TOLD: [&str; 3] = ["etag", "location", "link"];

/// A request and its answer, as they were on the wire.
pub(super) struct Sent<'a> {
    pub(super) method: &'a str,
    /// Below the base address, with its query.
    pub(super) path: &'a str,
    /// `None` where the test framed it, so that it is not the body alone.
    pub(super) body: Option<&'a [u8]>,
}

/// The operation of the document that has that method at that path.
fn operation(method: &str, path: &str) -> Option<&'static Value> {
    let path = path.split('?').next().unwrap_or_default();
    let fits = |pattern: &str| {
        let (mut pattern, mut path) = (pattern.split('/'), path.split('/'));
        loop {
            match (pattern.next(), path.next()) {
                (None, None) => return true,
                (Some(part), Some(segment)) if part.starts_with('{') || part == segment => {}
                _ => return false,
            }
        }
    };
    let method = if method == "HEAD" { "get".to_owned() } else { method.to_ascii_lowercase() };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    paths.iter().find(|(pattern, _)| fits(pattern)).and_then(|(_, item)| item.get(method))
}

/// Fails unless the document describes the answer.
#[track_caller]
pub(super) fn check(sent: &Sent<'_>, answer: &Answer) {
    let Sent { method, path, body } = *sent;
    let say = |what: &str| -> String {
        let body = body.unwrap_or_default();
        format!("{method} {path} {}: {what}; {answer:?}", String::from_utf8_lossy(&body[..body.len().min(2_000)]))
    };
    let Some(operation) = operation(method, path) else {
        // Browsers are led to the page of the API, which is no operation.
        let is_led = answer.status == 303 && answer.header("location").is_some_and(|place| place.ends_with("/docs"));
        assert!(answer.status >= 400 || is_led, "{}", say("there is no such operation"));
        return;
    };
    let Some(described) = operation["responses"].get(answer.status.to_string()) else {
        if answer.status == 404 && answer.json()["detail"] == "There is nothing at this address." {
            // The address is no company's: it has no operations.
            return;
        }
        panic!("{}", say("the status is not described"));
    };
    let described = resolved(&DOCUMENT, described);
    let is_success = answer.status < 400;
    let headers = described["headers"].as_object().into_iter().flatten();
    for (name, _) in headers.filter(|(_, header)| header["required"] == true) {
        assert!(answer.header(name).is_some(), "{}", say(&format!("it lacks the header {name}")));
    }
    for name in TOLD.iter().filter(|name| is_success && answer.status != 304 && answer.header(name).is_some()) {
        let told =
            described["headers"].as_object().into_iter().flatten().any(|(one, _)| one.eq_ignore_ascii_case(name));
        assert!(told, "{}", say(&format!("the header {name} is not described")));
    }
    compare_body(method, described, answer, &say);
    if is_success {
        compare_request(operation, sent, &say);
    }
}

/// The value of a header without its parameters.
fn media(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
}

#[track_caller]
fn compare_body(method: &str, described: &Value, answer: &Answer, say: &impl Fn(&str) -> String) {
    let Some(content) = described["content"].as_object() else {
        assert!(answer.body.is_empty(), "{}", say("no body is described"));
        return;
    };
    let media = media(answer.header("content-type").unwrap_or_default());
    let Some(schema) = content.get(media).map(|one| &one["schema"]) else {
        panic!("{}", say("the media type is not described"));
    };
    if method == "HEAD" || !answer.whole {
        return;
    }
    let found = match media {
        "application/x-ndjson" => {
            // A line is a row of what the same address answers as JSON.
            let of = resolved(&DOCUMENT, &content["application/json"]["schema"]);
            let items = ["data", "rows"].map(|name| &of["properties"][name]["items"]);
            let row = items.into_iter().find(|row| !row.is_null()).unwrap();
            let rows = answer.text().lines().map(|line| serde_json::from_str(line).unwrap());
            rows.flat_map(|line: Value| differences(&DOCUMENT, row, &line)).collect()
        }
        media if media.contains("spreadsheetml") => Vec::new(),
        media if media.ends_with("json") => differences(&DOCUMENT, schema, &answer.json()),
        _ => differences(&DOCUMENT, schema, &Value::from(answer.text())),
    };
    assert!(found.is_empty(), "{}", say(&format!("the body is not what is described: {found:#?}")));
}

#[track_caller]
fn compare_request(operation: &Value, sent: &Sent<'_>, say: &impl Fn(&str) -> String) {
    let query = sent.path.split_once('?').map(|(_, query)| query).unwrap_or_default();
    for name in query.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split('=').next().unwrap()) {
        let name = name.replace("%61", "a").replace("%5B", "[").replace("%5D", "]");
        // Named with brackets, as some clients do, it is the same list.
        let found = parameter(operation, &name).is_some() || {
            let list = name.strip_suffix("[]").and_then(|name| parameter(operation, name));
            list.is_some_and(|list| list["description"].as_str().unwrap().contains(&name))
        };
        assert!(found, "{}", say(&format!("the parameter {name} is read but not described")));
    }
    let (Some(content), Some(body)) = (operation["requestBody"]["content"].as_object(), sent.body) else { return };
    let (media, content) = content.iter().next().unwrap();
    if media.ends_with("json") && !media.ends_with("ndjson") {
        let mut body: Value =
            serde_json::from_slice(body).unwrap_or_else(|error| panic!("{}", say(&error.to_string())));
        // Blanks around a name do not count.
        if let Some(Value::String(name)) = body.get_mut("name") {
            *name = name.trim().to_owned();
        }
        let found = differences(&DOCUMENT, &content["schema"], &body);
        assert!(found.is_empty(), "{}", say(&format!("it was accepted but is not what is described: {found:#?}")));
    }
}

/// The parameter of the query that the operation has by that name.
fn parameter<'a>(operation: &'a Value, name: &str) -> Option<&'a Value> {
    let mut all = operation["parameters"].as_array().into_iter().flatten();
    all.find(|one| one["in"] == "query" && one["name"] == name)
}
