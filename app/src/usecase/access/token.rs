//! The token endpoint: client credentials, refresh tokens, revocation.

use domain::{Digest, Timestamp};
use ports::credential::{Claims, CredentialError, Secret};
use ports::directory::{AuthenticatedClient, Refresh};
use ports::inbound::{ClientCredentials, Granted, PACT_SCOPE, TokenError, TokenRequest};
use ports::{FamilyId, Permission, Permissions, TenantId};

use super::attempts::{AttemptKey, TooMany};
use super::last_used::Credential;
use super::{AccessFailure, AccessService, REFRESH_PREFIX};

impl From<TooMany> for TokenError {
    fn from(TooMany(retry_after_s): TooMany) -> Self {
        Self::TooMany { retry_after_s }
    }
}

impl AccessService {
    pub(super) async fn grant(
        &self,
        client: &AuthenticatedClient,
        request: TokenRequest,
    ) -> Result<Granted, TokenError> {
        match request {
            TokenRequest::ClientCredentials { scope, issuer } => {
                let held = granted(client.client().permissions, scope.as_deref())?;
                let family = FamilyId::new(self.ports.ids.random());
                let (granted, refresh) = self.issue(client, held, held, family, issuer).await?;
                self.ports.directory.add_refresh(client, refresh).await.map_err(AccessFailure::from)?;
                Ok(granted)
            }
            TokenRequest::Refresh { token, scope, issuer } => {
                self.renew(client, &token, scope.as_deref(), issuer).await
            }
        }
    }

    /// Exchanges a refresh token for a new pair. Its successor renews as much as it did, however little was asked now
    /// (RFC 6749, section 6). Used a second time, it was stolen or its successor was: the family is revoked.
    async fn renew(
        &self,
        client: &AuthenticatedClient,
        token: &Secret,
        asked: Option<&str>,
        issuer: String,
    ) -> Result<Granted, TokenError> {
        let hash = self.ports.secrets.hash(&token.0);
        let old = self.refresh_of(client, hash).await?.ok_or(TokenError::InvalidGrant)?;
        let now = self.ports.clock.now();
        if old.revoked.is_some() {
            return Err(TokenError::InvalidGrant);
        }
        if old.used.is_some() {
            return self.dead(client, old.family, now).await;
        }
        if old.expires <= now {
            return Err(TokenError::InvalidGrant);
        }
        let held = granted(old.scope.common(client.client().permissions), asked)?;
        let (granted, next) = self.issue(client, held, old.scope, old.family, issuer).await?;
        let exchanged =
            self.ports.directory.exchange_refresh(client, hash, now, next).await.map_err(AccessFailure::from)?;
        if exchanged { Ok(granted) } else { self.dead(client, old.family, now).await }
    }

    async fn dead(
        &self,
        client: &AuthenticatedClient,
        family: FamilyId,
        now: Timestamp,
    ) -> Result<Granted, TokenError> {
        self.ports.directory.revoke_family(client, family, now).await.map_err(AccessFailure::from)?;
        self.cache.expire();
        Err(TokenError::Reused)
    }

    /// Revokes a refresh token with its family, or an access token alone, if they are the client's own.
    pub(super) async fn revoke_of(&self, client: &AuthenticatedClient, token: &Secret) -> Result<(), TokenError> {
        let now = self.ports.clock.now();
        if let Some(refresh) = self.refresh_of(client, self.ports.secrets.hash(&token.0)).await? {
            self.ports.directory.revoke_family(client, refresh.family, now).await.map_err(AccessFailure::from)?;
            self.cache.expire();
            return Ok(());
        }
        let tokens = self.tokens(now).await?;
        let keys: Vec<_> = self.verifying(&tokens, now).cloned().collect();
        let claims = match self.ports.signer.read(&token.0, &keys) {
            Ok(claims) => claims,
            Err(CredentialError::Invalid) => return Ok(()),
            Err(error @ (CredentialError::Sealed(_) | CredentialError::Failed(_))) => {
                return Err(AccessFailure::from(error).into());
            }
        };
        if client.check_claims(&claims).is_ok() && claims.expires > now {
            self.ports.directory.revoke_token(client, &claims).await.map_err(AccessFailure::from)?;
            self.cache.expire();
        }
        Ok(())
    }

