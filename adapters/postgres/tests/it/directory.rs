//! The directory: what every directory promises, what nodes do to each other, and what is changed in it by hand.

use async_trait::async_trait;
use domain::Name;
use futures_util::future::join_all;
use ports::contract::sample;
use ports::contract::sample::{at, id};
use ports::directory::{Client, Directory, Key, Refresh};
use ports::store::StoreError;
use ports::{Grant, Installation, Maintenance, Read, TenantCredentials, TenantSlug, Write};
use tonne_postgres::PostgresDirectory;

use crate::database_users::DatabaseWithUsers;
use crate::harness::Fresh;

/// The grant that the credentials of a tenant are read by.
fn reading(tenant: u64) -> Grant<Read, TenantCredentials> {
    crate::harness::grant(tenant).to_read_credentials()
}

/// The grant that the credentials of a tenant are written by.
fn writing(tenant: u64) -> Grant<Write, TenantCredentials> {
    crate::harness::grant(tenant).to_write_credentials()
}

/// The grant of the installation.
fn installation() -> Grant<Maintenance, Installation> {
    Grant::for_maintenance(Installation, "test")
}

struct OneNode {
    directory: PostgresDirectory,
    _fresh: Fresh,
}

#[async_trait]
impl ports::contract::DirectoryHarness for OneNode {
    async fn open() -> Self {
        let fresh = Fresh::migrated().await;
        Self { directory: PostgresDirectory::new(fresh.database().await), _fresh: fresh }
    }

    fn directory(&self) -> &dyn Directory {
        &self.directory
    }
}

#[async_trait]
impl ports::contract::FactorSetsHarness for OneNode {
    async fn open() -> Self {
        <Self as ports::contract::DirectoryHarness>::open().await
    }

    fn sets(&self) -> ports::contract::factor_sets::Sets<'_> {
        ports::contract::factor_sets::Sets { sets: &self.directory, directory: &self.directory }
    }
}

struct TwoNodes {
    nodes: [PostgresDirectory; 2],
    _fresh: Fresh,
}

#[async_trait]
impl ports::contract::DirectoriesHarness for TwoNodes {
    async fn open() -> Self {
        let fresh = Fresh::migrated().await;
        let nodes = [fresh.database().await, fresh.database().await].map(PostgresDirectory::new);
        Self { nodes, _fresh: fresh }
    }

    fn directories(&self) -> [&dyn Directory; 2] {
        [&self.nodes[0], &self.nodes[1]]
    }
}

#[async_trait]
impl ports::contract::PeopleHarness for TwoNodes {
    async fn open() -> Self {
        <Self as ports::contract::DirectoriesHarness>::open().await
    }

    fn people(&self) -> [ports::contract::people::Node<'_>; 2] {
        let [one, other] = &self.nodes;
        [one, other].map(|directory| ports::contract::people::Node { people: directory, directory })
    }
}

ports::people_contract!(TwoNodes);
ports::directory_contract!(OneNode);
ports::factor_sets_contract!(OneNode);
ports::directories_contract!(TwoNodes);

/// Two nodes on a directory with one tenant.
async fn two_nodes() -> ([PostgresDirectory; 2], DatabaseWithUsers) {
    let fresh = Fresh::migrated().await;
    let nodes = [fresh.database().await, fresh.database().await].map(PostgresDirectory::new);
    nodes[0].add_tenant(&installation(), sample::tenant(1, "main")).await.unwrap();
    (nodes, DatabaseWithUsers::of(fresh))
}

async fn findings(node: &PostgresDirectory) -> Vec<ports::store::Finding> {
    node.verify(&installation()).await.unwrap().findings
}

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

