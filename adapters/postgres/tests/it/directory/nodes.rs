//! What nodes do to each other in the directory.

use domain::Name;
use futures_util::future::join_all;
use ports::contract::sample;
use ports::contract::sample::{at, id};
use ports::directory::{Client, Directory as _, Key};
use ports::store::StoreError;
use tonne_postgres::PostgresDirectory;

use super::{change_client, findings, installation, reading, two_nodes, writing};

#[tokio::test]
async fn a_change_on_one_node_is_seen_on_the_other_at_once() {
    let ([one, other], _town) = two_nodes().await;
    let mut version = other.version().await.unwrap();
    for number in 1..=20 {
        one.add_key(&writing(1), sample::key(number, 1)).await.unwrap();
        version += 1;
        assert_eq!(other.version().await.unwrap(), version);
        assert_eq!(
            other.find_key(&reading(1), id(number)).await.unwrap().map(|key| key.value),
            Some(sample::key(number, 1))
        );
        one.remove_key(&writing(1), id(number), None).await.unwrap();
        version += 1;
        assert_eq!(other.version().await.unwrap(), version);
        assert_eq!(other.find_key_by_hash(sample::key(number, 1).hash).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_refresh_token_is_exchanged_once_on_all_nodes_together() {
    let (nodes, database) = two_nodes().await;
    for round in 0..5 {
        let first = sample::refresh(round * 100, 1, 1);
        nodes[0].add_refresh(&sample::authenticated(1, 1), first.clone()).await.unwrap();
        let exchanges = (1..=16).map(|number| {
            let node = &nodes[usize::from(number % 2 == 0)];
            let next = sample::refresh(round * 100 + number, 1, 1);
            async {
                (next.hash, node.exchange_refresh(&sample::authenticated(1, 1), first.hash, at(5), next).await.unwrap())
            }
        });
        let outcomes = join_all(exchanges).await;
        assert_eq!(outcomes.iter().filter(|(_, won)| *won).count(), 1);
        for (hash, won) in outcomes {
            assert_eq!(nodes[0].find_refresh(hash).await.unwrap().is_some(), won);
        }
        assert_eq!(nodes[1].find_refresh(first.hash).await.unwrap().unwrap().used, Some(at(5)));
    }
    assert_eq!(database.text("SELECT count(*) FROM tonne_directory.refresh").await, "10");
    assert_eq!(findings(&nodes[0]).await, []);
}

#[tokio::test]
async fn a_family_revoked_on_one_node_is_exchanged_on_none() {
    let ([one, other], _town) = two_nodes().await;
    let first = sample::refresh(1, 1, 1);
    one.add_refresh(&sample::authenticated(1, 1), first.clone()).await.unwrap();
    other.revoke_family(&sample::authenticated(1, 1), first.family, at(3)).await.unwrap();
    assert!(
        !one.exchange_refresh(&sample::authenticated(1, 1), first.hash, at(5), sample::refresh(2, 1, 1)).await.unwrap()
    );
    assert_eq!(one.find_refresh(sample::refresh(2, 1, 1).hash).await.unwrap(), None);
    assert_eq!(one.revocations().await.unwrap().families, [first.family]);
}

/// Changes a key as often as it takes to meet nobody's change.
async fn change_key(node: &PostgresDirectory, key: Key) {
    loop {
        let seen = node.find_key(&reading(1), key.id).await.unwrap().unwrap().version;
        match node.update_key(&writing(1), key.clone(), seen).await {
            Err(StoreError::Stale) => {}
            done => {
                done.unwrap();
                return;
            }
        }
    }
}

#[tokio::test]
async fn writers_on_two_nodes_never_fork_the_chain() {
    let (nodes, database) = two_nodes().await;
    for number in 0..5 {
        nodes[0].add_client(&writing(1), sample::client(number, 1)).await.unwrap();
        nodes[0].add_key(&writing(1), sample::key(number, 1)).await.unwrap();
    }
    let before = nodes[0].version().await.unwrap();
    let writes = (0..80_u64).map(|number| {
        let node = &nodes[usize::from(number % 2 == 0)];
        async move {
            // The same few entries again and again: each replaces what another wrote.
            let name = Name::parse(&format!("Number {number}")).unwrap();
            if number % 4 < 2 {
                change_client(node, Client { name, ..sample::client(number % 5, 1) }).await;
            } else {
                change_key(node, Key { name, ..sample::key(number % 5, 1) }).await;
            }
        }
    });
    join_all(writes).await;
    assert_eq!(nodes[1].version().await.unwrap(), before + 80);
    assert_eq!(database.text("SELECT count(*) FROM tonne_directory.change").await, (before + 80).to_string());
    assert_eq!(findings(&nodes[1]).await, []);
}

#[tokio::test]
async fn a_tenant_added_on_all_nodes_at_once_is_added_once() {
    let (nodes, _town) = two_nodes().await;
    let adds = (10..26).map(|number| {
        let node = &nodes[usize::from(number % 2 == 0)];
        async move { node.add_tenant(&installation(), sample::tenant(number, "acme")).await }
    });
    let outcomes = join_all(adds).await;
    let refused = |outcome: &&Result<(), StoreError>| matches!(outcome, Err(StoreError::Conflict(_)));
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(outcomes.iter().filter(refused).count(), 15);
    assert_eq!(nodes[0].list_tenants(&installation()).await.unwrap().len(), 2);
    assert_eq!(findings(&nodes[0]).await, []);
}

#[tokio::test]
async fn uses_noted_in_any_order_stand_in_nobodys_way() {
    let (nodes, _town) = two_nodes().await;
    for number in 1..=20 {
        nodes[0].add_key(&writing(1), sample::key(number, 1)).await.unwrap();
        nodes[0].add_client(&writing(1), sample::client(number, 1)).await.unwrap();
    }
    let rounds = (0..40_u32).map(|round| {
        let node = &nodes[usize::from(round % 2 == 0)];
        async move {
            let numbers: Vec<u64> = if round % 4 < 2 { (1..=20).collect() } else { (1..=20).rev().collect() };
            let keys: Vec<_> = numbers.iter().map(|number| (id(*number), at(100))).collect();
            let clients: Vec<_> = numbers.iter().map(|number| (id(*number), at(100))).collect();
            node.touch(&installation(), &keys, &clients).await.unwrap();
            node.sweep(&installation(), at(0)).await.unwrap();
            change_key(node, sample::key(u64::from(round % 20) + 1, 1)).await;
        }
    });
    join_all(rounds).await;
    for number in 1..=20 {
        assert_eq!(nodes[0].find_key(&reading(1), id(number)).await.unwrap().unwrap().value.last_used, Some(at(100)));
        assert_eq!(
            nodes[1].find_client(&reading(1), id(number)).await.unwrap().unwrap().value.last_used,
            Some(at(100))
        );
    }
    assert_eq!(findings(&nodes[0]).await, []);
}

#[tokio::test]
async fn an_earlier_use_noted_later_is_not_the_last() {
    let ([node, _], _town) = two_nodes().await;
    node.add_key(&writing(1), sample::key(1, 1)).await.unwrap();
    node.touch(&installation(), &[(id(1), at(7)), (id(1), at(9)), (id(1), at(8))], &[]).await.unwrap();
    node.touch(&installation(), &[(id(1), at(6))], &[]).await.unwrap();
    assert_eq!(node.find_key(&reading(1), id(1)).await.unwrap().unwrap().value.last_used, Some(at(9)));
}