    /// The client of those credentials. Unknown, of another tenant, run out, or with a wrong secret: one answer, after
    /// the same steps.
    pub(super) async fn client_of(
        &self,
        tenant: TenantId,
        given: &ClientCredentials,
    ) -> Result<AuthenticatedClient, TokenError> {
        let key = AttemptKey::new(tenant, &given.id, &given.from);
        let found = match given.id.parse() {
            Ok(id) => self.ports.directory.find_client_by_id(id).await.map_err(AccessFailure::from)?,
            Err(_) => None,
        };
        let (secrets, now) = (self.ports.secrets.as_ref(), self.ports.clock.now());
        let authenticated = if let Some(client) = found {
            client.authenticate(tenant, &given.secret, secrets, now)
        } else {
            secrets.matches(&given.secret.0, &Digest::ZERO);
            None
        };
        if let Some(client) = authenticated {
            // A secret of 256 random bits is not guessed: the right one is never held back by wrong ones.
            self.uses.note(Credential::Client(client.client().id), now);
            Ok(client)
        } else {
            self.attempts.fail(key, now)?;
            Err(TokenError::InvalidClient)
        }
    }

    /// The refresh token of that hash, if it is that client's.
    async fn refresh_of(&self, client: &AuthenticatedClient, hash: Digest) -> Result<Option<Refresh>, AccessFailure> {
        let found = self.ports.directory.find_refresh(hash).await?;
        Ok(found.filter(|refresh| client.check_refresh(refresh).is_ok()))
    }

    /// A new pair of tokens: the access token with `scope`, the refresh token, which is still to be stored, with `renews`.
    /// Neither outlives the client.
    async fn issue(
        &self,
        client: &AuthenticatedClient,
        scope: Permissions,
        renews: Permissions,
        family: FamilyId,
        issuer: String,
    ) -> Result<(Granted, Refresh), AccessFailure> {
        let client = client.client();
        let key = self.signing_key().await?;
        let now = self.ports.clock.now();
        let jti = self.ports.ids.random();
        let within =
            |lifetime_ms| client.expires.map_or(later(now, lifetime_ms), |end| end.min(later(now, lifetime_ms)));
        let expires = within(self.lifetimes.access_ms());
        let claims = Claims {
            issuer,
            tenant: client.tenant,
            client: client.id,
            jti,
            family: Some(family),
            scope,
            issued: now,
            expires,
        };
        let access = Secret(self.ports.signer.sign(&claims, &key)?);
        let secret = self.ports.secrets.generate(REFRESH_PREFIX)?;
        let refresh = Refresh {
            hash: self.ports.secrets.hash(&secret.0),
            family,
            client: client.id,
            tenant: client.tenant,
            scope: renews,
            jti,
            created: now,
            expires: within(self.lifetimes.refresh_ms()),
            used: None,
            revoked: None,
        };
        let left_ms = expires.millis().saturating_sub(now.millis()).max(0).unsigned_abs();
        Ok((Granted { access, refresh: secret, scope, expires_in_s: left_ms / 1000 }, refresh))
    }
}

/// What is asked and held, implied permissions included; without a question, all that is held. Words that name no
/// permission are ignored.
fn granted(held: Permissions, asked: Option<&str>) -> Result<Permissions, TokenError> {
    let words = asked.map(str::trim).filter(|words| !words.is_empty());
    let granted = match words {
        Some(words) => held.common(words.split(' ').filter_map(scope).collect()),
        None => held.closure(),
    };
    if granted.is_empty() { Err(TokenError::InvalidScope) } else { Ok(granted) }
}

/// The permission that a word of a scope names. PACT has a word of its own for reading footprints.
fn scope(word: &str) -> Option<Permission> {
    if word == PACT_SCOPE { Some(Permission::FootprintRead) } else { Permission::parse(word) }
}

/// The moment that many milliseconds later; where the calendar ends before, at once.
fn later(now: Timestamp, by_ms: i64) -> Timestamp {
    Timestamp::from_millis(now.millis().saturating_add(by_ms)).unwrap_or(now)
}
