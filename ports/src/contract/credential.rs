//! Clients and keys: added once, updated as they were seen, removed.

use super::directory::{add_tenants, verify, version};
use super::sample::{at, client, id, key, maintaining, name, permissions};
use crate::directory::{Client, Directory, Key, Versioned};
use crate::repo::Page;
use crate::store::{Conflict, StoreError};
use crate::{Permissions, Version};

pub async fn a_client_is_found_as_it_was_added(directory: &dyn Directory) {
    add_tenants(directory).await;
    let full = Client { expires: Some(at(9)), partner: Some(id(7)), last_used: Some(at(8)), ..client(2, 2) };
    for (tenant, one) in [(1, client(1, 1)), (2, full), (1, Client { permissions: Permissions::NONE, ..client(3, 1) })]
    {
        let version =
            directory.add_client(&maintaining(tenant).to_write_credentials(), one.clone()).await.expect("adds");
        assert_eq!(version, Version(directory.version().await.expect("reads the version")));
        assert_eq!(directory.find_client_by_id(one.id).await.expect("finds"), Some(one.clone()));
        let found = directory.find_client(&maintaining(tenant).to_read_credentials(), one.id).await.expect("finds");
        assert_eq!(found, Some(Versioned { value: one, version }));
    }
    assert_eq!(directory.find_client_by_id(id(9)).await.expect("finds"), None);
    assert_eq!(
        directory.find_client(&maintaining(1).to_read_credentials(), id(2)).await.expect("finds"),
        None,
        "another's"
    );
}

pub async fn a_key_is_found_by_its_hash_and_by_its_id(directory: &dyn Directory) {
    add_tenants(directory).await;
    let full = Key { last_used: Some(at(8)), expires: None, ..key(2, 2) };
    for (tenant, one) in [(1, key(1, 1)), (2, full)] {
        let version = directory.add_key(&maintaining(tenant).to_write_credentials(), one.clone()).await.expect("adds");
        assert_eq!(directory.find_key_by_hash(one.hash).await.expect("finds"), Some(one.clone()));
        let found = directory.find_key(&maintaining(tenant).to_read_credentials(), one.id).await.expect("finds");
        assert_eq!(found, Some(Versioned { value: one, version }));
    }
    assert_eq!(directory.find_key_by_hash(key(9, 1).hash).await.expect("finds"), None);
    assert_eq!(
        directory.find_key(&maintaining(1).to_read_credentials(), id(2)).await.expect("finds"),
        None,
        "another's"
    );
}

pub async fn clients_and_keys_are_listed_by_id_within_their_tenant(directory: &dyn Directory) {
    add_tenants(directory).await;
    for (number, tenant) in [(5, 1), (1, 1), (3, 2), (2, 1), (4, 1)] {
        let grant = maintaining(tenant).to_write_credentials();
        directory.add_client(&grant, client(number, tenant)).await.expect("adds");
        directory.add_key(&grant, key(number, tenant)).await.expect("adds");
    }
    let grant = maintaining(1).to_read_credentials();
    for (number, expected) in [(1, vec![1, 2, 4]), (2, vec![5]), (3, vec![])] {
        let page = Page { number, size: 3 };
        let clients = directory.list_clients(&grant, page).await.expect("lists").map(|one| one.value);
        assert_eq!((clients.count, clients.page), (4, page));
        assert_eq!(clients.data, expected.iter().map(|number| client(*number, 1)).collect::<Vec<_>>());
        let keys = directory.list_keys(&grant, page).await.expect("lists").map(|one| one.value);
        assert_eq!((keys.count, keys.page), (4, page));
        assert_eq!(keys.data, expected.iter().map(|number| key(*number, 1)).collect::<Vec<_>>());
    }
    assert_eq!(
        directory.list_clients(&maintaining(9).to_read_credentials(), Page::FIRST).await.expect("lists").count,
        0
    );
}

