//! Tenants, signing keys, and the directory as a whole.

use std::collections::BTreeMap;

use domain::{Consolidation, Description, StatementSettings, YearStart};
use uuid::Uuid;

use super::sample::{
    at, authenticated, client, id, installation, key, maintaining, name, refresh, refresh_hash, signing_key, tenant,
    uuid,
};
use crate::credential::SealedKey;
use crate::directory::{Client, Directory, Key, Refresh, Tenant};
use crate::repo::Page;
use crate::store::{Conflict, StoreError, Verification};
use crate::{TenantId, TenantSlug};

pub(super) async fn add_tenants(directory: &dyn Directory) {
    for (number, slug) in [(1, "main"), (2, "other")] {
        directory.add_tenant(&installation(), tenant(number, slug)).await.expect("adds a tenant");
    }
}

pub(super) async fn version(directory: &dyn Directory) -> u64 {
    directory.version().await.expect("reads the version")
}

pub(super) async fn verify(directory: &dyn Directory) -> Verification {
    directory.verify(&installation()).await.expect("verifies")
}

async fn list_tenants(directory: &dyn Directory) -> Vec<Tenant> {
    directory.list_tenants(&installation()).await.expect("lists")
}

pub async fn a_new_directory_is_empty_and_sound(directory: &dyn Directory) {
    assert_eq!(list_tenants(directory).await, []);
    assert_eq!(directory.verifying_keys().await.expect("lists"), []);
    assert_eq!(directory.signing_key(&installation()).await.expect("finds"), None);
    let found = verify(directory).await;
    assert_eq!((found.records, found.findings), (0, vec![]));
}

pub async fn a_tenant_is_found_by_its_slug(directory: &dyn Directory) {
    add_tenants(directory).await;
    for (slug, expected) in [("main", Some(tenant(1, "main"))), ("other", Some(tenant(2, "other"))), ("none", None)] {
        let slug = TenantSlug::parse(slug).expect("a slug");
        assert_eq!(directory.find_tenant(&slug).await.expect("finds"), expected);
    }
}

pub async fn a_tenant_is_found_by_its_id(directory: &dyn Directory) {
    add_tenants(directory).await;
    for (number, expected) in [(1, Some(tenant(1, "main"))), (2, Some(tenant(2, "other"))), (3, None)] {
        assert_eq!(directory.find_tenant_by_id(&maintaining(number)).await.expect("finds"), expected);
    }
}

pub async fn tenants_are_listed_by_slug(directory: &dyn Directory) {
    for (number, slug) in [(1, "b"), (2, "c"), (3, "a"), (4, "a-1")] {
        directory.add_tenant(&installation(), tenant(number, slug)).await.expect("adds a tenant");
    }
    assert_eq!(list_tenants(directory).await, [tenant(3, "a"), tenant(4, "a-1"), tenant(1, "b"), tenant(2, "c")]);
}

pub async fn a_slug_or_an_id_that_is_taken_is_refused(directory: &dyn Directory) {
    add_tenants(directory).await;
    let before = version(directory).await;
    let holder = tenant(1, "main").id.uuid();
    let again = Tenant { name: name("Again"), ..tenant(3, "main") };
    for (again, expected) in
        [(again, Conflict::TenantSlug { holder }), (tenant(1, "another"), Conflict::Exists(holder))]
    {
        let error = directory.add_tenant(&installation(), again).await.expect_err("is refused");
        let StoreError::Conflict(conflict) = error else { unreachable!("expected a conflict, got {error:?}") };
        assert_eq!(conflict, expected);
    }
    assert_eq!(list_tenants(directory).await, [tenant(1, "main"), tenant(2, "other")]);
    assert_eq!(version(directory).await, before);
}

pub async fn a_removed_tenant_takes_its_credentials_and_frees_its_slug(directory: &dyn Directory) {
    add_tenants(directory).await;
    for (number, tenant) in [(1, 1), (2, 1), (3, 2)] {
        let grant = maintaining(tenant).to_write_credentials();
        directory.add_client(&grant, client(number, tenant)).await.expect("adds");
        directory.add_key(&grant, key(number, tenant)).await.expect("adds");
        let refresh = Refresh { client: id(number), tenant: id(tenant), ..refresh(number, number, 1) };
        directory.add_refresh(&authenticated(number, tenant), refresh).await.expect("adds");
    }
    let before = version(directory).await;
    assert!(directory.remove_tenant(&maintaining(1)).await.expect("removes"));
    assert_eq!(version(directory).await, before + 1);
    assert_eq!(directory.find_tenant_by_id(&maintaining(1)).await.expect("finds"), None);
    assert_eq!(list_tenants(directory).await, [tenant(2, "other")]);
    for (number, is_left) in [(1, false), (2, false), (3, true)] {
        assert_eq!(directory.find_client_by_id(id(number)).await.expect("finds").is_some(), is_left);
        assert_eq!(directory.find_key_by_hash(key(number, 1).hash).await.expect("finds").is_some(), is_left);
        assert_eq!(directory.find_refresh(refresh_hash(number)).await.expect("finds").is_some(), is_left);
    }
    directory.add_tenant(&installation(), tenant(3, "main")).await.expect("the slug is free");
    let listing = directory.list_clients(&maintaining(3).to_read_credentials(), Page::FIRST).await.expect("lists");
    assert_eq!(listing.count, 0);
    assert_eq!(verify(directory).await.findings, []);
}

