//! The proof that a client showed its secret, which every call about its tokens asks for.

use domain::Timestamp;

use super::record::{Client, Refresh};
use crate::TenantId;
use crate::credential::{Claims, Secret, Secrets};
use crate::store::StoreError;

/// A client that showed its secret. Only [`Client::authenticate`] makes one:
///
/// ```compile_fail,E0423
/// # use tonne_ports::directory::{AuthenticatedClient, Client};
/// fn forged(client: Client) -> AuthenticatedClient {
///     AuthenticatedClient(client)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticatedClient(Client);

impl Client {
    /// The proof that the client showed its secret in that tenant; `None` when it is another's client, has run out, or
    /// the secret is not its own. The secret is compared whatever else is wrong, so that the time it takes tells nothing.
    #[must_use]
    pub fn authenticate(
        self,
        tenant: TenantId,
        secret: &Secret,
        secrets: &dyn Secrets,
        now: Timestamp,
    ) -> Option<AuthenticatedClient> {
        let fits = secrets.matches(&secret.0, &self.secret_hash);
        let lives = self.tenant == tenant && self.expires.is_none_or(|expires| expires > now);
        (fits && lives).then_some(AuthenticatedClient(self))
    }
}

impl AuthenticatedClient {
    /// The client as it was found.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.0
    }

    /// Who it is, as the change chain names it.
    #[must_use]
    pub fn actor(&self) -> String {
        format!("client:{}", self.0.id)
    }

    /// Refuses to keep the refresh token of another.
    pub fn check_refresh(&self, refresh: &Refresh) -> Result<(), StoreError> {
        self.check("refresh token", (refresh.client, refresh.tenant) == (self.0.id, self.0.tenant))
    }

    /// Refuses to revoke the access token of another.
    pub fn check_claims(&self, claims: &Claims) -> Result<(), StoreError> {
        self.check("access token", (claims.client, claims.tenant) == (self.0.id, self.0.tenant))
    }

    fn check(&self, what: &str, is_own: bool) -> Result<(), StoreError> {
        let refused = || StoreError::Failed(format!("the {what} is not one of the client {}", self.0.id).into());
        is_own.then_some(()).ok_or_else(refused)
    }
}