pub async fn a_credential_is_added_once(directory: &dyn Directory) {
    add_tenants(directory).await;
    let grant = maintaining(1).to_write_credentials();
    directory.add_client(&grant, client(1, 1)).await.expect("adds");
    directory.add_key(&grant, key(1, 1)).await.expect("adds");
    let before = version(directory).await;
    let again = Client { permissions: permissions("admin"), ..client(1, 1) };
    let other = Key { hash: key(7, 1).hash, ..key(1, 1) };
    for error in [
        directory.add_client(&grant, again).await.expect_err("is there"),
        directory.add_key(&grant, other).await.expect_err("is there"),
        directory.add_client(&maintaining(2).to_write_credentials(), client(1, 2)).await.expect_err("is another's"),
    ] {
        let StoreError::Conflict(conflict) = error else { unreachable!("expected a conflict, got {error:?}") };
        assert_eq!(conflict, Conflict::Exists(id(1)));
    }
    assert_eq!(directory.find_client_by_id(id(1)).await.expect("finds"), Some(client(1, 1)));
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), Some(key(1, 1)));
    assert_eq!(version(directory).await, before);
}

pub async fn a_credential_needs_its_tenant(directory: &dyn Directory) {
    add_tenants(directory).await;
    directory.remove_tenant(&maintaining(1)).await.expect("removes");
    let grant = maintaining(1).to_write_credentials();
    for error in [
        directory.add_client(&grant, client(1, 1)).await.expect_err("has no tenant"),
        directory.add_key(&grant, key(1, 1)).await.expect_err("has no tenant"),
    ] {
        let StoreError::Conflict(conflict) = error else { unreachable!("expected a conflict, got {error:?}") };
        assert_eq!(conflict, Conflict::NoTenant(id(1)));
    }
    assert_eq!(directory.find_client_by_id(id(1)).await.expect("finds"), None);
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), None);
}

pub async fn a_credential_is_written_by_a_grant_of_its_tenant_alone(directory: &dyn Directory) {
    add_tenants(directory).await;
    let (own, others) = (maintaining(1).to_write_credentials(), maintaining(2).to_write_credentials());
    let of_client = directory.add_client(&own, client(1, 1)).await.expect("adds");
    let of_key = directory.add_key(&own, key(1, 1)).await.expect("adds");
    let before = version(directory).await;
    assert!(directory.add_client(&others, client(2, 1)).await.is_err());
    assert!(directory.add_key(&others, key(2, 1)).await.is_err());
    assert!(directory.update_client(&others, client(1, 1), of_client).await.is_err());
    assert!(directory.update_key(&others, key(1, 1), of_key).await.is_err());
    let stale = directory.update_client(&others, client(1, 2), of_client).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    let stale = directory.update_key(&others, key(1, 2), of_key).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert!(!directory.remove_client(&others, id(1), None).await.expect("looks"));
    assert!(!directory.remove_key(&others, id(1), None).await.expect("looks"));
    assert_eq!(version(directory).await, before);
    assert_eq!(directory.find_client_by_id(id(1)).await.expect("finds"), Some(client(1, 1)));
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), Some(key(1, 1)));
}

pub async fn an_update_replaces_what_was_seen(directory: &dyn Directory) {
    add_tenants(directory).await;
    let grant = maintaining(1);
    let added =
        directory.add_client(&grant.to_write_credentials(), Client { expires: Some(at(9)), ..client(1, 1) }).await;
    let other = Client { name: name("Other"), updated: at(20), secret_hash: key(7, 1).hash, ..client(1, 1) };
    let seen = added.expect("adds");
    let version = directory.update_client(&grant.to_write_credentials(), other.clone(), seen).await.expect("updates");
    assert!(version > seen);
    let found = directory.find_client(&grant.to_read_credentials(), id(1)).await.expect("finds");
    assert_eq!(found, Some(Versioned { value: other, version }));
    assert_eq!(directory.list_clients(&grant.to_read_credentials(), Page::FIRST).await.expect("lists").count, 1);

    let seen = directory.add_key(&grant.to_write_credentials(), key(1, 1)).await.expect("adds");
    let other = Key { hash: key(7, 1).hash, permissions: permissions("admin"), updated: at(20), ..key(1, 1) };
    let version = directory.update_key(&grant.to_write_credentials(), other.clone(), seen).await.expect("updates");
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), None);
    assert_eq!(directory.find_key_by_hash(other.hash).await.expect("finds"), Some(other.clone()));
    let found = directory.find_key(&grant.to_read_credentials(), id(1)).await.expect("finds");
    assert_eq!(found, Some(Versioned { value: other, version }));
    assert_eq!(verify(directory).await.findings, []);
}

