//! The cases with events: those that a host takes, and those that it sends back to the suite's listener.

use ports::partner_host::{HostAnswer, HostAuthorization};

use super::super::super::harness::{Value, json};
use super::judge::{Judged, error, holds, status};
use super::listener::Received;
use super::{Run, Version};

const NOBODY: &str = "11111111-1111-4111-8111-111111111111";

impl Run {
    /// An event of that kind: `created` or `published`. Its source is the suite's own base address, without a path of events.
    pub(super) fn event(&self, case: &str, kind: &str, data: &Value) -> Value {
        let kind = match (self.version, kind) {
            (Version::V3_0, "created") => "org.wbcsd.pact.ProductFootprint.RequestCreatedEvent.3",
            (Version::V3_0, _) => "org.wbcsd.pact.ProductFootprint.PublishedEvent.3",
            (_, "created") => "org.wbcsd.pathfinder.ProductFootprintRequest.Created.v1",
            (..) => "org.wbcsd.pathfinder.ProductFootprint.Published.v1",
        };
        json!({
            "type": kind, "specversion": "1.0", "id": Self::event_id(case), "source": self.listener.base,
            "time": "2026-01-01T00:00:00Z", "data": data,
        })
    }

    /// The id of a case's event: it has a slash in it, and is no UUID.
    fn event_id(case: &str) -> String {
        format!("5d7d9b9c-0f0e-4b3f-9c5e-3a1f0b6f2c11/{case}")
    }

    pub(super) fn send(&self, event: &Value, token: &str) -> Judged<HostAnswer> {
        let body = ("application/cloudevents+json; charset=UTF-8", event.to_string());
        self.ask(&self.url("/events"), HostAuthorization::Bearer(token.to_owned()), Some(body))
    }

    /// The event is taken: 200, and nothing else will do.
    pub(super) fn takes(&self, event: &Value) -> Judged<()> {
        let answer = self.send(event, &self.token)?;
        status(&answer, &[200])?;
        holds(answer.body.is_empty(), || String::from_utf8_lossy(&answer.body).into_owned())
    }

    /// What a request for these products says.
    #[expect(clippy::wildcard_enum_match_arm, reason = "version 2 is one in all its minor versions")]
    pub(super) fn request(&self, products: &Value) -> Value {
        match self.version {
            Version::V3_0 => json!({ "productId": products, "comment": "Please send PCF data for this year." }),
            _ => json!({ "pf": { "productIds": products }, "comment": "Please send PCF data for this year." }),
        }
    }

    /// The answer to the event of that case, as it came to the listener; one alone.
    fn answer_to(&self, case: &str) -> Judged<Received> {
        let id = Self::event_id(case);
        let is_it = |one: &Received| one.body["data"]["requestEventId"] == id.as_str();
        let answer = self.listener.wait(is_it).ok_or_else(|| format!("nothing came for {case}"))?;
        let path = format!("/{}/events", self.version.edition().segment());
        holds(answer.path == path, || format!("{} in place of {path}", answer.path))?;
        holds(answer.content_type.starts_with("application/cloudevents+json"), || answer.content_type.clone())?;
        Ok(answer)
    }
}

/// 12: what the first footprint's products are asked for by.
pub(super) fn takes_a_request(run: &Run) -> Judged<()> {
    run.takes(&run.event("12", "created", &run.request(&run.first()["productIds"])))
}

/// 13: the request is fulfilled, with whole footprints of one of the products.
pub(super) fn fulfils_the_request(run: &Run) -> Judged<()> {
    let request = run.event("12", "created", &run.request(&run.first()["productIds"]));
    run.send(&request, &run.token)?;
    let Received { body, .. } = run.answer_to("12")?;
    let kind = body["type"].as_str().unwrap_or_default();
    holds(kind.contains("Fulfilled"), || body.to_string())?;
    let asked = run.first()["productIds"].as_array().cloned().unwrap_or_default();
    let footprints = body["data"]["pfs"].as_array().cloned().unwrap_or_default();
    holds(!footprints.is_empty(), || body.to_string())?;
    footprints.iter().try_for_each(|one| {
        run.has_the_form(one)?;
        let ids = one["productIds"].as_array().cloned().unwrap_or_default();
        holds(ids.iter().any(|id| asked.contains(id)), || format!("{ids:?} is not asked for"))
    })
}

/// 14.A: what nobody has is asked for, and that is no error yet.
pub(super) fn takes_a_request_for_nothing(run: &Run) -> Judged<()> {
    run.takes(&run.event("14", "created", &run.request(&json!(["urn:pact:null"]))))
}

/// 14.B: it is refused, with a code and words.
pub(super) fn refuses_the_request(run: &Run) -> Judged<()> {
    run.send(&run.event("14", "created", &run.request(&json!(["urn:pact:null"]))), &run.token)?;
    let Received { body, .. } = run.answer_to("14")?;
    let kind = body["type"].as_str().unwrap_or_default();
    holds(kind.contains("Rejected"), || body.to_string())?;
    let error = &body["data"]["error"];
    holds(["code", "message"].iter().all(|name| error[name].as_str().is_some_and(|text| !text.is_empty())), || {
        body.to_string()
    })
}

fn published(run: &Run, case: &str, id: &str) -> Value {
    run.event(case, "published", &json!({ "pfIds": [id] }))
}

/// 15: a footprint that nobody can get.
pub(super) fn takes_what_is_published(run: &Run) -> Judged<()> {
    run.takes(&published(run, "15", NOBODY))
}

/// 16, where version 2 asks for a code.
#[expect(clippy::wildcard_enum_match_arm, reason = "version 2 is one in all its minor versions")]
pub(super) fn event_needs_a_token(run: &Run) -> Judged<()> {
    let answer = run.send(&published(run, "16", NOBODY), "garbage")?;
    match run.version {
        Version::V3_0 => status(&answer, &[400, 401]),
        _ => error(&answer, &[400, 401], &["BadRequest"]),
    }
}

/// 17: by http, with the token that is good by TLS.
pub(super) fn no_event_by_http(run: &Run) -> Judged<()> {
    let event = published(run, "17", NOBODY).to_string();
    let (base, segment) = (run.base_path(), run.version.edition().segment());
    let head = format!(
        "POST {base}/{segment}/events HTTP/1.1\r\nAuthorization: Bearer {}\r\nContent-Type: \
         application/cloudevents+json\r\nContent-Length: {}",
        run.token,
        event.len()
    );
    holds(run.plainly(&head, &event).is_none_or(|status| status >= 300), || "an event by http".to_owned())
}

/// 40, and 21 of version 2: what is published is named by UUIDs.
pub(super) fn refuses_a_urn(run: &Run) -> Judged<()> {
    status(&run.send(&published(run, "40", "urn:gtin:4712345060507"), &run.token)?, &[400])
}
