//! Cells and series: in step with the activities after every change.

use std::collections::BTreeMap;

use domain::{Cell, Co2e, Day, Decimal, Measure, SeriesKey, Total};

use super::read::{self, SeriesCell};
use super::sample::{self, activity_in, day, measured_activity, span};
use super::tenant::{Tenant, activities};
use crate::ledger::PartPlace;
use crate::store::Store;

async fn cells(tenant: &Tenant<'_>) -> Vec<SeriesCell> {
    read::cells(&mut *tenant.read().await).await
}

async fn postings_since(tenant: &Tenant<'_>, number: u64) -> Vec<SeriesCell> {
    read::postings_since(&mut *tenant.read().await, number).await
}

async fn series(tenant: &Tenant<'_>) -> Vec<SeriesKey> {
    tenant.read().await.ledger().series(0).await.expect("reads")
}

/// Compares the cells with a recount of the activities.
async fn adds_up(tenant: &Tenant<'_>) {
    let mut tx = tenant.read().await;
    let keys = tx.ledger().series(0).await.expect("reads");
    let kept: BTreeMap<(Day, SeriesKey), Cell> =
        read::cells(&mut *tx).await.into_iter().map(|one| ((one.day, keys[one.series as usize]), one.cell)).collect();
    let mut counted: BTreeMap<(Day, SeriesKey), Cell> = BTreeMap::new();
    for activity in activities(&mut *tx).await {
        for (day, cell) in activity.value.posting().cells() {
            let sum: &mut Cell = counted.entry((day, activity.value.series())).or_default();
            *sum = std::mem::take(sum).checked_add(&cell).expect("few activities");
        }
    }
    counted.retain(|_, cell| !cell.is_zero());
    assert_eq!(kept, counted);
}

pub async fn an_activity_posts_on_its_first_and_its_last_day(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let activity = activity_in(1, span("2025-01-30", "2025-02-02"), "10");
    tenant.add(activity.clone()).await;
    let expected: Vec<SeriesCell> =
        activity.posting().cells().map(|(day, cell)| SeriesCell { series: 0, day, cell }).collect();
    assert_eq!(expected.len(), 2);
    assert_eq!(cells(&tenant).await, expected);
    assert_eq!(postings_since(&tenant, 0).await, expected);
    assert_eq!(postings_since(&tenant, 1).await, []);
}

pub async fn cells_follow_every_add_update_and_removal(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add_trees().await;
    let first = tenant.add(activity_in(1, span("2025-01-01", "2025-12-31"), "-0.000000000000000001")).await;
    let second = tenant.add(activity_in(2, span("2025-01-01", "2025-01-01"), "99999999999999999999")).await;
    adds_up(&tenant).await;
    let incomplete = activity_in(3, span("2025-01-01", "2026-01-01"), "0").with_calculation(sample::incomplete());
    let third = tenant.add(incomplete.clone()).await;
    adds_up(&tenant).await;
    let moved = activity_in(1, span("2024-06-01", "2025-01-01"), "7").with_org(Some(sample::org(1).id));
    let first = tenant.update(moved, first.version).await;
    adds_up(&tenant).await;
    let third = tenant.update(activity_in(3, incomplete.span, "5"), third.version).await;
    adds_up(&tenant).await;
    let full =
        second.value.clone().with_scope(Some(sample::scope(1).id)).with_taxonomy(Some(sample::taxonomy(1, "a").id));
    let second = tenant.update(full, second.version).await;
    adds_up(&tenant).await;
    tenant.remove(&second).await;
    adds_up(&tenant).await;
    tenant.remove(&first).await;
    tenant.remove(&third).await;
    adds_up(&tenant).await;
    assert_eq!(cells(&tenant).await, []);
}

pub async fn a_cell_that_comes_back_to_zero_is_gone(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let activity = tenant.add(sample::activity(1)).await;
    tenant.remove(&activity).await;
    let [(day, cell)] = activity.value.posting().cells().collect::<Vec<_>>().try_into().expect("a single day");
    assert_eq!(postings_since(&tenant, 1).await, [SeriesCell { series: 0, day, cell: -cell }]);
    assert_eq!(cells(&tenant).await, []);
    assert_eq!(series(&tenant).await.len(), 1);
}

