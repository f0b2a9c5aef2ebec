//! Two directories on the same data, as two nodes have them: nothing that was revoked, lowered or rotated on one comes
//! back through the other.

use domain::Digest;
use futures_util::future::{join, join_all};

use super::directory::{add_tenants, verify};
use super::sample::{at, authenticated, client, id, key, maintaining, name, permissions, refresh, refresh_hash};
use crate::directory::{Client, Directory, Key, Versioned};
use crate::store::{Conflict, StoreError};
use crate::{ClientId, KeyId, Permission, Version};

/// How often a race is run.
const ROUNDS: u64 = 20;
/// How often each side of it writes.
const WRITES: i64 = 5;

type Two<'a> = [&'a dyn Directory; 2];

async fn find_client(directory: &dyn Directory, id: ClientId) -> Option<Versioned<Client>> {
    directory.find_client(&maintaining(1).to_read_credentials(), id).await.expect("finds")
}

async fn find_key(directory: &dyn Directory, id: KeyId) -> Option<Versioned<Key>> {
    directory.find_key(&maintaining(1).to_read_credentials(), id).await.expect("finds")
}

async fn add_client(directory: &dyn Directory, number: u64) -> Version {
    directory.add_client(&maintaining(1).to_write_credentials(), client(number, 1)).await.expect("adds")
}

async fn add_key(directory: &dyn Directory, number: u64) -> Version {
    directory.add_key(&maintaining(1).to_write_credentials(), key(number, 1)).await.expect("adds")
}

/// Whether it was written; false when another was faster.
fn is_written(written: Result<Version, StoreError>) -> bool {
    match written {
        Ok(_) => true,
        Err(StoreError::Stale) => false,
        Err(error) => unreachable!("expected stale or written, got {error:?}"),
    }
}

/// Reads, changes and writes a client until that is done or it is gone. Whether it is done.
async fn change_client(directory: &dyn Directory, id: ClientId, change: impl Fn(&mut Client)) -> bool {
    while let Some(Versioned { mut value, version }) = find_client(directory, id).await {
        change(&mut value);
        if is_written(directory.update_client(&maintaining(1).to_write_credentials(), value, version).await) {
            return true;
        }
    }
    false
}

/// Reads, changes and writes a key until that is done or it is gone. Whether it is done.
async fn change_key(directory: &dyn Directory, id: KeyId, change: impl Fn(&mut Key)) -> bool {
    while let Some(Versioned { mut value, version }) = find_key(directory, id).await {
        change(&mut value);
        if is_written(directory.update_key(&maintaining(1).to_write_credentials(), value, version).await) {
            return true;
        }
    }
    false
}

async fn rename(directory: &dyn Directory, number: u64) {
    for write in 0..WRITES {
        let renamed = name(&format!("Renamed {write}"));
        change_client(directory, id(number), |client| client.name = renamed.clone()).await;
        change_key(directory, id(number), |key| key.name = renamed.clone()).await;
    }
}

pub async fn what_one_directory_writes_the_other_finds_at_once([one, two]: Two<'_>) {
    add_tenants(one).await;
    let version = add_key(one, 1).await;
    assert_eq!(find_key(two, id(1)).await, Some(Versioned { value: key(1, 1), version }));
    assert_eq!(two.version().await.expect("reads"), one.version().await.expect("reads"));
    two.remove_key(&maintaining(1).to_write_credentials(), id(1), Some(version)).await.expect("removes");
    assert_eq!(one.find_key_by_hash(key(1, 1).hash).await.expect("finds"), None);
    assert_eq!(two.version().await.expect("reads"), one.version().await.expect("reads"));
}

