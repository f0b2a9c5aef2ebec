//! Switches: named items whose footprint is the sum of the models they are made from.

mod sum;

use std::collections::HashSet;

pub use sum::{Issue, SwitchFootprint, SwitchModels};

use crate::id::{ModelId, SwitchId};
use crate::setters::setters;
use crate::text::{ImageAddress, Name, SyncId};
use crate::unit::Unit;

/// The most sources a switch may have.
pub const MAX_SOURCES: usize = 100;

/// A named item with a unit, whose footprint is computed from models.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Switch {
    /// Unique within the tenant.
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

/// Why models are not the sources of a switch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourcesError {
    /// There are more than 100.
    #[error("has {0} sources, and a switch has at most {MAX_SOURCES}")]
    TooMany(
        /// How many there are.
        usize,
    ),
    /// Models are named again, which would count twice.
    #[error("names a model that stands in the list already")]
    Repeated(
        /// Their places in the list, from 0.
        Vec<usize>,
    ),
}

impl Sources {
    /// Those models. Refuses more than 100, and models that are named twice.
    pub fn new(models: Vec<ModelId>) -> Result<Self, SourcesError> {
        if models.len() > MAX_SOURCES {
            return Err(SourcesError::TooMany(models.len()));
        }
        let mut seen = HashSet::new();
        let repeated = (0..).zip(&models).filter(|(_, model)| !seen.insert(**model)).map(|(place, _)| place);
        let repeated: Vec<usize> = repeated.collect();
        if repeated.is_empty() { Ok(Self(models)) } else { Err(SourcesError::Repeated(repeated)) }
    }

    /// The models in the order they were given, without repetitions.
    #[must_use]
    pub fn as_slice(&self) -> &[ModelId] {
        &self.0
    }
}
