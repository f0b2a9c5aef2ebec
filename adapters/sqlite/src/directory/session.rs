//! Sessions of users, and links that sign in once.

use domain::{Digest, Timestamp};
use ports::directory::{DirectoryDraft, Event, Versioned};
use ports::people::{Link, Session, SignedInBy, User};
use ports::store::StoreError;
use ports::{SessionId, TenantId, UserId};
use rusqlite::{Connection, params};

use super::credential;
use crate::error::StoreErr as _;
use crate::row::{Columns, Damage, collect};

const SESSION: &str = "id, hash, user_id, tenant, signed_in_by, created, last_seen, expires, agent";
const LINK: &str = "hash, user_id, tenant, created, expires, used";

fn read(columns: &mut Columns<'_>) -> Result<Session, Damage> {
    Ok(Session {
        id: columns.id()?,
        hash: columns.digest()?,
        user: columns.id()?,
        tenant: columns.id()?,
        by: columns.parse(|word| SignedInBy::parse(word).ok_or("is no way to sign in"))?,
        created: columns.timestamp()?,
        last_seen: columns.timestamp()?,
        expires: columns.timestamp()?,
        agent: columns.take()?,
    })
}

fn read_link(columns: &mut Columns<'_>) -> Result<Link, Damage> {
    Ok(Link {
        hash: columns.digest()?,
        user: columns.id()?,
        tenant: columns.id()?,
        created: columns.timestamp()?,
        expires: columns.timestamp()?,
        used: columns.timestamp_optional()?,
    })
}

fn user(conn: &Connection, id: UserId) -> Result<Option<Versioned<User>>, StoreError> {
    Ok(credential::query(conn, "WHERE id = ?", [id.uuid()])?.pop())
}

/// The session of that hash with its user.
pub(super) fn find(conn: &Connection, hash: Digest) -> Result<Option<(Session, Versioned<User>)>, StoreError> {
    let sql = format!("SELECT {SESSION} FROM session WHERE hash = ?");
    let Some(session) = collect(conn, &sql, [hash.as_bytes()], "session", read)?.pop() else { return Ok(None) };
    Ok(user(conn, session.user)?.map(|user| (session, user)))
}

/// The link of that hash with its user.
pub(super) fn find_link(conn: &Connection, hash: Digest) -> Result<Option<(Link, Versioned<User>)>, StoreError> {
    let sql = format!("SELECT {LINK} FROM once_link WHERE hash = ?");
    let Some(link) = collect(conn, &sql, [hash.as_bytes()], "once_link", read_link)?.pop() else { return Ok(None) };
    Ok(user(conn, link.user)?.map(|user| (link, user)))
}

/// A user's sessions, the newest first.
pub(super) fn list(conn: &Connection, tenant: TenantId, user: UserId) -> Result<Vec<Session>, StoreError> {
    let sql = format!("SELECT {SESSION} FROM session WHERE user_id = ? AND tenant = ? ORDER BY created DESC, id DESC");
    collect(conn, &sql, params![user.uuid(), tenant.uuid()], "session", read)
}

/// Begins a session, and ends that of the hash `earlier` and the oldest of its user's where there are too many.
pub(super) fn begin(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    session: &Session,
    earlier: Option<Digest>,
) -> Result<(), StoreError> {
    let sql = format!("SELECT {SESSION} FROM session WHERE hash = ? AND tenant = ?");
    if let Some(hash) = earlier
        && let Some(earlier) =
            collect(conn, &sql, params![hash.as_bytes(), session.tenant.uuid()], "session", read)?.pop()
    {
        end(conn, draft, (earlier.tenant, None), earlier.id, session.created)?;
    }
    for old in list(conn, session.tenant, session.user)?.into_iter().skip(Session::MOST - 1) {
        draft.happened(&Event::SessionEnded { session: old.id, user: old.user, at: session.created });
        conn.execute("DELETE FROM session WHERE id = ?", [old.id.uuid()]).store_err()?;
    }
    let Session { id, hash, user, tenant, by, created, last_seen, expires, agent } = session;
    conn.execute(
        &format!("INSERT INTO session ({SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        params![
            id.uuid(),
            hash.as_bytes(),
            user.uuid(),
            tenant.uuid(),
            by.as_str(),
            created.millis(),
            last_seen.millis(),
            expires.millis(),
            agent
        ],
    )
    .map(drop)
    .store_err()
}

