//! Transactions: what they see, what they leave, and how their numbers go.

use std::future::poll_fn;
use std::task::Poll;

use crate::{ChainHead, Version};
use domain::{Activity, Digest, Factor, Footprint, Product};
use futures_util::future::{join, join_all, poll_immediate};

use super::read::{cells, changes_since};
use super::sample;
use super::tenant::{Tenant, activities};
use crate::store::{Conflict, ReadTx, Store, StoreError, WriteTx};

pub async fn a_prepared_tenant_is_empty(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let head = tenant.head().await;
    assert_eq!(head, ChainHead { number: 0, digest: Digest::ZERO, epoch: head.epoch, catalog: 0 });
    assert!(!head.epoch.is_nil());
    assert_eq!(left_behind(&mut *tenant.read().await).await, 0);
}

pub async fn preparing_again_changes_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::product(1)).await;
    let head = tenant.head().await;
    let tenant = Tenant::prepare(store).await;
    assert_eq!(tenant.head().await, head);
    assert_eq!(tenant.find(added.value.id).await, Some(added));
}

pub async fn a_tenant_that_was_not_prepared_fails(store: &dyn Store) {
    let other = Tenant::prepare(store).await;
    let grant = crate::Grant::for_maintenance(sample::id(2), other.grant().actor());
    let is_failed = |error: Option<StoreError>| matches!(error, Some(StoreError::Failed(_)));
    assert!(is_failed(store.read(&grant.to_read()).await.err()));
    assert!(is_failed(store.write(&grant.to_write(), sample::intent()).await.err()));
    assert!(is_failed(store.verify(&grant).await.err()));
}

pub async fn a_write_transaction_reads_what_it_wrote(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let before = tenant.head().await;
    let mut tx = tenant.write().await;
    let product = tx.products_mut().add(sample::product(1)).await.expect("adds");
    let activity = tx.activities_mut().add(sample::activity(1)).await.expect("adds");
    let again = tx.products_mut().update(product.value.clone(), product.version).await.expect("updates its own");
    assert_eq!(again, product);
    assert_eq!(tx.products().find(product.value.id).await.expect("finds"), Some(product));
    assert_eq!(activities(&mut *tx).await, [activity]);
    assert_eq!(tx.ledger().series(0).await.expect("reads").len(), 1);
    assert_eq!(cells(&mut *tx).await, [], "postings stand with the change, once it is closed");
    assert_eq!(tx.head().await.expect("reads"), before);
    tx.commit().await.expect("commits");
}

pub async fn a_snapshot_does_not_see_later_commits(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.add(sample::activity(1)).await;
    let mut snapshot = tenant.read().await;
    let head = snapshot.head().await.expect("reads the head");
    tenant.add(sample::activity(2)).await;
    tenant.add(sample::product(1)).await;
    tenant.remove(&first).await;
    assert_eq!(snapshot.head().await.expect("reads the head"), head);
    assert_eq!(snapshot.activities().find(first.value.id).await.expect("finds"), Some(first.clone()));
    assert_eq!(activities(&mut *snapshot).await, [first]);
    assert_eq!(snapshot.products().find(sample::id(1)).await.expect("finds"), None);
    let cells = cells(&mut *snapshot).await;
    assert_eq!(cells.iter().map(|one| one.cell.starts).collect::<Vec<_>>(), [1]);
    assert_eq!(changes_since(&mut *snapshot, 0, 10).await.len(), 1);
}

pub async fn nothing_is_seen_before_the_commit(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let head = tenant.head().await;
    let mut tx = tenant.write().await;
    write_everything(&mut *tx).await;
    assert_eq!(left_behind(&mut *tenant.read().await).await, 0);
    assert_eq!(tenant.head().await, head);
    tx.commit().await.expect("commits");
    assert_eq!(left_behind(&mut *tenant.read().await).await, 14);
}

pub async fn a_dropped_transaction_leaves_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let head = tenant.head().await;
    let mut tx = tenant.write().await;
    write_everything(&mut *tx).await;
    drop(tx);
    assert_eq!(left_behind(&mut *tenant.read().await).await, 0);
    assert_eq!(tenant.head().await, head);
    let mut tx = tenant.write().await;
    assert_eq!(left_behind(&mut *tx).await, 0);
    write_everything(&mut *tx).await;
    tx.commit().await.expect("commits");
    assert_eq!(tenant.find::<Footprint>(sample::footprint(1).id).await.map(|stored| stored.value.number), Some(1));
}

