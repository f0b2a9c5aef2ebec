//! Two nodes on the same records: what one writes the other sees, and neither loses what the other wrote.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ReadModel;
use crate::{ChainHead, Stored};
use domain::{Activity, Catalog, Cell, Co2e, Day, NodeTree, SeriesKey, Total, TreeNode};
use futures_util::future::{join, join_all, poll_immediate};

use super::read::{SeriesCell, cells, changes_since};
use super::sample::{self, activity_in, span};
use super::tenant::Tenant;
use crate::ledger::postings_since;
use crate::repo::ActivityWrite;
use crate::store::{Conflict, ReadTx, Store, StoreError};

/// The same tenant as each of the two nodes has it.
async fn tenants([one, two]: [&dyn Store; 2]) -> [Tenant<'_>; 2] {
    [Tenant::prepare(one).await, Tenant::prepare(two).await]
}

/// What a node without memory makes of the records.
async fn read_model(tenant: &Tenant<'_>) -> ReadModel {
    let empty = ReadModel::new(
        ChainHead { number: 0, ..tenant.head().await },
        Arc::new(Catalog::default()),
        Arc::new(domain::Cube::new([], []).expect("an empty cube")),
    );
    advance(tenant, &empty).await
}

/// What a node makes of the records that has an earlier read model.
async fn advance(tenant: &Tenant<'_>, before: &ReadModel) -> ReadModel {
    let mut tx = tenant.read().await;
    let head = tx.head().await.expect("reads the head");
    let known = u32::try_from(before.cube().series().len()).expect("few series");
    let series = tx.ledger().series(known).await.expect("reads series");
    let postings = postings_since(tx.ledger(), before.head().number).await.expect("reads postings");
    let catalog = if head.catalog > before.head().catalog { Some(catalog(&mut *tx).await) } else { None };
    before.advance(head, series, postings, catalog).expect("every cell has its series")
}

async fn catalog(tx: &mut dyn ReadTx) -> Arc<Catalog> {
    fn tree<T: TreeNode>(nodes: Vec<Stored<T>>) -> NodeTree<T> {
        NodeTree::new(nodes.into_iter().map(|stored| stored.value).collect())
    }
    Arc::new(Catalog {
        scopes: tree(tx.scopes().all().await.expect("reads scopes")),
        orgs: tree(tx.orgs().all().await.expect("reads orgs")),
        taxonomies: tree(tx.taxonomies().all().await.expect("reads taxonomies")),
        products: tx.products().names().await.expect("reads names").into_iter().collect(),
    })
}

/// The head, the series and what is not zero of a read model.
fn shown(read_model: &ReadModel) -> (ChainHead, Vec<SeriesKey>, BTreeMap<(Day, u32), Cell>) {
    let cells = read_model.cube().cells().filter(|(_, _, cell)| !cell.is_zero());
    let cells = cells.map(|(series, day, cell)| ((day, series), cell)).collect();
    (read_model.head(), read_model.cube().series().to_vec(), cells)
}

async fn cells_of(tenant: &Tenant<'_>) -> Vec<SeriesCell> {
    cells(&mut *tenant.read().await).await
}

async fn assert_sound(stores: [&dyn Store; 2], tenant: &Tenant<'_>, changes: u64) {
    for store in stores {
        let report = store.verify(tenant.grant()).await.expect("verifies");
        assert_eq!((report.findings, report.changes), (Vec::new(), changes));
    }
}

pub async fn what_one_node_writes_the_other_reads_at_once(stores: [&dyn Store; 2]) {
    let nodes = tenants(stores).await;
    for number in 1..=20_u64 {
        let [writer, reader] = if number % 2 == 0 { [&nodes[0], &nodes[1]] } else { [&nodes[1], &nodes[0]] };
        let added = writer.add(sample::product(number)).await;
        assert_eq!(added.version.0, number);
        assert_eq!(reader.find(added.value.id).await.as_ref(), Some(&added));
        assert_eq!(reader.head().await, writer.head().await);
        let renamed = added.value.clone().with_name(sample::name("Renamed"));
        let stale = added.value.clone().with_name(sample::name("Other"));
        if number == 20 {
            let renamed = reader.update(renamed, added.version).await;
            let error = writer.try_update(stale, added.version).await.expect_err("was changed meanwhile");
            assert!(matches!(error, StoreError::Stale), "{error:?}");
            assert_eq!(writer.find(added.value.id).await, Some(renamed));
        }
    }
}

