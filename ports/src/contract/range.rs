//! Reading activities in the order of their day: every filter, scopes that are not spread, in steps and in pages.

use std::collections::HashSet;

use domain::{
    Activity, ActivityId, Attribution, Calculation, CalculationParts, Co2e, Day, Factor, Filter, Incomplete, Period,
    ScopeId, SuppliedCo2e,
};

use super::sample::{self, activity_in, day, span};
use super::tenant::Tenant;
use crate::repo::{ActivityWrite, OnDays, Pending, Place, Side};
use crate::store::Store;

/// Activities of many days and spans, without order: with and without scope, org, taxonomy and CO2e.
fn mixed() -> Vec<Activity> {
    let spans = [
        ("2025-03-10", "2025-03-10"),
        ("2025-03-01", "2025-04-15"),
        ("2024-12-31", "2025-12-31"),
        ("2025-03-31", "2025-04-01"),
        ("2025-01-01", "2025-02-28"),
        ("0001-01-01", "9999-12-31"),
        ("2025-04-01", "2025-04-01"),
        ("2025-03-31", "2025-03-31"),
    ];
    (0..24_u64)
        .zip(spans.into_iter().cycle())
        .map(|(number, (first, last))| {
            let activity = activity_in((number * 7) % 24 + 1, span(first, last), "1");
            let known = activity.calculation;
            activity
                .with_calculation(if number % 7 > 2 { known } else { Calculation::incomplete(Incomplete::NoProduct) })
                .with_scope((number % 3 > 0).then(|| sample::scope(number % 3).id))
                .with_org((number % 4 > 0).then(|| sample::org(number % 2 + 1).id))
                .with_taxonomy((number % 5 > 2).then(|| sample::taxonomy(1, "a").id))
        })
        .collect()
}

async fn prepare_mixed(tenant: &Tenant<'_>) {
    let mut tx = tenant.write().await;
    for number in [1, 2] {
        tx.scopes_mut().add(sample::scope(number)).await.expect("adds");
        tx.orgs_mut().add(sample::org(number)).await.expect("adds");
    }
    tx.taxonomies_mut().add(sample::taxonomy(1, "a")).await.expect("adds");
    let batch = mixed().into_iter().map(ActivityWrite::Add).collect();
    tx.activities_mut().put_all(batch).await.expect("puts all");
    tx.commit().await.expect("commits");
}

/// A filter, and the scopes whose activities are not spread.
type Asked = (Filter, HashSet<ScopeId>);

/// The ids that the filter asks for, in order.
fn expected((filter, not_spread): &Asked) -> Vec<ActivityId> {
    let mut places: Vec<Place> = mixed().iter().filter(|one| filter.selects(one, not_spread)).map(Place::of).collect();
    places.sort_unstable();
    places.into_iter().map(|place| place.id).collect()
}

/// Every period, attribution and set of scopes, orgs and taxonomies worth telling apart.
fn filters() -> Vec<Asked> {
    let period =
        |first: Option<&str>, last: Option<&str>| Period::new(first.map(day), last.map(day)).expect("a period");
    let periods = [
        Period::ALL,
        period(Some("2025-03-01"), Some("2025-03-31")),
        period(Some("2025-03-31"), None),
        period(None, Some("2025-03-31")),
        period(Some("2026-01-01"), Some("2026-01-01")),
    ];
    let not_spread: HashSet<ScopeId> = [sample::scope(1).id].into();
    let ways = [
        (Attribution::Start, HashSet::new()),
        (Attribution::Daily, HashSet::new()),
        (Attribution::Daily, not_spread.clone()),
    ];
    let all = Filter::default;
    let sets = [
        all(),
        all().with_scopes(Some(not_spread)),
        all().with_scopes(Some([1, 2].map(|number| sample::scope(number).id).into())),
        all().with_orgs(Some([sample::org(2).id].into())),
        all().with_taxonomies(Some([sample::taxonomy(1, "a").id].into())),
        all()
            .with_orgs(Some([sample::org(1).id, sample::id(9)].into()))
            .with_scopes(Some([sample::scope(2).id].into())),
        all().with_orgs(Some(HashSet::new())),
    ];
    let mut filters = Vec::new();
    for period in periods {
        for (attribution, not_spread) in &ways {
            let narrowed = sets.iter().cloned();
            filters.extend(narrowed.map(|set| {
                let filter = set.with_period(period).with_attribution(*attribution);
                (filter, not_spread.clone())
            }));
        }
    }
    filters
}

