//! Access: who calls, and the tokens they call with (RFC 6749, 6750, 7009).

pub(in crate::usecase) mod attempts;
mod bearer;
mod cache;
mod failure;
mod keys;
mod last_used;
mod token;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use ports::clock::Clock;
use ports::credential::{Secret, Secrets, TokenSigner};
use ports::directory::{AuthenticatedClient, Directory, Swept};
use ports::id_source::Ids;
use ports::inbound::{Access, AccessError, ClientCredentials, Granted, PublicKey, TokenError, TokenRequest};
use ports::{Caller, Denied, Grant, Installation, Permission, TenantId};

use attempts::Attempts;
use last_used::Uses;

pub use cache::CredentialCache;
pub use failure::AccessFailure;

/// Whom the change chain names for what the service does by itself.
pub(crate) const SYSTEM: &str = "system";

/// What an API key begins with.
pub const KEY_PREFIX: &str = "tonne_";
/// What a client's secret begins with.
pub const CLIENT_SECRET_PREFIX: &str = "tonnesecret_";
/// What a refresh token begins with.
pub const REFRESH_PREFIX: &str = "tonnerefresh_";

/// What access asks of the world.
#[derive(Clone)]
pub struct AccessPorts {
    /// The directory of credentials.
    pub directory: Arc<dyn Directory>,
    /// What signs and reads tokens.
    pub signer: Arc<dyn TokenSigner>,
    /// What makes and compares secrets.
    pub secrets: Arc<dyn Secrets>,
    /// Gives the present time.
    pub clock: Arc<dyn Clock>,
    /// What makes up identifiers.
    pub ids: Arc<dyn Ids>,
}

/// How long tokens live, in whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    access_s: u32,
    refresh_s: u32,
}

impl Lifetimes {
    /// Access tokens live 1 s to 1 day, refresh tokens 1 s to 366 days; fractions of a second are cut.
    pub fn new(access: Duration, refresh: Duration) -> Result<Self, LifetimeError> {
        Ok(Self {
            access_s: seconds(access, 86_400).ok_or(LifetimeError::Access)?,
            refresh_s: seconds(refresh, 366 * 86_400).ok_or(LifetimeError::Refresh)?,
        })
    }

    const fn access_ms(self) -> i64 {
        self.access_s as i64 * 1000
    }

    const fn refresh_ms(self) -> i64 {
        self.refresh_s as i64 * 1000
    }
}

impl Default for Lifetimes {
    /// One hour and 30 days.
    fn default() -> Self {
        Self { access_s: 3_600, refresh_s: 30 * 86_400 }
    }
}

/// A lifetime out of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LifetimeError {
    /// That of access tokens.
    #[error("access tokens live 1 second to 1 day")]
    Access,
    /// That of refresh tokens.
    #[error("refresh tokens live 1 second to 366 days")]
    Refresh,
}

fn seconds(duration: Duration, most: u32) -> Option<u32> {
    u32::try_from(duration.as_secs()).ok().filter(|seconds| (1..=most).contains(seconds))
}

/// Tells who calls and issues tokens.
pub struct AccessService {
    ports: AccessPorts,
    lifetimes: Lifetimes,
    cache: Arc<CredentialCache>,
    attempts: Attempts,
    uses: Arc<Uses>,
    /// One makes a signing key at a time.
    making: tokio::sync::Mutex<()>,
}

impl AccessService {
    /// Access over that directory. The cache is shared with what changes credentials in this process.
    #[must_use]
    pub fn new(ports: AccessPorts, lifetimes: Lifetimes, cache: Arc<CredentialCache>) -> Self {
        let uses = Arc::new(Uses::new(Arc::clone(&ports.directory)));
        Self { ports, lifetimes, cache, attempts: Attempts::default(), uses, making: tokio::sync::Mutex::default() }
    }

    /// Forgets refresh tokens and revocations that have run out: to be called every hour. Gives how far the clock here is behind
    /// that of another node, where it is too far for anything to be forgotten.
    pub async fn sweep(&self) -> Result<Swept, AccessFailure> {
        Ok(self.ports.directory.sweep(&Grant::for_maintenance(Installation, SYSTEM), self.ports.clock.now()).await?)
    }

    /// Writes the last uses that wait: to be called at the end.
    pub async fn flush(&self) {
        while self.uses.write().await {}
    }
}

#[async_trait]
impl Access for AccessService {
    async fn authenticate(&self, tenant: TenantId, bearer: &str) -> Result<Caller, AccessError> {
        self.caller(tenant, bearer).await
    }

    fn check(&self, caller: &Caller, permission: Permission) -> Result<(), Denied> {
        caller.check(permission)
    }

    async fn client(&self, tenant: TenantId, given: &ClientCredentials) -> Result<AuthenticatedClient, TokenError> {
        self.client_of(tenant, given).await
    }

    async fn token(&self, client: &AuthenticatedClient, request: TokenRequest) -> Result<Granted, TokenError> {
        self.grant(client, request).await
    }

    async fn revoke(&self, client: &AuthenticatedClient, token: &Secret) -> Result<(), TokenError> {
        self.revoke_of(client, token).await
    }

    async fn public_keys(&self) -> Result<Vec<PublicKey>, AccessError> {
        Ok(self.verifying_keys().await?)
    }
}
