//! What a crate implements to have its store or directory tested: how a fresh one is opened.

use async_trait::async_trait;

use crate::directory::Directory;
use crate::store::Store;

/// A store of its own for one case, with all that has to be dropped after it.
#[async_trait]
pub trait StoreHarness {
    /// A new store without a tenant.
    async fn open() -> Self;

    /// The fresh store.
    fn store(&self) -> &dyn Store;
}

/// A store whose writers wait only briefly for their turn, with all that has to be dropped after it.
#[async_trait]
pub trait BusyHarness {
    /// A new store without a tenant, in which a writer waits for its turn at most a fraction of a second.
    async fn open() -> Self;

    /// The fresh store, whose writers wait only briefly.
    fn store(&self) -> &dyn Store;
}

/// Two stores on the same records, as two nodes have them, with all that has to be dropped after them.
#[async_trait]
pub trait NodesHarness {
    /// Two new stores without a tenant.
    async fn open() -> Self;

    /// Two stores on one database.
    fn nodes(&self) -> [&dyn Store; 2];
}

/// A directory of its own for one case, with all that has to be dropped after it.
#[async_trait]
pub trait DirectoryHarness {
    /// A new directory without a tenant.
    async fn open() -> Self;

    /// The fresh directory.
    fn directory(&self) -> &dyn Directory;
}

/// Two directories on the same tenants and credentials, as two nodes have them, with all that has to be dropped after
/// them.
#[async_trait]
pub trait DirectoriesHarness {
    /// Two new directories without a tenant.
    async fn open() -> Self;

    /// Two directories on one database.
    fn directories(&self) -> [&dyn Directory; 2];
}
