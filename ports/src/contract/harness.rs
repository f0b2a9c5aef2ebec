//! What a crate implements to have its store or directory tested: how a fresh one is opened.

use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use domain::Timestamp;

use super::factor_sets::Sets;
use super::people::Node;
use super::sample;
use super::spool::Spools;
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

/// A store for which time passes.
#[async_trait]
pub trait Aging: Send + Sync {
    /// The store.
    fn store(&self) -> &dyn Store;

    /// Lets so many hours pass for what is stored, and gives what time it is.
    async fn pass(&self, hours: i64) -> Timestamp;
}

/// A fresh store for which time passes, with all that has to be dropped after it.
#[async_trait]
pub trait AgingHarness {
    /// A new store without a tenant.
    async fn open() -> Self;

    /// The fresh store.
    fn aging(&self) -> &dyn Aging;
}

/// A store that goes by the time it is given, with what has passed of it.
#[derive(Debug)]
pub struct ByGivenTime<H>(H, AtomicI64);

#[async_trait]
impl<H: StoreHarness + Send + Sync> Aging for ByGivenTime<H> {
    fn store(&self) -> &dyn Store {
        self.0.store()
    }

    async fn pass(&self, hours: i64) -> Timestamp {
        sample::at(60 * 60 * (self.1.fetch_add(hours, Ordering::SeqCst) + hours))
    }
}

#[async_trait]
impl<H: StoreHarness + Send + Sync> AgingHarness for ByGivenTime<H> {
    async fn open() -> Self {
        Self(H::open().await, AtomicI64::new(0))
    }

    fn aging(&self) -> &dyn Aging {
        self
    }
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

/// Two directories with the people in them, as two nodes have them, with all that has to be dropped after them.
#[async_trait]
pub trait PeopleHarness {
    /// Two new directories without a tenant.
    async fn open() -> Self;

    /// Two nodes on one database.
    fn people(&self) -> [Node<'_>; 2];
}

/// A directory and the sets of published factors beside it for one case, with all that has to be dropped after them.
#[async_trait]
pub trait FactorSetsHarness {
    /// A new directory without a set.
    async fn open() -> Self;

    /// The fresh directory, and what keeps the sets.
    fn sets(&self) -> Sets<'_>;
}

/// A spool at two nodes and the store beside it for one case, with all that has to be dropped after them.
#[async_trait]
pub trait SpoolHarness {
    /// A new spool and a store without a tenant.
    async fn open() -> Self;

    /// The fresh spool.
    fn spools(&self) -> Spools<'_>;
}
