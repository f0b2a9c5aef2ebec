//! Factors of a product: never edited, only followed or corrected by another.

mod choice;
mod correction;
mod origin;

use std::fmt::Display;

use domain::{
    Day, Factor as Record, FactorBasis, FactorId, Faults, GwpSet, Intensity, ProductId, Source, SyncId, Unit,
};
use ports::inbound::{Done, Error, FactorDraft, NewFactor, Once};
use ports::repo::{Listing, Page};
use ports::{Permission, Stored, Version};

use crate::answer_value::{number, text, text_or_null};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::path::{PathId, PathIds};
use crate::problem::Kind as Problems;
use crate::resource::{self, Added, Asking, Labels, Lists, Resource, shape};
use crate::schema::{Kind, Side};
use crate::shape::{self, Shape};
pub(crate) use choice::{CHOICE, CONSIDERED};
use correction::correct_factor;
pub(crate) use origin::ORIGIN;
use origin::PUBLISHED;

/// The operations on factors.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        resource::list::<Factor>().does("The factors of a product, page by page, by the day they hold from."),
        resource::create::<Factor>()
            .does("Adds a factor to a product. One that is open on its first day is closed then.")
            .noting("Says how many activities without CO2e it could complete."),
        resource::get::<Factor>(),
        resource::remove::<Factor>()
            .does("Removes a factor that nothing was computed with. The one before it stays closed."),
        Operation::post(Factor::LABELS.writes, "/v1/product/{uuid}/factor/{id}/correction", correct_factor)
            .named("correct_factor", Factor::LABELS.tag)
            .does("Puts another factor in the place of a wrong one, which stays readable.")
            .noting(
                "What was computed from the wrong one keeps its figures, and is outdated, until it is computed anew.",
            )
            .answers(Answer::json(201, SchemaOf::Named(&SHAPE)).located().tagged())
            .refused_with(Problems::Conflict),
    ]
}

/// Factors as a resource.
pub(crate) struct Factor;

/// A factor, as it is shown.
pub(crate) struct View {
    stored: Stored<Record>,
    /// How many activities it could complete, of one that was added.
    fills: Option<u64>,
}

impl From<Stored<Record>> for View {
    fn from(stored: Stored<Record>) -> Self {
        Self { stored, fills: None }
    }
}

impl From<NewFactor> for View {
    fn from(new: NewFactor) -> Self {
        Self { stored: new.factor, fills: Some(new.fills) }
    }
}

fn bases() -> Vec<&'static str> {
    [FactorBasis::Location, FactorBasis::ResidualMix].map(FactorBasis::word).to_vec()
}

type Member = shape::Member<View, FactorDraft>;