pub async fn of_two_updates_of_the_same_version_one_is_stale([one, two]: Two<'_>) {
    add_tenants(one).await;
    let grant = maintaining(1).to_write_credentials();
    let mut seen = add_key(one, 1).await;
    for round in 0..ROUNDS {
        let named = |side: &str| Key { name: name(&format!("{side} {round}")), ..key(1, 1) };
        let (of_one, of_two) =
            join(one.update_key(&grant, named("one"), seen), two.update_key(&grant, named("two"), seen)).await;
        let found = find_key(one, id(1)).await.expect("is there");
        let expected = if is_written(of_one) {
            assert!(!is_written(of_two), "both wrote in round {round}");
            named("one")
        } else {
            assert!(is_written(of_two), "none wrote in round {round}");
            named("two")
        };
        assert_eq!(found.value, expected);
        seen = found.version;
    }
    assert_eq!(verify(two).await.findings, []);
}

pub async fn an_older_copy_brings_nothing_back([one, two]: Two<'_>) {
    add_tenants(one).await;
    let grant = maintaining(1).to_write_credentials();
    let (of_client, of_key) = (add_client(one, 1).await, add_key(one, 1).await);
    let copies = (find_client(one, id(1)).await.expect("is there"), find_key(one, id(1)).await.expect("is there"));
    assert!(two.remove_client(&grant, id(1), Some(of_client)).await.expect("removes"));
    assert!(two.remove_key(&grant, id(1), Some(of_key)).await.expect("removes"));
    assert!(!is_written(one.update_client(&grant, copies.0.value, copies.0.version).await));
    assert!(!is_written(one.update_key(&grant, copies.1.value, copies.1.version).await));
    for directory in [one, two] {
        assert_eq!(directory.find_client_by_id(id(1)).await.expect("finds"), None);
        assert_eq!(directory.find_key_by_hash(key(1, 1).hash).await.expect("finds"), None);
    }
}

pub async fn a_removed_credential_stays_removed_beside_updates([one, two]: Two<'_>) {
    add_tenants(one).await;
    let grant = maintaining(1).to_write_credentials();
    for number in 1..=ROUNDS {
        add_client(one, number).await;
        add_key(one, number).await;
        let removal = async {
            assert!(two.remove_client(&grant, id(number), None).await.expect("removes"));
            assert!(two.remove_key(&grant, id(number), None).await.expect("removes"));
        };
        join(rename(one, number), removal).await;
        assert_eq!(find_client(one, id(number)).await, None, "in round {number}");
        assert_eq!(find_key(two, id(number)).await, None, "in round {number}");
    }
    assert_eq!(verify(one).await.findings, []);
}

pub async fn a_lowered_permission_stays_lowered_beside_renamings([one, two]: Two<'_>) {
    add_tenants(one).await;
    let lower = permissions("switch:read");
    for number in 1..=ROUNDS {
        add_client(one, number).await;
        add_key(one, number).await;
        let lowering = async {
            assert!(change_client(two, id(number), |client| client.permissions = lower).await);
            assert!(change_key(two, id(number), |key| key.permissions = lower).await);
        };
        join(rename(one, number), lowering).await;
        for directory in [one, two] {
            let client = find_client(directory, id(number)).await.expect("is there").value;
            assert_eq!(client.permissions, lower, "in round {number}");
            assert!(!client.permissions.allows(Permission::Admin));
            assert_eq!(find_key(directory, id(number)).await.expect("is there").value.permissions, lower);
        }
    }
    assert_eq!(verify(one).await.findings, []);
}

pub async fn a_rotated_secret_stays_rotated_beside_renamings([one, two]: Two<'_>) {
    add_tenants(one).await;
    for number in 1..=ROUNDS {
        add_client(one, number).await;
        let rotated = Digest::of(format!("rotated {number}").as_bytes());
        let rotation = async {
            assert!(change_client(two, id(number), |client| client.secret_hash = rotated).await);
        };
        join(rename(one, number), rotation).await;
        for directory in [one, two] {
            let found = directory.find_client_by_id(id(number)).await.expect("finds").expect("is there");
            assert_eq!(found.secret_hash, rotated, "in round {number}");
        }
    }
    assert_eq!(verify(two).await.findings, []);
}

