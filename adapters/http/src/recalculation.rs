//! Recalculation: computing activities anew that a later factor completes, or whose factor was corrected.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{ActivityId, Faults};
use files::Json;
use ports::inbound::{
    Cause, Done, Field, Recalculated, RecalculatedGroup, Recalculation, RecalculationOf, RecalculationStep, Reference,
    UndoneRecalculation,
};
use ports::{Permission, RecalculationId};
use serde_json::Value;

use crate::answer;
use crate::answer_value::{REFERENCE, list, number, or_null, reference as named, text, text_or_null};
use crate::caller::Caller;
use crate::idempotency::IdempotencyKey;
use crate::media;
use crate::operation::Operation;
use crate::path::PathId;
use crate::problem::{Kind as Problems, Problem};
use crate::query::{InQuery, NoQuery, Queried, Query};
use crate::request_part::{Ask, Content, Parameter};
use crate::schema::{Components, Kind, Side, reference};
use crate::service::Service;
use crate::shape::{Member, Shape};

/// The operations of recalculation.
pub(crate) fn operations() -> Vec<Operation> {
    let recalculate = Operation::post(Permission::ActivityWrite, "/v1/recalculation", recalculate)
        .named("recalculate", "Activities")
        .does("Computes activities anew that a later factor completes, or whose CO2e is outdated.")
        .noting(
            "Those that are outdated take a preview (`dryRun=true`) and its `confirm`. Everything else stays as \
             it is, what stands in a closed period too.",
        )
        .answers_with(&RESULT)
        .refused_with(Problems::Conflict);
    let undo = Operation::delete(Permission::ActivityWrite, "/v1/recalculation/{uuid}", undo_recalculation)
        .named("undo_recalculation", "Activities")
        .does("Undoes a recalculation: what it changed gets the figures that it had before.")
        .noting(
            "Many are undone change by change; the same request goes on with an undoing that was broken off, and changes \
             nothing of one that is undone. 409 where later changes stand on what it left, `detail` names some, and where a \
             closed period stands in the way. Factors that were chosen for it stay with their products.",
        )
        .answers_with(&UNDONE)
        .refused_with(Problems::NotFound)
        .refused_with(Problems::Conflict);
    vec![recalculate, undo]
}

fn outdated_causes() -> Vec<&'static str> {
    Cause::OUTDATED.map(Cause::as_str).to_vec()
}

fn parse_cause(word: &str) -> Result<Cause, String> {
    Cause::parse(word)
        .filter(|cause| Cause::OUTDATED.contains(cause))
        .ok_or_else(|| format!("must be one of {}", outdated_causes().join(", ")))
}

fn words() -> Vec<&'static str> {
    RecalculationOf::ALL.iter().map(|of| of.as_str()).collect()
}

fn parse(word: &str) -> Result<RecalculationOf, &'static str> {
    RecalculationOf::parse(word).ok_or("must be incomplete or outdated")
}

/// What a body asks for.
#[derive(Clone, Default)]
struct Request {
    of: Field<RecalculationOf>,
    confirm: Field<String>,
    org: Field<Reference>,
    scope: Field<Reference>,
    cause: Field<Cause>,
    faults: Faults,
}

static REQUEST: Shape<(), Request> = Shape {
    name: "Recalculation",
    doc: "Which activities to compute anew.",
    members: &[
        Member::<(), Request>::new(
            "of",
            Kind::Word(words),
            "incomplete: those without CO2e; outdated: those computed from a factor that was corrected since, or chosen by \
             a rule or for a region that is another by now. incomplete unless given.",
        )
        .optional(|draft, reader, name| draft.of = reader.text(name, parse))
        .example(r#""incomplete""#),
        Member::<(), Request>::new(
            "confirm",
            Kind::Text(1, 255),
            "What the preview answered, to write what it showed; outdated ones are written with it alone.",
        )
        .optional(|draft, reader, name| draft.confirm = reader.string(name)),
        Member::<(), Request>::new("org", Kind::Object(&REFERENCE), "Those of this org and the orgs below it alone.")
            .optional(|draft, reader, name| draft.org = reader.reference(name)),
        Member::<(), Request>::new("scope", Kind::Object(&REFERENCE), "Those of this scope and the scopes below it alone.")
            .optional(|draft, reader, name| draft.scope = reader.reference(name)),
        Member::<(), Request>::new(
            "cause",
            Kind::Word(outdated_causes),
            "Those that change for this cause alone; what is incomplete changes for factor.",
        )
        .optional(|draft, reader, name| draft.cause = reader.text(name, parse_cause)),
    ],
};

impl Content for Request {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(&REQUEST, Side::New, components)
    }

    fn example() -> Option<Value> {
        REQUEST.example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let (mut request, faults) = REQUEST.read(json, Side::New)?;
        request.faults = faults.clone();
        Ok((request, faults))
    }
}

