//! Models and their inputs.

use crate::{Caller, Stored, Version};
use async_trait::async_trait;
use domain::{Co2e, Day, Faults, Input, InputId, Model, ModelId, Name, Quantity, Stage, SyncId, Total, Unit};

use super::draft::{Field, Reference};
use super::{Done, Error, Named, Once};
use crate::repo::{Listing, Page};

/// Models and their inputs. Reading needs `model:read`, writing `model:write`.
#[async_trait]
pub trait Models: Send + Sync {
    /// One page of the models.
    async fn list(&self, caller: &Caller, sync_id: Option<SyncId>, page: Page) -> Result<Listing<ModelView>, Error>;
    /// The model with that identifier, with its inputs.
    async fn get(&self, caller: &Caller, id: ModelId) -> Result<ModelView, Error>;
    /// Adds a model without inputs.
    async fn add(&self, caller: &Caller, draft: ModelDraft) -> Result<ModelView, Error> {
        self.add_once(caller, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_once(
        &self,
        caller: &Caller,
        draft: ModelDraft,
        once: Option<Once<ModelView>>,
    ) -> Result<Done<ModelView>, Error>;
    /// Changes a model; another reference date computes its inputs anew.
    async fn update(
        &self,
        caller: &Caller,
        id: ModelId,
        seen: Option<Version>,
        draft: ModelDraft,
    ) -> Result<ModelView, Error>;
    /// Removes a model, that no switch is computed from, with its inputs.
    async fn remove(&self, caller: &Caller, id: ModelId, seen: Option<Version>) -> Result<(), Error>;

    /// One page of a model's inputs, by `order` then id.
    async fn list_inputs(
        &self,
        caller: &Caller,
        model: ModelId,
        sync_id: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<InputView>, Error>;
    /// One input of a model.
    async fn get_input(&self, caller: &Caller, model: ModelId, id: InputId) -> Result<InputView, Error>;
    /// Adds an input to a model. A block of a new name is made.
    async fn add_input(&self, caller: &Caller, model: ModelId, draft: InputDraft) -> Result<InputView, Error> {
        self.add_input_once(caller, model, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_input_once(
        &self,
        caller: &Caller,
        model: ModelId,
        draft: InputDraft,
        once: Option<Once<InputView>>,
    ) -> Result<Done<InputView>, Error>;
    /// Changes an input: absent members stay.
    async fn update_input(
        &self,
        caller: &Caller,
        model: ModelId,
        id: InputId,
        seen: Option<Version>,
        draft: InputDraft,
    ) -> Result<InputView, Error>;
    /// Removes an input of a model.
    async fn remove_input(
        &self,
        caller: &Caller,
        model: ModelId,
        id: InputId,
        seen: Option<Version>,
    ) -> Result<(), Error>;
}

/// The members of a model that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelDraft {
    /// What it is called; required.
    pub name: Field<Name>,
    /// What another system calls it; unique among models.
    pub sync_id: Field<SyncId>,
    /// Required: what its amount is counted in.
    pub unit: Field<Unit>,
    /// How much its inputs make; above 0, 1 unless given.
    pub amount: Field<Quantity>,
    /// The day whose factors count; the day it is added unless given.
    pub reference_date: Field<Day>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// A model with what it adds up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelView {
    /// The model as it is stored.
    pub model: Stored<Model>,
    /// Sum of the CO2e of its inputs outside module D per one unit of its amount, in kg; `None` when it has no such input
    /// or one without CO2e.
    pub co2e: Option<Total>,
    /// The same of its inputs of module D, which is part of no total.
    pub module_d: Option<Total>,
}

/// The members of an input that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputDraft {
    /// What it is called; required.
    pub name: Field<Name>,
    /// What another system calls it; unique among inputs.
    pub sync_id: Field<SyncId>,
    /// The product that goes in; required.
    pub material: Field<Reference>,
    /// The name of the block that it belongs to.
    pub block: Field<Name>,
    /// The life-cycle stage that it counts in.
    pub stage: Field<Stage>,
    /// The amount that goes in; required.
    pub quantity: Field<Quantity>,
    /// Required; of the material's dimension.
    pub unit: Field<Unit>,
    /// Its place among the inputs; behind the last unless given.
    pub order: Field<i32>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// An input with the names of what it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputView {
    /// The input as it is stored.
    pub input: Stored<Input>,
    /// What it consists of.
    pub material: Named,
    /// The block it is in.
    pub block: Option<Named>,
    /// Its CO2e in kg.
    pub co2e: Option<Co2e>,
}
