//! Answers, and what tests claim of them.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde_json::value::RawValue;
use uuid::Uuid;

use super::Value;

#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Whether the body came to its end.
    pub(crate) whole: bool,
}

impl Answer {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let split = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let split = split.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(bytes)));
        let head = std::str::from_utf8(&bytes[..split]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<_> = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut answer = Self { status, headers, body: bytes[split + 4..].to_vec(), whole: true };
        if answer.header("transfer-encoding") == Some("chunked") && !answer.body.is_empty() {
            (answer.body, answer.whole) = unchunked(&answer.body);
        } else if let Some(length) = answer.header("content-length") {
            answer.whole = length.parse() == Ok(answer.body.len());
        }
        answer
    }

    /// The value of a header that occurs at most once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == &name.to_ascii_lowercase());
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "{name} stands twice");
        value
    }

    /// All values of a header.
    pub(crate) fn headers(&self, name: &str) -> Vec<&str> {
        self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect()
    }

    /// All of it that does not differ from moment to moment: status, headers but the date, and body.
    pub(crate) fn all(&self) -> (u16, Vec<(String, String)>, String) {
        let mut headers: Vec<_> = self.headers.iter().filter(|(name, _)| name != "date").cloned().collect();
        headers.sort();
        (self.status, headers, String::from_utf8_lossy(&self.body).into_owned())
    }

    pub(crate) fn etag(&self) -> String {
        self.header("etag").unwrap_or_else(|| panic!("no ETag: {self:?}")).to_owned()
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON. Numbers lose digits here: see [`Answer::raw`].
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The bytes of a member of the body, digits and quotes as they came.
    pub(crate) fn raw(&self, member: &str) -> String {
        let members: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(&self.body).unwrap();
        members.get(member).unwrap_or_else(|| panic!("no {member}: {}", self.text())).get().to_owned()
    }

    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        assert!(self.whole, "cut");
        self
    }

    /// The JSON of an answer of success.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        self.expect(200).json()
    }

    /// The JSON of a record that was made.
    #[track_caller]
    pub(crate) fn created(self) -> Value {
        self.expect(201).json()
    }

    /// The uuid of a record that was made.
    #[track_caller]
    pub(crate) fn uuid(self) -> String {
        self.created()["uuid"].as_str().unwrap().to_owned()
    }

    /// The id of a record that was made, where it has no uuid.
    #[track_caller]
    pub(crate) fn id(self) -> String {
        self.created()["id"].as_str().unwrap().to_owned()
    }

    /// The status, the name of the problem and the places of all its faults in order: `422 invalid-input /name /unit`.
    /// Checks what every problem promises.
    #[track_caller]
    pub(crate) fn problem(&self) -> String {
        let body = self.problem_body();
        let mut out = format!("{} {}", self.status, body["type"].as_str().unwrap().trim_start_matches("/problems/"));
        for place in self.places() {
            let _ = write!(out, " {place}");
        }
        out
    }

    /// The code of an error of the token endpoints. Checks what every such error promises (RFC 6749, 5.2).
    #[track_caller]
    pub(crate) fn oauth_error(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        assert_eq!(self.header("cache-control"), Some("no-store"), "{self:?}");
        let body = self.json();
        let plain = |c: char| matches!(c, ' '..='~') && !matches!(c, '"' | '\\');
        let says = body["error_description"].as_str().unwrap_or_default();
        assert!(!says.is_empty() && says.chars().all(plain), "{body}");
        body["error"].as_str().unwrap().to_owned()
    }

    /// Status and code of an error below the paths of PACT: `404 NotFound`. Checks what every such error promises.
    #[track_caller]
    pub(crate) fn pact_error(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        assert_eq!(self.header("cache-control"), Some("no-store"), "{self:?}");
        let body = self.json();
        let members: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, ["code", "message"], "{body}");
        assert!(body["message"].as_str().is_some_and(|message| message.len() > 5), "{body}");
        format!("{} {}", self.status, body["code"].as_str().unwrap())
    }

    /// The places of a problem's faults, sorted: pointers into the body or names of parameters.
    #[track_caller]
    pub(crate) fn places(&self) -> Vec<String> {
        let body = self.problem_body();
        let errors = body["errors"].as_array().cloned().unwrap_or_default();
        let place = |error: &Value| {
            let place = if error["pointer"].is_null() { &error["parameter"] } else { &error["pointer"] };
            let place = place.as_str().unwrap_or_else(|| panic!("a fault without a place: {body}"));
            if place.is_empty() { "(all)".to_owned() } else { place.to_owned() }
        };
        let mut places: Vec<_> = errors.iter().map(place).collect();
        places.sort();
        places
    }

    #[track_caller]
    fn problem_body(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let body = self.json();
        assert_eq!(body["status"], self.status, "{body}");
        assert_eq!(body["instance"].as_str(), self.header("x-request-id"), "{body}");
        for member in ["type", "title", "detail", "instance"] {
            assert!(body[member].as_str().is_some_and(|text| !text.is_empty()), "{member}: {body}");
        }
        body
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = String::from_utf8_lossy(&self.body);
        write!(f, "{} {:?} whole={} {body}", self.status, self.headers, self.whole)
    }
}

/// The content of chunks, and whether the last of them came.
fn unchunked(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut content = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap(), 16).unwrap();
        bytes = &bytes[end + 2..];
        if length == 0 {
            return (content, true);
        }
        content.extend_from_slice(&bytes[..length.min(bytes.len())]);
        bytes = bytes.get(length + 2..).unwrap_or_default();
    }
    (content, false)
}

/// Pretty JSON in which what differs from run to run is distinguished by number only: uuids, times of the clock, ports.
pub(crate) fn redacted(value: &Value) -> String {
    let mut value = value.clone();
    redact(&mut value, &mut Vec::new());
    serde_json::to_string_pretty(&value).unwrap()
}

fn redact(value: &mut Value, seen: &mut Vec<String>) {
    match value {
        Value::String(text) if Uuid::parse_str(text).is_ok() => {
            let known = seen.iter().position(|one| one == text).unwrap_or_else(|| {
                seen.push(text.clone());
                seen.len() - 1
            });
            *text = format!("[uuid {}]", known + 1);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redact(item, seen)),
        Value::Object(members) => {
            for (name, member) in members {
                if matches!(name.as_str(), "created" | "updated") && member.is_string() {
                    *member = Value::from("[time]");
                } else if name == "instance" {
                    *member = Value::from("[request]");
                } else {
                    redact(member, seen);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
