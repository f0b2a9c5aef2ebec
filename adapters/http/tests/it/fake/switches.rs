//! The stand-in of switches: one known switch.

use async_trait::async_trait;
use domain::{Faults, ImageAddress, Issue, Name, Switch, SwitchFootprint, SwitchId, SyncId, Total, Unit};
use ports::inbound::{Done, Error, Field, Once, Reference, SwitchDraft, SwitchView};
use ports::repo::{Listing, Page};
use ports::{Caller, Version, demand, permit};

use super::rest::{Rest, SWITCH, named, stored};

#[async_trait]
impl ports::inbound::Switches for Rest {
    async fn list(&self, _: &Caller, _: Option<SyncId>, _: Page) -> Result<Listing<SwitchView>, Error> {
        Err(Error::NotFound)
    }

    async fn get(&self, caller: &Caller, id: SwitchId) -> Result<SwitchView, Error> {
        permit(caller, demand::SWITCH_READ)?;
        let view = switch();
        if view.switch.value.id == id { Ok(view) } else { Err(Error::NotFound) }
    }

    async fn add_once(
        &self,
        caller: &Caller,
        _: SwitchDraft,
        _: Option<Once<SwitchView>>,
    ) -> Result<Done<SwitchView>, Error> {
        permit(caller, demand::SWITCH_WRITE)?;
        Ok(Done::New(switch()))
    }

    async fn update(&self, _: &Caller, _: SwitchId, _: Option<Version>, _: SwitchDraft) -> Result<SwitchView, Error> {
        Err(Error::NotFound)
    }

    async fn put_sources(
        &self,
        _: &Caller,
        _: SwitchId,
        _: Option<Version>,
        _: Vec<Option<Reference>>,
        _: Faults,
    ) -> Result<SwitchView, Error> {
        Err(Error::NotFound)
    }

    async fn put_image(
        &self,
        _: &Caller,
        _: SwitchId,
        _: Option<Version>,
        _: Field<ImageAddress>,
        _: Faults,
    ) -> Result<SwitchView, Error> {
        Err(Error::NotFound)
    }

    async fn remove(&self, _: &Caller, _: SwitchId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}

fn switch() -> SwitchView {
    let switch = Switch::new(SWITCH.parse().unwrap(), Name::parse("Wall").unwrap())
        .with_sync_id(Some(SyncId::parse("sw-1").unwrap()))
        .with_unit(Some(Unit::parse("kg").unwrap()));
    let footprint = SwitchFootprint::default()
        .with_product_carbon_footprint(Some(Total::parse("1.50").unwrap()))
        .with_issues(vec![Issue::NoSource]);
    SwitchView { switch: stored(switch), sources: vec![named("Model")], footprint }
}
