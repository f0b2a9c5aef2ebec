//! Closed periods: with their report as it was frozen, and as a use of the org that they are closed for.

use domain::{ClosedPeriod, Org, Reason};

use super::sample;
use super::tenant::Tenant;
use crate::RecordKind;
use crate::repo::{Page, Query, Use};
use crate::store::{Conflict, Store, StoreError};

pub async fn a_closed_period_comes_back_with_its_report_byte_for_byte(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let org = tenant.add(sample::org(1)).await.value;
    let added = tenant.add(sample::closed_period(1).with_org(Some(org.id))).await;
    let found = tenant.find::<ClosedPeriod>(sample::id(1)).await.expect("is there");
    assert_eq!(found, added);
    assert_eq!(found.value.frozen.text(), sample::closed_period(1).frozen.text());
    let mut whole_company = sample::closed_period(2);
    whole_company.closed.reason = Some(Reason::parse("it's \"final\" \\ %s $1").expect("a reason"));
    tenant.add(whole_company.clone()).await;
    let listed = tenant.read().await.closed_periods().list(&Query::all(Page::FIRST)).await.expect("lists");
    let listed: Vec<_> = listed.data.into_iter().map(|stored| stored.value).collect();
    assert_eq!(listed, [added.value, whole_company]);
}

pub async fn a_period_that_is_opened_again_keeps_its_frozen_report(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let added = tenant.add(sample::closed_period(1)).await;
    let reopened = added.value.clone().with_reopened(Some(sample::period_signature()));
    let updated = tenant.update(reopened.clone(), added.version).await;
    assert_eq!(tenant.find::<ClosedPeriod>(sample::id(1)).await, Some(updated.clone()));
    assert_eq!(updated.value.frozen, added.value.frozen);
    tenant.try_update(reopened, added.version).await.expect_err("is stale");
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn closing_a_period_counts_as_a_change_of_the_catalog(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let before = tenant.read().await.head().await.expect("reads");
    tenant.add(sample::closed_period(1)).await;
    let after = tenant.read().await.head().await.expect("reads");
    assert!(!after.has_catalog_of(&before));
    let write = vec![crate::repo::ActivityWrite::Add(sample::activity(1))];
    let put = store.put_activities(&tenant.grant().to_write(), sample::intent(), &before, write).await;
    assert!(matches!(put, Err(StoreError::Stale)), "what was built before a period was closed is built again: {put:?}");
}

pub async fn an_org_that_a_period_is_closed_for_is_in_use(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let missing = sample::closed_period(1).with_org(Some(sample::org(1).id));
    let error = tenant.try_add(missing.clone()).await.expect_err("has no such org");
    let named = Conflict::Missing { kind: RecordKind::Org, id: sample::org(1).id.uuid() };
    assert!(matches!(error, StoreError::Conflict(conflict) if conflict == named));
    let org = tenant.add(sample::org(1)).await;
    tenant.add(missing).await;
    let uses = vec![Use { kind: RecordKind::ClosedPeriod, count: 1 }];
    assert_eq!(tenant.uses::<Org>(org.value.id).await, uses);
    let error = tenant.try_remove::<Org>(org.value.id, org.version).await.expect_err("is in use");
    assert!(matches!(error, StoreError::Conflict(Conflict::InUse(found)) if found == uses));
}

pub async fn what_is_closed_is_read_without_reports_until_it_is_opened_again(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let org = tenant.add(sample::org(1)).await.value;
    assert_eq!(tenant.read().await.closed_periods().closed().await.expect("reads"), []);
    let second = tenant.add(sample::closed_period(2)).await;
    let mut first = sample::closed_period(1).with_org(Some(org.id));
    first.closed.reason = Some(Reason::parse("it's \"final\" \\ %s $1").expect("a reason"));
    let first = tenant.add(first).await;
    let expected: Vec<_> = [&first, &second].into_iter().filter_map(|stored| stored.value.span()).collect();
    assert_eq!(tenant.read().await.closed_periods().closed().await.expect("reads"), expected);
    assert_eq!((expected[0].org, expected[1].org), (Some(org.id), None));
    tenant.update(first.value.with_reopened(Some(sample::period_signature())), first.version).await;
    assert_eq!(tenant.read().await.closed_periods().closed().await.expect("reads"), expected[1..]);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}
