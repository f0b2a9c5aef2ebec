//! Tenants and their credentials.

use crate::{Grant, Installation, Maintenance, Permissions, TenantSlug};
use domain::Digest;

use super::{at, id, name, uuid};
use crate::credential::SealedKey;
use crate::directory::{Client, Key, Refresh, Tenant};

/// What calls in the tenant of that number show; its `to_read` and `to_write` too.
#[must_use]
pub fn maintaining(tenant: u64) -> Grant<Maintenance> {
    Grant::for_maintenance(id(tenant), "client:me")
}

/// What calls show that concern the whole installation.
#[must_use]
pub fn installation() -> Grant<Maintenance, Installation> {
    Grant::for_maintenance(Installation, "client:me")
}

/// Those permissions.
#[must_use]
pub fn permissions(words: &str) -> Permissions {
    Permissions::parse(words).expect("permissions")
}

/// A tenant.
#[must_use]
pub fn tenant(number: u64, slug: &str) -> Tenant {
    let slug = TenantSlug::parse(slug).expect("a slug");
    Tenant { id: id(number), slug, name: name(&format!("Tenant {number} “Ü”")), created: at(1) }
}

/// A client of the tenant of that number.
#[must_use]
pub fn client(number: u64, tenant: u64) -> Client {
    Client {
        id: id(number),
        tenant: id(tenant),
        name: name(&format!("Client {number}")),
        permissions: permissions("activity:write switch:read admin"),
        secret_hash: Digest::of(&number.to_be_bytes()),
        created: at(2),
        updated: at(3),
        expires: None,
        last_used: None,
    }
}

/// A key of the tenant of that number.
#[must_use]
pub fn key(number: u64, tenant: u64) -> Key {
    Key {
        id: id(number),
        tenant: id(tenant),
        name: name(&format!("Key {number}")),
        permissions: permissions("footprint:read"),
        prefix: "tonne_'\"".into(),
        hash: Digest::of(&number.to_be_bytes()),
        created: at(2),
        updated: at(3),
        expires: Some(at(1_000)),
        last_used: None,
    }
}

/// A signing key made so many seconds after the sample's beginning.
#[must_use]
pub fn signing_key(kid: &str, seconds: i64) -> SealedKey {
    SealedKey {
        kid: kid.into(),
        public: vec![0, 255, 39],
        sealed: vec![1, 0, 254],
        created: at(seconds),
        retired: None,
    }
}

/// An unused refresh token of that family, given to the client of that number of the first tenant.
#[must_use]
pub fn refresh(number: u64, family: u64, client: u64) -> Refresh {
    Refresh {
        hash: refresh_hash(number),
        family: id(family),
        client: id(client),
        tenant: id(1),
        scope: permissions("activity:report activity:read"),
        jti: uuid(number),
        created: at(10),
        expires: at(100),
        used: None,
        revoked: None,
    }
}

/// The hash of the refresh token of that number.
#[must_use]
pub fn refresh_hash(number: u64) -> Digest {
    Digest::of(format!("refresh {number}").as_bytes())
}