static SHAPE: Shape<View, FactorDraft> = Shape {
    name: "Factor",
    doc: "What a unit of a product emits, in a span of days.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.stored.value.id())),
        Member::new(
            "unit",
            Kind::Text(1, 64),
            "The code of the unit that the parts are counted per; of the product's dimension. Required unless `published` is \
             given.",
        )
        .shown(|view| text(view.stored.value.data().unit.code()))
        .optional(|draft, reader, name| draft.unit = reader.text(name, Unit::parse))
        .example(r#""kWh""#),
        Member::new(
            "upstream",
            Kind::Amount,
            "kg of CO2 equivalent per unit, before the use; at least one of the two parts.",
        )
        .shown_or_null(|view| text_or_null(view.stored.value.data().upstream))
        .optional(|draft, reader, name| draft.upstream = reader.amount(name, Intensity::parse)),
        Member::new(
            "downstream",
            Kind::Amount,
            "kg of CO2 equivalent per unit, in the use and after it; at least one of the two parts.",
        )
        .shown_or_null(|view| text_or_null(view.stored.value.data().downstream))
        .optional(|draft, reader, name| draft.downstream = reader.amount(name, Intensity::parse))
        .example(r#""0.202""#),
        Member::new(
            "validFrom",
            Kind::Date,
            "The first day it holds on. An open factor before it is closed on this day. Required unless `published` is \
             given, whose set says it otherwise.",
        )
        .shown(|view| text(view.stored.value.data().valid_from))
        .optional(|draft, reader, name| draft.valid_from = reader.text(name, Day::parse))
        .example(r#""2025-01-01""#),
        Member::new("validTo", Kind::Date, "The day before which it ends; null while it is open.")
            .shown_or_null(|view| text_or_null(view.stored.value.data().valid_to))
            .optional(|draft, reader, name| draft.valid_to = reader.text(name, Day::parse)),
        Member::new("source", Kind::Text(1, 1_000), "Where it was published; required unless `published` is given.")
            .shown(|view| text(&view.stored.value.data().source))
            .optional(|draft, reader, name| draft.source = reader.text(name, Source::parse))
            .example(r#""Made-up factors 2025""#),
        Member::new(
            "gwp",
            Kind::Word(gwp_sets),
            "The set of global warming potentials behind it; with `published` the one to read it under, which needs its gases \
             where it is not the one it was published under.",
        )
            .shown_or_null(|view| text_or_null(view.stored.value.data().gwp))
            .optional(|draft, reader, name| draft.gwp = reader.text(name, GwpSet::parse))
            .example(r#""AR6""#),
        Member::new(
            "basis",
            Kind::Word(bases),
            "location: for the CO2e of activities. residualMix: for the market-based CO2e of those in scope 2 that name no \
             instrument. location unless given.",
        )
        .shown(|view| text(view.stored.value.data().basis.word()))
        .optional(|draft, reader, name| draft.basis = reader.text(name, FactorBasis::parse)),
        Member::new(
            "published",
            Kind::Object(&PUBLISHED),
            "The published factor to copy, in place of unit, parts and source.",
        )
        .optional(|draft, reader, name| {
            draft.published = reader.object(name, |inner| PUBLISHED.take(inner, Side::New));
        }),
        Member::new(
            "otherDays",
            Kind::Flag,
            "true: the copy of a published factor may hold on days for which its set was not published; required where \
             `validFrom` and `validTo` say so.",
        )
        .optional(|draft, reader, name| draft.other_days = reader.flag(name)),
        Member::new("origin", Kind::Object(&ORIGIN), "The published factor that it is a copy of; null where it is none.")
            .shown_or_null(|view| origin::shown(view.stored.value.data().origin.as_deref())),
        Member::new("choice", Kind::Object(&CHOICE), "Why the product's rule chose it; null where somebody gave it.")
            .shown_or_null(|view| choice::shown(view.stored.value.data().choice.as_deref())),
        Member::new(
            "primaryDataShare",
            Kind::Amount,
            "How much of the emissions is computed from primary data, in percent; where it was made of a supplier's footprint \
             that says so.",
        )
        .shown_at_times(|view| view.stored.value.data().supplier.as_ref()?.primary_data_share().map(text)),
        Member::new("corrects", Kind::Uuid, "The wrong factor that it stands in the place of.")
            .shown_or_null(|view| text_or_null(view.stored.value.corrects())),
        Member::new(
            "fills",
            Kind::Integer(0, i64::MAX),
            "How many activities without CO2e it could complete, which `POST /v1/recalculation` does; in the answer to \
             adding it.",
        )
        .shown_at_times(|view| view.fills.map(number)),
        Member::new("created", Kind::Time, "When it was added.").shown(|view| text(view.stored.created)),
        Member::new("updated", Kind::Time, "When it was last changed, by a successor that closed it.")
            .shown(|view| text(view.stored.updated)),
    ],
};

impl Resource for Factor {
    type In = PathId<ProductId>;
    type At = PathIds<ProductId, FactorId>;
    type View = View;
    type Draft = FactorDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/product/{uuid}/factor",
        record: "/v1/product/{uuid}/factor/{id}",
        one: "factor",
        many: "factors",
        tag: "Products",
        reads: Permission::CatalogRead,
        writes: Permission::CatalogWrite,
    };
    const HAS_SYNC_ID: bool = false;

    shape!(SHAPE);

    fn identity(view: &View) -> (impl Display, Version) {
        (view.stored.value.id(), view.stored.version)
    }

    fn blame(draft: &mut FactorDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathIds(product, id): Self::At) -> Result<View, Error> {
        Ok(by.areas.catalog.get_factor(by.caller, product, id).await?.into())
    }

    async fn add(
        by: Asking<'_>,
        PathId(product): Self::In,
        draft: FactorDraft,
        once: Option<Once<View>>,
    ) -> Result<Done<Added<View>>, Error> {
        let once = once.map(|once| once.of(|new: &NewFactor| View::from(new.clone())));
        let done = by.areas.catalog.add_factor_once(by.caller, product, draft, once).await?;
        Ok(done.map(|new| View::from(new).into()))
    }

    async fn remove(by: Asking<'_>, PathIds(product, id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.catalog.remove_factor(by.caller, product, id, seen).await
    }
}

impl Lists for Factor {
    fn columns() -> Vec<(&'static str, Kind)> {
        SHAPE.columns()
    }

    async fn list(
        by: Asking<'_>,
        PathId(product): Self::In,
        _: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<View>, Error> {
        Ok(by.areas.catalog.list_factors(by.caller, product, page).await?.map(View::from))
    }
}

fn gwp_sets() -> Vec<&'static str> {
    GwpSet::ALL.iter().map(|set| set.name()).collect()
}
