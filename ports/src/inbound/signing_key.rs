//! The key that access tokens are signed with.

use async_trait::async_trait;
use domain::Timestamp;

use super::Error;
use crate::{Grant, Installation, Maintenance};

/// The signing keys of an installation, which are of all its tenants: only its operator may ask.
#[async_trait]
pub trait SigningKeys: Send + Sync {
    /// Makes a new key, which signs from then on; tokens of the old ones are good until they run out.
    async fn rotate(&self, grant: &Grant<Maintenance, Installation>) -> Result<SigningKeyView, Error>;
}

/// A signing key as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningKeyView {
    /// Its name in a token's header and in the key set.
    pub kid: String,
    /// When it was made.
    pub created: Timestamp,
}