pub async fn many_updates_on_both_directories_lose_nothing([one, two]: Two<'_>) {
    add_tenants(one).await;
    add_key(one, 1).await;
    let later = |key: &mut Key| key.updated = at(key.updated.millis() / 1000 - at(0).millis() / 1000 + 1);
    let writers = (0..ROUNDS).map(|writer| async move {
        let directory = if writer % 2 == 0 { one } else { two };
        for _ in 0..WRITES {
            assert!(change_key(directory, id(1), later).await);
        }
    });
    join_all(writers).await;
    let found = find_key(two, id(1)).await.expect("is there");
    let writes = i64::try_from(ROUNDS).expect("few rounds") * WRITES;
    assert_eq!(found.value.updated, at(3 + writes), "each write is there");
    let found = verify(one).await;
    assert_eq!((found.findings, found.changes), (vec![], 3 + writes.unsigned_abs()));
}

pub async fn a_removed_tenant_gets_no_credential_from_the_other_directory([one, two]: Two<'_>) {
    add_tenants(one).await;
    let grant = maintaining(1);
    let adding = async {
        for number in 1..=ROUNDS {
            match one.add_key(&grant.to_write_credentials(), key(number, 1)).await {
                Ok(_) => {}
                Err(StoreError::Conflict(Conflict::NoTenant(_))) => return,
                Err(error) => unreachable!("expected added or no tenant, got {error:?}"),
            }
        }
    };
    let (removed, ()) = join(two.remove_tenant(&grant), adding).await;
    assert!(removed.expect("removes"));
    for number in 1..=ROUNDS {
        assert_eq!(one.find_key_by_hash(key(number, 1).hash).await.expect("finds"), None);
    }
    assert_eq!(verify(one).await.findings, []);
}

pub async fn a_refresh_token_is_exchanged_on_one_directory_alone([one, two]: Two<'_>) {
    add_tenants(one).await;
    add_client(one, 1).await;
    for number in 1..=ROUNDS {
        let (first, of_one, of_two) = (number, 1_000 + number, 2_000 + number);
        one.add_refresh(&authenticated(1, 1), refresh(first, number, 1)).await.expect("adds");
        let next = |number| refresh(number, first, 1);
        let (by_one, by_two) = join(
            one.exchange_refresh(&authenticated(1, 1), refresh_hash(first), at(20), next(of_one)),
            two.exchange_refresh(&authenticated(1, 1), refresh_hash(first), at(20), next(of_two)),
        )
        .await;
        let (by_one, by_two) = (by_one.expect("exchanges"), by_two.expect("exchanges"));
        assert!(by_one != by_two, "in round {number}");
        assert_eq!(two.find_refresh(refresh_hash(of_one)).await.expect("finds").is_some(), by_one);
        assert_eq!(one.find_refresh(refresh_hash(of_two)).await.expect("finds").is_some(), by_two);
    }
    assert_eq!(verify(one).await.findings, []);
}

pub async fn a_family_revoked_beside_exchanges_is_dead([one, two]: Two<'_>) {
    add_tenants(one).await;
    add_client(one, 1).await;
    for number in 1..=ROUNDS {
        let (first, next) = (number, 1_000 + number);
        one.add_refresh(&authenticated(1, 1), refresh(first, number, 1)).await.expect("adds");
        let (exchanged, revoked) = join(
            one.exchange_refresh(&authenticated(1, 1), refresh_hash(first), at(20), refresh(next, number, 1)),
            two.revoke_family(&authenticated(1, 1), id(number), at(30)),
        )
        .await;
        revoked.expect("revokes");
        let found = one.find_refresh(refresh_hash(next)).await.expect("finds");
        assert_eq!(found.is_some(), exchanged.expect("exchanges"));
        assert!(found.is_none_or(|next| next.revoked.is_some()), "in round {number}");
        let again = one
            .exchange_refresh(&authenticated(1, 1), refresh_hash(next), at(40), refresh(2_000 + number, number, 1))
            .await;
        assert!(!again.expect("is dead"), "in round {number}");
    }
    assert_eq!(verify(two).await.findings, []);
}
