//! Tenants and their credentials.

use crate::{Grant, Installation, Maintenance, Permissions, TenantSlug};
use domain::{Digest, StatementSettings, Timestamp, YearStart};

use super::{at, id, name, uuid};
use crate::credential::{Claims, CredentialError, PasswordHash, SealedKey, Secret, Secrets};
use crate::directory::{AuthenticatedClient, Client, Key, Refresh, Tenant, Versioned};
use crate::people::{AuthenticatedUser, Identity, Link, Locale, Rights, Session, SignInName, SignedInBy, User};

/// What calls in the tenant of that number show; what it turns into too.
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
    Tenant {
        id: id(number),
        slug,
        name: name(&format!("Tenant {number} “Ü”")),
        created: at(1),
        epoch: uuid(number),
        year_start: YearStart::default(),
        statement: StatementSettings::default(),
    }
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
        partner: None,
        last_used: None,
    }
}

/// The client of that number, of the tenant of that number, as one that showed its secret.
#[must_use]
pub fn authenticated(number: u64, tenant: u64) -> AuthenticatedClient {
    let secret = Secret(number.to_string());
    client(number, tenant).authenticate(id(tenant), &secret, &NumberSecrets, at(4)).expect("its secret")
}

/// Takes the number of a client for its secret.
struct NumberSecrets;

impl Secrets for NumberSecrets {
    fn generate(&self, _: &str) -> Result<Secret, CredentialError> {
        Err(CredentialError::Failed("samples make no secrets".to_owned()))
    }

    fn hash(&self, secret: &str) -> Digest {
        Digest::of(&secret.parse::<u64>().unwrap_or_default().to_be_bytes())
    }

    fn matches(&self, secret: &str, hash: &Digest) -> bool {
        self.hash(secret) == *hash
    }
}

/// What the access token of that number says, which was given to the client of that number of the first tenant.
#[must_use]
pub fn claims(number: u64, client: u64, expires: Timestamp) -> Claims {
    Claims {
        issuer: "https://main.example".to_owned(),
        tenant: id(1),
        client: id(client),
        jti: uuid(number),
        family: None,
        scope: permissions("activity:read"),
        issued: at(10),
        expires,
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

/// A user of the tenant of that number, with the password of that number and the role admin.
#[must_use]
pub fn user(number: u64, tenant: u64) -> User {
    User {
        id: id(number),
        tenant: id(tenant),
        name: SignInName::parse(&format!("user{number}@example.org")).expect("a name"),
        display: name(&format!("User {number} “Ü”")),
        rights: Rights::parse("admin").expect("a role"),
        password: Some(password(number).digest()),
        identity: None,
        locale: None,
        created: at(2),
        updated: at(3),
        disabled: None,
        last_seen: None,
    }
}

/// A user with everything that may be left out.
#[must_use]
pub fn filled_user(number: u64, tenant: u64) -> User {
    User {
        rights: Rights::parse("activity:read catalog:read").expect("permissions"),
        identity: Some(Identity::new("https://id.example/a", &format!("{number}|Ü '\"")).expect("an identity")),
        locale: Some(Locale::parse("de-CH").expect("a locale")),
        disabled: Some(at(5)),
        last_seen: Some(at(4)),
        ..user(number, tenant)
    }
}

/// The hash of the password of that number; no password fits it.
#[must_use]
pub fn password(number: u64) -> PasswordHash {
    PasswordHash(format!("$argon2id${number}"))
}

/// A session of that user of the tenant of that number, begun so many seconds after the sample's beginning; its text is its
/// number.
#[must_use]
pub fn session(number: u64, of: &User, seconds: i64) -> Session {
    Session {
        id: id(number),
        hash: Digest::of(&number.to_be_bytes()),
        user: of.id,
        tenant: of.tenant,
        by: SignedInBy::Password,
        created: at(seconds),
        last_seen: at(seconds),
        expires: at(seconds + 7 * 24 * 60 * 60),
        agent: "Browser “1”".to_owned(),
    }
}

/// A link for that user, good for a quarter of an hour from so many seconds after the sample's beginning; its text is its
/// number.
#[must_use]
pub fn link(number: u64, of: &User, seconds: i64) -> Link {
    Link {
        hash: Digest::of(&number.to_be_bytes()),
        user: of.id,
        tenant: of.tenant,
        created: at(seconds),
        expires: at(seconds + 15 * 60),
        used: None,
    }
}

/// The user as it was found, as one that showed a session.
#[must_use]
pub fn signed_in(user: Versioned<User>) -> AuthenticatedUser {
    let (tenant, one) = (user.value.tenant, session(1, &user.value, 10));
    user.with_session(tenant, &one, &Secret("1".to_owned()), &NumberSecrets, at(11)).expect("its session")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_secret_in_its_tenant_before_it_runs_out_authenticates_a_client() {
        let mortal = Client { expires: Some(at(9)), ..client(1, 1) };
        let authenticate = |tenant, secret: &str, now| {
            let secret = Secret(secret.to_owned());
            mortal.clone().authenticate(id(tenant), &secret, &NumberSecrets, at(now)).is_some()
        };
        assert!(authenticate(1, "1", 8));
        assert!(!authenticate(1, "2", 8), "another secret");
        assert!(!authenticate(2, "1", 8), "another tenant");
        assert!(!authenticate(1, "1", 9), "run out");
    }
}
