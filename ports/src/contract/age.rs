//! What stores do when time has passed: first answers count for a day.

use super::answer::{answer, find, keep, request};
use super::harness::Aging;
use super::tenant::Tenant;
use crate::store::{Conflict, StoreError};

pub async fn an_answer_counts_for_a_day_and_gives_way_to_the_next(aging: &dyn Aging) {
    let (store, start) = (aging.store(), aging.pass(0).await);
    let tenant = Tenant::prepare(store).await;
    let asked = request("a", "one");
    keep(store, &tenant, start, asked, answer("one")).await.expect("stores");
    let now = aging.pass(23).await;
    assert!(find(&tenant, asked, now).await.is_some());
    let early = keep(store, &tenant, now, asked, answer("two")).await;
    assert!(matches!(early, Err(StoreError::Conflict(Conflict::Repeated))), "{early:?}");
    let now = aging.pass(1).await;
    assert_eq!(find(&tenant, asked, now).await, None);
    keep(store, &tenant, now, asked, answer("two")).await.expect("stores");
    let now = aging.pass(6).await;
    assert_eq!(find(&tenant, asked, now).await.expect("is there").answer, answer("two"));
}

pub async fn outdated_answers_are_removed_when_others_are_stored(aging: &dyn Aging) {
    let (store, start) = (aging.store(), aging.pass(0).await);
    let tenant = Tenant::prepare(store).await;
    for key in ["a", "b", "c"] {
        keep(store, &tenant, start, request(key, ""), answer(key)).await.expect("stores");
    }
    let now = aging.pass(1).await;
    keep(store, &tenant, now, request("d", ""), answer("d")).await.expect("stores");
    let now = aging.pass(23).await;
    for key in ["e", "f"] {
        keep(store, &tenant, now, request(key, ""), answer(key)).await.expect("stores");
    }
    // What was removed is not there for a clock that was set back either.
    for (key, is_there) in [("a", false), ("b", false), ("c", false), ("d", true), ("e", true), ("f", true)] {
        assert_eq!(find(&tenant, request(key, ""), start).await.is_some(), is_there, "{key}");
    }
}

pub async fn a_sweep_removes_outdated_answers_and_makes_no_change(aging: &dyn Aging) {
    let (store, start) = (aging.store(), aging.pass(0).await);
    let tenant = Tenant::prepare(store).await;
    keep(store, &tenant, start, request("a", ""), answer("a")).await.expect("stores");
    let head = tenant.head().await;
    let now = aging.pass(23).await;
    assert_eq!(store.sweep_answers(tenant.grant(), now).await.expect("sweeps"), 0);
    assert!(find(&tenant, request("a", ""), now).await.is_some());
    let now = aging.pass(1).await;
    assert_eq!(tenant.read().await.answers().count_outdated(now).await.expect("counts"), 1);
    for removed in [1, 0] {
        assert_eq!(store.sweep_answers(tenant.grant(), now).await.expect("sweeps"), removed);
    }
    assert_eq!(tenant.read().await.answers().count_outdated(now).await.expect("counts"), 0);
    assert_eq!(tenant.head().await, head);
}
