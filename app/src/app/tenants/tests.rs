//! Tests: a tenant that was made to be filled is removed again when filling it fails, and leaves nothing where it cannot be
//! made.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use domain::{Name, Org, Timestamp};
use memory::{MemoryDirectory, MemoryStore};
use ports::contract::sample::{SampleClock, SampleIds};
use ports::directory::{Directory, Tenant};
use ports::factor_sets::FactorSets;
use ports::inbound::{Field, NodeDraft, Nodes};
use ports::people::People;
use ports::store::{Store, StoreError};
use ports::{TenantId, TenantSlug};
use tempfile::TempDir;

use super::super::backend::Backend;
use super::super::measuring::StoreSize;
use super::maintenance;
use crate::usecase::access::tests::TestDirectory;
use crate::{App, Config};

async fn open(folder: &TempDir) -> App {
    let mut config = Config::default();
    config.store.data_dir = folder.path().join("data");
    App::build_without_tenant(config).await.unwrap()
}

fn tenant(number: u128, slug: &str) -> Tenant {
    let id = uuid::Uuid::from_u128(number).into();
    let (slug, name) = (TenantSlug::parse(slug).unwrap(), Name::parse(slug).unwrap());
    Tenant {
        id,
        slug,
        name,
        created: Timestamp::from_millis(0).unwrap(),
        epoch: uuid::Uuid::nil(),
        year_start: domain::YearStart::default(),
        statement: domain::StatementSettings::default(),
    }
}

#[tokio::test]
async fn a_tenant_that_another_filled_is_not_taken_back() {
    let folder = TempDir::new().unwrap();
    let (one, other) = (open(&folder).await, open(&folder).await);
    let made = tenant(1, "acme");
    one.adopt_tenant(&made).await.unwrap();
    let found = other.tenant(&made.slug).await.unwrap();
    let draft = NodeDraft { name: Field::Given(Name::parse("Works").unwrap()), ..NodeDraft::default() };
    let written = Nodes::<Org>::add_node(other.areas().catalog.as_ref(), &other.operator(&found), draft).await.unwrap();
    assert!(!one.take_back_tenant(&made).await.unwrap());
    assert_eq!(one.tenant(&made.slug).await.unwrap(), made);
    let kept = Nodes::<Org>::get_node(one.areas().catalog.as_ref(), &one.operator(&made), written.node.value.id)
        .await
        .unwrap();
    assert_eq!(kept, written);
}

#[tokio::test]
async fn a_tenant_that_nobody_filled_is_taken_back_and_can_be_made_again() {
    let folder = TempDir::new().unwrap();
    let app = open(&folder).await;
    let made = tenant(1, "acme");
    for _ in 0..2 {
        app.adopt_tenant(&made).await.unwrap();
        assert!(app.take_back_tenant(&made).await.unwrap());
        assert_eq!(app.directory().list_tenants(&super::installation()).await.unwrap(), []);
    }
    app.adopt_tenant(&tenant(2, "acme")).await.unwrap();
    assert!(matches!(app.adopt_tenant(&made).await, Err(StoreError::Conflict(_))));
}

/// A store in which a tenant's room is a head row, and a directory that may refuse tenants.
struct Rows {
    store: Arc<MemoryStore>,
    directory: Arc<TestDirectory>,
}

impl Rows {
    fn shared() -> Arc<Self> {
        let store = Arc::new(MemoryStore::new(SampleIds::shared()));
        Arc::new(Self { store, directory: Arc::default() })
    }

    /// An installation on them.
    async fn open(self: &Arc<Self>, folder: &TempDir) -> App {
        let mut app = open(folder).await;
        (app.backend, app.store, app.directory) = (self.clone(), self.store(), self.directory());
        app
    }

    async fn has_room(&self, id: TenantId) -> bool {
        self.store.read(&maintenance(id).to_read()).await.is_ok()
    }
}

#[async_trait]
impl Backend for Rows {
    fn store(&self) -> Arc<dyn Store> {
        self.store.clone()
    }

    fn directory(&self) -> Arc<dyn Directory> {
        self.directory.clone()
    }

    fn people(&self) -> Arc<dyn People> {
        Arc::new(MemoryDirectory::new(SampleClock::shared()))
    }

    fn factor_sets(&self) -> Arc<dyn FactorSets> {
        Arc::new(MemoryDirectory::new(SampleClock::shared()))
    }

    fn spool(&self) -> Arc<dyn ports::spool::Spool> {
        Arc::new(memory::MemorySpool::default())
    }

    async fn found(&self, id: TenantId, _: &TenantSlug) -> Result<TenantId, StoreError> {
        self.store.prepare(&maintenance(id)).await?;
        Ok(id)
    }

    async fn abandon(&self, id: TenantId) -> Result<(), StoreError> {
        self.store.remove(&maintenance(id), 0).await
    }

    async fn check(&self, _: &Tenant) -> Result<(), StoreError> {
        Ok(())
    }

    async fn size(&self) -> Result<StoreSize, StoreError> {
        Ok(StoreSize::default())
    }

    async fn sweep(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn close(&self) {}
}

#[tokio::test]
async fn a_tenant_that_the_directory_refuses_leaves_no_row_in_the_store() {
    let folder = TempDir::new().unwrap();
    let rows = Rows::shared();
    let app = rows.open(&folder).await;
    let refused = tenant(7, "acme");
    rows.directory.refuses_tenants.store(true, Ordering::SeqCst);
    assert!(matches!(app.adopt_tenant(&refused).await, Err(StoreError::Failed(_))));
    assert!(!rows.has_room(refused.id).await);
    rows.directory.refuses_tenants.store(false, Ordering::SeqCst);
    app.adopt_tenant(&refused).await.unwrap();
    assert!(rows.has_room(refused.id).await);
}

#[tokio::test]
async fn a_tenant_that_may_have_come_into_the_directory_keeps_its_row() {
    let folder = TempDir::new().unwrap();
    let rows = Rows::shared();
    let app = rows.open(&folder).await;
    let made = tenant(7, "acme");
    rows.directory.loses_answers.store(true, Ordering::SeqCst);
    assert!(matches!(app.adopt_tenant(&made).await, Err(StoreError::Unknown(_))));
    assert!(rows.has_room(made.id).await);
    assert_eq!(app.find_tenant(&made.slug).await.unwrap(), Some(made));
}

#[tokio::test]
async fn a_tenant_that_the_directory_knows_by_another_slug_keeps_its_row() {
    let folder = TempDir::new().unwrap();
    let rows = Rows::shared();
    let app = rows.open(&folder).await;
    let made = tenant(7, "acme");
    app.adopt_tenant(&made).await.unwrap();
    rows.directory.refuses_tenants.store(true, Ordering::SeqCst);
    assert!(app.adopt_tenant(&tenant(7, "other-works")).await.is_err());
    assert!(rows.has_room(made.id).await);
}