pub async fn a_tenant_is_called_otherwise_and_keeps_everything_else(directory: &dyn Directory) {
    add_tenants(directory).await;
    let before = version(directory).await;
    assert!(directory.set_name(&maintaining(1), name("Süd & Söhne")).await.expect("sets"));
    assert_eq!(version(directory).await, before + 1, "every cache is worth nothing");
    let changed = Tenant { name: name("Süd & Söhne"), ..tenant(1, "main") };
    assert_eq!(list_tenants(directory).await, [changed.clone(), tenant(2, "other")]);
    assert_eq!(directory.find_tenant(&changed.slug).await.expect("finds"), Some(changed.clone()));
    assert!(directory.set_name(&maintaining(1), changed.name).await.expect("sets"), "it is called so already");
    assert!(!directory.set_name(&maintaining(9), name("Nobody")).await.expect("looks"), "there is no such tenant");
    assert_eq!(version(directory).await, before + 1);
    assert_eq!(verify(directory).await.findings, []);
}

pub async fn the_day_on_which_years_begin_is_kept_with_its_tenant(directory: &dyn Directory) {
    add_tenants(directory).await;
    let before = version(directory).await;
    let april = YearStart::parse("04-06").expect("a day");
    assert!(directory.set_year_start(&maintaining(1), april).await.expect("sets"));
    assert_eq!(version(directory).await, before + 1, "every cache is worth nothing");
    let changed = Tenant { year_start: april, ..tenant(1, "main") };
    assert_eq!(list_tenants(directory).await, [changed.clone(), tenant(2, "other")]);
    assert_eq!(directory.find_tenant_by_id(&maintaining(1)).await.expect("finds"), Some(changed.clone()));
    assert_eq!(directory.find_tenant(&changed.slug).await.expect("finds"), Some(changed));
    assert!(directory.set_year_start(&maintaining(1), april).await.expect("sets"), "it is that day already");
    assert!(!directory.set_year_start(&maintaining(9), april).await.expect("looks"), "there is no such tenant");
    assert_eq!(version(directory).await, before + 1);

    directory.renew_epochs(&installation(), &epochs(&[(1, 71), (2, 72)])).await.expect("renews");
    let renewed = Tenant { year_start: april, epoch: uuid(71), ..tenant(1, "main") };
    assert_eq!(directory.find_tenant_by_id(&maintaining(1)).await.expect("finds"), Some(renewed));
    assert!(directory.set_year_start(&maintaining(1), YearStart::default()).await.expect("sets"));
    let added = Tenant { year_start: april, ..tenant(3, "third") };
    directory.add_tenant(&installation(), added.clone()).await.expect("adds a tenant");
    assert_eq!(directory.find_tenant_by_id(&maintaining(3)).await.expect("finds"), Some(added));
    let Verification { records, findings, .. } = verify(directory).await;
    assert_eq!((records, findings), (3, vec![]));
}

