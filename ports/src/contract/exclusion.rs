//! Exclusions: what they leave out comes back, and the nodes that they name are in use.

use domain::{ExcludedPart, ExcludedYears, Exclusion, Org, Reason, Scope};

use super::sample;
use super::tenant::Tenant;
use crate::RecordKind;
use crate::repo::{Page, Query, Use};
use crate::store::{Conflict, Store, StoreError};

/// The exclusion of that number, of a scope for an org.
fn of_nodes(number: u64, scope: &Scope, org: &Org) -> Exclusion {
    sample::exclusion(number).with_part(ExcludedPart::Scope(scope.id)).with_org(Some(org.id))
}

pub async fn an_exclusion_comes_back_as_it_was_written(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (scope, org) = (tenant.add(sample::scope(1)).await.value, tenant.add(sample::org(1)).await.value);
    let reason = Reason::parse("it's \"small\" \\ %s $1, 1 ‰").expect("a reason");
    let years = ExcludedYears::new(1, 9_999).expect("years");
    let added = tenant.add(of_nodes(2, &scope, &org).with_years(years).with_reason(reason)).await;
    assert_eq!(tenant.find::<Exclusion>(sample::id(2)).await, Some(added.clone()));
    let other = tenant.add(sample::exclusion(1)).await;
    let listed = tenant.read().await.exclusions().list(&Query::all(Page::FIRST)).await.expect("lists");
    assert_eq!((listed.count, listed.data), (2, vec![other, added]));
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn an_exclusion_is_changed_and_removed_by_the_version_seen(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let org = tenant.add(sample::org(1)).await;
    let added = tenant.add(sample::exclusion(1).with_org(Some(org.value.id))).await;
    let whole = added.value.clone().with_org(None);
    let updated = tenant.update(whole.clone(), added.version).await;
    assert_eq!(tenant.find::<Exclusion>(sample::id(1)).await, Some(updated.clone()));
    tenant.try_update(whole, added.version).await.expect_err("is stale");
    assert_eq!(tenant.uses::<Org>(org.value.id).await, []);
    tenant.remove(&updated).await;
    assert_eq!(tenant.find::<Exclusion>(sample::id(1)).await, None);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn an_exclusion_is_no_change_of_the_catalog(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let before = tenant.read().await.head().await.expect("reads");
    tenant.add(sample::exclusion(1)).await;
    let after = tenant.read().await.head().await.expect("reads");
    assert!(after.has_catalog_of(&before));
}

pub async fn a_scope_and_an_org_that_an_exclusion_names_are_in_use(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (scope, org) = (sample::scope(1), sample::org(1));
    let error = tenant.try_add(of_nodes(1, &scope, &org).with_org(None)).await.expect_err("has no such scope");
    let named = Conflict::Missing { kind: RecordKind::Scope, id: scope.id.uuid() };
    assert!(matches!(error, StoreError::Conflict(conflict) if conflict == named));
    let scope = tenant.add(scope).await;
    let error = tenant.try_add(of_nodes(1, &scope.value, &org)).await.expect_err("has no such org");
    let named = Conflict::Missing { kind: RecordKind::Org, id: org.id.uuid() };
    assert!(matches!(error, StoreError::Conflict(conflict) if conflict == named));
    let org = tenant.add(org).await;
    tenant.add(of_nodes(1, &scope.value, &org.value)).await;
    let uses = vec![Use { kind: RecordKind::Exclusion, count: 1 }];
    assert_eq!(tenant.uses::<Scope>(scope.value.id).await, uses);
    assert_eq!(tenant.uses::<Org>(org.value.id).await, uses);
    let error = tenant.try_remove::<Scope>(scope.value.id, scope.version).await.expect_err("is in use");
    assert!(matches!(error, StoreError::Conflict(Conflict::InUse(found)) if found == uses));
    let error = tenant.try_remove::<Org>(org.value.id, org.version).await.expect_err("is in use");
    assert!(matches!(error, StoreError::Conflict(Conflict::InUse(found)) if found == uses));
}
