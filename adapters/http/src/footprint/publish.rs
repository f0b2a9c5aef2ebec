//! The footprint of a model: what is said of it besides, and what became of it.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::footprint::FOOTPRINT;
use domain::footprint::publish::{Counted, PublishingCompany, StageSum};
use domain::{Faults, Fields, ModelId};
use files::{Json, Members, Reader};
use ports::Permission;
use ports::inbound::{Done, PublishDraft, PublishOutcome, PublishedFootprint, SaidEarlier};
use serde_json::{Value, json};

use super::json::taken;
use super::record::written;
use super::schema::{DRAFT_OF_MODEL, RECORD};
use crate::addressed_tenant::Addressed;
use crate::answer;
use crate::answer_value::{list, text, text_or_null};
use crate::caller::Caller;
use crate::idempotency::IdempotencyKey;
use crate::media;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::path::PathId;
use crate::problem::{Kind as Problems, Problem};
use crate::query::{InQuery, Queried, Query};
use crate::request_part::{Ask, Content, Parameter};
use crate::schema::{Components, Kind, Side, reference};
use crate::service::Service;
use crate::shape::{Member, Shape};

/// The operation that publishes.
pub(super) fn operation() -> Operation {
    Operation::post(Permission::FootprintWrite, "/v1/model/{uuid}/footprint", publish_model)
        .named("publish_model", "Footprints")
        .does("Makes the footprint of a model, in the form of PACT 3, and deprecates the one before.")
        .noting(
            "The body has what cannot be computed, by its names in PACT 3; what is missing is refused with 422, all at once. \
             What was said of the model's last footprint holds until something else is said. Answers 200 where nothing has \
             changed, and for a preview (`dryRun=true`).",
        )
        .answers(Answer::json(201, SchemaOf::Named(&RESULT)).located().tagged())
        .answers(Answer::ok(SchemaOf::Named(&RESULT)))
        .refused_with(Problems::NotFound)
        .refused_with(Problems::Conflict)
}

/// What a body says of a model's footprint.
#[derive(Clone)]
struct Publishing {
    said: Fields,
    faults: Faults,
}

impl Default for Publishing {
    fn default() -> Self {
        Self { said: Fields::new(&FOOTPRINT), faults: Faults::new() }
    }
}

impl Content for Publishing {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(&DRAFT_OF_MODEL, Side::New, components)
    }

    fn example() -> Option<Value> {
        Some(json!({
            "companyIds": ["urn:pact:works.example:company:1"],
            "productIds": ["urn:gtin:4712345060507"],
            "pcf": {
                "crossSectoralStandards": ["GHGP-Product"],
                "exemptedEmissionsPercent": "0",
                "fossilCarbonContent": "0",
                "productMassPerDeclaredUnit": "12.5",
                "ipccCharacterizationFactors": ["AR6"],
            },
        }))
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let mut reader = Reader::new(json, Members::Given)?;
        let said = taken(&mut reader, &FOOTPRINT);
        let faults = reader.finish();
        Ok((Self { said, faults: faults.clone() }, faults))
    }
}

/// Whether nothing is to be written, and what becomes of what was said before.
struct How {
    dry_run: bool,
    earlier: SaidEarlier,
}

impl Queried for How {
    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::query(
                "dryRun",
                Kind::Flag,
                "true: write nothing, only show what would be published; false unless given.",
            ),
            Parameter::query(
                "anew",
                Kind::Flag,
                "true: what was said of the model's last footprint does not count; false unless given.",
            ),
        ]
    }

    fn take(query: &mut Query) -> Self {
        let mut flag = |name| query.read(name, |word| word.parse::<bool>().map_err(|_| "must be true or false"));
        let dry_run = flag("dryRun").unwrap_or_default();
        let anew = flag("anew").unwrap_or_default();
        Self { dry_run, earlier: if anew { SaidEarlier::Dropped } else { SaidEarlier::Holds } }
    }
}

fn outcomes() -> Vec<&'static str> {
    PublishOutcome::ALL.map(PublishOutcome::word).to_vec()
}

fn counted() -> Vec<&'static str> {
    Counted::ALL.map(Counted::word).to_vec()
}

type Shown = Member<PublishedFootprint, ()>;

static RESULT: Shape<PublishedFootprint, ()> = Shape {
    name: "PublishedFootprint",
    doc: "What became of a model's footprint.",
    members: &[
        Shown::new(
            "outcome",
            Kind::Word(outcomes),
            "published; unchanged: the footprint that there is says the same; preview: nothing was written.",
        )
        .shown(|done| text(done.outcome.word())),
        Shown::new("replaces", Kind::Uuid, "The footprint that it takes the place of; null: none.")
            .shown_or_null(|done| text_or_null(done.replaces)),
        Shown::new("stages", Kind::List(&Kind::Object(&STAGE), 100), "What the model's inputs come to by stage.")
            .shown(|done| list(&done.stages, |sum| STAGE.show(sum))),
        Shown::new("notes", Kind::List(&Kind::Text(1, 10_000), 100), "What is not known or was rounded, in sentences.")
            .shown(|done| list(&done.notes, text)),
        Shown::new(
            "footprint",
            Kind::Object(&RECORD),
            "The footprint; of a preview without a number and uuid of its own.",
        )
        .shown(|done| written(&done.footprint)),
    ],
};

static STAGE: Shape<StageSum, ()> = Shape {
    name: "PublishedStage",
    doc: "What the inputs of a stage come to.",
    members: &[
        Member::<StageSum, ()>::new("stage", Kind::Text(1, 8), "The code of the stage; null: inputs without one.")
            .shown_or_null(|sum| text_or_null(sum.stage)),
        Member::<StageSum, ()>::new(
            "CO2e",
            Kind::Amount,
            "In kg, for the model's whole amount; null where an input of a stage that is left out has none.",
        )
        .shown_or_null(|sum| text_or_null(sum.co2e)),
        Member::<StageSum, ()>::new(
            "counted",
            Kind::Word(counted),
            "footprint: in the footprint; outboundLogistics: beside it; leftOut: in no amount.",
        )
        .shown(|sum| text(sum.counted.word())),
    ],
};

/// The company of an address.
fn company(tenant: Addressed) -> PublishingCompany {
    PublishingCompany { name: tenant.statement.company.unwrap_or(tenant.name), ids: Vec::new() }
}

/// Handles POST of a model's footprint.
async fn publish_model(
    caller: Caller,
    Ask((PathId(model), key, InQuery(How { dry_run, earlier })), Publishing { said, faults }): Ask<
        (PathId<ModelId>, IdempotencyKey, InQuery<How>),
        Publishing,
    >,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let draft = PublishDraft { company: company(Addressed::of(&request)?), said, earlier, faults };
    if dry_run {
        return answer::ok(&RESULT.show(&service.areas().footprints.preview(&caller, model, draft).await?));
    }
    let (base, epoch) = (service.base_url(&request)?, caller.epoch);
    let shown = move |done: &PublishedFootprint| {
        let body = RESULT.show(done);
        if done.outcome != PublishOutcome::Published {
            return answer::done(&body);
        }
        let stored = &done.footprint.footprint;
        let location = format!("{base}/v1/footprint/{}", stored.value.id);
        Ok(answer::created(location, (epoch, stored.version), answer::written(&body)?))
    };
    let once = key.once(&caller, &request, shown.clone());
    answer::first(match service.areas().footprints.publish_once(&caller, model, draft, once).await? {
        Done::New(done) => shown(&done)?,
        Done::Before(answer) => answer,
    })
}
