//! The directory of tenants, credentials and signing keys, in a file of its own.

mod chain;
mod client;
mod credential;
mod factor_sets;
mod key;
mod people;
mod refresh;
mod session;
mod shown_once;
mod signing_key;
mod sweep;
pub(crate) mod tenant;
mod user;
pub(crate) mod verify;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::{Digest, Name, StatementSettings, Timestamp, YearStart};
use ports::credential::{Claims, SealedKey, VerifyingKey};
use ports::directory::{
    AuthenticatedClient, Client, CredentialKind, Directory, DirectoryDraft, DirectoryHead, Key, Refresh, Revocations,
    ShownOnce, Swept, Tenant, Versioned,
};
use ports::repeat::{KeyedRequest, RequestKey};
use ports::repo::{Listing, Page};
use ports::store::{StoreError, Verification};
use ports::{
    ClientId, FamilyId, Grant, Installation, KeyId, Maintenance, Read, TenantCredentials, TenantId, TenantSlug,
    Version, Write,
};
use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::error::{OpenError, StoreErr as _, failed, of_commit, only_read};
use crate::file::{Absent, is_blank, open_as_is, open_reader, open_writer};
use crate::folder::tenant_files;
use crate::identity::Identity;
use crate::migration::DIRECTORY;
use crate::options::{Access, Options};
use crate::pool::Pool;
use crate::thread::blocking;
use shown_once::Made;

/// The directory, in `<folder>/directory.db`.
///
/// After [`SqliteDirectory::close`], or when it is dropped, a file that nobody else has open is whole without its
/// `-wal`.
#[derive(Debug)]
pub struct SqliteDirectory {
    path: PathBuf,
    options: Options,
    // Closed before the writer, which empties the log only when it is the last.
    pool: Arc<Pool>,
    writer: Arc<Mutex<Option<Connection>>>,
    identity: Identity,
}

impl SqliteDirectory {
    /// Opens the directory in that folder and brings it to the latest format. Where there is none an empty one is made,
    /// unless there are files of tenants: then it was lost.
    pub fn open(folder: &Path, options: Options) -> Result<Self, OpenError> {
        let path = directory_file(folder);
        if options.access == Access::Read {
            drop(open_as_is(&path, &DIRECTORY, &options)?);
            return Self::of(path, options, None);
        }
        // In this order: whoever makes a tenant's file beside us made the directory before.
        if !tenant_files(folder)?.is_empty() && is_blank(&path)? {
            return Err(OpenError::Lost(path));
        }
        let conn = open_writer(&path, &DIRECTORY, Absent::Make, &options)?;
        chain::make_head(&conn).map_err(|cause| OpenError::Sqlite { path: path.clone(), cause })?;
        Self::of(path, options, Some(conn))
    }

    fn of(path: PathBuf, options: Options, writer: Option<Connection>) -> Result<Self, OpenError> {
        let identity = Identity::of(&path)?;
        let idle = Arc::new(Semaphore::new(options.idle_readers));
        let pool = Pool::new((path.clone(), identity.clone()), &DIRECTORY, options.clone(), idle);
        Ok(Self { path, options, pool, writer: Arc::new(Mutex::new(writer)), identity })
    }

    /// Closes the file. Nothing can be read or written afterwards.
    pub async fn close(&self) {
        self.pool.close();
        let writer = Arc::clone(&self.writer);
        let closed = blocking(move || {
            drop(writer.lock().unwrap_or_else(PoisonError::into_inner).take());
            Ok(())
        });
        if let Err(error) = closed.await {
            tracing::error!(%error, "the directory was not closed");
        }
    }

    /// Reads in one snapshot.
    async fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let pooled = self.pool.take().await?;
        let conn = pooled.conn()?;
        conn.execute_batch("BEGIN DEFERRED").store_err()?;
        self.pool.check_identity()?;
        DIRECTORY.must_be_known(conn, &self.path)?;
        work(conn)
    }

    /// Writes in one transaction, which ends on the disk with its change in the chain, if it has one.
    async fn write<T: Send + 'static>(
        &self,
        actor: &str,
        cause: &'static str,
        work: impl FnOnce(&Connection, &mut DirectoryDraft) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (writer, identity) = (Arc::clone(&self.writer), self.identity.clone());
        let (at, actor) = (self.options.clock.now(), actor.to_owned());
        if self.options.access == Access::Read {
            return Err(only_read());
        }
        let path = self.path.clone();
        blocking(move || {
            let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
            let conn = writer.as_mut().ok_or_else(|| failed("the directory is closed"))?;
            let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).store_err()?;
            DIRECTORY.must_be_known(&tx, &path)?;
            let mut draft = DirectoryDraft::behind(chain::head(&tx)?, at, &actor, cause);
            let value = work(&tx, &mut draft)?;
            if let Some(change) = draft.close() {
                chain::append(&tx, &change)?;
            }
            identity.check()?;
            tx.commit().map_err(of_commit)?;
            Ok(value)
        })
        .await
    }
}

