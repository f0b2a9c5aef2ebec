//! The directory's file: it outlives its process, and what is changed in it by hand is found.

use domain::{Digest, Name};
use ports::contract::sample;
use ports::credential::SealedKey;
use ports::directory::{Client, Directory as _, Key, Tenant};
use ports::factor_sets::{FactorKey, FactorSets as _, FactorSetsExt as _, NewFactorSet};
use ports::{Permissions, TenantSlug};
use tempfile::TempDir;
use tonne_sqlite::SqliteDirectory;

use crate::support::{by_hand, grant, installation, options};

fn tenant() -> Tenant {
    Tenant {
        id: sample::id(1),
        slug: TenantSlug::parse("acme").unwrap(),
        name: Name::parse("Acme").unwrap(),
        created: sample::at(0),
        epoch: sample::uuid(1),
        year_start: domain::YearStart::default(),
        statement: domain::StatementSettings::default(),
    }
}

fn client() -> Client {
    Client {
        id: sample::id(2),
        tenant: sample::id(1),
        name: Name::parse("Client").unwrap(),
        permissions: Permissions::parse("activity:read").unwrap(),
        secret_hash: Digest::of(b"secret"),
        created: sample::at(0),
        updated: sample::at(0),
        expires: None,
        partner: None,
        last_used: None,
    }
}

fn key() -> Key {
    Key {
        id: sample::id(3),
        tenant: sample::id(1),
        name: Name::parse("Key").unwrap(),
        permissions: Permissions::parse("admin").unwrap(),
        prefix: "tonne_abc".to_owned(),
        hash: Digest::of(b"key"),
        created: sample::at(0),
        updated: sample::at(0),
        expires: Some(sample::at(100)),
        last_used: None,
    }
}

fn signing_key() -> SealedKey {
    SealedKey { kid: "one".to_owned(), public: vec![1; 32], sealed: vec![2; 60], created: sample::at(0), retired: None }
}

async fn full() -> (SqliteDirectory, TempDir) {
    let folder = TempDir::new().unwrap();
    let directory = SqliteDirectory::open(folder.path(), options()).unwrap();
    directory.add_tenant(&installation(), tenant()).await.unwrap();
    let grant = grant().to_write_credentials();
    let seen = directory.add_client(&grant, client()).await.unwrap();
    let renamed = Client { name: Name::parse("Renamed").unwrap(), ..client() };
    directory.update_client(&grant, renamed, seen).await.unwrap();
    directory.add_key(&grant, key()).await.unwrap();
    directory.add_signing_key(&installation(), signing_key()).await.unwrap();
    (directory, folder)
}

#[tokio::test]
async fn a_directory_opened_again_has_everything() {
    let (directory, folder) = full().await;
    let version = directory.version().await.unwrap();
    drop(directory);
    let directory = SqliteDirectory::open(folder.path(), options()).unwrap();
    assert_eq!(directory.version().await.unwrap(), version);
    assert_eq!(directory.list_tenants(&installation()).await.unwrap(), [tenant()]);
    assert_eq!(directory.find_key_by_hash(key().hash).await.unwrap(), Some(key()));
    assert_eq!(directory.signing_key(&installation()).await.unwrap(), Some(signing_key()));
    assert_eq!(directory.verify(&installation()).await.unwrap().findings, []);
}

#[tokio::test]
async fn another_directory_on_the_file_sees_a_change_at_once() {
    let (directory, folder) = full().await;
    let other = SqliteDirectory::open(folder.path(), options()).unwrap();
    let before = other.version().await.unwrap();
    assert!(directory.remove_key(&grant().to_write_credentials(), key().id, None).await.unwrap());
    assert_eq!(other.version().await.unwrap(), before + 1);
    assert_eq!(other.find_key(&grant().to_read_credentials(), key().id).await.unwrap(), None);
}

#[tokio::test]
async fn one_thing_changed_by_hand_is_found_and_named() {
    let id = |number: u64| sample::uuid(number).to_string();
    let cases = [
        ("UPDATE tenant SET name = 'Acne'", format!("tenant {}", id(1))),
        ("UPDATE client SET permissions = 'admin'", format!("client {}", id(2))),
        ("UPDATE client SET secret_hash = zeroblob(32)", format!("client {}", id(2))),
        ("UPDATE key SET expires = NULL", format!("key {}", id(3))),
        ("UPDATE key SET permissions = 'root'", "row ".to_owned()),
        ("UPDATE signing_key SET public = zeroblob(32)", "signingKey one".to_owned()),
        ("DELETE FROM key", format!("key {}", id(3))),
        ("UPDATE change SET actor = 'nobody' WHERE number = 3", "change 3".to_owned()),
        ("UPDATE change_item SET digest = zeroblob(32) WHERE change = 2", "change 2".to_owned()),
        ("UPDATE change_item SET replaced = replace(replaced, 'Client', 'Cl1ent')", "change 3".to_owned()),
        ("DELETE FROM change WHERE number = 2", "change 3".to_owned()),
        ("UPDATE head SET number = 4", "head".to_owned()),
        ("UPDATE head SET digest = zeroblob(32)", "head".to_owned()),
    ];
    for (statement, subject) in cases {
        let (directory, folder) = full().await;
        by_hand(&folder.path().join("directory.db"), statement);
        let findings = directory.verify(&installation()).await.unwrap().findings;
        assert!(findings.iter().any(|finding| finding.subject.starts_with(&subject)), "{statement}: {findings:#?}");
    }
}

#[tokio::test]
async fn a_published_factor_that_was_changed_by_hand_is_given_to_nobody() {
    let folder = TempDir::new().unwrap();
    let directory = SqliteDirectory::open(folder.path(), options()).unwrap();
    let (set, factor) = (sample::factor_set(1), sample::published_factor(1));
    let key = FactorKey { set: set.id, cell: factor.cell.clone() };
    let new = NewFactorSet::new(set.clone(), &[factor]).unwrap();
    directory.add_set(&installation(), new).await.unwrap();
    let reading = grant().to_read();
    assert!(directory.find(&reading, &key).await.unwrap().is_some());
    by_hand(
        &folder.path().join("directory.db"),
        "UPDATE published_factor SET text = replace(text, '\"co2e\":\"', '\"co2e\":\"1')",
    );
    let told = directory.find(&reading, &key).await.unwrap_err().to_string();
    assert!(told.contains("remove-set"), "{told}");
    assert!(directory.factors_behind(&reading, set.id, None, 10).await.is_err());
    let findings = directory.verify(&installation()).await.unwrap().findings;
    assert_eq!(findings.len(), 2, "the factor and its set: {findings:?}");
}
