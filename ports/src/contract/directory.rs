//! Tenants, clients, keys and signing keys.

use crate::{Permissions, TenantSlug};

use super::sample::{at, client, id, key, name, refresh, refresh_hash, signing_key, tenant};
use crate::credential::SealedKey;
use crate::directory::{Client, Directory, Key, Refresh, Tenant};
use crate::repo::Page;
use crate::store::{Conflict, StoreError, Verification};

const BY: &str = "client:me";

async fn add_tenants(directory: &dyn Directory) {
    for (number, slug) in [(1, "main"), (2, "other")] {
        directory.add_tenant(tenant(number, slug)).await.expect("adds a tenant");
    }
}

async fn version(directory: &dyn Directory) -> u64 {
    directory.version().await.expect("reads the version")
}

pub async fn a_new_directory_is_empty_and_sound(directory: &dyn Directory) {
    assert_eq!(directory.list_tenants().await.expect("lists"), []);
    assert_eq!(directory.signing_keys().await.expect("lists"), []);
    let found = directory.verify().await.expect("verifies");
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
        assert_eq!(directory.find_tenant_by_id(id(number)).await.expect("finds"), expected);
    }
}

pub async fn tenants_are_listed_by_slug(directory: &dyn Directory) {
    for (number, slug) in [(1, "b"), (2, "c"), (3, "a"), (4, "a-1")] {
        directory.add_tenant(tenant(number, slug)).await.expect("adds a tenant");
    }
    let expected = [tenant(3, "a"), tenant(4, "a-1"), tenant(1, "b"), tenant(2, "c")];
    assert_eq!(directory.list_tenants().await.expect("lists"), expected);
}

pub async fn a_slug_that_is_taken_is_refused(directory: &dyn Directory) {
    add_tenants(directory).await;
    let before = version(directory).await;
    let again = Tenant { name: name("Again"), ..tenant(3, "main") };
    let error = directory.add_tenant(again).await.expect_err("is refused");
    let StoreError::Conflict(conflict) = error else { unreachable!("expected a conflict, got {error:?}") };
    assert_eq!(conflict, Conflict::TenantSlug { holder: tenant(1, "main").id.uuid() });
    assert_eq!(directory.list_tenants().await.expect("lists"), [tenant(1, "main"), tenant(2, "other")]);
    assert_eq!(version(directory).await, before);
}

pub async fn a_removed_tenant_takes_its_credentials_and_frees_its_slug(directory: &dyn Directory) {
    add_tenants(directory).await;
    for (number, tenant) in [(1, 1), (2, 1), (3, 2)] {
        directory.put_client(client(number, tenant), BY).await.expect("puts");
        directory.put_key(key(number, tenant), BY).await.expect("puts");
        let refresh = Refresh { client: id(number), tenant: id(tenant), ..refresh(number, number, 1) };
        directory.add_refresh(refresh).await.expect("adds");
    }
    let before = version(directory).await;
    assert!(directory.remove_tenant(id(1), BY).await.expect("removes"));
    assert!(version(directory).await > before);
    assert_eq!(directory.find_tenant_by_id(id(1)).await.expect("finds"), None);
    assert_eq!(directory.list_tenants().await.expect("lists"), [tenant(2, "other")]);
    for (number, is_left) in [(1, false), (2, false), (3, true)] {
        assert_eq!(directory.find_client(id(number)).await.expect("finds").is_some(), is_left);
        assert_eq!(directory.find_key(id(number)).await.expect("finds").is_some(), is_left);
        assert_eq!(directory.find_refresh(refresh_hash(number)).await.expect("finds").is_some(), is_left);
    }
    directory.add_tenant(tenant(3, "main")).await.expect("the slug is free");
    assert_eq!(directory.list_clients(id(3), Page::FIRST).await.expect("lists").count, 0);
    assert_eq!(directory.verify().await.expect("verifies").findings, []);
}

pub async fn removing_a_tenant_that_is_not_there_changes_nothing(directory: &dyn Directory) {
    add_tenants(directory).await;
    let before = version(directory).await;
    assert!(!directory.remove_tenant(id(9), BY).await.expect("looks"));
    assert_eq!(version(directory).await, before);
    assert_eq!(directory.list_tenants().await.expect("lists").len(), 2);
}

