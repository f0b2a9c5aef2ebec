//! Signing keys: a new one in the place of the one that signs.

use std::sync::Arc;

use async_trait::async_trait;
use ports::clock::Clock;
use ports::credential::TokenSigner;
use ports::directory::Directory;
use ports::id_source::Ids;
use ports::inbound::{Error, SigningKeyView, SigningKeys};
use ports::{Grant, Installation, Maintenance};

/// Keeps signing keys in a directory.
pub struct SigningKeyService {
    /// The store of these records.
    pub directory: Arc<dyn Directory>,
    /// Generates and seals the keys.
    pub signer: Arc<dyn TokenSigner>,
    /// Stamps the keys.
    pub clock: Arc<dyn Clock>,
    /// Names the keys.
    pub ids: Arc<dyn Ids>,
}

#[async_trait]
impl SigningKeys for SigningKeyService {
    async fn rotate(&self, grant: &Grant<Maintenance, Installation>) -> Result<SigningKeyView, Error> {
        let created = self.clock.now();
        let kid = self.ids.next(created).to_string();
        let key = self.signer.generate_key(&kid, created).map_err(|error| Error::Failed(Box::new(error)))?;
        self.directory.add_signing_key(grant, key).await?;
        Ok(SigningKeyView { kid, created })
    }
}
