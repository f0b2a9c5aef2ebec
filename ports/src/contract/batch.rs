//! Batches of activities: in order, and all or nothing.

use crate::{ChainHead, Verb, Version};
use domain::Activity;

use super::read::{cells, changes_since, postings_since};
use super::sample;
use super::tenant::Tenant;
use crate::repo::ActivityWrite;
use crate::store::{Conflict, Store, StoreError, WriteTx};

fn synced(number: u64, text: &str) -> Activity {
    sample::activity(number).with_sync_id(Some(sample::sync_id(text)))
}

/// Writes the batch and expects the error; then commits the rest of the transaction.
async fn fails(mut tx: Box<dyn WriteTx>, batch: Vec<ActivityWrite>) -> StoreError {
    let error = tx.activities_mut().put_all(batch).await.expect_err("fails inside");
    tx.commit().await.expect("commits the rest");
    error
}

pub async fn a_batch_is_written_in_order(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let old = tenant.add(synced(1, "S-1")).await;
    let batch = vec![
        ActivityWrite::Add(sample::activity(3)),
        ActivityWrite::Update(synced(1, "S-2"), old.version), // frees the syncId that the next one takes
        ActivityWrite::Add(synced(2, "S-1")),
        ActivityWrite::Update(synced(3, "S-3"), Version(2)),
    ];
    let mut tx = tenant.write().await;
    tx.activities_mut().put_all(batch).await.expect("puts all");
    tx.commit().await.expect("commits");
    for (number, text) in [(1, "S-2"), (2, "S-1"), (3, "S-3")] {
        let stored = tenant.find::<Activity>(sample::id(number)).await.expect("is there");
        assert_eq!((stored.value, stored.version), (synced(number, text), Version(2)));
    }
    let changes = changes_since(&mut *tenant.read().await, 1, 10).await;
    let items: Vec<_> = changes.iter().flat_map(|(_, items)| items).map(|item| (item.verb(), item.id)).collect();
    let expected = [(Verb::Added, 3), (Verb::Updated, 1), (Verb::Added, 2), (Verb::Updated, 3)];
    assert_eq!(items, expected.map(|(verb, number)| (verb, sample::uuid(number))));
}

pub async fn a_batch_that_meets_a_conflict_leaves_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::org(1)).await;
    let old = tenant.add(synced(1, "S-1")).await;
    let head = tenant.head().await;
    let placed = synced(2, "S-2").with_org(Some(sample::org(1).id));
    let batch = vec![
        ActivityWrite::Add(placed),
        ActivityWrite::Update(synced(1, "S-9"), old.version),
        ActivityWrite::Add(synced(3, "S-2")), // taken within the batch
        ActivityWrite::Add(sample::activity(4)),
    ];
    let error = fails(tenant.write().await, batch).await;
    assert!(matches!(error, StoreError::Conflict(Conflict::SyncId { holder, .. }) if holder == sample::uuid(2)));
    assert_eq!(tenant.head().await, head);
    assert_eq!(tenant.find(old.value.id).await, Some(old));
    assert_eq!(tenant.count::<Activity>().await, 1);
    let mut tx = tenant.read().await;
    assert_eq!(tx.ledger().series(0).await.expect("reads").len(), 1);
    assert_eq!(postings_since(&mut *tx, 2).await, []);
    let sync_ids = ["S-2", "S-9"].map(sample::sync_id);
    assert_eq!(tx.activities().with_sync_ids(&sync_ids).await.expect("reads"), []);
}

pub async fn a_batch_with_a_stale_update_leaves_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::activity(1)).await;
    let head = tenant.head().await;
    let batch = vec![ActivityWrite::Add(sample::activity(2)), ActivityWrite::Update(sample::activity(1), Version(9))];
    assert!(matches!(fails(tenant.write().await, batch).await, StoreError::Stale));
    let batch = vec![ActivityWrite::Add(sample::activity(2)), ActivityWrite::Update(sample::activity(3), Version(1))];
    assert!(matches!(fails(tenant.write().await, batch).await, StoreError::Stale));
    assert_eq!(tenant.head().await, head);
    assert_eq!(tenant.count::<Activity>().await, 1);
}

pub async fn a_failed_batch_keeps_what_was_written_before_it(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    tx.activities_mut().add(sample::activity(1)).await.expect("adds");
    tx.activities_mut().put_all(vec![ActivityWrite::Add(sample::activity(2))]).await.expect("puts all");
    let batch = vec![ActivityWrite::Add(sample::activity(3)), ActivityWrite::Add(sample::activity(1))];
    tx.activities_mut().put_all(batch).await.expect_err("fails inside");
    tx.activities_mut().put_all(vec![ActivityWrite::Add(sample::activity(4))]).await.expect("puts all");
    tx.commit().await.expect("commits");
    let mut tx = tenant.read().await;
    let found = tx.activities().find_all(&[1, 2, 3, 4].map(sample::id)).await.expect("finds");
    let mut found: Vec<_> = found.iter().map(|stored| stored.value.id).collect();
    found.sort_unstable();
    assert_eq!(found, [1, 2, 4].map(sample::id));
    let cells = cells(&mut *tx).await;
    assert_eq!(cells.iter().map(|one| one.cell.starts).collect::<Vec<_>>(), [3]);
    let changes = changes_since(&mut *tx, 0, 10).await;
    assert_eq!(changes.iter().map(|(_, items)| items.len()).collect::<Vec<_>>(), [3]);
}

