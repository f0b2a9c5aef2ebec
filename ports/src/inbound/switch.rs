//! Switches and their footprints.

use crate::{Caller, Stored, Version};
use async_trait::async_trait;
use domain::{Faults, ImageAddress, Name, Switch, SwitchFootprint, SwitchId, SyncId, Unit};

use super::draft::{Field, Reference};
use super::{Done, Error, Named, Once};
use crate::repo::{Listing, Page};

/// Switches. Reading needs `switch:read`, writing `switch:write`.
#[async_trait]
pub trait Switches: Send + Sync {
    /// One page of the switches.
    async fn list(&self, caller: &Caller, sync_id: Option<SyncId>, page: Page) -> Result<Listing<SwitchView>, Error>;
    /// The switch with that identifier.
    async fn get(&self, caller: &Caller, id: SwitchId) -> Result<SwitchView, Error>;
    /// Adds a switch under a new id.
    async fn add(&self, caller: &Caller, draft: SwitchDraft) -> Result<SwitchView, Error> {
        self.add_once(caller, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_once(
        &self,
        caller: &Caller,
        draft: SwitchDraft,
        once: Option<Once<SwitchView>>,
    ) -> Result<Done<SwitchView>, Error>;
    /// Changes a switch: absent members stay, null ones are cleared.
    async fn update(
        &self,
        caller: &Caller,
        id: SwitchId,
        seen: Option<Version>,
        draft: SwitchDraft,
    ) -> Result<SwitchView, Error>;
    /// Says which models its footprint is computed from: at most 100, each once. `faults` is what reading found wrong;
    /// `None` takes the place of a source that could not be read.
    async fn put_sources(
        &self,
        caller: &Caller,
        id: SwitchId,
        seen: Option<Version>,
        sources: Vec<Option<Reference>>,
        faults: Faults,
    ) -> Result<SwitchView, Error>;
    /// Sets or clears the address of its image.
    async fn put_image(
        &self,
        caller: &Caller,
        id: SwitchId,
        seen: Option<Version>,
        image: Field<ImageAddress>,
        faults: Faults,
    ) -> Result<SwitchView, Error>;
    /// Removes a switch. `seen` is the version it must still have.
    async fn remove(&self, caller: &Caller, id: SwitchId, seen: Option<Version>) -> Result<(), Error>;
}

/// The members of a switch that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwitchDraft {
    /// What it is called; required.
    pub name: Field<Name>,
    /// What another system calls it; unique among switches.
    pub sync_id: Field<SyncId>,
    /// What its footprint is counted per.
    pub unit: Field<Unit>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// A switch with its footprint, computed at reading.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchView {
    /// The switch as it is stored.
    pub switch: Stored<Switch>,
    /// The models it is computed from, in their order.
    pub sources: Vec<Named>,
    /// Its footprint per one unit.
    pub footprint: SwitchFootprint,
}
