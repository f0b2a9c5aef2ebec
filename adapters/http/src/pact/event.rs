//! Events of partners.

use actix_web::{HttpResponse, web};
use domain::footprint::Edition;
use pact::{EventError, EventKind};
use ports::Permission;
use ports::inbound::Error;
use serde_json::{Value, json};

use crate::body::EventBody;
use crate::caller::Caller;
use crate::operation::{Answer, BodyAbout, Operation};
use crate::problem::{Kind, Problem};
use crate::query::NoQuery;
use crate::request_part::Ask;
use crate::schema::Components;
use crate::service::Service;

const NOTE: &str = "A partner's own clients send it, from the address that the partner is registered with. It is answered 200 \
                    with an empty body; sent again under the same id, nothing more comes of it.";

/// The operations on events.
pub(super) fn operations(tag: &'static str) -> Vec<Operation> {
    let all = |operation: Operation, edition, schema| {
        let example = Some(example(edition));
        operation
            .taking(BodyAbout { media: EventBody::MEDIA, schema, example })
            .noting(NOTE)
            .answers(Answer::empty("The event is taken."))
            .refused_with(Kind::Malformed)
            .refused_with(Kind::NotImplemented)
    };
    let read = Permission::FootprintRead;
    vec![
        all(Operation::post(read, "/2/events", take_pact_2_event), Edition::V2, schema_2)
            .named("take_pact_2_event", tag)
            .does("Takes an event of a partner in the form of PACT 2.3."),
        all(Operation::post(read, "/3/events", take_pact_3_event), Edition::V3, schema_3)
            .named("take_pact_3_event", tag)
            .does("Takes an event of a partner in the form of PACT 3.0."),
    ]
}

/// Handles POST of an event of version 2.
async fn take_pact_2_event(
    caller: Caller,
    ask: Ask<(NoQuery,)>,
    body: EventBody,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    take(&caller, ask, &body, &service, Edition::V2).await
}

/// Handles POST of an event of version 3.
async fn take_pact_3_event(
    caller: Caller,
    ask: Ask<(NoQuery,)>,
    body: EventBody,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    take(&caller, ask, &body, &service, Edition::V3).await
}

async fn take(
    caller: &Caller,
    Ask((NoQuery,), _): Ask<(NoQuery,)>,
    body: &EventBody,
    service: &Service,
    edition: Edition,
) -> Result<HttpResponse, Problem> {
    let malformed = |faults| Problem::new(Kind::Malformed, "Mend what errors names.").with_faults(faults);
    let event = pact::read_event(&body.0, edition).map_err(|error| match error {
        EventError::Malformed(faults) => malformed(faults),
        EventError::NotImplemented(detail) => Problem::new(Kind::NotImplemented, detail),
    })?;
    match service.areas().exchange.take(caller, event).await {
        Ok(()) => Ok(HttpResponse::Ok().finish()),
        Err(Error::Invalid(faults)) => Err(malformed(faults)),
        Err(error) => Err(error.into()),
    }
}

fn schema_2(_: &mut Components) -> Value {
    schema(Edition::V2)
}

fn schema_3(_: &mut Components) -> Value {
    schema(Edition::V3)
}

/// An event in the document.
fn schema(edition: Edition) -> Value {
    let types: Vec<_> = EventKind::ALL.iter().map(|kind| kind.type_in(edition)).collect();
    let asked = match edition {
        Edition::V2 => "pf and comment",
        Edition::V3 => "the filters of the list and comment",
    };
    let data = format!(
        "Of a request: {asked}. Of its answer: requestEventId with pfs, or with error (code and message). Of what was \
         published: pfIds."
    );
    json!({
        "type": "object",
        "description": format!("An event (CloudEvents 1.0) of PACT {edition}."),
        "properties": {
            "specversion": { "type": "string", "enum": ["1.0"] },
            "type": { "type": "string", "enum": types },
            "id": { "type": "string", "minLength": 1, "maxLength": 1000, "description": "What its sender calls it." },
            "source": { "type": "string", "minLength": 1, "maxLength": 2000, "description": "The sender's address." },
            "time": { "type": "string", "format": "date-time" },
            "data": { "type": "object", "additionalProperties": true, "description": data }
        },
        "required": ["specversion", "type", "id", "source", "data"]
    })
}

fn example(edition: Edition) -> Value {
    let data = match edition {
        Edition::V2 => json!({ "pf": { "productIds": ["urn:gtin:4712345060507"] } }),
        Edition::V3 => json!({ "productId": ["urn:gtin:4712345060507"] }),
    };
    json!({
        "specversion": "1.0",
        "type": EventKind::Requested.type_in(edition),
        "id": "4d9a0e42-6a3c-4f0a-9d4e-0b8a1f0c7c11",
        "source": format!("https://pact.example.com/{}/events", edition.segment()),
        "time": "2025-01-01T00:00:00Z",
        "data": data
    })
}