/// Marks a link as used and begins the session. False where it is not good or another's.
pub(super) fn redeem(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    (hash, at): (Digest, Timestamp),
    session: &Session,
    earlier: Option<Digest>,
) -> Result<bool, StoreError> {
    let marked = conn
        .execute(
            "UPDATE once_link SET used = ?1 WHERE hash = ?2 AND user_id = ?3 AND used IS NULL AND expires > ?1",
            params![at.millis(), hash.as_bytes(), session.user.uuid()],
        )
        .store_err()?;
    if marked == 0 {
        return Ok(false);
    }
    draft.happened(&Event::LinkUsed { link: hash, session: session.id, user: session.user, at });
    begin(conn, draft, session, earlier)?;
    Ok(true)
}

/// Ends a session of the tenant, and of that user where one is named. Whether it was there.
pub(super) fn end(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    (tenant, of): (TenantId, Option<UserId>),
    id: SessionId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let sql = format!("SELECT {SESSION} FROM session WHERE id = ? AND tenant = ?");
    let there = collect(conn, &sql, params![id.uuid(), tenant.uuid()], "session", read)?.pop();
    let Some(there) = there.filter(|there| of.is_none_or(|of| of == there.user)) else { return Ok(false) };
    draft.happened(&Event::SessionEnded { session: id, user: there.user, at });
    conn.execute("DELETE FROM session WHERE id = ?", [id.uuid()]).store_err()?;
    Ok(true)
}

/// Ends all sessions of a user, and forgets its links.
pub(super) fn sign_out(conn: &Connection, user: UserId) -> Result<(), StoreError> {
    conn.execute("DELETE FROM session WHERE user_id = ?", [user.uuid()]).store_err()?;
    conn.execute("DELETE FROM once_link WHERE user_id = ?", [user.uuid()]).store_err()?;
    Ok(())
}

/// Ends all sessions, and forgets all links.
pub(super) fn remove_all(conn: &Connection) -> Result<(), StoreError> {
    conn.execute_batch("DELETE FROM session; DELETE FROM once_link").store_err()
}

/// Keeps a link in place of its user's earlier ones.
pub(super) fn add_link(conn: &Connection, link: &Link) -> Result<(), StoreError> {
    conn.execute("DELETE FROM once_link WHERE user_id = ?", [link.user.uuid()]).store_err()?;
    let Link { hash, user, tenant, created, expires, used } = link;
    conn.execute(
        &format!("INSERT INTO once_link ({LINK}) VALUES (?, ?, ?, ?, ?, ?)"),
        params![
            hash.as_bytes(),
            user.uuid(),
            tenant.uuid(),
            created.millis(),
            expires.millis(),
            used.map(Timestamp::millis)
        ],
    )
    .map(drop)
    .store_err()
}

/// Notes when sessions and their users were seen.
pub(super) fn touch(conn: &Connection, seen: &[(SessionId, Timestamp)]) -> Result<(), StoreError> {
    for (id, at) in seen {
        let params = params![id.uuid(), at.millis()];
        conn.execute("UPDATE session SET last_seen = max(last_seen, ?2) WHERE id = ?1", params).store_err()?;
        let user = "UPDATE user SET last_used = max(ifnull(last_used, ?2), ?2) \
                    WHERE id = (SELECT user_id FROM session WHERE id = ?1)";
        conn.execute(user, params).store_err()?;
    }
    Ok(())
}

/// Forgets what had run out at that moment, and gives how many that were.
pub(super) fn forget(conn: &Connection, past: Timestamp) -> Result<u64, StoreError> {
    let sessions = "DELETE FROM session WHERE expires <= ?1 OR last_seen <= ?1 - ?2";
    let sessions = conn.execute(sessions, params![past.millis(), Session::IDLE_MS]).store_err()?;
    let links = conn.execute("DELETE FROM once_link WHERE expires <= ?", [past.millis()]).store_err()?;
    Ok((sessions + links) as u64)
}
