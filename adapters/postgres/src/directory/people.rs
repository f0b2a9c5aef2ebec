//! People: users with their passwords, sessions and once-links.

use async_trait::async_trait;
use domain::{Digest, Timestamp};
use ports::credential::PasswordHash;
use ports::directory::Versioned;
use ports::people::{AuthenticatedUser, Identity, Link, People, Session, SignInName, User, check_users};
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError};
use ports::{Grant, Installation, Maintenance, Read, SessionId, TenantCredentials, TenantId, UserId, Version, Write};

use super::chain::DirectoryWrite;
use super::{PostgresDirectory, credential, session, user};
use crate::conn::sql;

#[async_trait]
impl People for PostgresDirectory {
    async fn has_users(&self, tenant: TenantId) -> Result<bool, StoreError> {
        let text = "SELECT EXISTS (SELECT FROM tonne_directory.user WHERE tenant = $1)";
        let found = self.database.read_directory().await?.value(sql(text, [tenant.uuid().into()])).await?;
        Ok(found.unwrap_or(false))
    }

    async fn find_user_by_name(
        &self,
        tenant: TenantId,
        name: &SignInName,
    ) -> Result<Option<Versioned<User>>, StoreError> {
        user::find_by_name(&mut self.database.read_directory().await?, tenant, name).await
    }

    async fn find_user_by_identity(
        &self,
        tenant: TenantId,
        identity: &Identity,
    ) -> Result<Option<Versioned<User>>, StoreError> {
        user::find_by_identity(&mut self.database.read_directory().await?, tenant, identity).await
    }

    async fn find_password(&self, id: UserId) -> Result<Option<PasswordHash>, StoreError> {
        let text = "SELECT hash FROM tonne_directory.user_password WHERE user_id = $1";
        let found = self.database.read_directory().await?.value(sql(text, [id.uuid().into()])).await?;
        Ok(found.map(PasswordHash))
    }

    async fn find_session(&self, hash: Digest) -> Result<Option<(Session, Versioned<User>)>, StoreError> {
        session::find(&mut self.database.read_directory().await?, hash).await
    }

    async fn find_link(&self, hash: Digest) -> Result<Option<(Link, Versioned<User>)>, StoreError> {
        session::find_link(&mut self.database.read_directory().await?, hash).await
    }

    async fn begin_session(
        &self,
        user: &AuthenticatedUser,
        session: Session,
        earlier: Option<Digest>,
    ) -> Result<(), StoreError> {
        user.check_session(&session)?;
        let mut write = self.write(&user.user().actor(), "begin session").await?;
        find_as_seen(&mut write, (session.tenant, session.user), user.version()).await?;
        session::begin(&mut write, &session, earlier).await?;
        write.close().await
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
        let mut write = self.write(&user.user().actor(), "use link").await?;
        let redeemed = session::redeem(&mut write, (hash, at), &session, earlier).await?;
        write.close().await?;
        Ok(redeemed)
    }

    async fn list_own_sessions(&self, user: &AuthenticatedUser) -> Result<Vec<Session>, StoreError> {
        session::list(&mut self.database.read_directory().await?, user.user().tenant, user.user().id).await
    }

    async fn end_own_session(
        &self,
        user: &AuthenticatedUser,
        id: SessionId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let of = (user.user().tenant, Some(user.user().id));
        let mut write = self.write(&user.user().actor(), "end session").await?;
        let was_there = session::end(&mut write, of, id, at).await?;
        write.close().await?;
        Ok(was_there)
    }

    async fn update_own(
        &self,
        user: &AuthenticatedUser,
        changed: User,
        password: Option<PasswordHash>,
        renewed: Option<Session>,
    ) -> Result<Version, StoreError> {
        user.check_own(&changed, password.as_ref(), renewed.as_ref())?;
        let mut write = self.write(&user.user().actor(), "update user").await?;
        let (id, version) = (changed.id, write.version());
        replace(&mut write, changed, user.version()).await?;
        keep_password(&mut write, id, password.as_ref()).await?;
        if let Some(session) = renewed {
            session::begin(&mut write, &session, None).await?;
        }
        write.close().await?;
        Ok(version)
    }

    async fn find_user(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: UserId,
    ) -> Result<Option<Versioned<User>>, StoreError> {
        credential::find(&mut self.database.read_directory().await?, grant.tenant(), id).await
    }

    async fn list_users(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<User>>, StoreError> {
        credential::list(&mut self.database.read_directory().await?, grant, page).await
    }

    async fn add_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        user: User,
        password: Option<PasswordHash>,
    ) -> Result<Version, StoreError> {
        user.check_tenant(grant)?;
        user.check_password(password.as_ref())?;
        let mut write = self.write(grant.actor(), "add user").await?;
        check_users(&user::others(&mut write.conn, &user).await?, None, Some(&user))?;
        let (id, version) = (user.id, write.version());
        credential::add(&mut write, user).await?;
        keep_password(&mut write, id, password.as_ref()).await?;
        write.close().await?;
        Ok(version)
    }