pub async fn an_empty_batch_changes_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    tx.activities_mut().put_all(Vec::new()).await.expect("puts all");
    assert_eq!(tx.commit().await.expect("commits").number, 0);
}

pub async fn a_batch_of_thousands_is_kept(store: &dyn Store) {
    const MANY: u64 = 3_000;
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    let batch = (1..=MANY).map(|number| ActivityWrite::Add(synced(number, &format!("S-{number}")))).collect();
    tx.activities_mut().put_all(batch).await.expect("puts all");
    tx.commit().await.expect("commits");
    assert_eq!(tenant.count::<Activity>().await, MANY);
    let mut tx = tenant.read().await;
    let sync_ids: Vec<_> = (1..=MANY + 5).map(|number| sample::sync_id(&format!("S-{number}"))).collect();
    assert_eq!(tx.activities().with_sync_ids(&sync_ids).await.expect("reads").len() as u64, MANY);
    let ids: Vec<_> = (1..=MANY + 5).map(sample::id).collect();
    assert_eq!(tx.activities().find_all(&ids).await.expect("finds").len() as u64, MANY);
    let cells = cells(&mut *tx).await;
    assert_eq!(cells.iter().map(|one| one.cell.co2e.amount.to_string()).collect::<Vec<_>>(), ["30000"]);
}

/// Writes activities that were built in a snapshot of that head.
async fn put(
    store: &dyn Store,
    tenant: &Tenant<'_>,
    since: &ChainHead,
    writes: Vec<ActivityWrite>,
) -> Result<ChainHead, StoreError> {
    store.put_activities(tenant.writing(), sample::intent(), since, writes).await
}

pub async fn activities_built_in_a_snapshot_are_written_behind_other_activities(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::org(1)).await;
    let since = tenant.head().await;
    let old = tenant.add(synced(1, "S-1")).await;
    let writes = vec![
        ActivityWrite::Add(synced(2, "S-2").with_org(Some(sample::org(1).id))),
        ActivityWrite::Update(synced(1, "S-3"), old.version),
    ];
    let head = put(store, &tenant, &since, writes).await.expect("writes");
    assert_eq!((head.number, head), (old.version.0 + 1, tenant.head().await));
    for (number, text) in [(2, "S-2"), (1, "S-3")] {
        let stored = tenant.find::<Activity>(sample::id(number)).await.expect("is there");
        let sync_id = stored.value.sync_id.as_ref().map(ToString::to_string);
        assert_eq!((sync_id.as_deref(), stored.version), (Some(text), Version(head.number)));
    }
    let changes = changes_since(&mut *tenant.read().await, old.version.0, 10).await;
    let items: Vec<_> = changes.iter().flat_map(|(_, items)| items).map(|item| (item.verb(), item.id)).collect();
    assert_eq!(items, [(Verb::Added, 2), (Verb::Updated, 1)].map(|(verb, number)| (verb, sample::uuid(number))));
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn activities_built_in_another_catalog_are_stale(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let since = tenant.head().await;
    let product = tenant.add(sample::product(1)).await;
    let head = tenant.head().await;
    let other = ChainHead { epoch: sample::uuid(9), ..head };
    for since in [&since, &other] {
        let outcome = put(store, &tenant, since, vec![ActivityWrite::Add(sample::activity(1))]).await;
        assert!(matches!(outcome, Err(StoreError::Stale)), "{outcome:?}");
    }
    assert_eq!(tenant.head().await, head);
    put(store, &tenant, &head, vec![ActivityWrite::Add(sample::activity(1))]).await.expect("writes");
    assert_eq!(product.version.0, head.number);
}

