//! A tenant at one revision: cube, trees and names, from which every report is made.

use std::sync::Arc;

use domain::{Catalog, Cube, CubeError, Postings, SeriesKey};

use crate::change::{ChainHead, Revision};

/// Why a read model was not advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdvanceError {
    /// A cell names a series that is not there, or the numbers of activities leave 64 bits: the postings are damaged.
    #[error(transparent)]
    Cells(#[from] CubeError),
    /// The head is of another epoch, or earlier.
    #[error("change {} of epoch {} is not later than change {} of epoch {}", .to.number, .to.epoch, .from.number, .from.epoch)]
    NotLater {
        /// The revision of the read model.
        from: Revision,
        /// The revision that it was to be brought to.
        to: Revision,
    },
}

/// Cube and catalog of a tenant at one point of its history. Immutable.
#[derive(Clone)]
pub struct ReadModel {
    head: ChainHead,
    catalog: Arc<Catalog>,
    cube: Arc<Cube>,
}

impl std::fmt::Debug for ReadModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReadModel").field("head", &self.head).finish_non_exhaustive()
    }
}

impl ReadModel {
    /// The read model of a tenant at `head`.
    #[must_use]
    pub fn new(head: ChainHead, catalog: Arc<Catalog>, cube: Arc<Cube>) -> Self {
        Self { head, catalog, cube }
    }

    /// The read model at a later `head` of the same epoch: `series` are the new ones, `postings` those of the later
    /// changes, `catalog` is the new one where it changed.
    pub fn advance(
        &self,
        head: ChainHead,
        series: Vec<SeriesKey>,
        postings: Postings,
        catalog: Option<Arc<Catalog>>,
    ) -> Result<Self, AdvanceError> {
        if head.epoch != self.head.epoch || head.number < self.head.number {
            return Err(AdvanceError::NotLater { from: self.head.revision(), to: head.revision() });
        }
        let cube = if series.is_empty() && postings.is_empty() {
            Arc::clone(&self.cube)
        } else {
            Arc::new(self.cube.plus(postings, series)?)
        };
        Ok(Self { head, cube, catalog: catalog.unwrap_or_else(|| Arc::clone(&self.catalog)) })
    }

    /// The head that it is the read model of.
    #[must_use]
    pub const fn head(&self) -> ChainHead {
        self.head
    }

    /// The point of history that it is the read model of.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.head.revision()
    }

    /// The trees and the names of their nodes.
    #[must_use]
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// What the activities add up to.
    #[must_use]
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }
}

#[cfg(test)]
mod tests {
    use domain::Digest;
    use uuid::Uuid;

    use super::*;

    fn head(epoch: u128, number: u64) -> ChainHead {
        ChainHead { number, digest: Digest::ZERO, epoch: Uuid::from_u128(epoch), catalog: 0 }
    }

    #[test]
    fn a_read_model_advances_only_to_a_later_head_of_its_epoch() {
        let model = ReadModel::new(head(1, 5), Arc::default(), Arc::default());
        assert!(model.advance(head(1, 5), vec![], Postings::new(), None).is_ok());
        assert!(model.advance(head(1, 6), vec![], Postings::new(), None).is_ok());
        for other in [head(1, 4), head(2, 6)] {
            let error = model.advance(other, vec![], Postings::new(), None).unwrap_err();
            assert!(matches!(error, AdvanceError::NotLater { .. }), "{error}");
        }
    }
}