pub async fn a_client_is_found_as_it_was_put(directory: &dyn Directory) {
    add_tenants(directory).await;
    let full = Client { expires: Some(at(9)), last_used: Some(at(8)), ..client(2, 2) };
    for one in [client(1, 1), full, Client { permissions: Permissions::NONE, ..client(3, 1) }] {
        directory.put_client(one.clone(), BY).await.expect("puts");
        assert_eq!(directory.find_client(one.id).await.expect("finds"), Some(one));
    }
    assert_eq!(directory.find_client(id(9)).await.expect("finds"), None);
}

pub async fn putting_a_client_again_replaces_it(directory: &dyn Directory) {
    add_tenants(directory).await;
    directory.put_client(Client { expires: Some(at(9)), ..client(1, 1) }, BY).await.expect("puts");
    let other = Client { name: name("Other"), updated: at(20), secret_hash: key(7, 1).hash, ..client(1, 1) };
    directory.put_client(other.clone(), BY).await.expect("puts");
    assert_eq!(directory.find_client(id(1)).await.expect("finds"), Some(other));
    let listing = directory.list_clients(id(1), Page::FIRST).await.expect("lists");
    assert_eq!(listing.count, 1);
}

pub async fn clients_and_keys_are_listed_by_id_within_their_tenant(directory: &dyn Directory) {
    add_tenants(directory).await;
    for (number, tenant) in [(5, 1), (1, 1), (3, 2), (2, 1), (4, 1)] {
        directory.put_client(client(number, tenant), BY).await.expect("puts");
        directory.put_key(key(number, tenant), BY).await.expect("puts");
    }
    for (number, expected) in [(1, vec![1, 2, 4]), (2, vec![5]), (3, vec![])] {
        let page = Page { number, size: 3 };
        let clients = directory.list_clients(id(1), page).await.expect("lists");
        assert_eq!((clients.count, clients.page), (4, page));
        assert_eq!(clients.data, expected.iter().map(|number| client(*number, 1)).collect::<Vec<_>>());
        let keys = directory.list_keys(id(1), page).await.expect("lists");
        assert_eq!((keys.count, keys.page), (4, page));
        assert_eq!(keys.data, expected.iter().map(|number| key(*number, 1)).collect::<Vec<_>>());
    }
    assert_eq!(directory.list_clients(id(9), Page::FIRST).await.expect("lists").count, 0);
}

pub async fn a_client_is_removed_by_its_own_tenant_alone(directory: &dyn Directory) {
    add_tenants(directory).await;
    directory.put_client(client(1, 1), BY).await.expect("puts");
    assert!(!directory.remove_client(id(2), id(1), BY).await.expect("looks"));
    assert!(!directory.remove_client(id(1), id(9), BY).await.expect("looks"));
    assert_eq!(directory.find_client(id(1)).await.expect("finds"), Some(client(1, 1)));
    assert!(directory.remove_client(id(1), id(1), BY).await.expect("removes"));
    assert_eq!(directory.find_client(id(1)).await.expect("finds"), None);
    assert!(!directory.remove_client(id(1), id(1), BY).await.expect("looks"));
}

pub async fn a_key_is_found_by_its_hash_and_by_its_id(directory: &dyn Directory) {
    add_tenants(directory).await;
    let full = Key { last_used: Some(at(8)), expires: None, ..key(2, 2) };
    for one in [key(1, 1), full] {
        directory.put_key(one.clone(), BY).await.expect("puts");
        assert_eq!(directory.find_key_by_hash(one.hash).await.expect("finds"), Some(one.clone()));
        assert_eq!(directory.find_key(one.id).await.expect("finds"), Some(one));
    }
    assert_eq!(directory.find_key_by_hash(key(9, 1).hash).await.expect("finds"), None);
    assert_eq!(directory.find_key(id(9)).await.expect("finds"), None);
}

pub async fn a_replaced_key_is_found_by_its_new_hash_alone(directory: &dyn Directory) {
    add_tenants(directory).await;
    directory.put_key(key(1, 1), BY).await.expect("puts");
    let other = Key { hash: key(7, 1).hash, updated: at(20), ..key(1, 1) };
    directory.put_key(other.clone(), BY).await.expect("puts");
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), None);
    assert_eq!(directory.find_key_by_hash(other.hash).await.expect("finds"), Some(other));
}