    async fn update_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        user: User,
        seen: Version,
    ) -> Result<Version, StoreError> {
        user.check_tenant(grant)?;
        let mut write = self.write(grant.actor(), "update user").await?;
        let version = write.version();
        let before = find_as_seen(&mut write, (user.tenant, user.id), seen).await?;
        if user.password.is_some() && user.password != before.value.password {
            return Err(StoreError::Stale);
        }
        replace(&mut write, user, seen).await?;
        write.close().await?;
        Ok(version)
    }

    async fn remove_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: UserId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        let mut write = self.write(grant.actor(), "remove user").await?;
        let before = credential::find::<User>(&mut write.conn, grant.tenant(), id).await?;
        let Some(before) = before else { return Ok(false) };
        if seen.is_some_and(|seen| seen != before.version) {
            return Err(StoreError::Stale);
        }
        check_users(&user::others(&mut write.conn, &before.value).await?, Some(&before.value), None)?;
        remove(&mut write, grant, id).await?;
        write.close().await?;
        Ok(true)
    }

    async fn take_back_user(&self, grant: &Grant<Maintenance>, id: UserId) -> Result<bool, StoreError> {
        let mut write = self.write(grant.actor(), "remove user").await?;
        let was_there = remove(&mut write, &grant.to_write_credentials(), id).await?;
        write.close().await?;
        Ok(was_there)
    }

    async fn add_link(&self, grant: &Grant<Write, TenantCredentials>, link: Link) -> Result<(), StoreError> {
        link.check_tenant(grant)?;
        let mut write = self.write(grant.actor(), "add link").await?;
        if credential::find::<User>(&mut write.conn, link.tenant, link.user).await?.is_none() {
            return Err(StoreError::Conflict(Conflict::NoUser(link.user)));
        }
        session::add_link(&mut write, &link).await?;
        write.close().await
    }

    async fn list_sessions(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        user: UserId,
    ) -> Result<Vec<Session>, StoreError> {
        session::list(&mut self.database.read_directory().await?, grant.tenant(), user).await
    }

    async fn end_session(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: SessionId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut write = self.write(grant.actor(), "end session").await?;
        let was_there = session::end(&mut write, (grant.tenant(), None), id, at).await?;
        write.close().await?;
        Ok(was_there)
    }

    async fn touch_sessions(
        &self,
        grant: &Grant<Maintenance, Installation>,
        seen: &[(SessionId, Timestamp)],
    ) -> Result<(), StoreError> {
        let mut write = self.write(grant.actor(), "touch").await?;
        session::touch(&mut write, seen).await?;
        write.close().await
    }
}

async fn find_as_seen(
    write: &mut DirectoryWrite,
    (tenant, id): (TenantId, UserId),
    seen: Version,
) -> Result<Versioned<User>, StoreError> {
    let there = credential::find(&mut write.conn, tenant, id).await?;
    there.filter(|there: &Versioned<User>| there.version == seen).ok_or(StoreError::Stale)
}

/// Writes a user in place of the one that was seen, and ends its sessions where it does not outlive that.
async fn replace(write: &mut DirectoryWrite, user: User, seen: Version) -> Result<(), StoreError> {
    let before = find_as_seen(write, (user.tenant, user.id), seen).await?.value;
    check_users(&user::others(&mut write.conn, &user).await?, Some(&before), Some(&user))?;
    if !before.outlives(&user) {
        session::sign_out(write, user.id).await?;
    }
    if user.password.is_none() {
        forget_password(write, user.id).await?;
    }
    credential::update(write, user, seen).await
}

/// Removes a user with all that is its own. Whether it was there.
async fn remove(
    write: &mut DirectoryWrite,
    grant: &Grant<Write, TenantCredentials>,
    id: UserId,
) -> Result<bool, StoreError> {
    if credential::find::<User>(&mut write.conn, grant.tenant(), id).await?.is_none() {
        return Ok(false);
    }
    session::sign_out(write, id).await?;
    forget_password(write, id).await?;
    credential::remove::<User>(write, grant, id, None).await
}

async fn keep_password(
    write: &mut DirectoryWrite,
    user: UserId,
    password: Option<&PasswordHash>,
) -> Result<(), StoreError> {
    let Some(PasswordHash(hash)) = password else { return Ok(()) };
    let text = "INSERT INTO tonne_directory.user_password (user_id, hash) VALUES ($1, $2) \
                ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash";
    write.conn.execute(sql(text, [user.uuid().into(), hash.as_str().into()])).await.map(drop)
}

async fn forget_password(write: &mut DirectoryWrite, user: UserId) -> Result<(), StoreError> {
    let text = "DELETE FROM tonne_directory.user_password WHERE user_id = $1";
    write.conn.execute(sql(text, [user.uuid().into()])).await.map(drop)
}

/// Forgets the passwords of a tenant's users.
pub(super) async fn forget_passwords(write: &mut DirectoryWrite, tenant: TenantId) -> Result<(), StoreError> {
    let text = "DELETE FROM tonne_directory.user_password \
                WHERE user_id IN (SELECT id FROM tonne_directory.user WHERE tenant = $1)";
    write.conn.execute(sql(text, [tenant.uuid().into()])).await.map(drop)
}
