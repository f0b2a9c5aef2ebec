//! Checkpoints: with them the cells are what they were without, whenever they are written, read or left half-way.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use domain::{Cube, PackedCells};
use futures_util::future::{join, poll_immediate};

use super::read::{SeriesCell, cells, postings_since};
use super::sample::{self, activity_in, span};
use super::tenant::Tenant;
use crate::ledger::{self, Checkpoint};
use crate::repo::ActivityWrite;
use crate::store::{Store, StoreError};
use crate::{ChainHead, Revision};

/// The revision of a new snapshot and its cells.
async fn newest(tenant: &Tenant<'_>) -> (Revision, Arc<Cube>) {
    let mut tx = tenant.read().await;
    let head: ChainHead = tx.head().await.expect("reads the head");
    let kept = ledger::cells(tx.ledger()).await.expect("reads the cells");
    (head.revision(), Arc::new(kept.cube()))
}

/// Writes the cells of now as a checkpoint.
pub(super) async fn checkpoint(store: &dyn Store, tenant: &Tenant<'_>) {
    let (revision, cube) = newest(tenant).await;
    store.checkpoint(tenant.grant(), revision, cube).await.expect("writes a checkpoint");
}

/// Begins to write the cells of now as a checkpoint, and leaves it after so many steps.
pub(super) async fn checkpoint_in_part(store: &dyn Store, tenant: &Tenant<'_>, steps: u32) {
    let (revision, cube) = newest(tenant).await;
    let mut writing = store.checkpoint(tenant.grant(), revision, cube);
    for _ in 0..steps {
        if poll_immediate(&mut writing).await.is_some() {
            return;
        }
        let_others_run().await;
    }
}

/// Lets what else runs on this thread go on.
async fn let_others_run() {
    let mut is_done = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut is_done, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

async fn kept(tenant: &Tenant<'_>) -> Option<Checkpoint> {
    tenant.read().await.ledger().checkpoint().await.expect("reads")
}

/// The parts of the newest checkpoint.
async fn parts(tenant: &Tenant<'_>) -> Vec<PackedCells> {
    let (mut tx, mut found) = (tenant.read().await, Vec::new());
    let kept = tx.ledger().checkpoint().await.expect("reads");
    for part in 0..kept.map_or(0, |kept| kept.parts) {
        found.push(tx.ledger().checkpoint_part(part).await.expect("reads a part"));
    }
    found
}

async fn cells_of(tenant: &Tenant<'_>) -> Vec<SeriesCell> {
    cells(&mut *tenant.read().await).await
}

async fn assert_sound(store: &dyn Store, tenant: &Tenant<'_>) {
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

/// Adds activities of that many days, one each, in one change.
async fn add_days(tenant: &Tenant<'_>, from: u64, days: u64) {
    let mut tx = tenant.write().await;
    let batch = (from..from + days).map(|number| {
        let day = domain::Day::from_number(2_460_000 + i32::try_from(number).expect("few")).expect("a day").to_string();
        ActivityWrite::Add(activity_in(number, span(&day, &day), "0.25"))
    });
    tx.activities_mut().put_all(batch.collect()).await.expect("puts all");
    tx.commit().await.expect("commits");
}

pub async fn a_tenant_has_no_checkpoint_before_one_is_written(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::activity(1)).await;
    assert_eq!(kept(&tenant).await, None);
    let refused = tenant.read().await.ledger().checkpoint_part(0).await;
    assert!(matches!(refused, Err(StoreError::Corrupt { .. })), "{refused:?}");
}

pub async fn a_checkpoint_and_later_postings_are_the_cells(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = tenant.add(activity_in(1, span("2025-01-01", "2025-12-31"), "1")).await;
    tenant.add(activity_in(2, span("2025-01-01", "2025-01-02"), "2")).await;
    let before = cells_of(&tenant).await;
    checkpoint(store, &tenant).await;
    assert_eq!(cells_of(&tenant).await, before);
    assert_eq!(kept(&tenant).await.map(|kept| kept.number), Some(2));
    tenant.add(activity_in(3, span("2024-01-01", "2025-01-02"), "4")).await;
    tenant.remove(&first).await;
    let cells = cells_of(&tenant).await;
    assert_eq!(cells.iter().map(|one| one.cell.starts).sum::<i64>(), 2);
    assert_eq!(cells.iter().map(|one| one.cell.co2e.amount).sum::<domain::Total>().to_string(), "6");
    assert_sound(store, &tenant).await;
}

pub async fn a_checkpoint_makes_no_change_and_leaves_the_postings(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::activity(1)).await;
    let (head, postings) = (tenant.head().await, postings_since(&mut *tenant.read().await, 0).await);
    checkpoint(store, &tenant).await;
    assert_eq!(tenant.head().await, head);
    assert_eq!(postings_since(&mut *tenant.read().await, 0).await, postings);
    assert_eq!(tenant.add(sample::product(1)).await.version.0, 2);
}

