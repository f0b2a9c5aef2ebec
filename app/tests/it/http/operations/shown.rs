//! The examples of answers in the OpenAPI document: each is what its operation answers to the example of a request, but for
//! identifiers, moments and secrets, of which the document has others.

use std::collections::BTreeMap;

use super::examples::{FIRST, example, place, send};
use crate::http::harness::{Answer, DOCUMENT, Service, Value, differences};

/// Where the examples are kept; run this test with `TONNE_WRITE_EXAMPLES=1` to write them anew.
const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapters/http/src/document/answers.json");

/// What is the whole document, and so no example in it.
const WHOLE: &str = "get_document";

/// What stands for every moment of the service's clock.
const TIME: &str = "2026-01-15T09:30:00.000Z";

/// The most items of a list that are shown.
const MOST_ITEMS: usize = 2;

/// Members that nobody can guess, and what stands for them.
const SECRET: [(&str, &str); 9] = [
    ("key", "tonne_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"),
    ("prefix", "tonne_01234567"),
    ("client_secret", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"),
    ("access_token", "eyJhbGciOiJFZERTQSJ9.eyJqdGkiOiIuLi4ifQ.c2lnbmF0dXJl"),
    ("refresh_token", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"),
    ("kid", "0123456789abcdef"),
    ("x", "MCowBQYDK2VwAyEA0123456789abcdefghijklmnopq"),
    ("digest", "0000000000000000000000000000000000000000000000000000000000000000"),
    ("hash", "0000000000000000000000000000000000000000000000000000000000000000"),
];

/// The base address that the service itself tells.
pub(super) fn told_base(service: &Service) -> String {
    let told = service.anybody().get("/.well-known/openid-configuration").ok();
    told["issuer"].as_str().unwrap().to_owned()
}

/// What the document shows in the place of an answer.
struct Shown {
    base: String,
    identifiers: Vec<String>,
}

impl Shown {
    fn of(service: &Service, answer: &Answer) -> Value {
        let mut shown = answer.json();
        Self { base: told_base(service), identifiers: Vec::new() }.change("", &mut shown);
        shown
    }

    fn change(&mut self, name: &str, value: &mut Value) {
        match value {
            // Whether a key was seen in use already is a matter of time.
            value if name == "lastUsed" => *value = Value::from(TIME),
            // Nor whether a partner's host was called already, which is none here.
            value if matches!(name, "called" | "tried" | "answer") => *value = Value::Null,
            value if name == "attempts" => *value = Value::from(0),
            Value::String(text) => *text = self.text(name, text),
            Value::Array(items) => {
                items.truncate(MOST_ITEMS);
                for item in items {
                    self.change(name, item);
                }
            }
            Value::Object(members) => members.iter_mut().for_each(|(name, member)| self.change(name, member)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&mut self, name: &str, text: &str) -> String {
        if let Some((_, other)) = SECRET.iter().find(|(secret, _)| *secret == name) {
            return (*other).to_owned();
        }
        // What the tests call the company hangs on how companies are addressed.
        if name == "company" || (name == "companyName" && text == "A company") {
            return "main".to_owned();
        }
        if text.len() == 24 && domain::Timestamp::parse(text).is_ok() {
            return TIME.to_owned();
        }
        let mut text = text.replace(&self.base, "http://127.0.0.1:8080/api");
        let mut at = 0;
        while let Some(part) = text.get(at..at + 36) {
            if uuid::Uuid::parse_str(part).is_ok() {
                let other = self.identifier(part);
                text.replace_range(at..at + 36, &other);
            }
            at += 1;
        }
        text
    }

    /// Another identifier, the same each time.
    fn identifier(&mut self, own: &str) -> String {
        let known = self.identifiers.iter().position(|one| one == own).unwrap_or_else(|| {
            self.identifiers.push(own.to_owned());
            self.identifiers.len() - 1
        });
        format!("0198c0de-0000-7000-8000-{:012}", known + 1)
    }
}

/// What every operation that answers JSON answers to its example.
fn answers() -> BTreeMap<String, Value> {
    let service = Service::start();
    let mut shown = BTreeMap::new();
    let mut keep = |path: &str, method: &str, answer: &Answer| {
        let id = DOCUMENT["paths"][path][method]["operationId"].as_str().unwrap();
        let is_json = answer.header("content-type").is_some_and(|media| media.contains("json"));
        if is_json && !answer.body.is_empty() && id != WHOLE {
            shown.insert(id.to_owned(), Shown::of(&service, answer));
        }
    };
    for collection in FIRST {
        let (_, body) = example(collection, "post").unwrap();
        keep(collection, "post", &service.admin().post(collection, body).expect(201));
    }
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, item)| item.as_object().unwrap().keys().map(move |method| (path, method)));
    // What is listed is made before: by the other operations, and in a new record by the example of its collection.
    let (reads, writes): (Vec<_>, Vec<_>) = all
        .filter(|(path, method)| *method != "post" || !FIRST.contains(&path.as_str()))
        .partition(|(_, method)| *method == "get");
    for (path, method) in writes {
        keep(path, method, &send(&service, method, path));
    }
    for (path, method) in reads {
        match example(path, "post").filter(|_| path.contains('{')) {
            Some((_, body)) => {
                let (admin, at) = (service.admin(), place(&service.admin(), path));
                admin.post(&at, body).expect(201);
                keep(path, method, &admin.get(&at));
            }
            None => keep(path, method, &send(&service, method, path)),
        }
    }
    shown
}

#[test]
fn the_answers_in_the_document_are_those_of_the_service() {
    let shown = serde_json::to_string_pretty(&answers()).unwrap();
    if std::env::var_os("TONNE_WRITE_EXAMPLES").is_some() {
        std::fs::write(KEPT, format!("{shown}\n")).unwrap();
    }
    let kept = std::fs::read_to_string(KEPT).unwrap();
    assert!(shown == kept.trim_end(), "they differ; write them anew with TONNE_WRITE_EXAMPLES=1: {shown}");
}

#[test]
fn no_list_in_the_document_is_empty() {
    let mut empty = Vec::new();
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        let example = &item["get"]["responses"]["200"]["content"]["application/json"]["example"];
        if example["data"].as_array().is_some_and(Vec::is_empty) {
            empty.push(path);
        }
    }
    // What PACT lists must be valid by its rules, which one record of an example need not be.
    empty.retain(|path| !path.ends_with("/footprints"));
    assert!(empty.is_empty(), "{empty:?}");
}

#[test]
fn every_answer_in_the_document_is_what_its_schema_describes() {
    let mut checked = 0;
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for (status, answer) in operation["responses"].as_object().unwrap() {
                for (media, content) in answer["content"].as_object().into_iter().flatten() {
                    let Some(example) = content.get("example") else { continue };
                    let found = differences(&DOCUMENT, &content["schema"], example);
                    assert!(found.is_empty(), "{method} {path} {status} {media}: {found:#?}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 50, "{checked}");
}
