//! What clients and keys have in common.

use domain::Timestamp;
use uuid::Uuid;

use super::record::{Client, Key};
use crate::{ClientId, KeyId, TenantId};

/// A client or a key.
pub trait Credential: Clone + Send + Sync {
    /// The type of its identifier.
    type Id: Copy + Ord + Into<Uuid> + Send + Sync;

    /// The identifier, unique in the directory.
    fn id(&self) -> Self::Id;

    /// The tenant it belongs to.
    fn tenant(&self) -> TenantId;

    /// When it was last used.
    fn last_used(&self) -> Option<Timestamp>;

    /// The same credential, last used at that time.
    #[must_use]
    fn with_last_used(self, at: Option<Timestamp>) -> Self;
}

macro_rules! credential {
    ($($record:ident, $id:ident;)*) => {$(
        impl Credential for $record {
            type Id = $id;

            fn id(&self) -> $id {
                self.id
            }

            fn tenant(&self) -> TenantId {
                self.tenant
            }

            fn last_used(&self) -> Option<Timestamp> {
                self.last_used
            }

            fn with_last_used(self, at: Option<Timestamp>) -> Self {
                Self { last_used: at, ..self }
            }
        }
    )*};
}

credential! {
    Client, ClientId;
    Key, KeyId;
}
