//! Partners: companies that footprints are exchanged with, their credentials, and what is shared with them.

mod exchange;
mod sharing;

use std::fmt::Display;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::footprint::Edition;
use domain::{Faults, HostAddress, HostClientId, MOST_ALIASES, PartnerId, ProductAlias, SyncId};
use files::{Json, Reader};
use ports::credential::Secret;
use ports::inbound::{Done, Error, Field, Once, PartnerDraft, PartnerView};
use ports::repo::{Listing, Page};
use ports::{Permission, Version};

use crate::answer_value::{list, number, text, text_or_null};
use crate::caller::Caller;
use crate::credential::client::Client;
use crate::idempotency::IdempotencyKey;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::path::{PathId, Root};
use crate::problem::{Kind as Problems, Problem};
use crate::query::NoQuery;
use crate::request_part::Ask;
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, shape};
use crate::schema::{Kind, Side};
use crate::service::Service;
use crate::shape::{self, Shape};

/// The operations on partners.
pub(crate) fn operations() -> Vec<Operation> {
    let tag = Partner::LABELS.tag;
    let mut all = vec![
        resource::list::<Partner>(),
        resource::create::<Partner>()
            .does("Adds a partner: where its host is, and our credentials at it.")
            .noting("It gets no credentials here yet: POST /v1/partner/{uuid}/client makes them."),
        resource::get::<Partner>(),
        resource::update::<Partner>(),
        resource::remove::<Partner>()
            .does("Removes a partner. Its clients are dead within a second, and nothing is shared with it."),
        Operation::post(Permission::Admin, "/v1/partner/{uuid}/client", create_partner_client)
            .named("create_partner_client", tag)
            .does("Makes a client for the partner to call with; its secret is shown this once.")
            .noting("Those that it has run out within seven days.")
            .answers(Answer::ok(SchemaOf::Made(resource::added_schema::<Client>)))
            .refused_with(Problems::Conflict),
    ];
    all.extend(sharing::operations(tag));
    all.extend(exchange::operations(tag));
    all
}

/// Partners as a resource.
pub(crate) struct Partner;

type Member = shape::Member<PartnerView, PartnerDraft>;

