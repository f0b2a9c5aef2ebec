//! Clients: machine credentials that get tokens.

use std::fmt::Display;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Faults, SyncId};
use ports::inbound::{ClientView, CredentialDraft, Done, Error, Once};
use ports::repo::{Listing, Page};
use ports::{ClientId, Permission, Version};

use super::{permission_words, take_expires, take_name, take_permissions, words};
use crate::answer_value::{text, text_or_null};
use crate::caller::Caller;
use crate::condition::IfMatchParam;
use crate::idempotency::IdempotencyKey;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::path::{PathId, Root};
use crate::problem::{Kind as Problems, Problem};
use crate::query::NoQuery;
use crate::request_part::Ask;
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, or_tagged, shape, version_seen};
use crate::schema::Kind;
use crate::service::Service;
use crate::shape::{self, Shape};

/// The operations on clients.
pub(super) fn operations() -> Vec<Operation> {
    let rotate = Operation::post(Permission::Admin, "/v1/client/{uuid}/secret", rotate_client)
        .named("rotate_client", "Credentials")
        .does("Gives a client a new secret, shown this once; the old one is dead within a second.")
        .answers(Answer::ok(SchemaOf::Made(resource::added_schema::<Client>)))
        .refused_with(Problems::Conflict);
    vec![
        resource::list::<Client>(),
        resource::create::<Client>(),
        resource::get::<Client>(),
        resource::update::<Client>().noting("It takes effect within a second."),
        resource::remove::<Client>()
            .does("Removes a client; within a second it gets no token and those it has are dead."),
        rotate,
    ]
}

/// Clients as a resource.
pub(crate) struct Client;

type Member = shape::Member<ClientView, CredentialDraft>;

static SHAPE: Shape<ClientView, CredentialDraft> = Shape {
    name: "Client",
    doc: "Machine credentials that get tokens; without the secret, which is shown once.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.client.id)),
        Member::new("client_id", Kind::Text(1, 255), "What it presents as `client_id`.")
            .shown(|view| text(view.client.id)),
        Member::new("name", Kind::Text(1, 255), "What it is called.")
            .shown(|view| text(&view.client.name))
            .required(take_name)
            .example(r#""Accounting""#),
        Member::new("permissions", Kind::List(&Kind::Word(permission_words), 100), "What it may do; at least one.")
            .shown(|view| words(view.client.permissions))
            .required(take_permissions)
            .example(r#"["activity:read", "catalog:read"]"#),
        Member::new("expires", Kind::Moment, "When it runs out, or a date; null for never.")
            .shown_or_null(|view| text_or_null(view.client.expires))
            .optional(take_expires)
            .example(r#""2099-12-31""#),
        Member::new("lastUsed", Kind::Time, "When it was last used, to the minute.")
            .shown_or_null(|view| text_or_null(view.client.last_used)),
        Member::new("created", Kind::Time, "When it was added.").shown(|view| text(view.client.created)),
        Member::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.client.updated)),
        Member::new("client_secret", Kind::Text(1, 255), "Shown once, when it is made."),
    ],
};

impl Resource for Client {
    type In = Root;
    type At = PathId<ClientId>;
    type View = ClientView;
    type Draft = CredentialDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/client",
        record: "/v1/client/{uuid}",
        one: "client",
        many: "clients",
        tag: "Credentials",
        reads: Permission::Admin,
        writes: Permission::Admin,
    };
    const HAS_SYNC_ID: bool = false;
    const SECRET: Option<(&'static str, &'static str)> =
        Some(("client_secret", "What it presents as `client_secret`; shown this once."));

    shape!(SHAPE);

    fn identity(view: &ClientView) -> (impl Display, Version) {
        (view.client.id, view.version)
    }

    fn blame(draft: &mut CredentialDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<ClientView, Error> {
        by.areas.credentials.get_client(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: CredentialDraft,
        once: Option<Once<ClientView>>,
    ) -> Result<Done<Added<ClientView>>, Error> {
        let new = by.areas.credentials.add_client_once(by.caller, draft, once.map(|once| once.request)).await?;
        Ok(Done::New(Added { view: new.view, secret: Some(new.secret) }))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.credentials.remove_client(by.caller, id, seen).await
    }
}

impl Lists for Client {
    fn columns() -> Vec<(&'static str, Kind)> {
        SHAPE.columns()
    }

    async fn list(by: Asking<'_>, _: Root, _: Option<SyncId>, page: Page) -> Result<Listing<ClientView>, Error> {
        by.areas.credentials.list_clients(by.caller, page).await
    }
}

impl Changes for Client {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<ClientView, Error> {
        by.areas.credentials.update_client(by.caller, id, seen, draft).await
    }
}

/// Handles POST of a new secret.
async fn rotate_client(
    caller: Caller,
    Ask((PathId(id), condition, key, NoQuery), _): Ask<(PathId<ClientId>, IfMatchParam, IdempotencyKey, NoQuery)>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    let seen = version_seen::<Client>(by, PathId(id), &condition).await?;
    let rotated = by.areas.credentials.rotate_client_once(&caller, id, seen, key.request(&caller, &request)).await;
    let new = or_tagged::<Client, _>(by, PathId(id), rotated).await?;
    resource::with_secret::<Client>(StatusCode::OK, &new.view, new.secret)
}