pub async fn what_one_node_took_is_taken_on_the_other(stores: [&dyn Store; 2]) {
    let [one, two] = tenants(stores).await;
    let synced = |number| sample::product(number).with_sync_id(Some(sample::sync_id("p")));
    one.add(synced(1)).await;
    let error = two.try_add(synced(2)).await.expect_err("the syncId is taken");
    assert!(matches!(error, StoreError::Conflict(Conflict::SyncId { .. })), "{error:?}");
    let error = two.try_add(sample::product(1)).await.expect_err("the id is taken");
    assert!(matches!(error, StoreError::Conflict(Conflict::Exists(_))), "{error:?}");
    two.add(sample::activity(1)).await;
    one.add(sample::activity(2)).await;
    assert_eq!(two.read().await.ledger().series(0).await.expect("reads"), [SeriesKey::default()]);
    assert_sound(stores, &one, 3).await;
}

pub async fn a_read_model_follows_what_the_other_node_writes(stores: [&dyn Store; 2]) {
    let [writer, reader] = tenants(stores).await;
    let mut kept = read_model(&reader).await;
    let mut written: Vec<Stored<Activity>> = Vec::new();
    for number in 1..=30 {
        match number % 5 {
            0 => drop(writer.add(sample::org(number)).await),
            1 | 2 => {
                let org = (number > 5).then(|| sample::id(sample::ORG + number / 5 * 5));
                let activity = activity_in(number, span("2025-01-30", "2025-02-07"), "0.000000000000000001");
                written.push(writer.add(activity.with_org(org)).await);
            }
            3 => {
                let last = written.pop().expect("was added");
                let later = last.value.with_span(span("2025-02-07", "2025-02-07"));
                written.push(writer.update(later, last.version).await);
            }
            _ => writer.remove(&written.remove(0)).await,
        }
        kept = advance(&reader, &kept).await;
        assert_eq!(shown(&kept), shown(&read_model(&reader).await));
        assert_eq!(shown(&kept), shown(&read_model(&writer).await));
        assert_eq!(kept.head().number, number);
    }
}

pub async fn a_node_that_slept_through_a_thousand_changes_catches_up(stores: [&dyn Store; 2]) {
    const CHANGES: u64 = 1000;
    let [writer, sleeper] = tenants(stores).await;
    writer.add(sample::activity(1)).await;
    let before = read_model(&sleeper).await;
    for number in 2..=CHANGES + 1 {
        if number % 100 == 0 {
            writer.add(sample::org(number)).await;
            continue;
        }
        let org = (number > 100).then(|| sample::id(sample::ORG + number / 100 * 100));
        let day = format!("2025-01-{:02}", number % 28 + 1);
        writer.add(activity_in(number, span(&day, "2025-02-01"), "0.1").with_org(org)).await;
    }
    assert_eq!(shown(&advance(&sleeper, &before).await), shown(&read_model(&writer).await));
    let mut tx = sleeper.read().await;
    let (mut seen, mut items) = (1, 0);
    loop {
        let page = changes_since(&mut *tx, seen, 100).await;
        for (change, of_change) in &page {
            assert_eq!(change.number, seen + 1);
            (seen, items) = (change.number, items + of_change.len());
        }
        if page.len() < 100 {
            break;
        }
    }
    assert_eq!((seen, items), (CHANGES + 1, 1000));
}