/// Changes a client as often as it takes to meet nobody's change.
async fn change_client(node: &PostgresDirectory, client: Client) {
    loop {
        let seen = node.find_client(&reading(1), client.id).await.unwrap().unwrap().version;
        match node.update_client(&writing(1), client.clone(), seen).await {
            Err(StoreError::Stale) => {}
            done => {
                done.unwrap();
                return;
            }
        }
    }
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

#[tokio::test]
async fn a_write_that_fails_leaves_nothing() {
    let ([node, _], database) = two_nodes().await;
    node.add_key(&writing(1), sample::key(1, 1)).await.unwrap();
    let version = node.version().await.unwrap();
    let stolen = Key { hash: sample::key(1, 1).hash, ..sample::key(2, 1) };
    node.add_key(&writing(1), stolen).await.unwrap_err();
    node.add_client(&writing(9), sample::client(1, 9)).await.unwrap_err();
    assert_eq!(node.version().await.unwrap(), version);
    assert_eq!(database.text("SELECT count(*) FROM tonne_directory.client").await, "0");
    assert_eq!(findings(&node).await, []);
}

#[tokio::test]
async fn a_tenant_with_thousands_of_keys_is_removed_in_one_change() {
    let ([node, _], database) = two_nodes().await;
    // Written past the chain: what matters is how many items the removal has.
    node.add_key(&writing(1), sample::key(1, 1)).await.unwrap();
    database
        .run(
            "INSERT INTO tonne_directory.key SELECT gen_random_uuid(), tenant, name, permissions, prefix, \
         sha256(n::text::bytea), created, updated, expires, last_used, version, digest FROM tonne_directory.key, \
         generate_series(1, 12000) AS n",
        )
        .await;
    let version = node.version().await.unwrap();
    assert!(node.remove_tenant(&crate::harness::grant(1)).await.unwrap());
    assert_eq!(node.version().await.unwrap(), version + 1);
    let items = format!("SELECT count(*) FROM tonne_directory.change_item WHERE change = {}", version + 1);
    assert_eq!(database.text(&items).await, "12002");
}

#[tokio::test]
async fn slugs_are_in_the_order_of_their_bytes_whatever_the_database_sorts_by() {
    let ([node, _], database) = two_nodes().await;
    let collation = "SELECT collation_name FROM information_schema.columns WHERE table_schema = 'tonne_directory' \
                     AND table_name = 'tenant' AND column_name = 'slug'";
    assert_eq!(database.text(collation).await, "C");
    for (number, slug) in [(2, "a1"), (3, "a-1"), (4, "ab")] {
        node.add_tenant(&installation(), sample::tenant(number, slug)).await.unwrap();
    }
    let slugs: Vec<_> =
        node.list_tenants(&installation()).await.unwrap().into_iter().map(|tenant| tenant.slug).collect();
    assert_eq!(slugs, ["a-1", "a1", "ab", "main"].map(|slug| TenantSlug::parse(slug).unwrap()));
}

#[tokio::test]
async fn one_thing_changed_by_hand_is_found_and_named() {
    let uuid = |number: u64| sample::uuid(number).to_string();
    let zeros = "decode(repeat('00', 32), 'hex')";
    let cases = [
        ("UPDATE tonne_directory.tenant SET name = 'Acne'".to_owned(), format!("tenant {}", uuid(1))),
        ("UPDATE tonne_directory.client SET permissions = 'admin'".to_owned(), format!("client {}", uuid(2))),
        (format!("UPDATE tonne_directory.client SET secret_hash = {zeros}"), format!("client {}", uuid(2))),
        ("UPDATE tonne_directory.key SET expires = NULL".to_owned(), format!("key {}", uuid(3))),
        ("UPDATE tonne_directory.key SET permissions = 'root'".to_owned(), "row 1 of key".to_owned()),
        ("UPDATE tonne_directory.key SET created = created + interval '1 us'".to_owned(), "row 1 of key".to_owned()),
        (format!("UPDATE tonne_directory.signing_key SET public = {zeros}"), "signingKey one".to_owned()),
        ("UPDATE tonne_directory.key SET version = 2".to_owned(), format!("key {}", uuid(3))),
        ("DELETE FROM tonne_directory.key".to_owned(), format!("key {}", uuid(3))),
        ("UPDATE tonne_directory.change SET actor = 'nobody' WHERE number = 3".to_owned(), "change 3".to_owned()),
        (format!("UPDATE tonne_directory.change_item SET digest = {zeros} WHERE change = 2"), "change 2".to_owned()),
        (
            "UPDATE tonne_directory.change_item SET replaced = replace(replaced, 'name', 'nome')".to_owned(),
            "change 3".to_owned(),
        ),
        ("UPDATE tonne_directory.change_item SET ordinal = 1 WHERE change = 2".to_owned(), "change 2".to_owned()),
        ("DELETE FROM tonne_directory.change WHERE number = 2".to_owned(), "change 3".to_owned()),
        ("DELETE FROM tonne_directory.change WHERE number = 2".to_owned(), "the change chain".to_owned()),
        ("UPDATE tonne_directory.head SET number = 4".to_owned(), "head".to_owned()),
        (format!("UPDATE tonne_directory.head SET digest = {zeros}"), "head".to_owned()),
    ];
    for (statement, subject) in cases {
        let ([node, _], database) = two_nodes().await;
        let key = Key { expires: Some(at(100)), ..sample::key(3, 1) };
        node.add_client(&writing(1), sample::client(2, 1)).await.unwrap();
        change_client(&node, Client { name: Name::parse("Renamed").unwrap(), ..sample::client(2, 1) }).await;
        node.add_key(&writing(1), key).await.unwrap();
        node.add_signing_key(&installation(), sample::signing_key("one", 1)).await.unwrap();
        assert_eq!(findings(&node).await, []);
        database.run(&statement).await;
        let findings = findings(&node).await;
        assert!(findings.iter().any(|finding| finding.subject.starts_with(&subject)), "{statement}: {findings:#?}");
    }
}

#[tokio::test]
async fn a_chain_longer_than_one_reading_is_checked_to_its_end() {
    let ([node, _], database) = two_nodes().await;
    for number in 0..450 {
        node.revoke_token(&sample::authenticated(1, 1), &sample::claims(number, 1, at(1))).await.unwrap();
    }
    let verification = node.verify(&installation()).await.unwrap();
    assert_eq!((verification.changes, verification.findings), (451, vec![]));
    database.run("UPDATE tonne_directory.change SET cause = 'other' WHERE number = 449").await;
    let subjects: Vec<_> = findings(&node).await.into_iter().map(|finding| finding.subject).collect();
    assert_eq!(subjects, ["change 449"]);
}

#[tokio::test]
async fn refresh_tokens_that_ran_out_are_forgotten_and_a_familys_revocation_with_its_last() {
    let ([node, other], database) = two_nodes().await;
    let old = Refresh { expires: at(10), ..sample::refresh(1, 1, 1) };
    let young = Refresh { expires: at(100), ..sample::refresh(2, 1, 1) };
    let gone = Refresh { expires: at(10), ..sample::refresh(3, 2, 1) };
    for refresh in [&old, &young, &gone] {
        node.add_refresh(&sample::authenticated(1, 1), refresh.clone()).await.unwrap();
    }
    node.revoke_family(&sample::authenticated(1, 1), gone.family, at(5)).await.unwrap();
    let version = node.version().await.unwrap();
    // For a day, each node in its turn.
    for hour in 0..=24 {
        [&node, &other][hour % 2].sweep(&installation(), at(50 + 3_600 * i64::try_from(hour).unwrap())).await.unwrap();
    }
    assert_eq!(node.version().await.unwrap(), version);
    assert_eq!(node.find_refresh(old.hash).await.unwrap(), None);
    assert_eq!(node.find_refresh(young.hash).await.unwrap(), Some(young));
    assert_eq!(node.find_refresh(gone.hash).await.unwrap(), None);
    assert_eq!(database.text("SELECT count(*) FROM tonne_directory.revoked_family").await, "0");
}