/// Whether nothing is to be written.
struct DryRun(bool);

impl Queried for DryRun {
    fn parameters() -> Vec<Parameter> {
        let doc = "true: write nothing, only say what would be; false unless given.";
        vec![Parameter::query("dryRun", Kind::Flag, doc)]
    }

    fn take(query: &mut Query) -> Self {
        let dry_run = query.read("dryRun", |word| word.parse::<bool>().map_err(|_| "must be true or false"));
        Self(dry_run.unwrap_or_default())
    }
}

const MARKET_BEFORE: &str = "What they came to before with scope 2 market-based, in kg.";
const MARKET_AFTER: &str = "What they come to with scope 2 market-based, in kg.";

/// What was asked, and what was done.
struct Outcome(RecalculationOf, Recalculated);

type Failure = (ActivityId, String);

static RESULT: Shape<Outcome, ()> = Shape {
    name: "RecalculationResult",
    doc: "What was computed anew, or would be.",
    members: &[
        Member::<Outcome, ()>::new("of", Kind::Word(words), "Which activities it is about.")
            .shown(|done| text(done.0.as_str())),
        Member::<Outcome, ()>::new(
            "uuid",
            Kind::Uuid,
            "What the recalculation is called, to be undone by: the cause of each of its changes names it. null where nothing \
             was written.",
        )
        .shown_or_null(|done| text_or_null(done.1.id)),
        Member::<Outcome, ()>::new("dryRun", Kind::Flag, "Whether nothing was written.")
            .shown(|done| Json::Bool(done.1.confirm.is_some())),
        Member::<Outcome, ()>::new(
            "activities",
            Kind::Integer(0, i64::MAX),
            "How many activities there are of that sort.",
        )
        .shown(|done| number(done.1.activities)),
        Member::<Outcome, ()>::new("changed", Kind::Integer(0, i64::MAX), "How many of them get another CO2e, location-based or market-based.")
            .shown(|done| number(done.1.changed)),
        Member::<Outcome, ()>::new("CO2eBefore", Kind::Amount, "What those that change came to before, in kg.")
            .shown(|done| text(done.1.before)),
        Member::<Outcome, ()>::new("CO2eAfter", Kind::Amount, "What they come to, in kg.")
            .shown(|done| text(done.1.after)),
        Member::<Outcome, ()>::new("marketCO2eBefore", Kind::Amount, MARKET_BEFORE)
            .shown(|done| text(done.1.market_before)),
        Member::<Outcome, ()>::new("marketCO2eAfter", Kind::Amount, MARKET_AFTER)
            .shown(|done| text(done.1.market_after)),
        Member::<Outcome, ()>::new(
            "groups",
            Kind::List(&Kind::Object(&GROUP), 1_000_000),
            "What becomes of which scope and org, of a preview and of what was written as one said.",
        )
        .shown(|done| list(&done.1.groups, |group| GROUP.show(group))),
        Member::<Outcome, ()>::new(
            "closed",
            Kind::Integer(0, i64::MAX),
            "How many would change too, stand in closed periods and are left out.",
        )
        .shown(|done| number(done.1.closed)),
        Member::<Outcome, ()>::new(
            "confirm",
            Kind::Text(1, 255),
            "What confirms a preview: to be given back as it is. null when it was written.",
        )
        .shown_or_null(|done| text_or_null(done.1.confirm.as_ref())),
        Member::<Outcome, ()>::new("failures", Kind::Integer(0, i64::MAX), "How many activities cannot be computed.")
            .shown(|done| number(done.1.failures)),
        Member::<Outcome, ()>::new(
            "errors",
            Kind::List(&Kind::Object(&FAILURE), 1_000),
            "The first 1,000 of those, and why.",
        )
        .shown(|done| list(&done.1.failed, |failure| FAILURE.show(failure))),
    ],
};

