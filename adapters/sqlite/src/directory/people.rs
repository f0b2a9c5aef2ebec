//! People: users with their passwords, sessions and once-links.

use async_trait::async_trait;
use domain::{Digest, Timestamp};
use ports::credential::PasswordHash;
use ports::directory::{DirectoryDraft, Versioned};
use ports::people::{AuthenticatedUser, Identity, Link, People, Session, SignInName, User, check_users};
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError};
use ports::{Grant, Installation, Maintenance, Read, SessionId, TenantCredentials, TenantId, UserId, Version, Write};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{SYSTEM, SqliteDirectory, credential, session};
use crate::error::StoreErr as _;

#[async_trait]
impl People for SqliteDirectory {
    async fn has_users(&self, tenant: TenantId) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM user WHERE tenant = ?)";
        self.read(|conn| conn.query_row(sql, [tenant.uuid()], |row| row.get(0)).store_err()).await
    }

    async fn find_user_by_name(
        &self,
        tenant: TenantId,
        name: &SignInName,
    ) -> Result<Option<Versioned<User>>, StoreError> {
        let by_name = "WHERE tenant = ? AND name = ?";
        self.read(|conn| Ok(credential::query(conn, by_name, params![tenant.uuid(), name.as_str()])?.pop())).await
    }

    async fn find_user_by_identity(
        &self,
        tenant: TenantId,
        identity: &Identity,
    ) -> Result<Option<Versioned<User>>, StoreError> {
        let by_identity = "WHERE tenant = ? AND issuer = ? AND subject = ?";
        self.read(|conn| {
            let params = params![tenant.uuid(), identity.issuer(), identity.subject()];
            Ok(credential::query(conn, by_identity, params)?.pop())
        })
        .await
    }

    async fn find_password(&self, id: UserId) -> Result<Option<PasswordHash>, StoreError> {
        let sql = "SELECT hash FROM user_password WHERE user_id = ?";
        let hash = self.read(|conn| conn.query_row(sql, [id.uuid()], |row| row.get(0)).optional().store_err()).await?;
        Ok(hash.map(PasswordHash))
    }

    async fn find_session(&self, hash: Digest) -> Result<Option<(Session, Versioned<User>)>, StoreError> {
        self.read(|conn| session::find(conn, hash)).await
    }

    async fn find_link(&self, hash: Digest) -> Result<Option<(Link, Versioned<User>)>, StoreError> {
        self.read(|conn| session::find_link(conn, hash)).await
    }

    async fn begin_session(
        &self,
        user: &AuthenticatedUser,
        session: Session,
        earlier: Option<Digest>,
    ) -> Result<(), StoreError> {
        user.check_session(&session)?;
        let seen = user.version();
        self.write(&user.user().actor(), "begin session", move |conn, draft| {
            find_as_seen(conn, (session.tenant, session.user), seen)?;
            session::begin(conn, draft, &session, earlier)
        })
        .await
    }

    async fn redeem_link(
        &self,
        user: &AuthenticatedUser,
        hash: Digest,
        at: Timestamp,
        session: Session,
        earlier: Option<Digest>,
    ) -> Result<bool, StoreError> {
        user.check_session(&session)?;
        self.write(&user.user().actor(), "use link", move |conn, draft| {
            session::redeem(conn, draft, (hash, at), &session, earlier)
        })
        .await
    }

    async fn list_own_sessions(&self, user: &AuthenticatedUser) -> Result<Vec<Session>, StoreError> {
        self.read(|conn| session::list(conn, user.user().tenant, user.user().id)).await
    }

    async fn end_own_session(
        &self,
        user: &AuthenticatedUser,
        id: SessionId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let of = (user.user().tenant, Some(user.user().id));
        self.write(&user.user().actor(), "end session", move |conn, draft| session::end(conn, draft, of, id, at)).await
    }

    async fn update_own(
        &self,
        user: &AuthenticatedUser,
        changed: User,
        password: Option<PasswordHash>,
        renewed: Option<Session>,
    ) -> Result<Version, StoreError> {
        user.check_own(&changed, password.as_ref(), renewed.as_ref())?;
        let seen = user.version();
        self.write(&user.user().actor(), "update user", move |conn, draft| {
            let id = changed.id;
            let version = replace(conn, draft, changed, seen)?;
            keep_password(conn, id, password.as_ref())?;
            renewed.iter().try_for_each(|session| session::begin(conn, draft, session, None))?;
            Ok(version)
        })
        .await
    }

    async fn find_user(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: UserId,
    ) -> Result<Option<Versioned<User>>, StoreError> {
        self.read(|conn| credential::find(conn, grant.tenant(), id)).await
    }

    async fn list_users(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<User>>, StoreError> {
        self.read(|conn| credential::list(conn, grant.tenant(), page)).await
    }

    async fn add_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        user: User,
        password: Option<PasswordHash>,
    ) -> Result<Version, StoreError> {
        user.check_tenant(grant)?;
        user.check_password(password.as_ref())?;
        self.write(grant.actor(), "add user", move |conn, draft| {
            check_users(&others(conn, &user)?, None, Some(&user))?;
            let id = user.id;
            let version = credential::add(conn, draft, user)?;
            keep_password(conn, id, password.as_ref())?;
            Ok(version)
        })
        .await
    }

    async fn update_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        user: User,
        seen: Version,
    ) -> Result<Version, StoreError> {
        user.check_tenant(grant)?;
        self.write(grant.actor(), "update user", move |conn, draft| {
            let before = find_as_seen(conn, (user.tenant, user.id), seen)?;
            if user.password.is_some() && user.password != before.value.password {
                return Err(StoreError::Stale);
            }
            replace(conn, draft, user, seen)
        })
        .await
    }

    async fn remove_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: UserId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        let granted = grant.clone();
        self.write(grant.actor(), "remove user", move |conn, draft| {
            let Some(before) = credential::find::<User>(conn, granted.tenant(), id)? else { return Ok(false) };
            if seen.is_some_and(|seen| seen != before.version) {
                return Err(StoreError::Stale);
            }
            check_users(&others(conn, &before.value)?, Some(&before.value), None)?;
            remove(conn, draft, &granted, id)
        })
        .await
    }

    async fn take_back_user(&self, grant: &Grant<Maintenance>, id: UserId) -> Result<bool, StoreError> {
        let granted = grant.to_write_credentials();
        self.write(grant.actor(), "remove user", move |conn, draft| remove(conn, draft, &granted, id)).await
    }

    async fn add_link(&self, grant: &Grant<Write, TenantCredentials>, link: Link) -> Result<(), StoreError> {
        link.check_tenant(grant)?;
        self.write(grant.actor(), "add link", move |conn, _| {
            match credential::find::<User>(conn, link.tenant, link.user)? {
                Some(_) => session::add_link(conn, &link),
                None => Err(StoreError::Conflict(Conflict::NoUser(link.user))),
            }
        })
        .await
    }

    async fn list_sessions(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        user: UserId,
    ) -> Result<Vec<Session>, StoreError> {
        self.read(|conn| session::list(conn, grant.tenant(), user)).await
    }

    async fn end_session(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: SessionId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let of = (grant.tenant(), None);
        self.write(grant.actor(), "end session", move |conn, draft| session::end(conn, draft, of, id, at)).await
    }

    async fn touch_sessions(
        &self,
        _: &Grant<Maintenance, Installation>,
        seen: &[(SessionId, Timestamp)],
    ) -> Result<(), StoreError> {
        let seen = seen.to_vec();
        self.write(SYSTEM, "touch", move |conn, _| session::touch(conn, &seen)).await
    }
}

