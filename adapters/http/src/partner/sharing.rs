//! With whom a footprint is shared.

use std::fmt::Display;

use actix_web::{HttpResponse, web};
use domain::{Faults, FootprintId, SharedWith};
use files::{Json, Members, Reader};
use ports::inbound::{Done, Error, Once, SharingDraft, SharingView};
use ports::{Permission, Version};
use serde_json::Value;

use crate::answer_value::{list, text};
use crate::caller::Caller;
use crate::condition::IfMatchParam;
use crate::media;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::path::{PathId, Root};
use crate::problem::Problem;
use crate::query::NoQuery;
use crate::request_part::{Ask, Content};
use crate::resource::{self, Added, Asking, Labels, Resource, changed, or_tagged, shape, version_seen};
use crate::schema::{Components, Kind, Side, reference};
use crate::service::Service;
use crate::shape::{self, Shape};

/// The operations on sharings.
pub(super) fn operations(tag: &'static str) -> Vec<Operation> {
    vec![
        resource::get::<Sharing>()
            .named("get_footprint_sharing", tag)
            .does("With whom a footprint is shared: nobody, some partners, or every one."),
        Operation::put(Permission::FootprintWrite, Sharing::LABELS.record, put_footprint_sharing)
            .named("put_footprint_sharing", tag)
            .does("Says with whom a footprint is shared, in place of what was said before.")
            .noting("It binds partners' credentials at /2 and /3; the company's own read every valid footprint.")
            .answers(Answer::ok(SchemaOf::Named(&SHAPE)).tagged()),
    ]
}

/// The sharing of a footprint as a resource.
struct Sharing;

type Member = shape::Member<SharingView, SharingDraft>;

static SHAPE: Shape<SharingView, SharingDraft> = Shape {
    name: "FootprintSharing",
    doc: "With whom a footprint is shared; nobody unless it says otherwise.",
    members: &[
        Member::new("all", Kind::Flag, "Whether every partner may read it; false unless given.")
            .shown(|view| Json::Bool(view.with == Some(SharedWith::All)))
            .optional(|draft, reader, name| draft.all = reader.flag(name))
            .example("false"),
        Member::new("partners", Kind::List(&Kind::Uuid, 1_000), "The partners that may read it, where not all may.")
            .shown(|view| match &view.with {
                Some(SharedWith::Partners(partners)) => list(partners, text),
                Some(SharedWith::All) | None => Json::Array(Vec::new()),
            })
            .optional(|draft, reader, name| {
                draft.partners = reader.list(name, 1_000, |json| json.text(domain::parse_uuid));
            })
            .example("[]"),
    ],
};

/// What a body says.
struct Said(SharingDraft);

impl Content for Said {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(&SHAPE, Side::New, components)
    }

    fn example() -> Option<Value> {
        SHAPE.example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let mut reader = Reader::new(json, Members::Given)?;
        let mut draft = SHAPE.take(&mut reader, Side::New);
        let faults = reader.finish();
        draft.faults = faults.clone();
        Ok((Self(draft), faults))
    }
}

impl Resource for Sharing {
    type In = Root;
    type At = PathId<FootprintId>;
    type View = SharingView;
    type Draft = SharingDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/footprint",
        record: "/v1/footprint/{uuid}/sharing",
        one: "footprint_sharing",
        many: "footprint_sharings",
        tag: "Partners",
        reads: Permission::FootprintReview,
        writes: Permission::FootprintWrite,
    };
    const HAS_SYNC_ID: bool = false;

    shape!(SHAPE);

    fn identity(view: &SharingView) -> (impl Display, Version) {
        (view.footprint, view.version)
    }

    fn blame(draft: &mut SharingDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<SharingView, Error> {
        by.areas.partners.sharing(by.caller, id).await
    }

    /// Not routed: a footprint has its sharing from the start.
    async fn add(
        _: Asking<'_>,
        _: Root,
        _: SharingDraft,
        _: Option<Once<SharingView>>,
    ) -> Result<Done<Added<SharingView>>, Error> {
        Err(Error::NotFound)
    }

    /// Not routed: nobody is said by PUT.
    async fn remove(_: Asking<'_>, _: Self::At, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}

/// Handles PUT of a footprint's sharing.
async fn put_footprint_sharing(
    caller: Caller,
    Ask((at, condition, NoQuery), Said(draft)): Ask<(PathId<FootprintId>, IfMatchParam, NoQuery), Said>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    let seen = version_seen::<Sharing>(by, at, &condition).await?;
    let put = by.areas.partners.share(&caller, at.0, seen, draft).await;
    changed::<Sharing>(by, &or_tagged::<Sharing, _>(by, at, put).await?)
}
