//! Tests of access, on a directory whose calls are counted and can be made to fail, and a clock that is set by hand.

mod bearer;
mod directory;
mod keys;
mod last_used;
mod refresh;
mod revoke;
mod token;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use auth::{Ed25519Signer, RandomSecrets};
use domain::{Name, Timestamp};
use ports::clock::Clock;
use ports::credential::{Secret, Secrets as _};
use ports::directory::{Client, Directory as _, Key};
use ports::id_source::Ids as _;
use ports::inbound::{Access as _, AccessError, ClientCredentials, Granted, TokenError, TokenRequest};
use ports::{Caller, ClientId, Grant, Permissions, TenantCredentials, TenantId, Write};
use uuid::Uuid;

use super::{AccessPorts, AccessService, CredentialCache, KEY_PREFIX, Lifetimes};
use crate::id_source::SystemIds;

pub(crate) use directory::TestDirectory;

pub(crate) const TENANT: TenantId = TenantId::new(Uuid::from_u128(1));
pub(crate) const OTHER: TenantId = TenantId::new(Uuid::from_u128(2));
const ISSUER: &str = "https://example.com/api";
const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A clock that shows the same time until it is set.
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) fn advance(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

/// Access with everything around it.
pub(crate) struct Fixture {
    pub(crate) directory: Arc<TestDirectory>,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) cache: Arc<CredentialCache>,
    pub(crate) access: AccessService,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        Self::with(Lifetimes::default())
    }

    fn with(lifetimes: Lifetimes) -> Self {
        Self::beside(&Arc::default(), &Arc::new(TestClock(AtomicI64::new(1_700_000_000_000))), lifetimes, [7; 32])
    }

    /// Another process on the same directory.
    fn beside(directory: &Arc<TestDirectory>, clock: &Arc<TestClock>, lifetimes: Lifetimes, secret: [u8; 32]) -> Self {
        let ports = AccessPorts {
            directory: directory.clone(),
            signer: Arc::new(Ed25519Signer::new(&secret).unwrap()),
            secrets: Arc::new(RandomSecrets),
            clock: clock.clone(),
            ids: Arc::new(SystemIds::new()),
        };
        let cache = Arc::new(CredentialCache::default());
        let access = AccessService::new(ports, lifetimes, cache.clone());
        Self { directory: directory.clone(), clock: clock.clone(), cache, access }
    }

    fn second_process(&self) -> Self {
        Self::beside(&self.directory, &self.clock, Lifetimes::default(), [7; 32])
    }

    fn after(&self, millis: i64) -> Timestamp {
        Timestamp::from_millis(self.clock.now().millis() + millis).unwrap()
    }

    /// A client in the directory, with its credentials.
    async fn client(&self, permissions: &str) -> (Client, ClientCredentials) {
        self.client_of(TENANT, permissions, None).await
    }

    async fn client_of(
        &self,
        tenant: TenantId,
        permissions: &str,
        expires_ms: Option<i64>,
    ) -> (Client, ClientCredentials) {
        let (now, secret) = (self.clock.now(), RandomSecrets.generate("").unwrap());
        let client = Client {
            id: ClientId::new(SystemIds::new().random()),
            tenant,
            name: Name::parse("A client").unwrap(),
            permissions: Permissions::parse(permissions).unwrap(),
            secret_hash: RandomSecrets.hash(&secret.0),
            created: now,
            updated: now,
            expires: expires_ms.map(|millis| self.after(millis)),
            partner: None,
            last_used: None,
        };
        let grant = Grant::for_maintenance(tenant, "test").to_write_credentials();
        self.directory.add_client(&grant, client.clone()).await.unwrap();
        let credentials = ClientCredentials { id: client.id.to_string(), secret, from: "192.0.2.1".to_owned() };
        (client, credentials)
    }

    /// A key in the directory, in the clear.
    async fn key(&self, permissions: &str, expires_ms: Option<i64>) -> (Key, String) {
        let (now, secret) = (self.clock.now(), RandomSecrets.generate(KEY_PREFIX).unwrap().0);
        let key = Key {
            id: SystemIds::new().random().into(),
            tenant: TENANT,
            name: Name::parse("A key").unwrap(),
            permissions: Permissions::parse(permissions).unwrap(),
            prefix: secret[..12].to_owned(),
            hash: RandomSecrets.hash(&secret),
            created: now,
            updated: now,
            expires: expires_ms.map(|millis| self.after(millis)),
            last_used: None,
        };
        self.directory.add_key(&grant(), key.clone()).await.unwrap();
        (key, secret)
    }

    pub(crate) async fn authenticate(&self, bearer: &str) -> Result<Caller, AccessError> {
        self.access.authenticate(TENANT, bearer).await
    }

    pub(crate) async fn token(&self, client: &ClientCredentials, scope: Option<&str>) -> Result<Granted, TokenError> {
        let client = self.access.client(TENANT, client).await?;
        let request = TokenRequest::ClientCredentials { scope: scope.map(str::to_owned), issuer: ISSUER.to_owned() };
        self.access.token(&client, request).await
    }

    async fn refresh(
        &self,
        client: &ClientCredentials,
        token: &Secret,
        scope: Option<&str>,
    ) -> Result<Granted, TokenError> {
        let client = self.access.client(TENANT, client).await?;
        let (token, scope) = (token.clone(), scope.map(str::to_owned));
        let request = TokenRequest::Refresh { token, scope, issuer: ISSUER.to_owned() };
        self.access.token(&client, request).await
    }
}

/// What changes of the tenant's credentials show.
fn grant() -> Grant<Write, TenantCredentials> {
    Grant::for_maintenance(TENANT, "test").to_write_credentials()
}

fn lifetimes(access_s: u64, refresh_s: u64) -> Lifetimes {
    Lifetimes::new(Duration::from_secs(access_s), Duration::from_secs(refresh_s)).unwrap()
}

#[test]
fn lifetimes_have_bounds() {
    let new = |access, refresh| Lifetimes::new(Duration::from_secs(access), Duration::from_secs(refresh));
    assert_eq!(new(3_600, 30 * 86_400), Ok(Lifetimes::default()));
    assert_eq!(new(0, 1), Err(super::LifetimeError::Access));
    assert_eq!(new(86_401, 1), Err(super::LifetimeError::Access));
    assert_eq!(new(1, 0), Err(super::LifetimeError::Refresh));
    assert_eq!(new(1, u64::MAX), Err(super::LifetimeError::Refresh));
}
