//! Tests: a tenant that was made to be filled is removed again when filling it fails.

use domain::{Name, Org, Timestamp};
use ports::TenantSlug;
use ports::directory::Tenant;
use ports::inbound::{Field, NodeDraft, Nodes};
use ports::store::StoreError;
use tempfile::TempDir;

use crate::{App, Config};

async fn open(folder: &TempDir) -> App {
    let mut config = Config::default();
    config.store.data_dir = folder.path().join("data");
    App::build_without_tenant(config).await.unwrap()
}

fn tenant(number: u128, slug: &str) -> Tenant {
    let id = uuid::Uuid::from_u128(number).into();
    let (slug, name) = (TenantSlug::parse(slug).unwrap(), Name::parse(slug).unwrap());
    Tenant { id, slug, name, created: Timestamp::from_millis(0).unwrap(), epoch: uuid::Uuid::nil() }
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
