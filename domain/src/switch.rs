//! Switches: named items whose footprint is the sum of the models they are made from.

mod sum;

pub use sum::{Issue, SwitchFootprint, SwitchModels};

use crate::fault::{FaultCode, Faults};
use crate::id::{ModelId, SwitchId};
use crate::setters::setters;
use crate::text::{ImageAddress, Name, SyncId};
use crate::unit::Unit;

/// The most sources a switch may have.
pub const MAX_SOURCES: usize = 100;

/// A switch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Switch {
    /// Identifies it.
    pub id: SwitchId,
    /// What another system calls it.
    pub sync_id: Option<SyncId>,
    /// What it is called.
    pub name: Name,
    /// The unit that its footprint is per; none means that it has no footprint yet.
    pub unit: Option<Unit>,
    /// The address of a picture of it.
    pub image: Option<ImageAddress>,
    /// The models it is made from.
    pub sources: Sources,
}

setters! {
    Switch {
        with_id = id: SwitchId,
        with_sync_id = sync_id: Option<SyncId>,
        with_name = name: Name,
        with_unit = unit: Option<Unit>,
        with_image = image: Option<ImageAddress>,
        with_sources = sources: Sources,
    }
}

impl Switch {
    /// A switch without a unit, an image and sources.
    #[must_use]
    pub fn new(id: SwitchId, name: Name) -> Self {
        Self { id, sync_id: None, name, unit: None, image: None, sources: Sources::default() }
    }
}

/// The models that a switch is made from: at most 100, each named once, in the order they were named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(Vec<ModelId>);

impl Sources {
    /// Those models. Refuses more than 100 and one that is named twice, which would count twice; the pointers are into the
    /// list.
    pub fn new(models: Vec<ModelId>) -> Result<Self, Faults> {
        let mut faults = Faults::new();
        if models.len() > MAX_SOURCES {
            let detail = format!("has {} sources, and a switch has at most {MAX_SOURCES}", models.len());
            faults.add_coded(FaultCode::TooMuch, "", detail);
            return Err(faults);
        }
        for (index, model) in models.iter().enumerate() {
            if models[..index].contains(model) {
                let detail = "names a model that stands in the list already";
                faults.add_coded(FaultCode::Repeated, format!("/{index}"), detail);
            }
        }
        faults.into_result().map(|()| Self(models))
    }

    /// The models.
    #[must_use]
    pub fn as_slice(&self) -> &[ModelId] {
        &self.0
    }
}
