//! The content of a sharing.

use std::collections::BTreeSet;

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::id::FootprintId;
use crate::partner::{SharedWith, Sharing};

impl Canonical for Sharing {
    type Known = FootprintId;

    fn write(&self, to: &mut CanonicalWriter) {
        match &self.with {
            SharedWith::All => to.flag("all", true),
            SharedWith::Partners(partners) => {
                to.flag("all", false);
                to.texts("partners", partners);
            }
        }
    }

    fn read(id: FootprintId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        if from.flag("all")? {
            return Ok(Self::new(id, SharedWith::All));
        }
        let listed = from.texts("partners", str::parse)?;
        let partners: BTreeSet<_> = listed.iter().copied().collect();
        if listed.is_empty() || !listed.iter().is_sorted() || partners.len() != listed.len() {
            return Err(from.wrong("partners: are one at least, in order, each once"));
        }
        Ok(Self::new(id, SharedWith::Partners(partners)))
    }
}
