//! A factor in the place of a wrong one.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Day, Factor as Record, FactorId, Faults, GwpSet, Intensity, ProductId, Source, Unit};
use files::Json;
use ports::Stored;
use ports::inbound::FactorDraft;
use serde_json::Value;

use super::CHOICE;
use super::origin::{ORIGIN, PUBLISHED};
use super::{Factor, Member, View, gwp_sets};
use crate::caller::Caller;
use crate::idempotency::IdempotencyKey;
use crate::media;
use crate::path::{PathId, PathIds};
use crate::problem::Problem;
use crate::query::NoQuery;
use crate::request_part::{Ask, Content};
use crate::resource::{self, Asking};
use crate::schema::{Components, Kind, Side, reference};
use crate::service::Service;
use crate::shape::Shape;

/// A factor in the place of a wrong one, as a body gives it: its days are those of the wrong one, or left out.
static CORRECTION: Shape<View, FactorDraft> = Shape {
    name: "FactorCorrection",
    doc: "A factor in the place of a wrong one, over the same days.",
    members: &[
        Member::new(
            "unit",
            Kind::Text(1, 64),
            "The code of the unit that the parts are counted per; required unless `published` is given.",
        )
        .optional(|draft, reader, name| draft.unit = reader.text(name, Unit::parse))
        .example(r#""kWh""#),
        Member::new("upstream", Kind::Amount, "kg of CO2 equivalent per unit, before the use.")
            .optional(|draft, reader, name| draft.upstream = reader.amount(name, Intensity::parse)),
        Member::new("downstream", Kind::Amount, "kg of CO2 equivalent per unit, in the use and after it.")
            .optional(|draft, reader, name| draft.downstream = reader.amount(name, Intensity::parse))
            .example(r#""0.203""#),
        Member::new("validFrom", Kind::Date, "The first day of the wrong one, or left out.")
            .optional(|draft, reader, name| draft.valid_from = reader.text(name, Day::parse)),
        Member::new("validTo", Kind::Date, "The end of the wrong one, or left out.")
            .optional(|draft, reader, name| draft.valid_to = reader.text(name, Day::parse)),
        Member::new("source", Kind::Text(1, 1_000), "Where it was published; required unless `published` is given.")
            .optional(|draft, reader, name| draft.source = reader.text(name, Source::parse))
            .example(r#""Made-up factors 2025, corrected""#),
        Member::new("gwp", Kind::Word(gwp_sets), "The set of global warming potentials behind it.")
            .optional(|draft, reader, name| draft.gwp = reader.text(name, GwpSet::parse)),
        Member::new(
            "published",
            Kind::Object(&PUBLISHED),
            "The published factor to copy, such as that of a later edition.",
        )
        .optional(|draft, reader, name| {
            draft.published = reader.object(name, |inner| PUBLISHED.take(inner, Side::New));
        }),
        Member::new("origin", Kind::Object(&ORIGIN), "Read-only."),
        Member::new("choice", Kind::Object(&CHOICE), "Read-only."),
        Member::new("primaryDataShare", Kind::Amount, "Read-only."),
        Member::new("uuid", Kind::Uuid, "Read-only."),
        Member::new("corrects", Kind::Uuid, "Read-only."),
        Member::new("created", Kind::Time, "Read-only."),
        Member::new("updated", Kind::Time, "Read-only."),
    ],
};

/// A body that corrects a factor.
pub(super) struct Correction(FactorDraft);

impl Content for Correction {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(&CORRECTION, Side::New, components)
    }

    fn example() -> Option<Value> {
        CORRECTION.example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let (mut draft, faults) = CORRECTION.read(json, Side::New)?;
        draft.faults = faults.clone();
        Ok((Self(draft), faults))
    }
}

/// Handles POST of a correction.
pub(super) async fn correct_factor(
    caller: Caller,
    Ask((PathIds(product, wrong), key, NoQuery), Correction(draft)): Ask<
        (PathIds<ProductId, FactorId>, IdempotencyKey, NoQuery),
        Correction,
    >,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let base = service.base_url(&request)?;
    let by = Asking::of(&service, &caller);
    let (first, epoch) = (base.clone(), by.epoch);
    let once = key.once(&caller, &request, move |stored: &Stored<Record>| {
        resource::added::<Factor>(epoch, &first, PathId(product), &View::from(stored.clone()))
    });
    let done = by.areas.catalog.correct_factor_once(&caller, product, wrong, draft, once).await?;
    resource::created::<Factor>(by, &base, PathId(product), done.map(|stored| View::from(stored).into()))
}
