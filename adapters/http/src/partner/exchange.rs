//! Events to a partner and what became of them, and our requests to it.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::footprint::Edition;
use domain::{Faults, PartnerId};
use files::{Json, Members, Reader};
use ports::Permission;
use ports::inbound::{DeliveryState, DeliveryView, DeliveryWhat, Done, RequestDraft, RequestState, RequestView};
use ports::repeat::FirstAnswer;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::answer;
use crate::answer_value::{list, number, text, text_or_null};
use crate::caller::Caller;
use crate::condition::IfNoneMatchParam;
use crate::idempotency::IdempotencyKey;
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::page_or_table::{Collection, OFFERS, PageOrTable, answer_list, listed};
use crate::path::{PathId, PathIds};
use crate::problem::{Kind as Problems, Problem};
use crate::query::{InQuery, NoQuery};
use crate::request_part::{Ask, Content};
use crate::schema::{Components, Kind, Side, reference};
use crate::service::Service;
use crate::shape::{Member, Shape};

/// The operations on events and requests.
pub(super) fn operations(tag: &'static str) -> Vec<Operation> {
    let deliveries = |components: &mut _| answer::page_schema(&DELIVERY, components);
    let requests = |components: &mut _| answer::page_schema(&REQUEST, components);
    let made = Answer {
        doc: "It was stored, and is sent at once.".to_owned(),
        ..Answer::json(201, SchemaOf::Named(&REQUEST))
    };
    vec![
        Operation::get(Permission::FootprintReview, "/v1/partner/{uuid}/delivery", list_partner_deliveries)
            .named("list_partner_deliveries", tag)
            .does("Lists the events to a partner and what became of each, the newest first.")
            .noting("Those that are done are forgotten after 30 days. As a table all of them are given, unless a page is asked for.")
            .offering(OFFERS)
            .answers(listed(SchemaOf::Made(deliveries)))
            .refused_with(Problems::NotFound)
            .refused_with(Problems::Invalid),
        Operation::post(Permission::FootprintWrite, "/v1/partner/{uuid}/retry", retry_partner_deliveries)
            .named("retry_partner_deliveries", tag)
            .does("Sends at once what waits for a partner or was given up.")
            .answers(Answer::ok(SchemaOf::Made(again_schema)))
            .refused_with(Problems::NotFound),
        Operation::get(Permission::FootprintReview, "/v1/partner/{uuid}/request", list_partner_requests)
            .named("list_partner_requests", tag)
            .does("Lists our requests to a partner and what became of each, the newest first.")
            .noting("Those of more than a year ago are forgotten. As a table all of them are given, unless a page is asked for.")
            .offering(OFFERS)
            .answers(listed(SchemaOf::Made(requests)))
            .refused_with(Problems::NotFound)
            .refused_with(Problems::Invalid),
        Operation::get(Permission::FootprintReview, "/v1/partner/{uuid}/request/{id}", get_partner_request)
            .named("get_partner_request", tag)
            .does("A request to a partner and what became of it.")
            .answers(Answer::ok(SchemaOf::Named(&REQUEST)).tagged())
            .refused_with(Problems::NotFound),
        Operation::post(Permission::FootprintWrite, "/v1/partner/{uuid}/request", create_partner_request)
            .named("create_partner_request", tag)
            .does("Asks a partner for the footprints of products.")
            .noting("The partner's host answers by an event of its own, at once or later; what it sends can be taken over as factors.")
            .answers(made.with_header("Location", "The request."))
            .refused_with(Problems::NotFound)
            .refused_with(Problems::Conflict),
    ]
}

const STATES: [(DeliveryState, &str); 4] = [
    (DeliveryState::Waiting, "waiting"),
    (DeliveryState::Sent, "sent"),
    (DeliveryState::GivenUp, "given up"),
    (DeliveryState::Dropped, "dropped"),
];

const EVENTS: [(DeliveryWhat, &str); 3] =
    [(DeliveryWhat::Answer, "answer"), (DeliveryWhat::Published, "published"), (DeliveryWhat::Request, "request")];