pub async fn a_key_is_removed_by_its_own_tenant_alone(directory: &dyn Directory) {
    add_tenants(directory).await;
    directory.put_key(key(1, 1), BY).await.expect("puts");
    assert!(!directory.remove_key(id(2), id(1), BY).await.expect("looks"));
    assert_eq!(directory.find_key(id(1)).await.expect("finds"), Some(key(1, 1)));
    assert!(directory.remove_key(id(1), id(1), BY).await.expect("removes"));
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), None);
    assert!(!directory.remove_key(id(1), id(1), BY).await.expect("looks"));
}

pub async fn every_change_of_a_credential_raises_the_version(directory: &dyn Directory) {
    let mut versions = vec![version(directory).await];
    add_tenants(directory).await;
    versions.push(version(directory).await);
    directory.put_client(client(1, 1), BY).await.expect("puts");
    versions.push(version(directory).await);
    directory.put_client(Client { name: name("Other"), ..client(1, 1) }, BY).await.expect("puts");
    versions.push(version(directory).await);
    directory.put_key(key(1, 1), BY).await.expect("puts");
    versions.push(version(directory).await);
    directory.add_signing_key(signing_key("a", 1), BY).await.expect("adds");
    versions.push(version(directory).await);
    directory.remove_client(id(1), id(1), BY).await.expect("removes");
    versions.push(version(directory).await);
    directory.remove_key(id(1), id(1), BY).await.expect("removes");
    versions.push(version(directory).await);
    assert!(versions.is_sorted_by(|one, next| one < next), "{versions:?}");
}

pub async fn a_touch_notes_the_use_and_keeps_the_version(directory: &dyn Directory) {
    add_tenants(directory).await;
    directory.put_client(client(1, 1), BY).await.expect("puts");
    directory.put_key(key(1, 1), BY).await.expect("puts");
    directory.put_key(key(2, 1), BY).await.expect("puts");
    let before = version(directory).await;
    let keys = [(id(1), at(50)), (id(9), at(50))];
    directory.touch(&keys, &[(id(1), at(60))]).await.expect("touches");
    assert_eq!(version(directory).await, before);
    let used = Key { last_used: Some(at(50)), ..key(1, 1) };
    assert_eq!(directory.find_key(id(1)).await.expect("finds"), Some(used));
    assert_eq!(directory.find_key(id(2)).await.expect("finds"), Some(key(2, 1)));
    let used = Client { last_used: Some(at(60)), ..client(1, 1) };
    assert_eq!(directory.find_client(id(1)).await.expect("finds"), Some(used));
    assert_eq!(directory.verify().await.expect("verifies").findings, []);
}

pub async fn a_new_signing_key_retires_those_before_it(directory: &dyn Directory) {
    let (first, second, third) = (signing_key("z", 1), signing_key("a", 20), signing_key("m", 30));
    for key in [&first, &second, &third] {
        directory.add_signing_key(key.clone(), BY).await.expect("adds");
    }
    let retired = |key: SealedKey, seconds| SealedKey { retired: Some(at(seconds)), ..key };
    let found = directory.signing_keys().await.expect("lists");
    assert!(found == [third, retired(second, 30), retired(first, 20)], "{found:?}");
}

pub async fn a_directory_with_a_history_is_sound_and_counted(directory: &dyn Directory) {
    add_tenants(directory).await;
    for number in [1, 2] {
        directory.put_client(client(number, 1), BY).await.expect("puts");
        directory.put_key(key(number, 1), BY).await.expect("puts");
        directory.add_signing_key(signing_key(&format!("key {number}"), 1), BY).await.expect("adds");
    }
    directory.put_client(Client { updated: at(9), ..client(1, 1) }, BY).await.expect("puts");
    directory.remove_client(id(1), id(2), BY).await.expect("removes");
    directory.remove_key(id(1), id(1), BY).await.expect("removes");
    let Verification { records, changes, findings, .. } = directory.verify().await.expect("verifies");
    assert_eq!(findings, []);
    assert_eq!(records, 6);
    assert!(changes >= 11, "{changes}");
}
