//! Refresh tokens and what is revoked.

use domain::{Canonical, CanonicalWriter, Digest, Timestamp};
use ports::directory::{Refresh, Revocations};
use ports::store::StoreError;
use ports::{FamilyId, Permissions};
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::chain::{Change, collect};
use crate::error::Meaning as _;
use crate::row::{Columns, Damage};

/// What the chain says of an exchange: which tokens changed places.
struct Exchange<'a> {
    from: Digest,
    to: &'a Refresh,
}

impl Canonical for Exchange<'_> {
    fn write(&self, record: &mut CanonicalWriter) {
        record.text("from", self.from);
        record.text("to", self.to.hash);
        record.text("client", self.to.client);
        record.text("jti", self.to.jti);
        record.text("expires", self.to.expires);
    }
}

/// What the chain says of a revocation.
struct Revocation {
    what: Uuid,
    at: Timestamp,
}

impl Canonical for Revocation {
    fn write(&self, record: &mut CanonicalWriter) {
        record.text("revoked", self.what);
        record.text("at", self.at);
    }
}

const COLUMNS: &str = "hash, family, client, tenant, scope, jti, created, expires, used, revoked";

fn read(columns: &mut Columns<'_>) -> Result<Refresh, Damage> {
    Ok(Refresh {
        hash: columns.digest()?,
        family: columns.id()?,
        client: columns.id()?,
        tenant: columns.id()?,
        scope: columns.parse(Permissions::parse)?,
        jti: columns.id()?,
        created: columns.timestamp()?,
        expires: columns.timestamp()?,
        used: columns.timestamp_optional()?,
        revoked: columns.timestamp_optional()?,
    })
}

fn identifier<T: From<Uuid>>(columns: &mut Columns<'_>) -> Result<T, Damage> {
    columns.id()
}

pub(super) fn find(conn: &Connection, hash: Digest) -> Result<Option<Refresh>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM refresh WHERE hash = ?");
    Ok(collect(conn, "refresh", &sql, [hash.as_bytes()], read)?.pop())
}

pub(super) fn add(conn: &Connection, refresh: &Refresh) -> Result<(), StoreError> {
    let Refresh { hash, family, client, tenant, scope, jti, created, expires, used, revoked } = refresh;
    conn.execute(
        &format!("INSERT INTO refresh ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        params![
            hash.as_bytes(),
            family.uuid(),
            client.uuid(),
            tenant.uuid(),
            scope.to_string(),
            jti,
            created.millis(),
            expires.millis(),
            used.map(Timestamp::millis),
            revoked.map(Timestamp::millis)
        ],
    )
    .meant()?;
    Ok(())
}

pub(super) fn exchange(
    conn: &Connection,
    change: &mut Change,
    hash: Digest,
    at: Timestamp,
    next: &Refresh,
) -> Result<bool, StoreError> {
    let marked = conn
        .execute(
            "UPDATE refresh SET used = ? WHERE hash = ? AND used IS NULL AND revoked IS NULL",
            params![at.millis(), hash.as_bytes()],
        )
        .meant()?;
    if marked == 0 {
        return Ok(false);
    }
    change.note("refresh", &next.family, None, Some(&Exchange { from: hash, to: next }));
    add(conn, next)?;
    Ok(true)
}

pub(super) fn revoke_family(
    conn: &Connection,
    change: &mut Change,
    family: FamilyId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let tokens = conn
        .execute(
            "UPDATE refresh SET revoked = ? WHERE family = ? AND revoked IS NULL",
            params![at.millis(), family.uuid()],
        )
        .meant()?;
    let families = conn
        .execute("INSERT OR IGNORE INTO revoked_family (family, at) VALUES (?, ?)", params![family.uuid(), at.millis()])
        .meant()?;
    if tokens + families > 0 {
        change.note("family", &family, None, Some(&Revocation { what: family.uuid(), at }));
    }
    Ok(())
}

pub(super) fn revoke_token(
    conn: &Connection,
    change: &mut Change,
    jti: Uuid,
    expires: Timestamp,
) -> Result<(), StoreError> {
    let tokens = conn
        .execute("INSERT OR IGNORE INTO revoked_token (jti, expires) VALUES (?, ?)", params![jti, expires.millis()])
        .meant()?;
    if tokens > 0 {
        change.note("token", &jti, None, Some(&Revocation { what: jti, at: expires }));
    }
    Ok(())
}

pub(super) fn revocations(conn: &Connection, now: Timestamp) -> Result<Revocations, StoreError> {
    let tokens = "SELECT jti FROM revoked_token WHERE expires > ? ORDER BY jti";
    let families = "SELECT family FROM revoked_family ORDER BY family";
    Ok(Revocations {
        tokens: collect(conn, "revoked_token", tokens, [now.millis()], identifier)?,
        families: collect(conn, "revoked_family", families, [], identifier)?,
    })
}

/// Forgets what has run out: tokens, families without any, and that they were revoked. That changes nothing a cache could hold, so it is no change of the directory.
pub(super) fn sweep(conn: &Connection, now: Timestamp) -> Result<(), StoreError> {
    conn.execute(
        "DELETE FROM refresh WHERE NOT EXISTS \
         (SELECT 1 FROM refresh AS alive WHERE alive.family = refresh.family AND alive.expires > ?)",
        [now.millis()],
    )
    .meant()?;
    conn.execute(
        "DELETE FROM revoked_family WHERE NOT EXISTS \
         (SELECT 1 FROM refresh WHERE refresh.family = revoked_family.family)",
        [],
    )
    .meant()?;
    conn.execute("DELETE FROM revoked_token WHERE expires <= ?", [now.millis()]).meant()?;
    Ok(())
}
