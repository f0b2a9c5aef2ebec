//! Clients and keys: what both have in common in the store.

use domain::{Digest, Timestamp};
use ports::directory::{Credential, Versioned};
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError};
use ports::{Grant, Read, TenantCredentials, TenantId, Version, Write};
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait as _, DbBackend, EntityTrait, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, QueryTrait as _,
};
use uuid::Uuid;

use super::chain::DirectoryWrite;
use super::entry::{self, EntryTable};
use super::tenant;
use crate::conn::Conn;
use crate::error::failed;

/// The table of those credentials.
type Table<T> = <Versioned<T> as EntryTable>::Table;
/// A column of it.
pub(super) type Column<T> = <Table<T> as EntityTrait>::Column;
/// A row of it that is to be written.
pub(super) type ActiveModel<T> = <Table<T> as EntityTrait>::ActiveModel;

/// A client or a key.
pub(super) trait CredentialTable: Credential
where
    Versioned<Self>: EntryTable,
{
    const ID: Column<Self>;
    const TENANT: Column<Self>;
    const LAST_USED: Column<Self>;

    /// The row of the credential with that digest.
    fn row(credential: &Versioned<Self>, digest: Digest) -> Result<ActiveModel<Self>, StoreError>;
}

pub(super) async fn find<T: CredentialTable>(
    conn: &mut Conn,
    tenant: TenantId,
    id: T::Id,
) -> Result<Option<Versioned<T>>, StoreError>
where
    Versioned<T>: EntryTable,
{
    let id: Uuid = id.into();
    entry::one(conn, Table::<T>::find().filter(T::ID.eq(id)).filter(T::TENANT.eq(tenant.uuid()))).await
}

pub(super) async fn list<T: CredentialTable>(
    conn: &mut Conn,
    grant: &Grant<Read, TenantCredentials>,
    page: Page,
) -> Result<Listing<Versioned<T>>, StoreError>
where
    Versioned<T>: EntryTable,
{
    let its_own = Table::<T>::find().filter(T::TENANT.eq(grant.tenant().uuid()));
    let count = entry::count(conn, its_own.clone()).await?;
    let shown = its_own.order_by_asc(T::ID).limit(u64::from(page.size)).offset(page.offset());
    Ok(Listing { count, page, data: entry::all(conn, shown).await? })
}

pub(super) async fn add<T: CredentialTable>(write: &mut DirectoryWrite, value: T) -> Result<(), StoreError>
where
    Versioned<T>: EntryTable,
{
    let (id, tenant): (Uuid, TenantId) = (value.id().into(), value.tenant());
    if tenant::find_by_id(&mut write.conn, tenant).await?.is_none() {
        return Err(StoreError::Conflict(Conflict::NoTenant(tenant)));
    }
    let taken = Table::<T>::find().filter(T::ID.eq(id));
    if entry::one::<Versioned<T>>(&mut write.conn, taken).await?.is_some() {
        return Err(StoreError::Conflict(Conflict::Exists(id)));
    }
    let added = Versioned { value, version: write.version() };
    let digest = write.draft.added(&added);
    let statement = Table::<T>::insert(T::row(&added, digest)?).build(DbBackend::Postgres);
    write.conn.execute(statement).await.map(drop)
}

/// Replaces a credential whose version is still the one seen. When it was last used stays.
pub(super) async fn update<T: CredentialTable>(
    write: &mut DirectoryWrite,
    value: T,
    seen: Version,
) -> Result<(), StoreError>
where
    Versioned<T>: EntryTable,
{
    let before = find::<T>(&mut write.conn, value.tenant(), value.id()).await?;
    let before = before.filter(|before| before.version == seen).ok_or(StoreError::Stale)?;
    let updated = Versioned { value, version: write.version() };
    let digest = write.draft.updated(&before, &updated);
    let mut row = T::row(&updated, digest)?.reset_all();
    row.not_set(T::LAST_USED);
    let statement = Table::<T>::update(row).validate().map_err(|error| failed(error.to_string()))?;
    write.conn.execute(statement.build(DbBackend::Postgres)).await.map(drop)
}

/// Removes a credential of the grant's tenant. Whether it was there.
pub(super) async fn remove<T: CredentialTable>(
    write: &mut DirectoryWrite,
    grant: &Grant<Write, TenantCredentials>,
    id: T::Id,
    seen: Option<Version>,
) -> Result<bool, StoreError>
where
    Versioned<T>: EntryTable,
{
    let Some(before) = find::<T>(&mut write.conn, grant.tenant(), id).await? else { return Ok(false) };
    if seen.is_some_and(|seen| seen != before.version) {
        return Err(StoreError::Stale);
    }
    write.draft.removed(&before);
    let id: Uuid = id.into();
    let delete = Table::<T>::delete_many().filter(T::ID.eq(id)).build(DbBackend::Postgres);
    write.conn.execute(delete).await?;
    Ok(true)
}

/// Removes those of a tenant.
pub(super) async fn remove_all<T: CredentialTable>(
    write: &mut DirectoryWrite,
    tenant: TenantId,
) -> Result<(), StoreError>
where
    Versioned<T>: EntryTable,
{
    let its_own = T::TENANT.eq(tenant.uuid());
    let select = Table::<T>::find().filter(its_own.clone()).order_by_asc(T::ID);
    let before: Vec<Versioned<T>> = entry::all(&mut write.conn, select).await?;
    for credential in &before {
        write.draft.removed(credential);
    }
    let delete = Table::<T>::delete_many().filter(its_own).build(DbBackend::Postgres);
    write.conn.execute(delete).await.map(drop)
}

pub(super) async fn touch<T: CredentialTable>(
    write: &mut DirectoryWrite,
    used: &[(T::Id, Timestamp)],
) -> Result<(), StoreError>
where
    Versioned<T>: EntryTable,
{
    entry::touch::<Versioned<T>>(&mut write.conn, used.iter().map(|(id, at)| ((*id).into(), *at))).await
}