pub async fn an_update_of_what_was_changed_or_removed_is_stale(directory: &dyn Directory) {
    add_tenants(directory).await;
    let grant = maintaining(1).to_write_credentials();
    let of_client = directory.add_client(&grant, client(1, 1)).await.expect("adds");
    let of_key = directory.add_key(&grant, key(1, 1)).await.expect("adds");
    let lower = Client { permissions: permissions("switch:read"), ..client(1, 1) };
    directory.update_client(&grant, lower.clone(), of_client).await.expect("updates");
    let lower_key = Key { permissions: permissions("switch:read"), ..key(1, 1) };
    directory.update_key(&grant, lower_key.clone(), of_key).await.expect("updates");
    let before = version(directory).await;
    let stale = |written: Result<Version, StoreError>| assert!(matches!(written, Err(StoreError::Stale)));
    stale(directory.update_client(&grant, client(1, 1), of_client).await);
    stale(directory.update_key(&grant, key(1, 1), of_key).await);
    stale(directory.update_client(&grant, client(9, 1), of_client).await);
    stale(directory.update_key(&grant, key(9, 1), of_key).await);
    assert_eq!(version(directory).await, before);
    assert_eq!(directory.find_client_by_id(id(1)).await.expect("finds"), Some(lower));
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), Some(lower_key));

    assert!(directory.remove_client(&grant, id(1), None).await.expect("removes"));
    assert!(directory.remove_key(&grant, id(1), None).await.expect("removes"));
    stale(directory.update_client(&grant, client(1, 1), of_client).await);
    stale(directory.update_key(&grant, key(1, 1), of_key).await);
    assert_eq!(directory.find_client_by_id(id(1)).await.expect("finds"), None);
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), None);
    assert_eq!(verify(directory).await.findings, []);
}

pub async fn a_removal_may_name_the_version_that_it_means(directory: &dyn Directory) {
    add_tenants(directory).await;
    let grant = maintaining(1).to_write_credentials();
    let old_client = directory.add_client(&grant, client(1, 1)).await.expect("adds");
    let old_key = directory.add_key(&grant, key(1, 1)).await.expect("adds");
    let new_client = directory.update_client(&grant, client(1, 1), old_client).await.expect("updates");
    let new_key = directory.update_key(&grant, key(1, 1), old_key).await.expect("updates");
    let stale = directory.remove_client(&grant, id(1), Some(old_client)).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    let stale = directory.remove_key(&grant, id(1), Some(old_key)).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert_eq!(directory.find_client_by_id(id(1)).await.expect("finds"), Some(client(1, 1)));
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), Some(key(1, 1)));
    assert!(directory.remove_client(&grant, id(1), Some(new_client)).await.expect("removes"));
    assert!(directory.remove_key(&grant, id(1), Some(new_key)).await.expect("removes"));
    assert!(!directory.remove_client(&grant, id(1), Some(new_client)).await.expect("looks"));
    assert!(!directory.remove_key(&grant, id(1), Some(new_key)).await.expect("looks"));
    assert_eq!(directory.find_client_by_id(id(1)).await.expect("finds"), None);
    assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), None);
}
