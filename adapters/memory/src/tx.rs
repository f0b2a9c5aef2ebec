//! Transactions: those that read have one state, those that write what they change it by as well.

use std::sync::Arc;

use ports::ledger::Draft;

use crate::state::State;
use crate::tenant::Tenant;
use crate::writer_queue::Turn;

/// A transaction on one state: one that reads, or with a [`WriteState`] one that writes.
pub(crate) struct Tx<W> {
    pub(crate) state: State,
    pub(crate) write: W,
}

/// A transaction that writes.
pub(crate) type Writing = Tx<WriteState>;

/// What a transaction writes with.
pub(crate) struct WriteState {
    pub(crate) tenant: Arc<Tenant>,
    /// Held until the transaction ends.
    pub(crate) turn: Turn,
    pub(crate) draft: Draft,
    /// Whether it stores a first answer or an import, which make no change.
    pub(crate) writes_beside: bool,
}