pub async fn what_a_tenant_states_is_kept_with_it_and_replaced_only_as_it_was_seen(directory: &dyn Directory) {
    add_tenants(directory).await;
    let before = version(directory).await;
    let (nothing, grant) = (StatementSettings::default(), maintaining(1));
    let boundary = Description::parse("All sites,\n\tbut those of the joint venture “Ü”.").expect("a text");
    let stated = nothing
        .clone()
        .with_consolidation(Some(Consolidation::OperationalControl))
        .with_company(Some(name("Group plc")))
        .with_boundary(Some(boundary));
    assert!(directory.set_statement(&grant, &nothing, stated.clone()).await.expect("sets"));
    assert_eq!(version(directory).await, before + 1, "every cache is worth nothing");
    let changed = Tenant { statement: stated.clone(), ..tenant(1, "main") };
    assert_eq!(list_tenants(directory).await, [changed.clone(), tenant(2, "other")]);
    assert_eq!(directory.find_tenant_by_id(&grant).await.expect("finds"), Some(changed.clone()));
    assert_eq!(directory.find_tenant(&changed.slug).await.expect("finds"), Some(changed.clone()));

    assert!(directory.set_statement(&grant, &stated, stated.clone()).await.expect("sets"), "it is that already");
    let other = stated.clone().with_consolidation(Some(Consolidation::EquityShare));
    let stale = directory.set_statement(&grant, &nothing, other.clone()).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert!(
        !directory.set_statement(&maintaining(9), &nothing, other.clone()).await.expect("looks"),
        "there is no such tenant"
    );
    assert_eq!((version(directory).await, list_tenants(directory).await[0].clone()), (before + 1, changed));

    let july = YearStart::parse("07-01").expect("a day");
    assert!(directory.set_year_start(&grant, july).await.expect("sets"));
    directory.renew_epochs(&installation(), &epochs(&[(1, 71), (2, 72)])).await.expect("renews");
    let kept = Tenant { statement: stated.clone(), year_start: july, epoch: uuid(71), ..tenant(1, "main") };
    assert_eq!(directory.find_tenant_by_id(&grant).await.expect("finds"), Some(kept));
    assert!(directory.set_statement(&grant, &stated, nothing).await.expect("states nothing again"));
    let added = Tenant { statement: other, ..tenant(3, "third") };
    directory.add_tenant(&installation(), added.clone()).await.expect("adds a tenant");
    assert_eq!(directory.find_tenant_by_id(&maintaining(3)).await.expect("finds"), Some(added));
    assert_eq!(verify(directory).await.findings, []);
}

pub async fn removing_a_tenant_that_is_not_there_changes_nothing(directory: &dyn Directory) {
    add_tenants(directory).await;
    let before = version(directory).await;
    assert!(!directory.remove_tenant(&maintaining(9)).await.expect("looks"));
    assert_eq!(version(directory).await, before);
    assert_eq!(list_tenants(directory).await.len(), 2);
}

pub async fn every_change_of_a_credential_raises_the_version(directory: &dyn Directory) {
    let grant = maintaining(1).to_write_credentials();
    let mut versions = vec![version(directory).await];
    add_tenants(directory).await;
    versions.push(version(directory).await);
    let seen = directory.add_client(&grant, client(1, 1)).await.expect("adds");
    versions.push(version(directory).await);
    let renamed = Client { name: name("Other"), ..client(1, 1) };
    directory.update_client(&grant, renamed, seen).await.expect("updates");
    versions.push(version(directory).await);
    directory.add_key(&grant, key(1, 1)).await.expect("adds");
    versions.push(version(directory).await);
    directory.add_signing_key(&installation(), signing_key("a", 1)).await.expect("adds");
    versions.push(version(directory).await);
    directory.remove_client(&grant, id(1), None).await.expect("removes");
    versions.push(version(directory).await);
    directory.remove_key(&grant, id(1), None).await.expect("removes");
    versions.push(version(directory).await);
    assert!(versions.is_sorted_by(|one, next| one < next), "{versions:?}");
}

pub async fn a_touch_notes_the_use_and_keeps_every_version(directory: &dyn Directory) {
    add_tenants(directory).await;
    let grant = maintaining(1);
    let of_client = directory.add_client(&grant.to_write_credentials(), client(1, 1)).await.expect("adds");
    let of_key = directory.add_key(&grant.to_write_credentials(), key(1, 1)).await.expect("adds");
    directory.add_key(&grant.to_write_credentials(), key(2, 1)).await.expect("adds");
    let before = version(directory).await;
    for (keys, clients) in [(50, 60), (40, 50)] {
        let keys = [(id(1), at(keys)), (id(9), at(keys))];
        directory.touch(&installation(), &keys, &[(id(1), at(clients))]).await.expect("touches");
    }
    assert_eq!(version(directory).await, before);
    let used_key = Key { last_used: Some(at(50)), ..key(1, 1) };
    let found = directory.find_key(&grant.to_read_credentials(), id(1)).await.expect("finds").expect("is there");
    assert_eq!((found.value, found.version), (used_key.clone(), of_key), "an earlier use is not noted");
    let found = directory.find_key(&grant.to_read_credentials(), id(2)).await.expect("finds").expect("is there");
    assert_eq!(found.value, key(2, 1));
    let used_client = Client { last_used: Some(at(60)), ..client(1, 1) };
    let found = directory.find_client(&grant.to_read_credentials(), id(1)).await.expect("finds").expect("is there");
    assert_eq!((found.value, found.version), (used_client.clone(), of_client));

    directory.update_key(&grant.to_write_credentials(), key(1, 1), of_key).await.expect("updates");
    directory.update_client(&grant.to_write_credentials(), client(1, 1), of_client).await.expect("updates");
    let found = directory.find_key_by_hash(key(1, 1).hash).await.expect("finds");
    assert_eq!(found, Some(used_key), "an update leaves it");
    assert_eq!(directory.find_client_by_id(id(1)).await.expect("finds"), Some(used_client), "an update leaves it");
    assert_eq!(verify(directory).await.findings, []);
}