fn word<T: PartialEq>(words: &[(T, &'static str)], value: &T) -> Json {
    text(words.iter().find(|(one, _)| one == value).map_or("", |(_, word)| word))
}

fn editions() -> Vec<&'static str> {
    Edition::ALL.into_iter().map(Edition::segment).collect()
}

type Sent = Member<DeliveryView, ()>;

/// An event to a partner.
static DELIVERY: Shape<DeliveryView, ()> = Shape {
    name: "Delivery",
    doc: "An event to a partner, and what became of it.",
    members: &[
        Sent::new("id", Kind::Text(1, 255), "The id of the event, the same each time it is sent.")
            .shown(|view| text(&view.id)),
        Sent::new("event", Kind::Word(|| EVENTS.map(|(_, word)| word).to_vec()), "What kind of event it is.")
            .shown(|view| word(&EVENTS, &view.what)),
        Sent::new("pact", Kind::Word(editions), "The version of PACT that it is sent in.")
            .shown(|view| text(view.edition.segment())),
        Sent::new("about", Kind::Text(0, 1_000), "What it says, in a few words.").shown(|view| text(&view.about)),
        Sent::new(
            "state",
            Kind::Word(|| STATES.map(|(_, word)| word).to_vec()),
            "Whether it was taken. Given up is what was not taken within 72 hours; dropped what says nothing any more.",
        )
        .shown(|view| word(&STATES, &view.state)),
        Sent::new("attempts", Kind::Integer(0, i64::MAX), "How often it was sent.").shown(|view| number(view.attempts)),
        Sent::new("tried", Kind::Time, "When it was last sent; null before.")
            .shown_or_null(|view| text_or_null(view.tried)),
        Sent::new("answer", Kind::Text(0, 1_000), "What came of that; null before.")
            .shown_or_null(|view| text_or_null(view.answer.as_ref())),
        Sent::new("next", Kind::Time, "When it is sent next; null where it is not.")
            .shown_or_null(|view| text_or_null(view.next)),
        Sent::new("created", Kind::Time, "When it came about.").shown(|view| text(view.created)),
    ],
};

const REQUEST_STATES: [&str; 5] = ["waiting", "sent", "fulfilled", "rejected", "given up"];

type Asked = Member<RequestView, RequestDraft>;

/// A request to a partner.
static REQUEST: Shape<RequestView, RequestDraft> = Shape {
    name: "PartnerRequest",
    doc: "A request to a partner for footprints, and what became of it.",
    members: &[
        Asked::new("id", Kind::Uuid, "Identifies it; the id of its event.").shown(|view| text(&view.id)),
        Asked::new(
            "productIds",
            Kind::List(&Kind::Text(1, 1_000), 100),
            "The products whose footprints are asked for.",
        )
        .shown(|view| list(&view.product_ids, text))
        .required(|draft, reader, name| {
            draft.product_ids = reader.list(name, 100, |json| json.text(urn));
        })
        .example(r#"["urn:gtin:4712345060507"]"#),
        Asked::new("comment", Kind::Text(0, 10_000), "What is said beside it.")
            .shown_or_null(|view| text_or_null(view.comment.as_ref()))
            .optional(|draft, reader, name| {
                draft.comment = reader.text(name, |text| Ok::<_, &str>(text.to_owned()));
            })
            .example(r#""For the year 2025""#),
        Asked::new("pact", Kind::Word(editions), "The version of PACT that it is made in: the partner's.")
            .shown(|view| text(view.edition.segment())),
        Asked::new(
            "state",
            Kind::Word(|| REQUEST_STATES.to_vec()),
            "What became of it; given up is what the partner's host did not take within 72 hours.",
        )
        .shown(|view| {
            text(match &view.state {
                RequestState::Waiting => REQUEST_STATES[0],
                RequestState::Sent => REQUEST_STATES[1],
                RequestState::Fulfilled(_) => REQUEST_STATES[2],
                RequestState::Rejected { .. } => REQUEST_STATES[3],
                RequestState::GivenUp(_) => REQUEST_STATES[4],
            })
        }),
        Asked::new(
            "footprints",
            Kind::List(&Kind::Uuid, 10_000),
            "The partner's footprints that it was answered with.",
        )
        .shown(|view| match &view.state {
            RequestState::Fulfilled(footprints) => list(footprints, text),
            RequestState::Waiting | RequestState::Sent | RequestState::Rejected { .. } | RequestState::GivenUp(_) => {
                Json::Array(Vec::new())
            }
        }),
        Asked::new("code", Kind::Text(1, 100), "The partner's word for a refusal; null without one.").shown_or_null(
            |view| match &view.state {
                RequestState::Rejected { code, .. } => text(code),
                RequestState::Waiting | RequestState::Sent | RequestState::Fulfilled(_) | RequestState::GivenUp(_) => {
                    Json::Null
                }
            },
        ),
        Asked::new("message", Kind::Text(0, 1_000), "Why it was refused or given up; null where it was not.")
            .shown_or_null(|view| match &view.state {
                RequestState::Rejected { message, .. } => text(message),
                RequestState::GivenUp(why) => text(why),
                RequestState::Waiting | RequestState::Sent | RequestState::Fulfilled(_) => Json::Null,
            }),
        Asked::new("created", Kind::Time, "When it was made.").shown(|view| text(view.created)),
        Asked::new("answered", Kind::Time, "When it was answered; null before.")
            .shown_or_null(|view| text_or_null(view.answered)),
    ],
};

/// A URN: 5 to 1,000 characters.
fn urn(given: &str) -> Result<String, &'static str> {
    let is_urn = given.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("urn:"));
    if is_urn && (5..=1_000).contains(&given.chars().count()) {
        return Ok(given.to_owned());
    }
    Err("must be a URN, such as urn:gtin:4712345060507")
}

/// What a body says.
struct Said(RequestDraft);

impl Content for Said {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(&REQUEST, Side::New, components)
    }

    fn example() -> Option<Value> {
        REQUEST.example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let mut reader = Reader::new(json, Members::Given)?;
        let mut draft = REQUEST.take(&mut reader, Side::New);
        let faults = reader.finish();
        draft.faults = faults.clone();
        Ok((Self(draft), faults))
    }
}