/// Where the chain of the directory in that file ends.
pub(crate) fn head(conn: &Connection) -> Result<DirectoryHead, StoreError> {
    chain::head(conn)
}

/// The directory's file in a data folder.
pub(crate) fn directory_file(folder: &Path) -> PathBuf {
    folder.join("directory.db")
}

/// Who makes changes that no caller is named for.
const SYSTEM: &str = "system";

#[async_trait]
impl Directory for SqliteDirectory {
    async fn version(&self) -> Result<u64, StoreError> {
        self.read(|conn| chain::head(conn).map(|head| head.number)).await
    }

    async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
        self.read(|conn| tenant::find(conn, slug)).await
    }

    async fn find_tenant_by_id(&self, grant: &Grant<Maintenance>) -> Result<Option<Tenant>, StoreError> {
        self.read(|conn| tenant::find_by_id(conn, grant.tenant())).await
    }

    async fn find_client_by_id(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        self.read(|conn| Ok(credential::query(conn, "WHERE id = ?", [id.uuid()])?.pop().map(|found| found.value))).await
    }

    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError> {
        self.read(|conn| {
            let found = credential::query(conn, "WHERE hash = ?", [hash.as_bytes()])?.pop();
            Ok(found.map(|found| found.value))
        })
        .await
    }

    async fn verifying_keys(&self) -> Result<Vec<VerifyingKey>, StoreError> {
        let keys = self.read(signing_key::list).await?;
        Ok(keys.iter().map(SealedKey::verifying).collect())
    }

    async fn add_refresh(&self, client: &AuthenticatedClient, refresh: Refresh) -> Result<(), StoreError> {
        client.check_refresh(&refresh)?;
        self.write(&client.actor(), "add refresh", move |conn, _| {
            refresh::add(conn, &refresh)?;
            refresh::forget_oldest(conn, &refresh)
        })
        .await
    }

    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError> {
        self.read(|conn| refresh::find(conn, hash)).await
    }

    async fn exchange_refresh(
        &self,
        client: &AuthenticatedClient,
        hash: Digest,
        at: Timestamp,
        next: Refresh,
    ) -> Result<bool, StoreError> {
        client.check_refresh(&next)?;
        self.write(&client.actor(), "exchange refresh", move |conn, draft| {
            refresh::exchange(conn, draft, hash, at, &next)
        })
        .await
    }

    async fn revoke_family(
        &self,
        client: &AuthenticatedClient,
        family: FamilyId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let own = client.client().id;
        self.write(&client.actor(), "revoke family", move |conn, draft| {
            refresh::revoke_family(conn, draft, own, family, at)
        })
        .await
    }

    async fn revoke_token(&self, client: &AuthenticatedClient, token: &Claims) -> Result<(), StoreError> {
        client.check_claims(token)?;
        let Claims { jti, expires, .. } = *token;
        self.write(&client.actor(), "revoke token", move |conn, draft| refresh::revoke_token(conn, draft, jti, expires))
            .await
    }

    async fn revocations(&self) -> Result<Revocations, StoreError> {
        self.read(refresh::revocations).await
    }

    async fn find_client(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: ClientId,
    ) -> Result<Option<Versioned<Client>>, StoreError> {
        self.read(|conn| credential::find(conn, grant.tenant(), id)).await
    }

    async fn list_clients(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Client>>, StoreError> {
        self.read(|conn| credential::list(conn, grant.tenant(), page)).await
    }

    async fn add_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        client.check_tenant(grant)?;
        let made = Made::now(&self.options, request, CredentialKind::Client, client.id.uuid());
        self.write(grant.actor(), "add client", move |conn, draft| {
            made.note(conn, client.tenant)?;
            credential::add(conn, draft, client)
        })
        .await
    }

    async fn update_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        seen: Version,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        client.check_tenant(grant)?;
        let made = Made::now(&self.options, request, CredentialKind::Client, client.id.uuid());
        self.write(grant.actor(), "update client", move |conn, draft| {
            made.note(conn, client.tenant)?;
            credential::update(conn, draft, client, seen)
        })
        .await
    }

    async fn remove_client(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: ClientId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        let granted = grant.clone();
        self.write(grant.actor(), "remove client", move |conn, draft| {
            let was_there = credential::remove::<Client>(conn, draft, &granted, id, seen)?;
            if was_there {
                refresh::remove_of(conn, id)?;
            }
            Ok(was_there)
        })
        .await
    }

    async fn find_key(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: KeyId,
    ) -> Result<Option<Versioned<Key>>, StoreError> {
        self.read(|conn| credential::find(conn, grant.tenant(), id)).await
    }

    async fn list_keys(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Key>>, StoreError> {
        self.read(|conn| credential::list(conn, grant.tenant(), page)).await
    }

    async fn add_key_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        key.check_tenant(grant)?;
        let made = Made::now(&self.options, request, CredentialKind::Key, key.id.uuid());
        self.write(grant.actor(), "add key", move |conn, draft| {
            made.note(conn, key.tenant)?;
            credential::add(conn, draft, key)
        })
        .await
    }

    async fn update_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        seen: Version,
    ) -> Result<Version, StoreError> {
        key.check_tenant(grant)?;
        self.write(grant.actor(), "update key", move |conn, draft| credential::update(conn, draft, key, seen)).await
    }

    async fn remove_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: KeyId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        let granted = grant.clone();
        self.write(grant.actor(), "remove key", move |conn, draft| {
            credential::remove::<Key>(conn, draft, &granted, id, seen)
        })
        .await
    }

    async fn shown_once(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        key: RequestKey,
        now: Timestamp,
    ) -> Result<Option<ShownOnce>, StoreError> {
        self.read(|conn| shown_once::find(conn, grant.tenant(), key, now)).await
    }

    async fn list_tenants(&self, _: &Grant<Maintenance, Installation>) -> Result<Vec<Tenant>, StoreError> {
        self.read(tenant::list).await
    }

    async fn add_tenant(&self, grant: &Grant<Maintenance, Installation>, tenant: Tenant) -> Result<(), StoreError> {
        self.write(grant.actor(), "add tenant", move |conn, draft| tenant::add(conn, draft, &tenant)).await
    }

    async fn set_name(&self, grant: &Grant<Maintenance>, name: Name) -> Result<bool, StoreError> {
        let id = grant.tenant();
        let set = move |conn: &Connection, draft: &mut DirectoryDraft| tenant::set_name(conn, draft, id, &name);
        self.write(grant.actor(), "set name", set).await
    }

    async fn set_year_start(&self, grant: &Grant<Maintenance>, year_start: YearStart) -> Result<bool, StoreError> {
        let id = grant.tenant();
        let set =
            move |conn: &Connection, draft: &mut DirectoryDraft| tenant::set_year_start(conn, draft, id, year_start);
        self.write(grant.actor(), "set year start", set).await
    }

    async fn set_statement(
        &self,
        grant: &Grant<Maintenance>,
        seen: &StatementSettings,
        statement: StatementSettings,
    ) -> Result<bool, StoreError> {
        let (id, seen) = (grant.tenant(), seen.clone());
        let set = move |conn: &Connection, draft: &mut DirectoryDraft| {
            tenant::set_statement(conn, draft, id, &seen, &statement)
        };
        self.write(grant.actor(), "set statement", set).await
    }

    async fn remove_tenant(&self, grant: &Grant<Maintenance>) -> Result<bool, StoreError> {
        let id = grant.tenant();
        self.write(grant.actor(), "remove tenant", move |conn, draft| tenant::remove(conn, draft, id)).await
    }

    async fn renew_epochs(
        &self,
        grant: &Grant<Maintenance, Installation>,
        epochs: &BTreeMap<TenantId, Uuid>,
    ) -> Result<(), StoreError> {
        let epochs = epochs.clone();
        self.write(grant.actor(), "renew epochs", move |conn, draft| {
            tenant::renew_epochs(conn, draft, &epochs)?;
            signing_key::remove_all(conn, draft)?;
            session::remove_all(conn)?;
            refresh::remove_all(conn)
        })
        .await
    }

    async fn signing_key(&self, _: &Grant<Maintenance, Installation>) -> Result<Option<SealedKey>, StoreError> {
        let newest = self.read(signing_key::list).await?.into_iter().next();
        Ok(newest.filter(|key| key.retired.is_none()))
    }

    async fn add_signing_key(
        &self,
        grant: &Grant<Maintenance, Installation>,
        key: SealedKey,
    ) -> Result<(), StoreError> {
        self.write(grant.actor(), "add signing key", move |conn, draft| signing_key::add(conn, draft, &key)).await
    }

    async fn touch(
        &self,
        _: &Grant<Maintenance, Installation>,
        keys: &[(KeyId, Timestamp)],
        clients: &[(ClientId, Timestamp)],
    ) -> Result<(), StoreError> {
        let (keys, clients) = (keys.to_vec(), clients.to_vec());
        self.write(SYSTEM, "touch", move |conn, _| {
            credential::touch::<Key>(conn, &keys)?;
            credential::touch::<Client>(conn, &clients)
        })
        .await
    }

    async fn sweep(&self, _: &Grant<Maintenance, Installation>, now: Timestamp) -> Result<Swept, StoreError> {
        self.write(SYSTEM, "sweep", move |conn, _| {
            let swept = sweep::sweep(conn, now)?;
            let removed = swept.removed + shown_once::sweep(conn, now)?;
            Ok(Swept { removed, ..swept })
        })
        .await
    }

    async fn verify(&self, _: &Grant<Maintenance, Installation>) -> Result<Verification, StoreError> {
        let (path, options) = (self.path.clone(), self.options.clone());
        blocking(move || verify::directory(&open_reader(&path, &options).store_err()?)).await
    }
}