pub async fn a_new_signing_key_retires_those_before_it(directory: &dyn Directory) {
    let (first, second, third) = (signing_key("z", 1), signing_key("a", 20), signing_key("m", 30));
    for key in [&first, &second, &third] {
        directory.add_signing_key(&installation(), key.clone()).await.expect("adds");
        assert!(directory.signing_key(&installation()).await.expect("finds") == Some(key.clone()));
    }
    let retired = |key: SealedKey, seconds| SealedKey { retired: Some(at(seconds)), ..key };
    let expected = [third, retired(second, 30), retired(first, 20)].map(|key| key.verifying());
    assert_eq!(directory.verifying_keys().await.expect("lists"), expected);
    assert_eq!(verify(directory).await.findings, []);
}

fn epochs(of: &[(u64, u64)]) -> BTreeMap<TenantId, Uuid> {
    of.iter().map(|(tenant, epoch)| (id(*tenant), uuid(*epoch))).collect()
}

pub async fn renewed_epochs_end_every_token_and_leave_credentials(directory: &dyn Directory) {
    add_tenants(directory).await;
    let grant = maintaining(1).to_write_credentials();
    let seen = directory.add_client(&grant, client(1, 1)).await.expect("adds");
    directory.add_key(&grant, key(1, 1)).await.expect("adds");
    for kid in ["a", "b"] {
        directory.add_signing_key(&installation(), signing_key(kid, 1)).await.expect("adds");
    }
    for number in [1, 2] {
        directory.add_refresh(&authenticated(1, 1), refresh(number, number, 1)).await.expect("adds");
    }
    directory.revoke_family(&authenticated(1, 1), id(1), at(30)).await.expect("revokes");
    let before = version(directory).await;

    directory.renew_epochs(&installation(), &epochs(&[(1, 71), (2, 72)])).await.expect("renews");

    assert_eq!(version(directory).await, before + 1, "every cache is worth nothing");
    assert_eq!(
        list_tenants(directory).await.iter().map(|tenant| tenant.epoch).collect::<Vec<_>>(),
        [uuid(71), uuid(72)]
    );
    assert_eq!(directory.verifying_keys().await.expect("lists"), []);
    assert_eq!(directory.signing_key(&installation()).await.expect("finds"), None);
    assert_eq!(directory.find_refresh(refresh_hash(2)).await.expect("finds"), None);
    let revoked = directory.revocations().await.expect("lists");
    assert_eq!((revoked.tokens, revoked.families), (vec![], vec![]));
    let kept = directory.find_client(&maintaining(1).to_read_credentials(), id(1)).await.expect("finds");
    assert_eq!(kept.expect("is there").version, seen);
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), Some(key(1, 1)));
    assert_eq!(verify(directory).await.findings, []);
}

pub async fn epochs_are_renewed_of_exactly_the_tenants_there_are(directory: &dyn Directory) {
    add_tenants(directory).await;
    let before = version(directory).await;
    for wrong in [&[(1, 71)][..], &[(1, 71), (2, 72), (3, 73)], &[(1, 71), (3, 73)], &[]] {
        let refused = directory.renew_epochs(&installation(), &epochs(wrong)).await;
        assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    }
    assert_eq!(version(directory).await, before);
    assert_eq!(list_tenants(directory).await, [tenant(1, "main"), tenant(2, "other")]);
}

pub async fn a_directory_with_a_history_is_sound_and_counted(directory: &dyn Directory) {
    add_tenants(directory).await;
    let grant = maintaining(1).to_write_credentials();
    for number in [1, 2] {
        let seen = directory.add_client(&grant, client(number, 1)).await.expect("adds");
        directory.add_key(&grant, key(number, 1)).await.expect("adds");
        directory.add_signing_key(&installation(), signing_key(&format!("key {number}"), 1)).await.expect("adds");
        let later = Client { updated: at(9), ..client(number, 1) };
        directory.update_client(&grant, later, seen).await.expect("updates");
    }
    directory.add_refresh(&authenticated(1, 1), refresh(1, 1, 1)).await.expect("adds");
    assert!(
        directory
            .exchange_refresh(&authenticated(1, 1), refresh_hash(1), at(20), refresh(2, 1, 1))
            .await
            .expect("exchanges")
    );
    directory.revoke_family(&authenticated(1, 1), id(1), at(30)).await.expect("revokes");
    directory.remove_client(&grant, id(2), None).await.expect("removes");
    directory.remove_key(&grant, id(1), None).await.expect("removes");
    let Verification { records, changes, findings, .. } = verify(directory).await;
    assert_eq!((records, changes, findings), (6, 14, vec![]));
}
