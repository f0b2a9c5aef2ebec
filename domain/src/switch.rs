//! Switches: named items whose footprint is the sum of the models they are made from.

mod footprint;

pub use footprint::{Issue, SwitchFootprint};

use crate::fault::Faults;
use crate::id::{ModelId, SwitchId};
use crate::text::{ImageAddress, Name, SyncId};
use crate::unit::Unit;

/// The most sources a switch may have.
pub const MAX_SOURCES: usize = 100;

/// A switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Identifies it.
    pub id: SwitchId,
    /// What another system calls it.
    pub sync_id: Option<SyncId>,
    /// What it is called.
    pub name: Name,
    /// The unit that its footprint is per; none means that it has no footprint yet.
    pub unit: Option<Unit>,
    /// The address of a read model of it.
    pub image: Option<ImageAddress>,
    /// The models it is made from, in the order they were named.
    pub sources: Vec<ModelId>,
}

impl Switch {
    /// Refuses more than 100 sources and a model that is named twice, which would count twice. The pointers are into
    /// the list of sources.
    pub fn check_sources(sources: &[ModelId]) -> Result<(), Faults> {
        let mut faults = Faults::new();
        if sources.len() > MAX_SOURCES {
            faults.add("", format!("has {} sources, and a switch has at most {MAX_SOURCES}", sources.len()));
            return Err(faults);
        }
        for (index, source) in sources.iter().enumerate() {
            if sources[..index].contains(source) {
                faults.add(format!("/{index}"), "names a model that stands in the list already");
            }
        }
        faults.into_result()
    }
}