pub async fn a_checkpoint_of_packed_cells_is_that_of_their_cube(store: &dyn Store) {
    let (with_cube, packed) = (Tenant::prepare(store).await, Tenant::prepare_nth(store, 2).await);
    for tenant in [&with_cube, &packed] {
        add_days(tenant, 1, 5_000).await;
        checkpoint(store, tenant).await;
        add_days(tenant, 5_001, 5_000).await;
    }
    checkpoint(store, &with_cube).await;
    let mut tx = packed.read().await;
    let revision = tx.head().await.expect("reads the head").revision();
    let cells = ledger::packed_cells(tx.ledger()).await.expect("reads the cells");
    drop(tx);
    store.checkpoint(packed.grant(), revision, Arc::new(cells)).await.expect("writes a checkpoint");
    assert_eq!(kept(&packed).await, Some(Checkpoint { number: 2, parts: 3 }));
    assert_eq!(parts(&packed).await, parts(&with_cube).await);
    assert_sound(store, &packed).await;
}

pub async fn a_newer_checkpoint_takes_the_place_of_the_one_before(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for number in 1..=3 {
        tenant.add(sample::activity(number)).await;
        checkpoint(store, &tenant).await;
        assert_eq!(kept(&tenant).await.map(|kept| kept.number), Some(number));
        assert_eq!(cells_of(&tenant).await[0].cell.starts, i64::try_from(number).expect("few"));
    }
    assert_sound(store, &tenant).await;
}

pub async fn a_renewed_epoch_leaves_everything_else_and_ends_what_was_built_before(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::activity(1)).await;
    checkpoint(store, &tenant).await;
    tenant.add(sample::activity(2)).await;
    let (before, cells, (revision, cube)) = (tenant.head().await, cells_of(&tenant).await, newest(&tenant).await);

    store.renew_epoch(tenant.grant(), sample::uuid(7)).await.expect("renews");

    assert_eq!(tenant.head().await, ChainHead { epoch: sample::uuid(7), ..before });
    assert_eq!(cells_of(&tenant).await, cells);
    let late = store.checkpoint(tenant.grant(), revision, cube).await;
    assert!(matches!(late, Err(StoreError::Stale)), "{late:?}");
    let write = ActivityWrite::Add(sample::activity(3));
    let late = store.put_activities(tenant.writing(), sample::intent(), &before, vec![write]).await;
    assert!(matches!(late, Err(StoreError::Stale)), "{late:?}");
    assert_eq!(tenant.add(sample::activity(3)).await.version.0, 3, "numbers go on");
    assert_eq!(tenant.head().await.epoch, sample::uuid(7));
    assert_sound(store, &tenant).await;
}

pub async fn an_older_checkpoint_changes_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::activity(1)).await;
    let (old, cube) = newest(&tenant).await;
    tenant.add(sample::activity(2)).await;
    checkpoint(store, &tenant).await;
    store.checkpoint(tenant.grant(), old, cube.clone()).await.expect("does nothing");
    assert_eq!(kept(&tenant).await.map(|kept| kept.number), Some(2));
    checkpoint(store, &tenant).await;
    assert_eq!(cells_of(&tenant).await[0].cell.starts, 2);
}

pub async fn a_checkpoint_of_another_epoch_or_of_a_later_change_is_stale(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::activity(1)).await;
    let (revision, cube) = newest(&tenant).await;
    for wrong in [Revision { epoch: sample::uuid(7), ..revision }, Revision { number: 2, ..revision }] {
        let refused = store.checkpoint(tenant.grant(), wrong, cube.clone()).await;
        assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    }
    assert_eq!(kept(&tenant).await, None);
}