pub async fn many_writers_on_both_nodes_lose_and_double_nothing(stores: [&dyn Store; 2]) {
    const TASKS: u64 = 8;
    const EACH: u64 = 25;
    const ALL: u64 = 2 * TASKS * EACH;
    let nodes = tenants(stores).await;
    let counter = nodes[0].add(activity_in(10_000, span("2025-03-01", "2025-03-01"), "0")).await.value.id;
    let write_each = |node: usize, task: u64| {
        let tenant = &nodes[node];
        async move {
            let mut numbers = Vec::new();
            for turn in 0..EACH {
                let mut tx = tenant.write().await;
                let id = (if node == 0 { 0 } else { TASKS } + task) * EACH + turn + 1;
                let own = activity_in(id, span("2025-03-01", "2025-03-04"), "0.000000000000000003");
                tx.activities_mut().add(own).await.expect("adds");
                let seen = tx.activities().find(counter).await.expect("finds").expect("is there");
                let amount = seen.value.calculation.co2e().and_then(|had| had.checked_add(sample::co2e("1")));
                let amount = amount.expect("an amount").to_string();
                let counted = activity_in(10_000, seen.value.span, &amount);
                tx.activities_mut().update(counted, seen.version).await.expect("updates the newest");
                let number = tx.number();
                assert_eq!(tx.commit().await.expect("commits").number, number);
                numbers.push(number);
            }
            numbers
        }
    };
    let tasks = (0..TASKS).flat_map(|task| [write_each(0, task), write_each(1, task)]);
    let mut numbers = join_all(tasks).await.concat();
    numbers.sort_unstable();
    assert_eq!(numbers, (2..=ALL + 1).collect::<Vec<_>>());
    for tenant in &nodes {
        assert_eq!(tenant.count::<Activity>().await, ALL + 1);
        let found = tenant.find::<Activity>(counter).await.expect("is there");
        assert_eq!(found.value.calculation.co2e(), Some(sample::co2e("400")));
        let sum: Total = cells_of(tenant).await.into_iter().map(|one| one.cell.co2e.amount).sum();
        assert_eq!(sum, Total::from(sample::co2e("400.000000000000001200")));
    }
    assert_sound(stores, &nodes[0], ALL + 1).await;
}

pub async fn a_reader_never_sees_half_of_what_the_other_node_writes(stores: [&dyn Store; 2]) {
    const CHANGES: u64 = 100;
    let [writer, reader] = tenants(stores).await;
    let write = async {
        for number in 1..=CHANGES {
            let mut tx = writer.write().await;
            let (plus, minus) = (span("2025-03-01", "2025-03-01"), span("2025-03-02", "2025-03-09"));
            tx.activities_mut().add(activity_in(2 * number, plus, "7.5")).await.expect("adds");
            tx.activities_mut().add(activity_in(2 * number + 1, minus, "-7.5")).await.expect("adds");
            tx.commit().await.expect("commits");
        }
    };
    let read = async {
        let mut seen = 0;
        while seen < CHANGES {
            let mut tx = reader.read().await;
            let number = tx.head().await.expect("reads the head").number;
            assert!(number >= seen, "{seen}, then {number}");
            let cells = cells(&mut *tx).await;
            let changes = changes_since(&mut *tx, number.saturating_sub(1), 10).await;
            let starts: i64 = cells.iter().map(|one| one.cell.starts).sum();
            assert_eq!(u64::try_from(starts), Ok(2 * number));
            let sum: Total = cells.iter().map(|one| one.cell.co2e.amount).sum();
            assert_eq!(sum, Total::from(Co2e::default()));
            assert_eq!(changes.len() as u64, number.min(1), "nothing behind the head");
            seen = number;
        }
    };
    join(write, read).await;
}

pub async fn a_snapshot_stays_while_the_other_node_writes(stores: [&dyn Store; 2]) {
    let [writer, reader] = tenants(stores).await;
    let added = writer.add(sample::activity(1)).await;
    let mut snapshot = reader.read().await;
    let head = snapshot.head().await.expect("reads the head");
    let before = cells(&mut *snapshot).await;
    writer.update(activity_in(1, added.value.span, "99"), added.version).await;
    writer.add(sample::product(1)).await;
    assert_eq!(snapshot.head().await.expect("reads the head"), head);
    assert_eq!(cells(&mut *snapshot).await, before);
    assert_eq!(snapshot.activities().find(added.value.id).await.expect("finds"), Some(added));
    assert_eq!(snapshot.products().find(sample::id(1)).await.expect("finds"), None);
}

pub async fn a_writer_waits_for_the_writer_of_the_other_node(stores: [&dyn Store; 2]) {
    let [one, two] = tenants(stores).await;
    let mut first = one.write().await;
    first.products_mut().add(sample::product(1)).await.expect("adds");
    let second = async {
        let mut second = two.write().await;
        assert_eq!(second.number(), 2);
        assert!(second.products().find(sample::id(1)).await.expect("finds").is_some());
        second.products_mut().add(sample::product(2)).await.expect("adds");
        second.commit().await.expect("commits")
    };
    let (first, second) = join(first.commit(), second).await;
    assert_eq!((first.expect("commits").number, second.number), (1, 2));
}