pub async fn a_dropped_transactions_number_is_given_again(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for _ in 0..3 {
        let mut tx = tenant.write().await;
        assert_eq!(tx.number(), 1);
        tx.products_mut().add(sample::product(1)).await.expect("adds");
        drop(tx);
    }
    assert_eq!(tenant.add(sample::product(1)).await.version, Version(1));
}

pub async fn a_commit_of_nothing_changes_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    let head = tenant.head().await;
    let mut tx = tenant.write().await;
    tx.products().find(sample::id(1)).await.expect("finds");
    tx.products_mut().add(sample::product(1)).await.expect_err("is there");
    assert_eq!(tx.commit().await.expect("commits"), head);
    assert_eq!(tenant.head().await, head);
    let changes = changes_since(&mut *tenant.read().await, 0, 10).await;
    assert_eq!(changes.len(), 1);
}

pub async fn a_transaction_goes_on_after_a_conflict(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    tx.products_mut().add(sample::product(1)).await.expect("adds");
    let error = tx.products_mut().add(sample::product(1)).await.expect_err("is there");
    assert!(matches!(error, StoreError::Conflict(Conflict::Exists(_))), "{error:?}");
    let error = tx.products_mut().remove(sample::id(2), Version(1)).await.expect_err("is not there");
    assert!(matches!(error, StoreError::Stale), "{error:?}");
    tx.products_mut().add(sample::product(2)).await.expect("adds");
    tx.commit().await.expect("commits");
    assert_eq!(tenant.count::<Product>().await, 2);
}

pub async fn numbers_have_no_gaps(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for number in 1..=20 {
        drop(tenant.write().await);
        let mut tx = tenant.write().await;
        tx.products_mut().add(sample::product(number)).await.expect("adds");
        assert_eq!(tx.commit().await.expect("commits").number, number);
    }
    let changes = changes_since(&mut *tenant.read().await, 0, 100).await;
    assert_eq!(changes.iter().map(|(change, _)| change.number).collect::<Vec<_>>(), (1..=20).collect::<Vec<_>>());
}

pub async fn the_catalog_number_moves_with_nodes_products_and_factors_alone(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let org = tenant.add(sample::org(1)).await;
    assert_eq!(tenant.head().await.catalog, 1);
    let product = tenant.add(sample::product(1)).await;
    assert_eq!(tenant.head().await.catalog, 2);
    let factor = tenant.add(sample::factor(1, &product.value, "2025-01-01")).await;
    assert_eq!(tenant.head().await.catalog, 3);
    tenant.add(sample::activity(1)).await;
    tenant.add(sample::model(1)).await;
    tenant.add(sample::switch(1, &[])).await;
    tenant.add(sample::footprint(1)).await;
    let head = tenant.head().await;
    assert_eq!((head.number, head.catalog), (7, 3));
    tenant.remove::<Factor>(&factor).await;
    assert_eq!(tenant.head().await.catalog, 8);
    tenant.update(product.value.clone(), product.version).await;
    assert_eq!(tenant.head().await.catalog, 9);
    tenant.remove(&org).await;
    assert_eq!(tenant.head().await.catalog, 10);
}

pub async fn writers_at_the_same_time_lose_nothing(store: &dyn Store) {
    const WRITERS: u64 = 40;
    let tenant = Tenant::prepare(store).await;
    let counter = tenant.add(sample::activity(1000)).await;
    let versions = join_all((1..=WRITERS).map(|number| {
        let tenant = &tenant;
        let id = counter.value.id;
        async move {
            let mut tx = tenant.write().await;
            tx.activities_mut().add(sample::activity(number)).await.expect("adds");
            pause().await;
            let seen = tx.activities().find(id).await.expect("finds").expect("is there");
            pause().await;
            let updated = tx.activities_mut().update(seen.value, seen.version).await.expect("updates the newest");
            assert_eq!(tx.commit().await.expect("commits").number, updated.version.0);
            updated.version.0
        }
    }))
    .await;
    let mut versions: Vec<u64> = versions;
    versions.sort_unstable();
    assert_eq!(versions, (2..=WRITERS + 1).collect::<Vec<_>>());
    assert_eq!(tenant.head().await.number, WRITERS + 1);
    assert_eq!(tenant.count::<Activity>().await, WRITERS + 1);
    let cells = cells(&mut *tenant.read().await).await;
    assert_eq!(cells.iter().map(|one| one.cell.starts).sum::<i64>(), 41);
}