pub async fn postings_are_those_of_later_changes(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for (number, day) in [(1, "2025-01-01"), (2, "2025-01-02"), (3, "2025-01-03"), (4, "2025-01-01")] {
        tenant.add(activity_in(number, span(day, day), "1")).await;
    }
    tenant.add(sample::product(1)).await;
    let found = |cells: Vec<SeriesCell>| -> Vec<(Day, i64)> {
        cells.into_iter().map(|one| (one.day, one.cell.starts)).collect()
    };
    let [first, second, third] = ["2025-01-01", "2025-01-02", "2025-01-03"].map(day);
    assert_eq!(found(cells(&tenant).await), [(first, 2), (second, 1), (third, 1)]);
    assert_eq!(found(postings_since(&tenant, 2).await), [(first, 1), (third, 1)]);
    assert_eq!(found(postings_since(&tenant, 3).await), [(first, 1)]);
    assert_eq!(found(postings_since(&tenant, 4).await), []);
}

pub async fn parts_of_postings_stand_in_the_order_of_their_changes(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for number in 1..=3 {
        tenant.add(sample::activity(number)).await;
        tenant.add(sample::product(number)).await;
    }
    let place = |change| PartPlace { change, part: 0 };
    let mut tx = tenant.read().await;
    for (after, limit, expected) in [
        (PartPlace::behind(0), 2, vec![1, 3]),
        (place(1), 9, vec![3, 5]),
        (PartPlace::behind(2), 9, vec![3, 5]),
        (place(5), 9, vec![]),
    ] {
        let found = tx.ledger().postings_since(after, limit).await.expect("reads");
        let found: Vec<PartPlace> = found.into_iter().map(|(place, _)| place).collect();
        assert_eq!(found, expected.into_iter().map(place).collect::<Vec<_>>());
    }
}

pub async fn an_activity_that_stays_as_it_counts_posts_nothing(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let activity = tenant.add(sample::activity(1)).await;
    let renamed = activity.value.with_name(sample::name("Other"));
    tenant.update(renamed, activity.version).await;
    assert_eq!(tenant.read().await.ledger().postings_since(PartPlace::behind(1), 9).await.expect("reads"), []);
}

pub async fn a_move_to_another_series_posts_in_both(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::org(1)).await;
    let activity = tenant.add(sample::activity(1)).await;
    let moved = sample::activity(1).with_org(Some(sample::org(1).id));
    tenant.update(moved.clone(), activity.version).await;
    let [(day, cell)] = moved.posting().cells().collect::<Vec<_>>().try_into().expect("a single day");
    let gone = SeriesCell { series: 0, day, cell: -cell.clone() };
    let come = SeriesCell { series: 1, day, cell };
    assert_eq!(postings_since(&tenant, 2).await, [gone, come.clone()]);
    assert_eq!(cells(&tenant).await, [come]);
}

pub async fn two_measures_add_up_beside_each_other(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let week = span("2025-01-01", "2025-01-07");
    let both = tenant.add(measured_activity(1, week, Some("7"), "0.000000000000000001")).await;
    let incomplete = tenant.add(measured_activity(2, week, None, "-3")).await;
    tenant.add(activity_in(3, week, "1")).await;
    adds_up(&tenant).await;
    let biogenic = |cells: &[SeriesCell]| -> Vec<String> {
        cells.iter().map(|one| one.cell.amounts(Measure::BiogenicCo2).amount.to_string()).collect()
    };
    assert_eq!(biogenic(&cells(&tenant).await), ["-2.999999999999999999", "0"]);
    let changed =
        tenant.update(measured_activity(2, week, Some("5"), "99999999999999999999"), incomplete.version).await;
    adds_up(&tenant).await;
    assert_eq!(biogenic(&cells(&tenant).await)[0], "99999999999999999999.000000000000000001");
    tenant.remove(&both).await;
    adds_up(&tenant).await;
    tenant.update(activity_in(2, week, "5"), changed.version).await;
    adds_up(&tenant).await;
    assert!(cells(&tenant).await.iter().all(|one| one.cell.others.is_empty()));
}

