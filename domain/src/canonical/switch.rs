//! The content of a switch.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::id::SwitchId;
use crate::switch::{Sources, Switch};
use crate::text::{ImageAddress, Name, SyncId};
use crate::unit::Unit;

impl Canonical for Switch {
    type Known = SwitchId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("syncId", self.sync_id.as_ref());
        to.text("name", &self.name);
        to.optional("unit", self.unit);
        to.optional("image", self.image.as_ref());
        to.texts("sources", self.sources.as_slice());
    }

    fn read(id: SwitchId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            id,
            sync_id: from.optional("syncId", SyncId::parse)?,
            name: from.text("name", Name::parse)?,
            unit: from.optional("unit", Unit::parse)?,
            image: from.optional("image", ImageAddress::parse)?,
            sources: read_sources(from)?,
        })
    }
}

fn read_sources(from: &mut CanonicalReader<'_>) -> Result<Sources, CanonicalError> {
    Sources::new(from.texts("sources", str::parse)?).map_err(|error| from.wrong(error.to_string()))
}