pub async fn a_checkpoint_of_nothing_is_kept(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let activity = tenant.add(sample::activity(1)).await;
    tenant.remove(&activity).await;
    checkpoint(store, &tenant).await;
    assert_eq!(kept(&tenant).await, Some(Checkpoint { number: 2, parts: 0 }));
    tenant.add(sample::activity(2)).await;
    assert_eq!(cells_of(&tenant).await.len(), 1);
    assert_sound(store, &tenant).await;
}

pub async fn a_checkpoint_of_many_parts_is_read_part_by_part(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    add_days(&tenant, 1, 10_000).await;
    let before = cells_of(&tenant).await;
    checkpoint(store, &tenant).await;
    let parts = kept(&tenant).await.expect("a checkpoint").parts;
    assert!(parts > 1, "{parts}");
    assert_eq!(cells_of(&tenant).await, before);
    assert_sound(store, &tenant).await;
}

pub async fn a_snapshot_keeps_its_cells_while_checkpoints_come_and_go(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    add_days(&tenant, 1, 600).await;
    let mut without = tenant.read().await;
    checkpoint(store, &tenant).await;
    add_days(&tenant, 1_000, 600).await;
    let mut first = tenant.read().await;
    checkpoint(store, &tenant).await;
    add_days(&tenant, 2_000, 600).await;
    checkpoint(store, &tenant).await;
    assert_eq!(cells(&mut *without).await.len(), 600);
    assert_eq!(cells(&mut *first).await.len(), 1_200);
    assert_eq!(first.ledger().checkpoint().await.expect("reads").map(|kept| kept.number), Some(1));
    assert_eq!(cells_of(&tenant).await.len(), 1_800);
}

pub async fn a_checkpoint_left_half_way_is_as_if_there_were_none(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    add_days(&tenant, 1, 1_500).await;
    for steps in 0..40 {
        checkpoint_in_part(store, &tenant, steps).await;
        assert_eq!(cells_of(&tenant).await.len(), 1_500 + steps as usize);
        add_days(&tenant, 10_000 + u64::from(steps), 1).await;
    }
    assert_sound(store, &tenant).await;
    checkpoint(store, &tenant).await;
    assert_eq!(kept(&tenant).await.map(|kept| kept.number), Some(41));
    assert_eq!(cells_of(&tenant).await.len(), 1_540);
    assert_sound(store, &tenant).await;
}

pub async fn writers_and_checkpoints_at_the_same_time_lose_nothing(store: &dyn Store) {
    const CHANGES: u64 = 60;
    let tenant = Tenant::prepare(store).await;
    add_days(&tenant, 1, 800).await;
    let write = async {
        for number in 0..CHANGES {
            add_days(&tenant, 5_000 + number, 1).await;
        }
    };
    let keep = async {
        while tenant.head().await.number <= CHANGES {
            checkpoint(store, &tenant).await;
            assert!(cells_of(&tenant).await.len() >= 800);
        }
    };
    join(write, keep).await;
    assert_eq!(cells_of(&tenant).await.len() as u64, 800 + CHANGES);
    assert_eq!(tenant.head().await.number, CHANGES + 1);
    assert_sound(store, &tenant).await;
}

pub async fn a_write_waits_for_no_checkpoint_under_way(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    add_days(&tenant, 1, 10_000).await;
    for steps in 0..40 {
        let (revision, cube) = newest(&tenant).await;
        let mut writing = store.checkpoint(tenant.grant(), revision, cube);
        for _ in 0..steps {
            if poll_immediate(&mut writing).await.is_some() {
                break;
            }
            let_others_run().await;
        }
        // It stands still from here on, whatever it holds.
        add_days(&tenant, 20_000 + steps, 1).await;
        drop(writing);
    }
    assert_sound(store, &tenant).await;
}

pub async fn a_removed_tenant_takes_its_checkpoint(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::activity(1)).await;
    let (revision, cube) = newest(&tenant).await;
    checkpoint(store, &tenant).await;
    store.remove(tenant.grant(), 1).await.expect("removes");
    let tenant = Tenant::prepare(store).await;
    assert_eq!(kept(&tenant).await, None);
    let refused = store.checkpoint(tenant.grant(), revision, cube).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
}
