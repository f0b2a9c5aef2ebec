//! The directory of tenants, credentials and signing keys, in a file of its own.

mod chain;
mod client;
mod key;
mod refresh;
mod signing_key;
pub(crate) mod tenant;
pub(crate) mod verify;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::{Digest, Timestamp};
use ports::credential::SealedKey;
use ports::directory::{Client, Directory, Key, Refresh, Revocations, Tenant};
use ports::repo::{Listing, Page};
use ports::store::{StoreError, Verification};
use ports::{ClientId, FamilyId, KeyId, TenantId, TenantSlug};
use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::error::{Meaning as _, OpenError, failed};
use crate::file::{Absent, is_blank, open_reader, open_writer};
use crate::folder::tenant_files;
use crate::migration::DIRECTORY;
use crate::options::Options;
use crate::pool::Pool;
use crate::store::blocking;
use chain::Change;

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
}

impl SqliteDirectory {
    /// Opens the directory in that folder and brings it to the latest format. Where there is none an empty one is made,
    /// unless there are files of tenants: then it was lost.
    pub fn open(folder: &Path, options: Options) -> Result<Self, OpenError> {
        let path = directory_file(folder);
        // In this order: whoever makes a tenant's file beside us made the directory before.
        if !tenant_files(folder)?.is_empty() && is_blank(&path)? {
            return Err(OpenError::Lost(path));
        }
        let conn = open_writer(&path, &DIRECTORY, Absent::Make, &options)?;
        chain::make_head(&conn).map_err(|cause| OpenError::Sqlite { path: path.clone(), cause })?;
        let pool = Pool::new(path.clone(), options.clone(), Arc::new(Semaphore::new(options.idle_readers)));
        Ok(Self { path, options, pool, writer: Arc::new(Mutex::new(Some(conn))) })
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
        let lent = self.pool.take().await?;
        let conn = lent.conn()?;
        conn.execute_batch("BEGIN DEFERRED").meant()?;
        work(conn)
    }

    /// Writes in one transaction, which ends on the disk with its change in the chain, if it has one.
    async fn write<T: Send + 'static>(
        &self,
        by: &str,
        cause: &'static str,
        work: impl FnOnce(&Connection, &mut Change) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (writer, at, by) = (Arc::clone(&self.writer), self.options.clock.now(), by.to_owned());
        blocking(move || {
            let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
            let conn = writer.as_mut().ok_or_else(|| failed("the directory is closed"))?;
            let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).meant()?;
            let mut change = Change::new(at, by, cause);
            let value = work(&tx, &mut change)?;
            change.close(&tx)?;
            tx.commit().meant()?;
            Ok(value)
        })
        .await
    }
}

/// The directory's file in a data folder.
pub(crate) fn directory_file(folder: &Path) -> PathBuf {
    folder.join("directory.db")
}

/// Who makes changes that no caller is named for.
const SERVICE: &str = "service";

#[async_trait]
impl Directory for SqliteDirectory {
    async fn version(&self) -> Result<u64, StoreError> {
        self.read(|conn| chain::head(conn).map(|(number, _)| number)).await
    }

    async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
        self.read(|conn| tenant::find(conn, slug)).await
    }

    async fn find_tenant_by_id(&self, id: TenantId) -> Result<Option<Tenant>, StoreError> {
        self.read(|conn| tenant::find_by_id(conn, id)).await
    }

    async fn list_tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        self.read(tenant::list).await
    }

    async fn add_tenant(&self, tenant: Tenant) -> Result<(), StoreError> {
        self.write(SERVICE, "add tenant", move |conn, change| tenant::add(conn, change, &tenant)).await
    }

    async fn remove_tenant(&self, id: TenantId, by: &str) -> Result<bool, StoreError> {
        self.write(by, "remove tenant", move |conn, change| tenant::remove(conn, change, id)).await
    }

    async fn find_client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        self.read(|conn| client::find(conn, id)).await
    }

    async fn list_clients(&self, tenant: TenantId, page: Page) -> Result<Listing<Client>, StoreError> {
        self.read(|conn| client::list(conn, tenant, page)).await
    }

    async fn put_client(&self, client: Client, by: &str) -> Result<(), StoreError> {
        self.write(by, "put client", move |conn, change| client::put(conn, change, &client)).await
    }

    async fn remove_client(&self, tenant: TenantId, id: ClientId, by: &str) -> Result<bool, StoreError> {
        self.write(by, "remove client", move |conn, change| client::remove(conn, change, tenant, id)).await
    }

    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError> {
        self.read(|conn| key::find_by_hash(conn, hash)).await
    }

    async fn find_key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        self.read(|conn| key::find(conn, id)).await
    }

    async fn list_keys(&self, tenant: TenantId, page: Page) -> Result<Listing<Key>, StoreError> {
        self.read(|conn| key::list(conn, tenant, page)).await
    }

    async fn put_key(&self, key: Key, by: &str) -> Result<(), StoreError> {
        self.write(by, "put key", move |conn, change| key::put(conn, change, &key)).await
    }

    async fn remove_key(&self, tenant: TenantId, id: KeyId, by: &str) -> Result<bool, StoreError> {
        self.write(by, "remove key", move |conn, change| key::remove(conn, change, tenant, id)).await
    }

    async fn touch(&self, keys: &[(KeyId, Timestamp)], clients: &[(ClientId, Timestamp)]) -> Result<(), StoreError> {
        let (keys, clients) = (keys.to_vec(), clients.to_vec());
        self.write(SERVICE, "touch", move |conn, _| {
            key::touch(conn, &keys)?;
            client::touch(conn, &clients)
        })
        .await
    }

    async fn signing_keys(&self) -> Result<Vec<SealedKey>, StoreError> {
        self.read(signing_key::list).await
    }

    async fn add_signing_key(&self, key: SealedKey, by: &str) -> Result<(), StoreError> {
        self.write(by, "add signing key", move |conn, change| signing_key::add(conn, change, &key)).await
    }

    async fn add_refresh(&self, refresh: Refresh) -> Result<(), StoreError> {
        self.write(SERVICE, "add refresh", move |conn, _| refresh::add(conn, &refresh)).await
    }

    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError> {
        self.read(|conn| refresh::find(conn, hash)).await
    }

    async fn exchange_refresh(&self, hash: Digest, at: Timestamp, next: Refresh) -> Result<bool, StoreError> {
        let by = format!("client:{}", next.client);
        self.write(&by, "exchange refresh", move |conn, change| refresh::exchange(conn, change, hash, at, &next)).await
    }

    async fn revoke_family(&self, family: FamilyId, at: Timestamp) -> Result<(), StoreError> {
        self.write(SERVICE, "revoke family", move |conn, change| refresh::revoke_family(conn, change, family, at)).await
    }

    async fn revoke_token(&self, jti: Uuid, expires: Timestamp) -> Result<(), StoreError> {
        self.write(SERVICE, "revoke token", move |conn, change| refresh::revoke_token(conn, change, jti, expires)).await
    }

    async fn revocations(&self, now: Timestamp) -> Result<Revocations, StoreError> {
        self.read(|conn| refresh::revocations(conn, now)).await
    }

    async fn sweep(&self, now: Timestamp) -> Result<(), StoreError> {
        self.write(SERVICE, "sweep", move |conn, _| refresh::sweep(conn, now)).await
    }

    async fn verify(&self) -> Result<Verification, StoreError> {
        let (path, options) = (self.path.clone(), self.options.clone());
        blocking(move || verify::directory(&open_reader(&path, &options).meant()?)).await
    }
}
