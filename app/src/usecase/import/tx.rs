//! The transaction of a call.

use ports::store::{ReadTx, WriteTx};

/// The transaction: one that writes, or for a dry run one that reads.
pub(super) enum Tx {
    Read(Box<dyn ReadTx>),
    Write(Box<dyn WriteTx>),
}

impl Tx {
    pub(super) fn read(&mut self) -> &mut dyn ReadTx {
        match self {
            Self::Read(tx) => tx.as_mut(),
            Self::Write(tx) => tx.as_mut(),
        }
    }
}