pub async fn activities_built_in_a_snapshot_that_cannot_be_written_leave_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(synced(1, "S-1")).await;
    let head = tenant.head().await;
    let taken = vec![ActivityWrite::Add(sample::activity(2)), ActivityWrite::Add(synced(3, "S-1"))];
    let outcome = put(store, &tenant, &head, taken).await;
    assert!(matches!(outcome, Err(StoreError::Conflict(Conflict::SyncId { .. }))), "{outcome:?}");
    let changed = vec![ActivityWrite::Add(sample::activity(2)), ActivityWrite::Update(synced(1, "S-2"), Version(9))];
    let outcome = put(store, &tenant, &head, changed).await;
    assert!(matches!(outcome, Err(StoreError::Stale)), "{outcome:?}");
    let missing = vec![ActivityWrite::Add(sample::activity(2).with_product(Some(sample::product(7).id)))];
    let outcome = put(store, &tenant, &head, missing).await;
    assert!(matches!(outcome, Err(StoreError::Conflict(Conflict::Missing { .. }))), "{outcome:?}");
    assert_eq!(tenant.head().await, head);
    assert_eq!(tenant.count::<Activity>().await, 1);
    put(store, &tenant, &head, vec![ActivityWrite::Add(sample::activity(2))]).await.expect("writes");
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn activities_built_at_once_are_each_written_once(store: &dyn Store) {
    const WRITERS: u64 = 40;
    let tenant = Tenant::prepare(store).await;
    let since = tenant.head().await;
    let writes =
        (1..=WRITERS).map(|number| put(store, &tenant, &since, vec![ActivityWrite::Add(sample::activity(number))]));
    let heads = futures_util::future::join_all(writes).await;
    let mut numbers: Vec<_> = heads.into_iter().map(|head| head.expect("writes").number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=WRITERS).collect::<Vec<_>>());
    assert_eq!(tenant.count::<Activity>().await, WRITERS);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn activities_built_at_once_are_validated_each_for_itself(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let early = tenant.head().await;
    let org = tenant.add(sample::org(1)).await.value.id;
    let seen = tenant.add(synced(1, "S-1")).await.version;
    let since = tenant.head().await;
    let add = |number, text: &str| ActivityWrite::Add(synced(number, text).with_org(Some(org)));
    let update = |text| ActivityWrite::Update(synced(1, text), seen);
    let missing = sample::activity(40).with_product(Some(sample::product(9).id));
    let mut asked = vec![(early, add(41, "S-41")), (since, ActivityWrite::Add(missing))];
    // Of each pair one can be written.
    asked.extend(
        [add(2, "S-2"), add(3, "S-2"), add(4, "S-4"), add(4, "S-5"), update("S-6"), update("S-7")]
            .map(|put| (since, put)),
    );
    asked.extend((10..20).map(|number| (since, add(number, &format!("S-{number}")))));
    let puts = asked.into_iter().map(|(since, write)| {
        let tenant = &tenant;
        async move { put(store, tenant, &since, vec![write]).await }
    });
    let done = futures_util::future::join_all(puts).await;
    let (refused, written): (Vec<_>, Vec<_>) = done.iter().partition(|outcome| outcome.is_err());
    let mut numbers: Vec<u64> =
        written.iter().filter_map(|outcome| outcome.as_ref().ok()).map(|head| head.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (since.number + 1..=since.number + 13).collect::<Vec<_>>(), "{refused:?}");
    let (first, pairs) = done.split_at(2);
    assert!(
        matches!(first, [Err(StoreError::Stale), Err(StoreError::Conflict(Conflict::Missing { .. }))]),
        "{first:?}"
    );
    let loser =
        |at: usize| pairs.get(at..at + 2).and_then(|pair| pair.iter().find_map(|outcome| outcome.as_ref().err()));
    assert!(matches!(loser(0), Some(StoreError::Conflict(Conflict::SyncId { .. }))), "{:?}", loser(0));
    assert!(matches!(loser(2), Some(StoreError::Conflict(Conflict::Exists(_)))), "{:?}", loser(2));
    assert!(matches!(loser(4), Some(StoreError::Stale)), "{:?}", loser(4));
    assert_eq!(tenant.count::<Activity>().await, 13);
    assert_eq!(tenant.head().await.number, since.number + 13);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn activities_built_at_once_follow_each_other(store: &dyn Store) {
    const ROUNDS: u64 = 8;
    const WRITERS: u64 = 6;
    let tenant = Tenant::prepare(store).await;
    let orgs = [tenant.add(sample::org(1)).await.value.id, tenant.add(sample::org(2)).await.value.id];
    let since = tenant.head().await;
    // Each writer updates its own activity again and again, from one series to the other.
    let writer = |number: u64| {
        let (tenant, since) = (&tenant, &since);
        async move {
            let like = |round: u64| sample::activity(number).with_org(orgs.get((round % 2) as usize).copied());
            let mut head = put(store, tenant, since, vec![ActivityWrite::Add(like(0))]).await.expect("adds");
            for round in 1..=ROUNDS {
                let write = ActivityWrite::Update(like(round), Version(head.number));
                head = put(store, tenant, since, vec![write]).await.expect("updates");
            }
        }
    };
    futures_util::future::join_all((1..=WRITERS).map(writer)).await;
    assert_eq!(tenant.head().await.number, since.number + WRITERS * (ROUNDS + 1));
    assert_eq!(tenant.count::<Activity>().await, WRITERS);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}
