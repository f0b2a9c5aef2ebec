//! Models: bills of inputs that make an amount of something.

use actix_web::HttpResponse;
use domain::{Day, ModelId, Name, Quantity, SyncId, Unit};
use files::{Json, Members, Reader};
use ports::Version;
use ports::inbound::{Error, ModelDraft, ModelView};
use ports::repo::{Listing, Page};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::problem::Problem;
use crate::resource::{Asking, Resource, created, resource};
use crate::wire::{Amount, Number, Time};

/// A bill of inputs that makes an amount of something.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Model {
    /// Identifies it.
    uuid: Uuid,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// What it is called.
    name: String,
    /// The code of the unit that its amount is counted in.
    #[schema(example = "kg")]
    unit: &'static str,
    /// How much its inputs make.
    amount: Number,
    /// The day whose factors count.
    #[schema(format = Date, example = "2025-01-01")]
    reference_date: String,
    /// kg of CO2 equivalent per one unit, of the inputs of stages A to C and without a stage; null without such an input,
    /// or when one has no CO2e.
    #[serde(rename = "CO2e")]
    #[schema(required)]
    co2e: Option<Amount>,
    /// The same of the inputs of module D, which is part of no total; null when none is declared.
    #[serde(rename = "moduleDCO2e")]
    #[schema(required)]
    module_d: Option<Amount>,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

macro_rules! bodies {
    ($($(#[$doc:meta])* $name:ident: $required:ty;)*) => {$(
        $(#[$doc])*
        #[derive(ToSchema)]
        #[schema(rename_all = "camelCase")]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "describes the body")]
        pub(crate) struct $name {
            /// What it is called: 1 to 255 characters.
            name: $required,
            /// What another system calls it: unique.
            sync_id: Option<String>,
            /// The code of the unit that its amount is counted in.
            #[schema(example = "kg")]
            unit: $required,
            /// How much its inputs make: above 0, 1 unless given. A string is read too.
            amount: Option<Number>,
            /// The day whose factors count; the day it is added unless given.
            #[schema(format = Date)]
            reference_date: Option<String>,
        }
    )*};
}

bodies! {
    /// A new model.
    NewModel: String;
    /// A change of a model. Another reference date computes its inputs anew.
    ModelChange: Option<String>;
}

impl Resource for Model {
    type Id = ModelId;
    type View = ModelView;
    type Draft = ModelDraft;

    fn of(view: ModelView) -> Self {
        let stored = view.model;
        let model = stored.value;
        Self {
            uuid: model.id.uuid(),
            sync_id: model.sync_id.map(|id| id.to_string()),
            name: model.name.to_string(),
            unit: model.unit.code(),
            amount: Number::of(model.amount.quantity()),
            reference_date: model.reference_date.to_string(),
            co2e: view.co2e.map(Amount::of),
            module_d: view.module_d.map(Amount::of),
            created: stored.created.into(),
            updated: stored.updated.into(),
        }
    }

    fn identity(view: &ModelView) -> (ModelId, Version) {
        (view.model.value.id, view.model.version)
    }

    fn draft(json: &Json) -> Result<ModelDraft, Problem> {
        let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
        let mut draft = ModelDraft {
            name: members.text("name", Name::parse),
            sync_id: members.text("syncId", SyncId::parse),
            unit: members.text("unit", Unit::parse),
            amount: members.amount("amount", Quantity::parse),
            reference_date: members.text("referenceDate", Day::parse),
            ..ModelDraft::default()
        };
        members.read_only(&["uuid", "CO2e", "created", "updated"]);
        draft.faults = members.finish();
        Ok(draft)
    }

    async fn list(by: Asking<'_>, sync_id: Option<SyncId>, page: Page) -> Result<Listing<ModelView>, Error> {
        by.areas.models.list(by.caller, sync_id, page).await
    }

    async fn get(by: Asking<'_>, id: ModelId) -> Result<ModelView, Error> {
        by.areas.models.get(by.caller, id).await
    }

    async fn add(by: Asking<'_>, draft: ModelDraft, collection: &str) -> Result<HttpResponse, Problem> {
        created::<Self>(collection, by.areas.models.add(by.caller, draft).await?)
    }

    async fn update(by: Asking<'_>, id: ModelId, seen: Option<Version>, draft: ModelDraft) -> Result<ModelView, Error> {
        by.areas.models.update(by.caller, id, seen, draft).await
    }

    async fn remove(by: Asking<'_>, id: ModelId, seen: Option<Version>) -> Result<(), Error> {
        by.areas.models.remove(by.caller, id, seen).await
    }
}

resource! {
    Model, "The model", at "/v1/model" and "/v1/model/{uuid}", tagged "Models";
    /// Needs the permission model:read.
    reading;
    /// Needs the permission model:write.
    writing;

    /// The models, page by page.
    list list_models(Paging, BySyncId);
    /// Adds a model, without inputs.
    create create_model(NewModel) -> Model, "ETag";
    /// One model.
    get get_model;
    /// Changes a model: members that are left out stay, null clears.
    update update_model(ModelChange);
    /// Removes a model that no switch is computed from, with its inputs.
    remove remove_model;
}
