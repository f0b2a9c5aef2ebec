//! The stand-in of models: one known input.

use async_trait::async_trait;
use domain::{Co2e, Incomplete, Input, InputCalculation, InputId, ModelId, Name, Quantity, Stage, SyncId, Unit};
use ports::inbound::{Done, Error, InputDraft, InputView, ModelDraft, ModelView, Once};
use ports::repo::{Listing, Page};
use ports::{Caller, Version};

use super::rest::{Rest, SWITCH, named, stored};

#[async_trait]
impl ports::inbound::Models for Rest {
    async fn list(&self, _: &Caller, _: Option<SyncId>, _: Page) -> Result<Listing<ModelView>, Error> {
        Err(Error::NotFound)
    }

    async fn get(&self, _: &Caller, _: ModelId) -> Result<ModelView, Error> {
        Err(Error::NotFound)
    }

    async fn add_once(&self, _: &Caller, _: ModelDraft, _: Option<Once<ModelView>>) -> Result<Done<ModelView>, Error> {
        Err(Error::NotFound)
    }

    async fn update(&self, _: &Caller, _: ModelId, _: Option<Version>, _: ModelDraft) -> Result<ModelView, Error> {
        Err(Error::NotFound)
    }

    async fn remove(&self, _: &Caller, _: ModelId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }

    async fn list_inputs(
        &self,
        _: &Caller,
        _: ModelId,
        _: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<InputView>, Error> {
        Ok(Listing { count: 1, page, data: vec![input()] })
    }

    async fn get_input(&self, _: &Caller, _: ModelId, _: InputId) -> Result<InputView, Error> {
        Err(Error::NotFound)
    }

    async fn add_input_once(
        &self,
        _: &Caller,
        _: ModelId,
        _: InputDraft,
        _: Option<Once<InputView>>,
    ) -> Result<Done<InputView>, Error> {
        Err(Error::NotFound)
    }

    async fn update_input(
        &self,
        _: &Caller,
        _: ModelId,
        _: InputId,
        _: Option<Version>,
        _: InputDraft,
    ) -> Result<InputView, Error> {
        Err(Error::NotFound)
    }

    async fn remove_input(&self, _: &Caller, _: ModelId, _: InputId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}

fn input() -> InputView {
    let input = Input::new(
        SWITCH.parse().unwrap(),
        SWITCH.parse().unwrap(),
        Name::parse("Steel").unwrap(),
        SWITCH.parse().unwrap(),
        Quantity::parse("2.50").unwrap(),
        Unit::parse("kg").unwrap(),
    )
    .with_stage(Some(Stage::parse("A1").unwrap()))
    .with_order(3)
    .with_calculation(InputCalculation::Incomplete(Incomplete::NoFactor));
    InputView { input: stored(input), material: named("Steel"), block: None, co2e: Some(Co2e::parse("1e-3").unwrap()) }
}
