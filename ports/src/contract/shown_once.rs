//! Requests that make clients and keys once, since the secret in their answer is shown once. The clock stands at `at(0)`.

use super::directory::{add_tenants, verify};
use super::sample::{at, client, installation, key, maintaining, uuid};
use crate::directory::{CredentialKind, Directory, ShownOnce};
use crate::repeat::{KeyedRequest, RequestKey};
use crate::store::{Conflict, StoreError};

const DAY: i64 = 24 * 60 * 60;

fn request(name: &str, asks: &str) -> KeyedRequest {
    KeyedRequest::new(RequestKey::new("key:1", "POST /v1/key", name), "", asks.as_bytes())
}

/// What the request is known to have made in that tenant.
async fn made(directory: &dyn Directory, tenant: u64, name: &str, seconds: i64) -> Option<ShownOnce> {
    let (grant, key) = (maintaining(tenant).to_read_credentials(), request(name, "").key);
    directory.shown_once(&grant, key, at(seconds)).await.expect("finds")
}

pub async fn a_request_makes_one_credential_and_names_it_from_then_on(directory: &dyn Directory) {
    add_tenants(directory).await;
    let grant = maintaining(1).to_write_credentials();
    let (of_key, of_client) = (request("a", "key"), request("b", "client"));
    directory.add_key_once(&grant, key(1, 1), Some(of_key)).await.expect("adds");
    let seen = directory.add_client_once(&grant, client(2, 1), Some(of_client)).await.expect("adds");
    let again = directory.add_key_once(&grant, key(3, 1), Some(of_key)).await;
    let shown = Conflict::ShownOnce { kind: CredentialKind::Key, id: uuid(1) };
    assert!(matches!(&again, Err(StoreError::Conflict(conflict)) if *conflict == shown), "{again:?}");
    let again = directory.update_client_once(&grant, client(2, 1), seen, Some(of_client)).await;
    let shown = Conflict::ShownOnce { kind: CredentialKind::Client, id: uuid(2) };
    assert!(matches!(&again, Err(StoreError::Conflict(conflict)) if *conflict == shown), "{again:?}");
    let other = directory.add_key_once(&grant, key(3, 1), Some(request("a", "another"))).await;
    assert!(matches!(other, Err(StoreError::Conflict(Conflict::KeyReused))), "{other:?}");
    let reading = maintaining(1).to_read_credentials();
    assert_eq!(directory.list_keys(&reading, crate::repo::Page::FIRST).await.expect("lists").count, 1);
    let expected = ShownOnce { content: of_key.content, kind: CredentialKind::Key, id: uuid(1) };
    assert_eq!(made(directory, 1, "a", 0).await, Some(expected));
    assert_eq!(verify(directory).await.findings, []);
}

pub async fn a_request_that_made_nothing_is_free_to_be_sent_again(directory: &dyn Directory) {
    add_tenants(directory).await;
    let grant = maintaining(1).to_write_credentials();
    directory.add_key(&grant, key(1, 1)).await.expect("adds");
    let taken = directory.add_key_once(&grant, key(1, 1), Some(request("a", ""))).await;
    assert!(matches!(taken, Err(StoreError::Conflict(Conflict::Exists(_)))), "{taken:?}");
    assert_eq!(made(directory, 1, "a", 0).await, None);
    directory.add_key_once(&grant, key(2, 1), Some(request("a", ""))).await.expect("adds");
}

pub async fn what_a_request_made_is_known_for_a_day_and_to_its_tenant_alone(directory: &dyn Directory) {
    add_tenants(directory).await;
    for tenant in [1, 2] {
        let grant = maintaining(tenant).to_write_credentials();
        directory.add_key_once(&grant, key(tenant, tenant), Some(request("a", ""))).await.expect("adds");
    }
    assert_eq!(made(directory, 1, "a", DAY - 1).await.map(|made| made.id), Some(uuid(1)));
    assert_eq!(made(directory, 2, "a", 0).await.map(|made| made.id), Some(uuid(2)));
    assert_eq!(made(directory, 1, "a", DAY).await, None);
    directory.remove_tenant(&maintaining(2)).await.expect("removes");
    assert_eq!(made(directory, 2, "a", 0).await, None);
    assert_eq!(directory.sweep(&installation(), at(DAY - 1)).await.expect("sweeps").removed, 0);
    assert!(made(directory, 1, "a", 0).await.is_some());
    assert_eq!(directory.sweep(&installation(), at(DAY)).await.expect("sweeps").removed, 1);
    assert_eq!(made(directory, 1, "a", 0).await, None);
}