/// What walking through what the filter selects in steps visits.
async fn walk(tenant: &Tenant<'_>, (filter, not_spread): &Asked, limit: u32) -> Vec<ActivityId> {
    let mut tx = tenant.read().await;
    let (mut visited, mut after) = (Vec::new(), None);
    loop {
        let step = tx.activities().range(filter, not_spread, after, limit).await.expect("reads");
        visited.extend(step.iter().map(|stored| stored.value.id));
        after = step.last().map(|stored| Place::of(&stored.value)).or(after);
        if step.len() < limit as usize {
            return visited;
        }
        assert_eq!(step.len(), limit as usize);
        assert!(visited.len() <= 24, "walks in circles");
    }
}

pub async fn a_range_is_in_the_order_of_first_day_then_id(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for (number, first) in
        [(5, "2025-03-01"), (2, "2025-03-02"), (4, "2025-03-01"), (9, "0001-01-01"), (1, "9999-12-31")]
    {
        tenant.add(activity_in(number, span(first, "9999-12-31"), "1")).await;
    }
    assert_eq!(walk(&tenant, &Asked::default(), 10).await, [9, 4, 5, 2, 1].map(sample::id));
}

pub async fn a_range_has_what_the_selection_selects(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    prepare_mixed(&tenant).await;
    for asked in filters() {
        assert_eq!(walk(&tenant, &asked, 1000).await, expected(&asked), "{asked:?}");
    }
}

pub async fn walking_a_range_visits_each_once_in_order(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    prepare_mixed(&tenant).await;
    for asked in filters() {
        for limit in [1, 5, 6] {
            assert_eq!(walk(&tenant, &asked, limit).await, expected(&asked), "{limit} of {asked:?}");
        }
    }
}

pub async fn a_range_goes_on_behind_a_place_that_nobody_has(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for (number, first) in [(2, "2025-03-01"), (4, "2025-03-01"), (1, "2025-03-03")] {
        tenant.add(activity_in(number, span(first, first), "1")).await;
    }
    let mut tx = tenant.read().await;
    for (day, id, expected) in [
        ("2025-03-01", 3, vec![4, 1]),
        ("2025-03-02", 0, vec![1]),
        ("2025-02-01", 9, vec![2, 4, 1]),
        ("2025-03-03", 1, vec![]),
    ] {
        let after = Some(Place { day: sample::day(day), id: sample::id(id) });
        let found = tx.activities().range(&Filter::default(), &HashSet::new(), after, 10).await.expect("reads");
        let found: Vec<ActivityId> = found.iter().map(|stored| stored.value.id).collect();
        assert_eq!(found, expected.into_iter().map(sample::id).collect::<Vec<_>>(), "{day} {id}");
    }
}

pub async fn a_range_before_a_place_is_what_is_selected_before_it_from_the_nearest_on(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    prepare_mixed(&tenant).await;
    let mut all: Vec<Place> = mixed().iter().map(Place::of).collect();
    all.sort_unstable();
    let mut tx = tenant.read().await;
    for asked in filters() {
        let selected = expected(&asked);
        for before in all.iter().step_by(5).chain(all.last()) {
            for limit in [1, 4, 100] {
                let found = tx.activities().range_before(&asked.0, &asked.1, *before, limit).await.expect("reads");
                let found: Vec<ActivityId> = found.iter().map(|stored| stored.value.id).collect();
                let expected = all.iter().rev().filter(|place| *place < before && selected.contains(&place.id));
                let expected: Vec<_> = expected.map(|place| place.id).take(limit as usize).collect();
                assert_eq!(found, expected, "{limit} before {before:?} of {asked:?}");
            }
        }
    }
}