/// Of what a partner consists.
pub(crate) static SHAPE: Shape<PartnerView, PartnerDraft> = Shape {
    name: "Partner",
    doc: "A company that footprints are exchanged with by PACT.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.partner.value.id)),
        Member::new("name", Kind::Text(1, 255), "What it is called.")
            .shown(|view| text(&view.partner.value.name))
            .required(|draft, reader, name| draft.name = reader.text(name, domain::Name::parse))
            .example(r#""Example Alloys""#),
        Member::new("baseUrl", Kind::Formatted("uri"), "The address that its `/2` and `/3` stand below.")
            .shown(|view| text(&view.partner.value.base_url))
            .required(|draft, reader, name| draft.base_url = reader.text(name, HostAddress::parse))
            .example(r#""https://pact.example.com""#),
        Member::new(
            "authUrl",
            Kind::Formatted("uri"),
            "The address that its token endpoint stands below; null: the same.",
        )
        .shown_or_null(|view| text_or_null(view.partner.value.auth_url.as_ref()))
        .optional(|draft, reader, name| draft.auth_url = reader.text(name, HostAddress::parse)),
        Member::new("clientId", Kind::Text(1, 255), "Our id at the partner.")
            .shown_or_null(|view| text_or_null(view.partner.value.client_id.as_ref()))
            .optional(|draft, reader, name| draft.client_id = reader.text(name, HostClientId::parse))
            .example(r#""tonne""#),
        Member::new("clientSecret", Kind::Text(1, 1_000), "Our secret at the partner; kept sealed, never shown.")
            .optional(|draft, reader, name| draft.client_secret = reader.text(name, secret))
            .example(r#""as the partner gave it""#),
        Member::new("hasSecret", Kind::Flag, "Whether our secret at the partner is kept.")
            .shown(|view| Json::Bool(view.has_secret)),
        Member::new(
            "aliases",
            Kind::List(&Kind::Object(&ALIAS), MOST_ALIASES),
            "What its product ids are called here; ids without an alias are taken as they are.",
        )
        .shown(|view| list(&view.partner.value.aliases, alias))
        .optional(take_aliases)
        .example(r#"[{ "theirs": "urn:example:part:7", "ours": "urn:gtin:4712345060507" }]"#),
        Member::new("privateAddresses", Kind::Flag, "Whether its host may have loopback and private addresses.")
            .shown(|view| Json::Bool(view.partner.value.private_addresses))
            .optional(|draft, reader, name| draft.private_addresses = reader.flag(name)),
        Member::new("plainHttp", Kind::Flag, "Whether it may be called by http://.")
            .shown(|view| Json::Bool(view.partner.value.plain_http))
            .optional(|draft, reader, name| draft.plain_http = reader.flag(name)),
        Member::new(
            "pact",
            Kind::Word(editions),
            "The version of PACT that its host is asked and told in; 3 unless given.",
        )
        .shown(|view| text(view.partner.value.pact.segment()))
        .optional(|draft, reader, name| draft.pact = reader.text(name, Edition::parse))
        .example(r#""3""#),
        Member::new("clients", Kind::List(&Kind::Uuid, 16), "The `client_id`s that it calls with, the oldest first.")
            .shown(|view| list(&view.partner.value.clients, text)),
        Member::new("heard", Kind::Time, "When it was last heard from, to the minute; null before the first time.")
            .shown_or_null(|view| text_or_null(view.heard)),
        Member::new(
            "announced",
            Kind::Integer(0, i64::MAX),
            "How many footprints it announced or sent that were not taken over yet.",
        )
        .shown(|view| number(view.announced)),
        Member::new("called", Kind::Time, "When its host last answered a call of ours; null before the first time.")
            .shown_or_null(|view| text_or_null(view.called)),
        Member::new("created", Kind::Time, "When it was added.").shown(|view| text(view.partner.created)),
        Member::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.partner.updated)),
    ],
};

fn editions() -> Vec<&'static str> {
    Edition::ALL.into_iter().map(Edition::segment).collect()
}

/// A product alias as a body gives it.
#[derive(Default)]
struct AliasDraft {
    theirs: Field<String>,
    ours: Field<String>,
}

static ALIAS: Shape<ProductAlias, AliasDraft> = Shape {
    name: "ProductAlias",
    doc: "A product id of a partner, and what it is called here.",
    members: &[
        shape::Member::<ProductAlias, AliasDraft>::new("theirs", Kind::Text(1, 1_000), "The partner's id.")
            .shown(|alias| text(&alias.theirs))
            .required(|draft, reader, name| draft.theirs = reader.text(name, product_id))
            .example(r#""urn:example:part:7""#),
        shape::Member::<ProductAlias, AliasDraft>::new("ours", Kind::Text(1, 1_000), "Our id.")
            .shown(|alias| text(&alias.ours))
            .required(|draft, reader, name| draft.ours = reader.text(name, product_id))
            .example(r#""urn:gtin:4712345060507""#),
    ],
};

fn alias(alias: &ProductAlias) -> Json {
    Json::Object(vec![("theirs".to_owned(), text(&alias.theirs)), ("ours".to_owned(), text(&alias.ours))])
}

/// Reads product aliases. One that lacks something is a fault, and the list is faulty.
fn take_aliases(draft: &mut PartnerDraft, reader: &mut Reader<'_>, name: &'static str) {
    let taken = reader.objects(name, MOST_ALIASES, |reader| ALIAS.take(reader, Side::New));
    draft.aliases = match taken {
        Field::Given(all) => {
            let whole = all
                .into_iter()
                .map(|one| Some(ProductAlias { theirs: one.theirs.into_option()?, ours: one.ours.into_option()? }));
            whole.collect::<Option<Vec<_>>>().map_or(Field::Faulty, Field::Given)
        }
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
        Field::Faulty => Field::Faulty,
    };
}

/// A product id: 1-1,000 characters, as they came.
fn product_id(given: &str) -> Result<String, &'static str> {
    bounded(given).map(str::to_owned)
}

/// A secret: 1-1,000 characters, as they came.
fn secret(given: &str) -> Result<Secret, &'static str> {
    bounded(given).map(|text| Secret(text.to_owned()))
}

fn bounded(given: &str) -> Result<&str, &'static str> {
    match given.chars().count() {
        1..=1_000 => Ok(given),
        _ => Err("must have 1 to 1000 characters"),
    }
}

impl Resource for Partner {
    type In = Root;
    type At = PathId<PartnerId>;
    type View = PartnerView;
    type Draft = PartnerDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/partner",
        record: "/v1/partner/{uuid}",
        one: "partner",
        many: "partners",
        tag: "Partners",
        reads: Permission::FootprintReview,
        writes: Permission::Admin,
    };
    const HAS_SYNC_ID: bool = false;

    shape!(SHAPE);

    fn identity(view: &PartnerView) -> (impl Display, Version) {
        (view.partner.value.id, view.partner.version)
    }

    fn blame(draft: &mut PartnerDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<PartnerView, Error> {
        by.areas.partners.get(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: PartnerDraft,
        once: Option<Once<PartnerView>>,
    ) -> Result<Done<Added<PartnerView>>, Error> {
        Ok(by.areas.partners.add_once(by.caller, draft, once).await?.map(Added::from))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.partners.remove(by.caller, id, seen).await
    }
}

impl Lists for Partner {
    fn columns() -> Vec<(&'static str, Kind)> {
        SHAPE.columns()
    }

    async fn list(by: Asking<'_>, _: Root, _: Option<SyncId>, page: Page) -> Result<Listing<PartnerView>, Error> {
        by.areas.partners.list(by.caller, page).await
    }
}

impl Changes for Partner {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: PartnerDraft,
    ) -> Result<PartnerView, Error> {
        by.areas.partners.update(by.caller, id, seen, draft).await
    }
}

/// Handles POST of a client for a partner.
async fn create_partner_client(
    caller: Caller,
    Ask((PathId(id), key, NoQuery), _): Ask<(PathId<PartnerId>, IdempotencyKey, NoQuery)>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let partners = &service.areas().partners;
    let new = partners.add_client_once(&caller, id, key.request(&caller, &request)).await?;
    resource::with_secret::<Client>(StatusCode::OK, &new.view, new.secret)
}
