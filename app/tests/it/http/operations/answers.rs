//! The statuses that the OpenAPI document lists for an operation: each is one that the operation does answer.
//! That it answers no others is checked of every answer that a test gets, and that it succeeds by its example.

use super::examples::{FIRST, example, place};
use crate::http::harness::{Answer, Client, DOCUMENT, Request, Service, Value};

/// What is not provoked here, and why.
const ELSEWHERE: [(&str, &str); 9] = [
    ("408", "takes as long as the time limit of a body"),
    ("409", "another record must stand in the way: the tests of each resource"),
    ("413", "a MiB for each operation; `limits` does it once"),
    ("426", "more than 4 MiB over an older HTTP: the tests of streams"),
    ("429", "the client is locked out then: the tests of tokens"),
    ("431", "more than 128 KiB for each operation, before its path is read: the tests of connections"),
    ("500", "nothing is known that makes an operation fail"),
    ("503", "the service must be busy: the tests of streams and stores"),
    ("2xx", "see `examples`"),
];

/// An operation with all that a request of it needs.
struct Operation<'a> {
    service: &'a Service,
    method: String,
    /// With records in it that are there.
    at: String,
    example: Option<(&'static str, &'static Value)>,
    permission: Option<&'static str>,
}

impl Operation<'_> {
    /// A request of it in which all is well.
    fn by(&self, client: &Client) -> Request {
        self.with_body(client, &self.at, None)
    }

    fn with_body(&self, client: &Client, at: &str, instead: Option<(&str, &str)>) -> Request {
        let request = client.request(&self.method, at);
        let (media, body) = match (instead, self.example) {
            (None, None) => return request,
            (Some((media, body)), _) => (media, body.to_owned()),
            (None, Some((media, body))) => (media, body.to_string()),
        };
        request.header("Content-Type", media).body(body)
    }

    /// What it answers when it must answer that status.
    fn provoke(&self, status: &str) -> Answer {
        let admin = self.service.admin();
        let nobody = "0198c0de-0000-7000-8000-000000000000";
        match status {
            "304" => {
                let tag = self.by(&admin).send().etag();
                self.by(&admin).header("If-None-Match", tag).send()
            }
            "400" => self.with_body(&admin, &format!("{}?unknown=1", self.at), None).send(),
            "401" => self.by(&self.service.anybody()).send(),
            "403" => {
                let needed = self.permission.unwrap();
                let other = if needed.starts_with("switch") { "model:read" } else { "switch:read" };
                self.by(&self.service.caller(other)).send()
            }
            "404" => {
                // The record in the path that comes last; behind it may be a word, such as `secret`.
                let mut segments = self.at.split('/').rev();
                let at = match segments.clone().find(|segment| segment.len() == nobody.len()) {
                    Some(record) => self.at.replace(record, nobody),
                    // A published factor has a cell in the place of an identifier.
                    None => self.at.replace(&format!("/{}", segments.next().unwrap()), "/ZZ99"),
                };
                self.with_body(&admin, &at, None).send()
            }
            "406" => self.by(&admin).header("Accept", "image/png").send(),
            "412" => self.by(&admin).header("If-Match", "\"0-0000000000000000\"").send(),
            "414" => self.with_body(&admin, &format!("{}?page={}", self.at, "1".repeat(9_000)), None).send(),
            "415" => self.with_body(&admin, &self.at, Some(("text/plain", "{}"))).send(),
            // A place of a history that is no more.
            "410" => self.with_body(&admin, &format!("{}?after={nobody}.0", self.at), None).send(),
            "422" if self.at.ends_with("/batch") => {
                self.with_body(&admin, &self.at, Some(("text/csv", "nonsense\n"))).send()
            }
            "422" => self.with_body(&admin, &self.at, Some(("application/json", "1"))).send(),
            other => panic!("nothing provokes {other}"),
        }
    }
}

/// Fails unless a 412 has the tag with which the request can be repeated, and the document says so.
#[track_caller]
fn check_tag(admin: &Client, at: &str, stale: &Answer) {
    let tag = stale.etag();
    let told = &DOCUMENT["components"]["responses"]["Stale"]["headers"]["ETag"];
    assert!(told["description"].is_string(), "the document does not say that a 412 has a tag");
    let present = admin.get(at);
    // Tags without a point have no version: they are of answers that are no records.
    if present.status == 200 && tag.contains('.') {
        // The digest behind the version is of the answer, which has names of other records and times of last use.
        let of = |tag: &str| tag.split('-').next().unwrap_or_default().to_owned();
        assert_eq!(of(&tag), of(&present.etag()), "{at}");
    }
}

#[test]
fn an_operation_lists_only_the_answers_that_it_can_give() {
    let service = Service::start();
    let admin = service.admin();
    for collection in FIRST {
        admin.post(collection, example(collection, "post").unwrap().1).expect(201);
    }
    let mut checked = 0;
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        let at = place(&admin, path);
        for (method, described) in item.as_object().unwrap() {
            let operation = Operation {
                service: &service,
                method: method.to_uppercase(),
                at: at.clone(),
                example: example(path, method),
                permission: described["security"][0]["oauth2"][0].as_str(),
            };
            let statuses = described["responses"].as_object().unwrap().keys();
            for status in
                statuses.filter(|one| !one.starts_with('2') && ELSEWHERE.iter().all(|(other, _)| one != other))
            {
                if method == "get" && status == "422" {
                    // What no workbook holds; a million records are not made here: `adapters/files/tests/it/workbook.rs`.
                    continue;
                }
                if path == "/pact/2/footprints" && status == "410" {
                    // Of a link from before the epoch was renewed: `command::backup::epoch`.
                    continue;
                }
                let answer = operation.provoke(status);
                assert_eq!(answer.status.to_string(), *status, "{method} {path}: {answer:?}");
                if status == "412" {
                    check_tag(&admin, &at, &answer);
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 400, "{checked}");
}