pub async fn activities_on_days_are_those_of_the_series_on_that_side_of_the_place(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    prepare_mixed(&tenant).await;
    let mut all = mixed();
    all.sort_by_key(Place::of);
    let mut tx = tenant.read().await;
    let keys = tx.ledger().series(0).await.expect("reads");
    let index = |one: &Activity| keys.iter().position(|key| *key == one.series()).and_then(|at| u32::try_from(at).ok());
    let days = |days: &[&str]| days.iter().copied().map(day).collect::<Vec<_>>();
    let middle = Place::of(&all[10]);
    let nobody = Place { id: sample::id(0), ..middle };
    let sides = [None, Some(middle), Some(nobody)].map(Side::After).into_iter();
    for side in sides.chain([middle, nobody, Place { day: day("9999-12-31"), ..middle }].map(Side::Before)) {
        for days in [
            days(&["2025-03-31"]),
            days(&["2025-03-31", "2025-04-01"]),
            days(&["0001-01-01", "2025-03-01", "2025-03-10", "2025-04-01"]),
            days(&["2024-12-30", "2025-05-01"]),
            days(&[]),
        ] {
            for series in
                [None, Some(vec![]), Some(vec![0]), Some((0..8).step_by(2).collect()), Some((0..1000).collect())]
            {
                for without_co2e in [false, true] {
                    let on = OnDays { days: days.clone(), series: series.clone(), without_co2e };
                    let mut expected: Vec<ActivityId> = all
                        .iter()
                        .filter(|one| side.has(Place::of(one)) && is_meant(&on, one, index(one)))
                        .map(|one| one.id)
                        .collect();
                    if let Side::Before(_) = side {
                        expected.reverse();
                    }
                    for (skip, limit) in [(0_u8, 100), (0, 2), (1, 3), (5, 100)] {
                        let found = tx.activities().on_days(&on, side, skip.into(), limit).await.expect("reads");
                        let found: Vec<ActivityId> = found.iter().map(|stored| stored.value.id).collect();
                        let expected: Vec<_> =
                            expected.iter().copied().skip(skip.into()).take(limit as usize).collect();
                        assert_eq!(found, expected, "{limit} behind {skip} on {side:?} of {on:?}");
                    }
                }
            }
        }
    }
}

/// Whether the activity, whose series has that index, is one of those on the days.
fn is_meant(on: &OnDays, activity: &Activity, series: Option<u32>) -> bool {
    on.days.contains(&activity.span.first())
        && on.series.as_ref().is_none_or(|meant| series.is_some_and(|series| meant.contains(&series)))
        && (!on.without_co2e || activity.co2e().is_none())
}

pub async fn an_activity_that_changes_its_day_changes_its_place(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    for (number, day) in [(1, "2025-03-01"), (2, "2025-03-02")] {
        tenant.add(activity_in(number, span(day, day), "1")).await;
    }
    let seen = tenant.find::<Activity>(sample::id(1)).await.expect("is there");
    tenant.update(activity_in(1, span("2025-03-03", "2025-03-03"), "1"), seen.version).await;
    assert_eq!(walk(&tenant, &Asked::default(), 1).await, [2, 1].map(sample::id));
}

pub async fn pages_of_a_selection_follow_each_other(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    prepare_mixed(&tenant).await;
    let mut tx = tenant.read().await;
    for asked in filters() {
        let mut found = Vec::new();
        for number in 0..6 {
            let page = tx.activities().page(&asked.0, &asked.1, number * 5, 5).await.expect("reads");
            assert!(page.len() <= 5);
            found.extend(page.into_iter().map(|stored| stored.value.id));
        }
        assert_eq!(found, expected(&asked), "{asked:?}");
        let past = tx.activities().page(&asked.0, &asked.1, u64::MAX, 1000).await.expect("reads");
        assert_eq!(past, []);
    }
}