pub async fn a_moved_node_touches_no_cell(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::org(1)).await;
    let below = tenant.add(sample::org(2)).await;
    tenant.add(sample::activity(1).with_org(Some(below.value.id))).await;
    let (number, before) = (tenant.head().await.number, cells(&tenant).await);
    let moved = below.value.with_parent(Some(sample::org(1).id));
    tenant.update(moved, below.version).await;
    assert_eq!(postings_since(&tenant, number).await, []);
    assert_eq!(cells(&tenant).await, before);
}

pub async fn cells_stand_in_the_order_of_day_then_series(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::org(1)).await;
    for (number, day) in [(1, "2025-02-01"), (2, "0001-01-01"), (3, "9999-12-31"), (4, "2025-01-31")] {
        let activity = activity_in(number, span(day, day), "1");
        tenant.add(activity.clone().with_org(Some(sample::org(1).id))).await;
        tenant.add(activity.with_id(sample::id(number + 10))).await;
    }
    let found: Vec<(Day, u32)> = cells(&tenant).await.iter().map(|one| (one.day, one.series)).collect();
    let days = [Day::MIN, day("2025-01-31"), day("2025-02-01"), Day::MAX];
    assert_eq!(found, days.into_iter().flat_map(|day| [(day, 0), (day, 1)]).collect::<Vec<_>>());
}

pub async fn a_sum_beyond_the_largest_amount_is_exact(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for number in 1..=12 {
        tenant.add(activity_in(number, span("2025-01-01", "2025-01-01"), &Decimal::MAX.to_string())).await;
    }
    let expected: Total = std::iter::repeat_n(Total::from(Co2e::new(Decimal::MAX)), 12).sum();
    assert_eq!(expected.to_decimal(), None);
    let cells = cells(&tenant).await;
    assert_eq!(cells.iter().map(|one| one.cell.co2e.amount).collect::<Vec<_>>(), [expected]);
    assert_eq!(expected.to_string(), "1199999999999999999999.999999999999999988");
}

pub async fn series_count_from_zero_and_keep_their_index(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add_trees().await;
    assert_eq!(series(&tenant).await, []);
    let bare = tenant.add(sample::activity(1)).await;
    let scoped = sample::activity(2).with_scope(Some(sample::scope(1).id));
    let scoped = tenant.add(scoped).await;
    let none = SeriesKey::default();
    let first = vec![none, scoped.value.series()];
    assert_eq!(series(&tenant).await, first);
    tenant.remove(&bare).await;
    tenant.remove(&scoped).await;
    assert_eq!(series(&tenant).await, first);
    let both = scoped.value.clone().with_org(Some(sample::org(1).id));
    let both = tenant.add(both).await;
    let taxonomy = Some(sample::taxonomy(1, "a").id);
    let placed = tenant.add(sample::activity(3).with_taxonomy(taxonomy)).await;
    tenant.add(sample::activity(4)).await;
    let all = [none, scoped.value.series(), both.value.series(), placed.value.series()];
    assert_eq!(series(&tenant).await, all);
    let mut tx = tenant.read().await;
    assert_eq!(tx.ledger().series(2).await.expect("reads"), all[2..]);
    assert_eq!(tx.ledger().series(4).await.expect("reads"), []);
}

pub async fn a_series_outlives_its_nodes(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let org = tenant.add(sample::org(1)).await;
    let activity = sample::activity(1).with_org(Some(org.value.id));
    let activity = tenant.add(activity).await;
    tenant.remove(&activity).await;
    tenant.remove(&org).await;
    assert_eq!(series(&tenant).await, [activity.value.series()]);
    assert_eq!(cells(&tenant).await, []);
}
