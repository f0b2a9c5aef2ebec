//! Models: bills of inputs that make an amount of something.

use std::fmt::Display;

use domain::{Day, Faults, ModelId, Name, Quantity, SyncId, Unit};
use ports::inbound::{Done, Error, ModelDraft, ModelView, Once};
use ports::repo::{Listing, Page};
use ports::{Permission, Version};

use crate::answer_value::{number, text, text_or_null};
use crate::operation::Operation;
use crate::path::{PathId, Root};
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, shape};
use crate::schema::Kind;
use crate::shape::{self, Shape};

/// The operations on models.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        resource::list::<Model>(),
        resource::create::<Model>().does("Adds a model, without inputs."),
        resource::get::<Model>(),
        resource::update::<Model>().noting("Another reference date computes its inputs anew."),
        resource::remove::<Model>().does("Removes a model that no switch is computed from, with its inputs."),
    ]
}

/// Models as a resource.
pub(crate) struct Model;

type Member = shape::Member<ModelView, ModelDraft>;

static SHAPE: Shape<ModelView, ModelDraft> = Shape {
    name: "Model",
    doc: "A bill of inputs that makes an amount of something.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.model.value.id)),
        Member::new("syncId", Kind::Text(1, 255), "What another system calls it: unique.")
            .shown_or_null(|view| text_or_null(view.model.value.sync_id.as_ref()))
            .optional(|draft, reader, name| draft.sync_id = reader.text(name, SyncId::parse))
            .example(r#""box""#),
        Member::new("name", Kind::Text(1, 255), "What it is called.")
            .shown(|view| text(&view.model.value.name))
            .required(|draft, reader, name| draft.name = reader.text(name, Name::parse))
            .example(r#""Box""#),
        Member::new("unit", Kind::Text(1, 64), "The code of the unit that its amount is counted in.")
            .shown(|view| text(view.model.value.unit.code()))
            .required(|draft, reader, name| draft.unit = reader.text(name, Unit::parse))
            .example(r#""piece""#),
        Member::new("amount", Kind::Number, "How much its inputs make: above 0, 1 unless given.")
            .shown(|view| number(view.model.value.amount.quantity()))
            .optional(|draft, reader, name| draft.amount = reader.amount(name, Quantity::parse))
            .example(r#""10""#),
        Member::new("referenceDate", Kind::Date, "The day whose factors count; the day it is added unless given.")
            .shown(|view| text(view.model.value.reference_date))
            .optional(|draft, reader, name| draft.reference_date = reader.text(name, Day::parse))
            .example(r#""2025-06-01""#),
        Member::new(
            "CO2e",
            Kind::Amount,
            "kg of CO2 equivalent per one unit, of the inputs of stages A to C and without a stage; null without such an \
             input, or when one has no CO2e.",
        )
        .shown_or_null(|view| text_or_null(view.co2e.as_ref())),
        Member::new(
            "moduleDCO2e",
            Kind::Amount,
            "The same of the inputs of module D, which is part of no total; null when none is declared.",
        )
        .shown_or_null(|view| text_or_null(view.module_d.as_ref())),
        Member::new("created", Kind::Time, "When it was added.").shown(|view| text(view.model.created)),
        Member::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.model.updated)),
    ],
};

impl Resource for Model {
    type In = Root;
    type At = PathId<ModelId>;
    type View = ModelView;
    type Draft = ModelDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/model",
        record: "/v1/model/{uuid}",
        one: "model",
        many: "models",
        tag: "Models",
        reads: Permission::ModelRead,
        writes: Permission::ModelWrite,
    };

    shape!(SHAPE);

    fn identity(view: &ModelView) -> (impl Display, Version) {
        (view.model.value.id, view.model.version)
    }

    fn blame(draft: &mut ModelDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<ModelView, Error> {
        by.areas.models.get(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: ModelDraft,
        once: Option<Once<ModelView>>,
    ) -> Result<Done<Added<ModelView>>, Error> {
        Ok(by.areas.models.add_once(by.caller, draft, once).await?.map(Added::from))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.models.remove(by.caller, id, seen).await
    }
}

impl Lists for Model {
    fn columns() -> Vec<(&'static str, Kind)> {
        SHAPE.columns()
    }

    async fn list(by: Asking<'_>, _: Root, sync_id: Option<SyncId>, page: Page) -> Result<Listing<ModelView>, Error> {
        by.areas.models.list(by.caller, sync_id, page).await
    }
}

impl Changes for Model {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: ModelDraft,
    ) -> Result<ModelView, Error> {
        by.areas.models.update(by.caller, id, seen, draft).await
    }
}