pub async fn a_dropped_writer_frees_the_head_for_the_other_node(stores: [&dyn Store; 2]) {
    let [one, two] = tenants(stores).await;
    for number in 1..=10 {
        let mut dropped = one.write().await;
        dropped.products_mut().add(sample::product(100)).await.expect("adds");
        let waiting = two.write();
        let mut given_up = stores[1].write(two.writing(), sample::intent());
        assert!(poll_immediate(&mut given_up).await.is_none());
        drop(given_up);
        let (mut next, ()) = join(waiting, async { drop(dropped) }).await;
        assert_eq!(next.number(), number);
        assert_eq!(next.products().find(sample::id(100)).await.expect("finds"), None);
        next.products_mut().add(sample::product(number)).await.expect("adds");
        next.commit().await.expect("commits");
    }
    assert_eq!(one.head().await.number, 10);
    assert_sound(stores, &one, 10).await;
}

pub async fn a_tenant_removed_on_one_node_is_gone_on_the_other(stores: [&dyn Store; 2]) {
    let [one, two] = tenants(stores).await;
    one.add(sample::activity(1)).await;
    assert_eq!(two.head().await.number, 1);
    stores[0].remove(one.grant(), 1).await.expect("removes");
    let error = stores[1].read(two.reading()).await.err();
    assert!(matches!(error, Some(StoreError::Failed(_))), "{error:?}");
    let error = stores[1].write(two.writing(), sample::intent()).await.err();
    assert!(matches!(error, Some(StoreError::Failed(_))), "{error:?}");
}

pub async fn a_removal_waits_for_the_writer_of_the_other_node(stores: [&dyn Store; 2]) {
    let [one, two] = tenants(stores).await;
    let mut writer = one.write().await;
    writer.activities_mut().add(sample::activity(1)).await.expect("adds");
    let mut removal = stores[1].remove(two.grant(), 0);
    assert!(poll_immediate(&mut removal).await.is_none());
    let (written, removed) = join(writer.commit(), removal).await;
    assert_eq!(written.expect("commits").number, 1);
    assert!(matches!(removed, Err(StoreError::Stale)), "{removed:?}");
    assert_sound(stores, &two, 1).await;
    stores[1].remove(two.grant(), 1).await.expect("removes");
    assert!(stores[0].read(one.reading()).await.is_err());
    let [one, _] = tenants(stores).await;
    assert_sound(stores, &one, 0).await;
}

pub async fn activities_that_both_nodes_write_in_turns_follow_each_other(stores: [&dyn Store; 2]) {
    let tenants = tenants(stores).await;
    let [one, two] = &tenants;
    let mut number = 0;
    let mut add = |like: &dyn Fn(Activity) -> Activity| {
        number += 1;
        vec![ActivityWrite::Add(like(sample::activity(number)))]
    };
    // Each adds a record and a series that the other has not seen.
    for round in 1..=4 {
        let [writer, reader] = if round % 2 == 0 { [(0, one), (1, two)] } else { [(1, two), (0, one)] };
        let org = writer.1.add(sample::org(round)).await.value.id;
        for (place, tenant) in [writer, reader, writer, reader] {
            let since = tenant.head().await;
            let writes = add(&|activity| activity.with_org(Some(org)));
            let put = stores[place].put_activities(tenant.writing(), sample::intent(), &since, writes);
            assert_eq!(put.await.expect("writes").number, since.number + 1);
        }
    }
    // What one has removed is gone for the other.
    let product = one.add(sample::product(1)).await;
    let since = two.head().await;
    let uses = |activity: Activity| activity.with_product(Some(product.value.id));
    let written = stores[1].put_activities(two.writing(), sample::intent(), &since, add(&uses)).await.expect("writes");
    let used = two.find::<Activity>(sample::id(17)).await.expect("is there");
    assert_eq!(used.version.0, written.number);
    one.remove(&used).await;
    one.remove(&product).await;
    let since = two.head().await;
    let refused = stores[1].put_activities(two.writing(), sample::intent(), &since, add(&uses)).await;
    assert!(matches!(refused, Err(StoreError::Conflict(Conflict::Missing { .. }))), "{refused:?}");
    assert_sound(stores, one, since.number).await;
}
