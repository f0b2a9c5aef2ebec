//! Sessions of users, and links that sign in once.

use domain::{Digest, Timestamp};
use ports::directory::{Event, Versioned};
use ports::people::{Link, Session, SignedInBy, User};
use ports::store::StoreError;
use ports::{SessionId, TenantId, UserId};
use sea_orm::{
    ColumnTrait as _, DbBackend, EntityTrait as _, IntoActiveModel as _, QueryFilter as _, QueryOrder as _,
    QueryTrait as _, Select,
};

use super::chain::DirectoryWrite;
use super::entity::{once_link, session};
use super::{entry, user};
use crate::conn::{Conn, sql};
use crate::row::{self, Damage};

fn read(row: &session::Model) -> Result<Session, Damage> {
    Ok(Session {
        id: SessionId::new(row.id),
        hash: row::digest("hash", &row.hash)?,
        user: UserId::new(row.user_id),
        tenant: TenantId::new(row.tenant),
        by: row::parse("signed_in_by", &row.signed_in_by, |word| {
            SignedInBy::parse(word).ok_or("is no way to sign in")
        })?,
        created: row::timestamp("created", row.created)?,
        last_seen: row::timestamp("last_seen", row.last_seen)?,
        expires: row::timestamp("expires", row.expires)?,
        agent: row.agent.clone(),
    })
}

fn read_link(row: &once_link::Model) -> Result<Link, Damage> {
    Ok(Link {
        hash: row::digest("hash", &row.hash)?,
        user: UserId::new(row.user_id),
        tenant: TenantId::new(row.tenant),
        created: row::timestamp("created", row.created)?,
        expires: row::timestamp("expires", row.expires)?,
        used: entry::timestamp_or_null("used", row.used)?,
    })
}

async fn all(conn: &mut Conn, select: Select<session::Entity>) -> Result<Vec<Session>, StoreError> {
    let rows: Vec<session::Model> = conn.all(select.build(DbBackend::Postgres)).await?;
    let read = |row: &session::Model| {
        read(row).map_err(|Damage(detail)| StoreError::Corrupt { subject: format!("session {}", row.id), detail })
    };
    rows.iter().map(read).collect()
}

/// The session of that hash with its user.
pub(super) async fn find(conn: &mut Conn, hash: Digest) -> Result<Option<(Session, Versioned<User>)>, StoreError> {
    let of_hash = session::Entity::find().filter(session::Column::Hash.eq(entry::bytes(hash)));
    let Some(session) = all(conn, of_hash).await?.pop() else { return Ok(None) };
    Ok(user::find_by_id(conn, session.user).await?.map(|user| (session, user)))
}

/// The link of that hash with its user.
pub(super) async fn find_link(conn: &mut Conn, hash: Digest) -> Result<Option<(Link, Versioned<User>)>, StoreError> {
    let select = once_link::Entity::find_by_id(entry::bytes(hash));
    let row: Option<once_link::Model> = conn.one(select.build(DbBackend::Postgres)).await?;
    let damaged = |Damage(detail)| StoreError::Corrupt { subject: format!("link {hash}"), detail };
    let Some(link) = row.as_ref().map(read_link).transpose().map_err(damaged)? else { return Ok(None) };
    Ok(user::find_by_id(conn, link.user).await?.map(|user| (link, user)))
}

/// A user's sessions, the newest first.
pub(super) async fn list(conn: &mut Conn, tenant: TenantId, user: UserId) -> Result<Vec<Session>, StoreError> {
    let own = session::Entity::find().filter(session::Column::UserId.eq(user.uuid()));
    let own = own.filter(session::Column::Tenant.eq(tenant.uuid()));
    all(conn, own.order_by_desc(session::Column::Created).order_by_desc(session::Column::Id)).await
}

/// Begins a session, and ends that of the hash `earlier` and the oldest of its user's where there are too many.
pub(super) async fn begin(
    write: &mut DirectoryWrite,
    session: &Session,
    earlier: Option<Digest>,
) -> Result<(), StoreError> {
    if let Some(hash) = earlier {
        let of_hash = session::Entity::find().filter(session::Column::Hash.eq(entry::bytes(hash)));
        let of_hash = of_hash.filter(session::Column::Tenant.eq(session.tenant.uuid()));
        if let Some(earlier) = all(&mut write.conn, of_hash).await?.pop() {
            end(write, (earlier.tenant, None), earlier.id, session.created).await?;
        }
    }
    for old in list(&mut write.conn, session.tenant, session.user).await?.into_iter().skip(Session::MOST - 1) {
        write.draft.happened(&Event::SessionEnded { session: old.id, user: old.user, at: session.created });
        let text = "DELETE FROM tonne_directory.session WHERE id = $1";
        write.conn.execute(sql(text, [old.id.uuid().into()])).await?;
    }
    let Session { id, hash, user, tenant, by, created, last_seen, expires, agent } = session;
    let row = session::Model {
        id: id.uuid(),
        hash: entry::bytes(*hash),
        user_id: user.uuid(),
        tenant: tenant.uuid(),
        signed_in_by: by.as_str().to_owned(),
        created: created.instant(),
        last_seen: last_seen.instant(),
        expires: expires.instant(),
        agent: agent.clone(),
    };
    let insert = session::Entity::insert(row.into_active_model());
    write.conn.execute(insert.build(DbBackend::Postgres)).await.map(drop)
}

