//! What the directory keeps in its tables, and what is changed in it by hand.

use domain::Name;
use ports::TenantSlug;
use ports::contract::sample;
use ports::contract::sample::at;
use ports::directory::{Client, Directory as _, Key, Refresh};

use super::{change_client, findings, installation, two_nodes, writing};

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
