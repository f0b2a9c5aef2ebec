//! Blanking texts of replaced versions.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Faults, Reason};
use files::Json;
use ports::inbound::{BlankDraft, Blanked, Done, Field};
use ports::{Permission, RecordKind, Version};
use serde_json::Value;

use super::kinds;
use crate::answer;
use crate::answer_value::{list, number, or_null, text};
use crate::caller::Caller;
use crate::idempotency::IdempotencyKey;
use crate::media;
use crate::operation::Operation;
use crate::problem::{Kind as Problems, Problem};
use crate::query::NoQuery;
use crate::request_part::{Ask, Content};
use crate::schema::{Components, Kind, Side, reference};
use crate::service::Service;
use crate::shape::{Member, Shape};

/// The operation that blanks texts.
pub(super) fn operation() -> Operation {
    Operation::post(Permission::Admin, "/v1/change/blank", blank)
        .named("blank_history", "Changes")
        .does("Blanks what a record was in versions that are replaced by now, such as personal text in them.")
        .noting(
            "It cannot be undone. The digests stay, so that the chain of changes holds, and a change of verb `blanked` says \
             who did so, when and why. What the record is now stays as it is: change or remove it first where that has to be \
             forgotten too. Backups and exports from before still have the texts.",
        )
        .answers_with(&BLANKED)
        .refused_with(Problems::Conflict)
}

fn kind(word: &str) -> Result<RecordKind, String> {
    RecordKind::parse(word).ok_or_else(|| format!("must be one of {}", kinds().join(", ")))
}

static BLANKING: Shape<(), BlankDraft> = Shape {
    name: "Blanking",
    doc: "Which texts to blank, and why.",
    members: &[
        Member::<(), BlankDraft>::new("kind", Kind::Word(kinds), "What the record is.")
            .required(|draft, reader, name| draft.kind = reader.text(name, kind))
            .example(r#""activity""#),
        Member::<(), BlankDraft>::new("uuid", Kind::Uuid, "The record, which may be removed by now.")
            .required(|draft, reader, name| draft.id = reader.text(name, domain::parse_uuid))
            .example(r#""01a206f7-4de2-7394-9e43-b6b2ab129b4b""#),
        Member::<(), BlankDraft>::new(
            "version",
            Kind::Integer(1, i64::MAX),
            "The replaced version, as the number of the change that wrote it; every replaced version unless given.",
        )
        .optional(|draft, reader, name| {
            draft.version = match reader.integer(name, 1..=i64::MAX) {
                Field::Given(number) => Field::Given(Version(number.unsigned_abs())),
                Field::Absent => Field::Absent,
                Field::Null => Field::Null,
                Field::Faulty => Field::Faulty,
            };
        }),
        Member::<(), BlankDraft>::new(
            "reason",
            Kind::Text(1, 1_000),
            "Why. It is kept for ever in the chain of changes: nothing personal should be in it.",
        )
        .required(|draft, reader, name| draft.reason = reader.text(name, Reason::parse))
        .example(r#""Asked to be forgotten, case 17""#),
    ],
};

static BLANKED: Shape<Blanked, ()> = Shape {
    name: "BlankingResult",
    doc: "What was blanked.",
    members: &[
        Member::<Blanked, ()>::new("kind", Kind::Word(kinds), "What the record is.").shown(|done| text(done.kind)),
        Member::<Blanked, ()>::new("uuid", Kind::Uuid, "The record.").shown(|done| text(done.id)),
        Member::<Blanked, ()>::new(
            "change",
            Kind::Integer(1, i64::MAX),
            "The change that says so; null where there was nothing left to blank.",
        )
        .shown_or_null(|done| or_null(done.change.as_ref(), |change| number(*change))),
        Member::<Blanked, ()>::new(
            "versions",
            Kind::List(&Kind::Integer(1, i64::MAX), 1_000_000),
            "The versions whose texts were blanked, the newest first.",
        )
        .shown(|done| list(&done.versions, |version| number(version.0))),
        Member::<Blanked, ()>::new(
            "already",
            Kind::Integer(0, i64::MAX),
            "How many of those that were asked for were blank already.",
        )
        .shown(|done| number(done.already)),
    ],
};

/// A body that says what to blank.
struct Blanking(BlankDraft);

impl Content for Blanking {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(&BLANKING, Side::New, components)
    }

    fn example() -> Option<Value> {
        BLANKING.example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let (mut draft, faults) = BLANKING.read(json, Side::New)?;
        draft.faults = faults.clone();
        Ok((Self(draft), faults))
    }
}

/// Handles POST of what is to be blanked.
async fn blank(
    caller: Caller,
    Ask((key, NoQuery), Blanking(draft)): Ask<(IdempotencyKey, NoQuery), Blanking>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let shown = |done: &Blanked| answer::done(&BLANKED.show(done));
    let once = key.once(&caller, &request, shown);
    answer::first(match service.areas().histories.blank_once(&caller, draft, once).await? {
        Done::New(done) => shown(&done)?,
        Done::Before(answer) => answer,
    })
}