/// Marks a link as used and begins the session. False where it is not good or another's.
pub(super) async fn redeem(
    write: &mut DirectoryWrite,
    (hash, at): (Digest, Timestamp),
    session: &Session,
    earlier: Option<Digest>,
) -> Result<bool, StoreError> {
    let text = "UPDATE tonne_directory.once_link SET used = $1 \
                WHERE hash = $2 AND user_id = $3 AND used IS NULL AND expires > $1";
    let values = [row::at(at), row::bytes(hash), session.user.uuid().into()];
    if write.conn.execute(sql(text, values)).await? == 0 {
        return Ok(false);
    }
    write.draft.happened(&Event::LinkUsed { link: hash, session: session.id, user: session.user, at });
    begin(write, session, earlier).await?;
    Ok(true)
}

/// Ends a session of the tenant, and of that user where one is named. Whether it was there.
pub(super) async fn end(
    write: &mut DirectoryWrite,
    (tenant, of): (TenantId, Option<UserId>),
    id: SessionId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let meant = session::Entity::find_by_id(id.uuid()).filter(session::Column::Tenant.eq(tenant.uuid()));
    let there = all(&mut write.conn, meant).await?.pop().filter(|there| of.is_none_or(|of| of == there.user));
    let Some(there) = there else { return Ok(false) };
    write.draft.happened(&Event::SessionEnded { session: id, user: there.user, at });
    write.conn.execute(session::Entity::delete_by_id(id.uuid()).build(DbBackend::Postgres)).await?;
    Ok(true)
}

/// Ends all sessions of a user, and forgets its links.
pub(super) async fn sign_out(write: &mut DirectoryWrite, user: UserId) -> Result<(), StoreError> {
    let sessions = session::Entity::delete_many().filter(session::Column::UserId.eq(user.uuid()));
    let links = once_link::Entity::delete_many().filter(once_link::Column::UserId.eq(user.uuid()));
    write.conn.execute(sessions.build(DbBackend::Postgres)).await?;
    write.conn.execute(links.build(DbBackend::Postgres)).await.map(drop)
}

/// Ends all sessions of a tenant, and forgets its links.
pub(super) async fn remove_of(write: &mut DirectoryWrite, tenant: TenantId) -> Result<(), StoreError> {
    let sessions = session::Entity::delete_many().filter(session::Column::Tenant.eq(tenant.uuid()));
    let links = once_link::Entity::delete_many().filter(once_link::Column::Tenant.eq(tenant.uuid()));
    write.conn.execute(sessions.build(DbBackend::Postgres)).await?;
    write.conn.execute(links.build(DbBackend::Postgres)).await.map(drop)
}

/// Ends all sessions, and forgets all links.
pub(super) async fn remove_all(write: &mut DirectoryWrite) -> Result<(), StoreError> {
    write.conn.execute(session::Entity::delete_many().build(DbBackend::Postgres)).await?;
    write.conn.execute(once_link::Entity::delete_many().build(DbBackend::Postgres)).await.map(drop)
}

/// Keeps a link in place of its user's earlier ones.
pub(super) async fn add_link(write: &mut DirectoryWrite, link: &Link) -> Result<(), StoreError> {
    let earlier = once_link::Entity::delete_many().filter(once_link::Column::UserId.eq(link.user.uuid()));
    write.conn.execute(earlier.build(DbBackend::Postgres)).await?;
    let Link { hash, user, tenant, created, expires, used } = link;
    let row = once_link::Model {
        hash: entry::bytes(*hash),
        user_id: user.uuid(),
        tenant: tenant.uuid(),
        created: created.instant(),
        expires: expires.instant(),
        used: used.map(Timestamp::instant),
    };
    let insert = once_link::Entity::insert(row.into_active_model());
    write.conn.execute(insert.build(DbBackend::Postgres)).await.map(drop)
}

/// Notes when sessions and their users were seen.
pub(super) async fn touch(write: &mut DirectoryWrite, seen: &[(SessionId, Timestamp)]) -> Result<(), StoreError> {
    let (ids, times): (Vec<_>, Vec<_>) = seen.iter().map(|(id, at)| (id.uuid(), at.instant())).unzip();
    let seen = "(SELECT id, max(at) AS at FROM unnest($1::uuid[], $2::timestamptz[]) AS each (id, at) GROUP BY id)";
    let sessions = format!(
        "UPDATE tonne_directory.session SET last_seen = greatest(last_seen, seen.at) FROM {seen} AS seen \
         WHERE session.id = seen.id"
    );
    let users = format!(
        "UPDATE tonne_directory.user AS who SET last_used = greatest(last_used, seen.at) \
         FROM (SELECT user_id, max(at) AS at FROM {seen} AS each JOIN tonne_directory.session USING (id) \
         GROUP BY user_id) AS seen WHERE who.id = seen.user_id"
    );
    for text in [sessions, users] {
        write.conn.execute(sql(&text, [ids.clone().into(), times.clone().into()])).await?;
    }
    Ok(())
}

/// Forgets what had run out at that moment, and gives how many that were.
pub(super) async fn forget(write: &mut DirectoryWrite, past: Timestamp) -> Result<u64, StoreError> {
    let idle = Timestamp::from_millis(past.millis().saturating_sub(Session::IDLE_MS)).unwrap_or(past);
    let sessions = "DELETE FROM tonne_directory.session WHERE expires <= $1 OR last_seen <= $2";
    let sessions = write.conn.execute(sql(sessions, [row::at(past), row::at(idle)])).await?;
    let links = "DELETE FROM tonne_directory.once_link WHERE expires <= $1";
    Ok(sessions + write.conn.execute(sql(links, [row::at(past)])).await?)
}