fn causes() -> Vec<&'static str> {
    Cause::ALL.map(Cause::as_str).to_vec()
}

type Group = Member<RecalculatedGroup, ()>;

static GROUP: Shape<RecalculatedGroup, ()> = Shape {
    name: "RecalculationGroup",
    doc: "What becomes of the activities of one scope and org.",
    members: &[
        Group::new("cause", Kind::Word(causes), "Why they change.").shown(|group| text(group.cause.as_str())),
        Group::new("scope", Kind::Object(&REFERENCE), "The scope that they carry; null: none.")
            .shown_or_null(|group| or_null(group.scope.as_ref(), named)),
        Group::new("org", Kind::Object(&REFERENCE), "The org that they carry; null: none.")
            .shown_or_null(|group| or_null(group.org.as_ref(), named)),
        Group::new("changed", Kind::Integer(0, i64::MAX), "How many they are.").shown(|group| number(group.changed)),
        Group::new("CO2eBefore", Kind::Amount, "What they came to before, in kg.").shown(|group| text(group.before)),
        Group::new("CO2eAfter", Kind::Amount, "What they come to, in kg.").shown(|group| text(group.after)),
        Group::new("marketCO2eBefore", Kind::Amount, MARKET_BEFORE).shown(|group| text(group.market_before)),
        Group::new("marketCO2eAfter", Kind::Amount, MARKET_AFTER).shown(|group| text(group.market_after)),
    ],
};

type Undone = Member<UndoneRecalculation, ()>;

static UNDONE: Shape<UndoneRecalculation, ()> = Shape {
    name: "RecalculationUndone",
    doc: "What became of a recalculation that was undone.",
    members: &[
        Undone::new("uuid", Kind::Uuid, "The recalculation.").shown(|undone| text(undone.id)),
        Undone::new("activities", Kind::Integer(0, i64::MAX), "How many activities it changed.")
            .shown(|undone| number(undone.activities)),
        Undone::new(
            "restored",
            Kind::Integer(0, i64::MAX),
            "How many of them were given the figures that they had before it; the others had them, or are gone.",
        )
        .shown(|undone| number(undone.restored)),
        Undone::new(
            "kept",
            Kind::Integer(0, i64::MAX),
            "How many stay as they are, since somebody edited them, or closed a period that they touch, while it was undone.",
        )
        .shown(|undone| number(undone.kept)),
    ],
};

static FAILURE: Shape<Failure, ()> = Shape {
    name: "RecalculationFailure",
    doc: "Why an activity cannot be computed.",
    members: &[
        Member::<Failure, ()>::new("uuid", Kind::Uuid, "The activity.").shown(|failure| text(failure.0)),
        Member::<Failure, ()>::new("detail", Kind::Text(1, 10_000), "A sentence for people.")
            .shown(|failure| text(&failure.1)),
    ],
};

/// Handles DELETE of a recalculation.
async fn undo_recalculation(
    caller: Caller,
    Ask((PathId(id), NoQuery), _): Ask<(PathId<RecalculationId>, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let undone = service.areas().activities.undo_recalculation(&caller, id).await?;
    answer::ok(&UNDONE.show(&undone))
}

/// Handles POST of a recalculation.
async fn recalculate(
    caller: Caller,
    Ask((key, InQuery(DryRun(dry_run))), asked): Ask<(IdempotencyKey, InQuery<DryRun>), Request>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let Request { of, confirm, org, scope, cause: only, faults } = asked;
    let of = of.into_option().unwrap_or_default();
    let confirm = confirm.into_option().filter(|_| !dry_run);
    let step = if dry_run { RecalculationStep::Preview } else { RecalculationStep::Write { confirm } };
    let via = "POST /v1/recalculation".to_owned();
    let asked = Recalculation { of, step, org, scope, only, via, faults };
    let shown = move |done: &Recalculated| answer::done(&RESULT.show(&Outcome(of, done.clone())));
    let once = key.once(&caller, &request, shown);
    answer::first(match service.areas().activities.recalculate_once(&caller, asked, once).await? {
        Done::New(done) => shown(&done)?,
        Done::Before(answer) => answer,
    })
}
