//! The one transaction of an import of all rows or none.

use std::sync::{Mutex, PoisonError};

use ports::store::WriteTx;

/// The one transaction of an import of all rows or none.
#[derive(Default)]
pub(super) struct AtOnce {
    /// Never locked: it makes the import one that threads can share.
    tx: Mutex<Option<Box<dyn WriteTx>>>,
    /// Whether a row was rejected, or the transaction failed: nothing is written.
    pub(super) is_refused: bool,
}

impl AtOnce {
    pub(super) fn tx(&mut self) -> &mut Option<Box<dyn WriteTx>> {
        self.tx.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