pub async fn pending_activities_are_those_that_the_rule_selects(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let products = [1, 2].map(sample::product);
    let factors = [1, 2].map(|number| sample::factor(number, &products[0], &format!("202{number}-01-01")));
    for product in &products {
        tenant.add(product.clone()).await;
    }
    for factor in &factors {
        tenant.add(factor.clone()).await;
    }
    let measured = sample::filled_activity(1).measured;
    assert!(measured.is_some());
    let none = Calculation::incomplete(Incomplete::NoFactor);
    let computed = |factor: &Factor| {
        let parts = CalculationParts::default().with_upstream(Some(sample::co2e("1"))).with_factor(Some(factor.id()));
        Calculation::from_parts(parts).expect("a calculation")
    };
    let zero = Some(Co2e::ZERO);
    let supplied = SuppliedCo2e::default().with_downstream(zero);
    let supplied = CalculationParts::default().with_supplied(supplied).with_downstream(zero);
    let supplied = Calculation::from_parts(supplied).expect("a calculation");
    let mut all = Vec::new();
    for (number, calculation) in (1..).zip([none, computed(&factors[0]), computed(&factors[1]), supplied, none, none]) {
        for (step, product) in [Some(products[0].id), Some(products[1].id), None].into_iter().enumerate() {
            let number = number * 10 + step as u64;
            let day = format!("2025-0{}-01", 1 + (number * 7) % 9);
            let measured = measured.filter(|_| number < 50);
            let like = activity_in(number, span(&day, &day), "1");
            all.push(like.with_product(product).with_measured(measured).with_calculation(calculation));
        }
    }
    let mut tx = tenant.write().await;
    tx.activities_mut().put_all(all.iter().cloned().map(ActivityWrite::Add).collect()).await.expect("puts all");
    tx.commit().await.expect("commits");
    let spring = Period::new(Some(day("2025-03-01")), Some(day("2025-05-31"))).expect("a period");
    let of_days = |factors: &[(&Factor, &str)]| {
        Pending::ComputedFrom(factors.iter().map(|(factor, from)| (factor.id(), day(from))).collect())
    };
    let of = |factors: &[Factor]| Pending::ComputedFrom(factors.iter().map(|one| (one.id(), Day::MIN)).collect());
    let mut tx = tenant.read().await;
    for (pending, count) in [
        (Pending::Incomplete(None, Period::ALL), 2),
        (Pending::Incomplete(Some(products[1].id), Period::ALL), 1),
        (Pending::Incomplete(Some(sample::id(9)), Period::ALL), 0),
        (Pending::Incomplete(None, spring), 0),
        (of(&factors), 6),
        (of(&factors[1..]), 3),
        (of(&[]), 0),
        (of_days(&[(&factors[0], "2025-01-01"), (&factors[1], "2030-01-01")]), 3),
        (of_days(&[(&factors[0], "2025-04-01"), (&factors[1], "2025-07-01")]), 0),
    ] {
        let mut expected: Vec<_> = all.iter().filter(|one| pending.selects(one)).map(Place::of).collect();
        expected.sort_unstable();
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let step = tx.activities().pending(&pending, after, 2).await.expect("reads");
            found.extend(step.iter().map(|stored| Place::of(&stored.value)));
            after = found.last().copied();
            if step.len() < 2 {
                break;
            }
        }
        assert_eq!(found, expected, "{pending:?}");
        assert!(count == 0 || found.len() == count, "{pending:?}: {}", found.len());
    }
}

pub async fn activities_are_found_by_many_sync_ids(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let synced = |number, text| sample::activity(number).with_sync_id(Some(sample::sync_id(text)));
    tenant.add(sample::activity(1)).await;
    let two = tenant.add(synced(2, "a")).await;
    let three = tenant.add(synced(3, "ä'")).await;
    tenant.add(synced(4, "b")).await;
    let mut tx = tenant.read().await;
    let asked = ["ä'", "none", "a", "A", "a"].map(sample::sync_id);
    let mut found = tx.activities().with_sync_ids(&asked).await.expect("reads");
    found.sort_by_key(|stored| stored.value.id);
    assert_eq!(found, [two, three]);
    assert_eq!(tx.activities().with_sync_ids(&[]).await.expect("reads"), []);
}