/// The other users of a user's tenant.
fn others(conn: &Connection, user: &User) -> Result<Vec<User>, StoreError> {
    let others =
        credential::query::<User>(conn, "WHERE tenant = ? AND id <> ?", params![user.tenant.uuid(), user.id.uuid()])?;
    Ok(others.into_iter().map(|other| other.value).collect())
}

fn find_as_seen(
    conn: &Connection,
    (tenant, id): (TenantId, UserId),
    seen: Version,
) -> Result<Versioned<User>, StoreError> {
    credential::find(conn, tenant, id)?.filter(|there| there.version == seen).ok_or(StoreError::Stale)
}

/// Writes a user in place of the one that was seen, and ends its sessions where it does not outlive that.
fn replace(conn: &Connection, draft: &mut DirectoryDraft, user: User, seen: Version) -> Result<Version, StoreError> {
    let before = find_as_seen(conn, (user.tenant, user.id), seen)?.value;
    check_users(&others(conn, &user)?, Some(&before), Some(&user))?;
    if !before.outlives(&user) {
        session::sign_out(conn, user.id)?;
    }
    if user.password.is_none() {
        forget_password(conn, user.id)?;
    }
    credential::update(conn, draft, user, seen)
}

/// Removes a user with all that is its own. Whether it was there.
fn remove(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    grant: &Grant<Write, TenantCredentials>,
    id: UserId,
) -> Result<bool, StoreError> {
    if credential::find::<User>(conn, grant.tenant(), id)?.is_none() {
        return Ok(false);
    }
    session::sign_out(conn, id)?;
    forget_password(conn, id)?;
    credential::remove::<User>(conn, draft, grant, id, None)
}

fn keep_password(conn: &Connection, user: UserId, password: Option<&PasswordHash>) -> Result<(), StoreError> {
    let Some(PasswordHash(hash)) = password else { return Ok(()) };
    let sql = "INSERT OR REPLACE INTO user_password (user_id, hash) VALUES (?, ?)";
    conn.execute(sql, params![user.uuid(), hash]).map(drop).store_err()
}

fn forget_password(conn: &Connection, user: UserId) -> Result<(), StoreError> {
    conn.execute("DELETE FROM user_password WHERE user_id = ?", [user.uuid()]).map(drop).store_err()
}