/// Handles GET of the events to a partner.
async fn list_partner_deliveries(
    caller: Caller,
    Ask((PathId(id), InQuery(asked)), _): Ask<(PathId<PartnerId>, InQuery<PageOrTable>)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (exchange, key) = (&service.areas().exchange, |view: &DeliveryView| view.id.clone());
    let (asking, of) = ((service.get_ref(), &caller), Collection { name: "deliveries", shape: &DELIVERY });
    answer_list(asked, accepted, asking, of, key, |page| exchange.deliveries(&caller, id, page)).await
}

/// Handles POST of another attempt.
async fn retry_partner_deliveries(
    caller: Caller,
    Ask((PathId(id), NoQuery), _): Ask<(PathId<PartnerId>, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let again = service.areas().exchange.retry(&caller, id).await?;
    answer::ok(&Json::Object(vec![("again".to_owned(), number(again))]))
}

fn again_schema(_: &mut Components) -> Value {
    let again = json!({ "type": "integer", "minimum": 0, "description": "How many events are sent again." });
    json!({ "type": "object", "properties": { "again": again }, "required": ["again"] })
}

/// Handles GET of our requests to a partner.
async fn list_partner_requests(
    caller: Caller,
    Ask((PathId(id), InQuery(asked)), _): Ask<(PathId<PartnerId>, InQuery<PageOrTable>)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (exchange, key) = (&service.areas().exchange, |view: &RequestView| view.id.clone());
    let (asking, of) = ((service.get_ref(), &caller), Collection { name: "requests", shape: &REQUEST });
    answer_list(asked, accepted, asking, of, key, |page| exchange.requests(&caller, id, page)).await
}

/// Handles GET of one of them.
async fn get_partner_request(
    caller: Caller,
    Ask((PathIds(partner, id), conditions, NoQuery), _): Ask<(PathIds<PartnerId, Uuid>, IfNoneMatchParam, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().exchange.get_request(&caller, partner, &id.to_string()).await?;
    answer::unchanging(&conditions, answer::written(&REQUEST.show(&view))?)
}

/// Handles POST of a request to a partner.
async fn create_partner_request(
    caller: Caller,
    Ask((PathId(id), key, NoQuery), Said(draft)): Ask<(PathId<PartnerId>, IdempotencyKey, NoQuery), Said>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let base = service.base_url(&request)?;
    let made = move |view: &RequestView| {
        let location = Some(format!("{base}/v1/partner/{}/request/{}", view.partner, view.id));
        let body = answer::written(&REQUEST.show(view))?;
        Ok(FirstAnswer { status: StatusCode::CREATED.as_u16(), location, etag: None, body })
    };
    let once = key.once(&caller, &request, made.clone());
    answer::first(match service.areas().exchange.request(&caller, id, draft, once).await? {
        Done::New(view) => made(&view)?,
        Done::Before(answer) => answer,
    })
}