pub async fn a_writer_waits_until_the_one_before_ends(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut first = tenant.write().await;
    let mut second = store.write(tenant.writing(), sample::intent());
    assert!(poll_immediate(&mut second).await.is_none());
    first.products_mut().add(sample::product(1)).await.expect("adds");
    assert!(poll_immediate(&mut second).await.is_none());
    let after = async {
        let mut second = second.await.expect("opens a write transaction");
        assert_eq!(second.number(), 2);
        assert!(second.products().find(sample::id(1)).await.expect("finds").is_some());
    };
    let (head, ()) = join(first.commit(), after).await; // a store may commit the two together
    assert_eq!(head.expect("commits").number, 1);
}

pub async fn a_writer_that_gives_up_waiting_holds_nobody_up(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.write().await;
    let mut second = store.write(tenant.writing(), sample::intent());
    assert!(poll_immediate(&mut second).await.is_none());
    drop(second);
    drop(first);
    assert_eq!(tenant.add(sample::product(1)).await.version, Version(1));
}

pub async fn tenants_are_apart(store: &dyn Store) {
    let (one, two) = (Tenant::prepare_nth(store, 1).await, Tenant::prepare_nth(store, 2).await);
    let synced = sample::product(1).with_sync_id(Some(sample::sync_id("p")));
    let kept = one.add(synced.clone()).await;
    one.add(sample::activity(1)).await;
    assert_eq!(left_behind(&mut *two.read().await).await, 0);
    assert_eq!(two.head().await.number, 0);
    assert_ne!(two.head().await.epoch, one.head().await.epoch);
    let mut open = one.write().await;
    let other = two.add(synced).await; // does not wait for the other tenant's writer
    open.activities_mut().add(sample::activity(2)).await.expect("adds");
    open.commit().await.expect("commits");
    two.remove(&other).await;
    assert_eq!(one.find(kept.value.id).await, Some(kept));
    assert_eq!((one.head().await.number, two.head().await.number), (3, 2));
}

/// Lets other tasks go on.
async fn pause() {
    let mut paused = false;
    poll_fn(|cx| {
        if paused {
            return Poll::Ready(());
        }
        paused = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Adds one record of each kind, with two inputs.
async fn write_everything(tx: &mut dyn WriteTx) {
    let (product, model) = (sample::product(1), sample::model(1));
    tx.scopes_mut().add(sample::scope(1)).await.expect("adds");
    tx.orgs_mut().add(sample::org(1)).await.expect("adds");
    tx.taxonomies_mut().add(sample::taxonomy(1, "a")).await.expect("adds");
    tx.products_mut().add(product.clone()).await.expect("adds");
    tx.factors_mut().add(sample::factor(1, &product, "2025-01-01")).await.expect("adds");
    tx.activities_mut().add(sample::filled_activity(1)).await.expect("adds");
    tx.models_mut().add(model.clone()).await.expect("adds");
    for number in [1, 2] {
        tx.inputs_mut().add(sample::input(number, &model, &product, 1)).await.expect("adds");
    }
    tx.switches_mut().add(sample::switch(1, &[model.id])).await.expect("adds");
    tx.footprints_mut().add(sample::footprint(1)).await.expect("adds");
}

/// How many records, series and cells there are.
async fn left_behind(tx: &mut dyn ReadTx) -> usize {
    let activities = tx.activities().find_all(&[1, 2].map(sample::id)).await.expect("finds").len();
    let scopes = tx.scopes().all().await.expect("reads").len();
    let orgs = tx.orgs().all().await.expect("reads").len();
    let taxonomies = tx.taxonomies().all().await.expect("reads").len();
    let nodes = scopes + orgs + taxonomies;
    let products = tx.products().names().await.expect("reads").len();
    let factors = tx.factors().find_all(&[sample::id(1)]).await.expect("finds").len();
    let models = tx.models().find_all(&[sample::id(1)]).await.expect("finds").len();
    let inputs = tx.inputs().find_all(&[1, 2].map(sample::id)).await.expect("finds").len();
    let switches = tx.switches().find_all(&[sample::id(1)]).await.expect("finds").len();
    let footprints = tx.footprints().find_all(&[sample::id(1)]).await.expect("finds").len();
    let series = tx.ledger().series(0).await.expect("reads").len();
    let cells = cells(&mut *tx).await.len();
    activities + nodes + products + factors + models + inputs + switches + footprints + series + cells
}
