//! Stand-ins of the areas: a few known answers, and everything else is not found.

mod activities;
mod catalog;
mod exchange;
mod footprints;
mod models;
mod partners;
mod periods;
mod rest;
mod switches;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use async_trait::async_trait;
use domain::{Digest, Name, Timestamp};
use ports::credential::{CredentialError, Secret, Secrets};
use ports::directory::{AuthenticatedClient, Client};
use ports::inbound::{
    Access, AccessError, ClientCredentials, ClientView, Granted, NewClient, PublicKey, TokenError, TokenRequest,
};
use ports::{Caller, ClientId, Denied, Permission, Permissions, TenantId, TenantSlug, Version};
use tonne_http::{Areas, Limits, Service, Settings, Tenancy};

pub(crate) use activities::{ACTIVITY, Activities};
pub(crate) use catalog::{KEY, key};
pub(crate) use footprints::Footprints;
pub(crate) use rest::{Rest, SWITCH};

/// The secret of every client.
pub(crate) const SECRET: &str = "s:e%c";

/// A service over stand-ins.
pub(crate) fn service(activities: Activities, limits: Limits) -> Service {
    Service::new(areas(activities), settings(limits))
}

/// Stand-ins of every area.
pub(crate) fn areas(activities: Activities) -> Areas {
    let rest = Arc::new(Rest);
    Areas {
        access: Arc::new(Doorkeeper),
        activities: Arc::new(activities),
        breakdowns: rest.clone(),
        catalog: rest.clone(),
        credentials: rest.clone(),
        explanations: rest.clone(),
        footprints: Arc::new(Footprints { count: 3, ..Footprints::default() }),
        health: rest.clone(),
        histories: rest.clone(),
        imports: rest.clone(),
        models: rest.clone(),
        completeness: rest.clone(),
        exclusions: rest.clone(),
        partners: rest.clone(),
        exchange: rest.clone(),
        periods: rest.clone(),
        published: rest.clone(),
        statements: rest.clone(),
        switches: rest.clone(),
        tenants: rest,
    }
}

/// The service of a tenant with a public address.
pub(crate) fn settings(limits: Limits) -> Settings {
    Settings {
        tenancy: Tenancy::Single(TenantSlug::parse("main").unwrap()),
        public_url: Some("https://carbon.example.com/".to_owned()),
        allowed_hosts: Vec::new(),
        trusted_proxies: Vec::new(),
        cors_origins: Vec::new(),
        limits,
        spool_dir: std::env::temp_dir(),
        version: "1.2.3".to_owned(),
        metrics_of_tenants: false,
        continue_trace: None,
    }
}

/// Lets in whoever names permissions as their token, such as `Bearer activity:read`.
#[derive(Clone, Copy)]
pub(crate) struct Doorkeeper;

#[async_trait]
impl Access for Doorkeeper {
    async fn authenticate(&self, tenant: TenantId, bearer: &str) -> Result<Caller, AccessError> {
        match bearer {
            "expired" => Err(AccessError::Expired),
            #[expect(clippy::panic, reason = "a test asks what becomes of it")]
            "panic" => panic!("at /var/lib/keys"),
            "busy" => Err(AccessError::Busy("/var/lib/keys is locked".into())),
            "broken" => Err(AccessError::Failed("select * from /var/lib/keys".into())),
            words => match Permissions::parse(words) {
                Ok(permissions) => Ok(Caller { tenant, actor: "key:test".to_owned(), permissions, partner: None }),
                Err(_) => Err(AccessError::Invalid),
            },
        }
    }

    fn check(&self, caller: &Caller, permission: Permission) -> Result<(), Denied> {
        caller.check(permission)
    }

    async fn client(&self, tenant: TenantId, given: &ClientCredentials) -> Result<AuthenticatedClient, TokenError> {
        match given.id.as_str() {
            "locked" => Err(TokenError::TooMany { retry_after_s: 17 }),
            "adrift" => Ok(client(tenant, ADRIFT)),
            "us:er" if given.secret.0 == SECRET => Ok(client(tenant, "us:er")),
            _ => Err(TokenError::InvalidClient),
        }
    }

    async fn token(&self, client: &AuthenticatedClient, request: TokenRequest) -> Result<Granted, TokenError> {
        let (scope, issuer) = match request {
            TokenRequest::ClientCredentials { scope, issuer } => (scope, issuer),
            TokenRequest::Refresh { token, scope, issuer } if token.0 == "live" => (scope, issuer),
            TokenRequest::Refresh { token, .. } if token.0 == "reused" => return Err(TokenError::Reused),
            TokenRequest::Refresh { .. } => return Err(TokenError::InvalidGrant),
        };
        check_commit(client)?;
        let scope = Permissions::parse(scope.as_deref().unwrap_or("activity:read"));
        Ok(Granted {
            access: Secret(format!("access of {issuer}")),
            refresh: Secret("refresh".to_owned()),
            scope: scope.map_err(|_| TokenError::InvalidScope)?,
            expires_in_s: 3600,
        })
    }

    async fn revoke(&self, client: &AuthenticatedClient, _: &Secret) -> Result<(), TokenError> {
        check_commit(client)
    }

    async fn public_keys(&self) -> Result<Vec<PublicKey>, AccessError> {
        Ok(vec![PublicKey { kid: "k1".to_owned(), bytes: vec![255; 32] }])
    }
}

/// The client whose commits nobody answers.
const ADRIFT: &str = "adrift";

fn check_commit(client: &AuthenticatedClient) -> Result<(), TokenError> {
    let is_lost = client.client().name.as_str() == ADRIFT;
    if is_lost { Err(TokenError::Unknown("the connection was cut".into())) } else { Ok(()) }
}

/// The client that exists, with its secret in the clear.
pub(crate) fn new_client() -> NewClient {
    let client = client(TenantId::new(uuid::Uuid::nil()), "us:er").client().clone();
    NewClient { view: ClientView { client, version: Version(7) }, secret: Secret(SECRET.to_owned()) }
}

/// A client of that name, which showed its secret.
fn client(tenant: TenantId, name: &str) -> AuthenticatedClient {
    let now = Timestamp::parse("2025-02-03T04:05:06.789Z").unwrap();
    let client = Client {
        id: ClientId::new(uuid::Uuid::from_u128(7)),
        tenant,
        name: Name::parse(name).unwrap(),
        permissions: Permissions::parse("activity:read").unwrap(),
        secret_hash: Digest::ZERO,
        created: now,
        updated: now,
        expires: None,
        partner: None,
        last_used: None,
    };
    client.authenticate(tenant, &Secret(SECRET.to_owned()), &AnySecret, now).unwrap()
}

/// Takes any secret for the right one.
struct AnySecret;

impl Secrets for AnySecret {
    fn generate(&self, _: &str) -> Result<Secret, CredentialError> {
        Err(CredentialError::Invalid)
    }

    fn hash(&self, _: &str) -> Digest {
        Digest::ZERO
    }

    fn matches(&self, _: &str, _: &Digest) -> bool {
        true
    }
}

/// How many reports hold their rows at the moment.
pub(crate) type Held = Arc<AtomicUsize>;
