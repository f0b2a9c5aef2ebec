//! Refresh tokens and what is revoked.

use domain::{Digest, Timestamp};
use ports::directory::{DirectoryDraft, Event, MOST_REFRESHES, Refresh, Revocations};
use ports::store::StoreError;
use ports::{ClientId, FamilyId, Permissions};
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::row::{Columns, Damage, collect};

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
    Ok(collect(conn, &sql, [hash.as_bytes()], "refresh", read)?.pop())
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
    .store_err()?;
    Ok(())
}

/// Forgets the families of the client's oldest live tokens, where with this one there are too many.
pub(super) fn forget_oldest(conn: &Connection, newest: &Refresh) -> Result<(), StoreError> {
    conn.execute(
        "DELETE FROM refresh WHERE family IN \
         (SELECT family FROM refresh WHERE client = ? AND hash <> ? AND used IS NULL AND revoked IS NULL \
         ORDER BY created DESC, hash LIMIT -1 OFFSET ?)",
        params![newest.client.uuid(), newest.hash.as_bytes(), MOST_REFRESHES - 1],
    )
    .store_err()?;
    Ok(())
}

pub(super) fn exchange(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    hash: Digest,
    at: Timestamp,
    next: &Refresh,
) -> Result<bool, StoreError> {
    let marked = conn
        .execute(
            "UPDATE refresh SET used = ? WHERE hash = ? AND client = ? AND used IS NULL AND revoked IS NULL",
            params![at.millis(), hash.as_bytes(), next.client.uuid()],
        )
        .store_err()?;
    if marked == 0 {
        return Ok(false);
    }
    draft.happened(&Event::Exchanged { from: hash, to: next });
    add(conn, next)?;
    Ok(true)
}

pub(super) fn revoke_family(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    client: ClientId,
    family: FamilyId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let families = conn
        .execute(
            "INSERT OR IGNORE INTO revoked_family (family, at) \
             SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM refresh WHERE family = ?1 AND client = ?3)",
            params![family.uuid(), at.millis(), client.uuid()],
        )
        .store_err()?;
    if families == 0 {
        return Ok(());
    }
    conn.execute(
        "UPDATE refresh SET revoked = ? WHERE family = ? AND revoked IS NULL",
        params![at.millis(), family.uuid()],
    )
    .store_err()?;
    draft.happened(&Event::FamilyRevoked { family, at });
    Ok(())
}

pub(super) fn revoke_token(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    jti: Uuid,
    expires: Timestamp,
) -> Result<(), StoreError> {
    let tokens = conn
        .execute("INSERT OR IGNORE INTO revoked_token (jti, expires) VALUES (?, ?)", params![jti, expires.millis()])
        .store_err()?;
    if tokens > 0 {
        draft.happened(&Event::TokenRevoked { jti, expires });
    }
    Ok(())
}

/// Removes all tokens, and what was revoked.
pub(super) fn remove_all(conn: &Connection) -> Result<(), StoreError> {
    conn.execute_batch("DELETE FROM refresh; DELETE FROM revoked_family; DELETE FROM revoked_token").store_err()
}

/// Removes the tokens of a client.
pub(super) fn remove_of(conn: &Connection, client: ClientId) -> Result<(), StoreError> {
    conn.execute("DELETE FROM refresh WHERE client = ?", [client.uuid()]).store_err()?;
    Ok(())
}

pub(super) fn revocations(conn: &Connection) -> Result<Revocations, StoreError> {
    let tokens = "SELECT jti FROM revoked_token ORDER BY jti";
    let families = "SELECT family FROM revoked_family ORDER BY family";
    Ok(Revocations {
        tokens: collect(conn, tokens, [], "revoked_token", identifier)?,
        families: collect(conn, families, [], "revoked_family", identifier)?,
    })
}
