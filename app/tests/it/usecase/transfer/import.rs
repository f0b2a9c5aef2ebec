//! An import makes the tenant that was exported, with its credentials where that is asked for.

use domain::{Canonical as _, Digest, Product};
use ports::contract::sample;
use ports::directory::{Client, Directory as _, Key};
use ports::{Action, BlankedVersion, ChangeItem, Grant, Installation, Permissions, Stored, Version};
use tonne::usecase::transfer::{Credentials, ImportError};

use super::NUMBER;
use super::forged::{sealed, with_items};
use super::site::{Site, filled};

#[tokio::test]
async fn credentials_go_only_where_both_ends_say_so() {
    let source = filled().await;
    let (with, without) = (source.export(Credentials::Carried).await, source.export(Credentials::LeftOut).await);
    let hash = sample::key(1, NUMBER).hash.to_string();
    assert!(String::from_utf8(with.clone()).unwrap().contains(&hash));
    assert!(!String::from_utf8(without.clone()).unwrap().contains(&hash));
    let target = Site::in_memory().await;
    let refused = target.import(without, Credentials::Carried).await.unwrap_err();
    assert!(matches!(refused, ImportError::NoCredentials), "{refused}");
    assert!(target.is_empty().await);
    assert_eq!(target.import(with, Credentials::LeftOut).await.unwrap().credentials, 0);
    assert_eq!(target.directory.find_key_by_hash(sample::key(1, NUMBER).hash).await.unwrap(), None);
}

#[tokio::test]
async fn credentials_of_another_tenant_are_not_taken_away() {
    let bytes = filled().await.export(Credentials::Carried).await;
    for taken in 0..3 {
        let target = Site::in_memory().await;
        let other = sample::tenant(8, "other");
        let grant = Grant::for_maintenance(other.id, "test").to_write_credentials();
        target.directory.add_tenant(&Grant::for_maintenance(Installation, "test"), other).await.unwrap();
        match taken {
            0 => target.directory.add_client(&grant, sample::client(1, 8)).await.unwrap(),
            1 => target.directory.add_key(&grant, sample::key(1, 8)).await.unwrap(),
            _ => {
                let same_hash = Key { id: sample::id(99), ..sample::key(1, 8) };
                target.directory.add_key(&grant, same_hash).await.unwrap()
            }
        };
        let refused = target.import(bytes.clone(), Credentials::Carried).await.unwrap_err();
        assert!(matches!(refused, ImportError::Taken(_)), "{refused}");
        assert!(target.is_empty().await);
    }
}

#[tokio::test]
async fn credentials_that_are_here_already_are_kept_as_they_are_or_refused() {
    let bytes = filled().await.export(Credentials::Carried).await;
    let target = Site::in_memory().await;
    let (grant, key) = (target.grant().to_write_credentials(), sample::key(1, NUMBER));
    let lowered = Client { permissions: Permissions::NONE, ..sample::client(1, NUMBER) };
    let version = target.directory.add_client(&grant, lowered.clone()).await.unwrap();
    let kept = target.directory.add_key(&grant, key.clone()).await.unwrap();
    let refused = target.import(bytes.clone(), Credentials::Carried).await.unwrap_err();
    assert!(matches!(refused, ImportError::Differs(_)), "{refused}");
    let here = target.directory.find_client(&grant.to_read(), lowered.id).await.unwrap().unwrap();
    assert_eq!((here.version, here.value.permissions), (version, Permissions::NONE));

    target.directory.remove_client(&grant, lowered.id, None).await.unwrap();
    assert_eq!(target.import(bytes, Credentials::Carried).await.unwrap().credentials, 3);
    let here = target.directory.find_key(&grant.to_read(), key.id).await.unwrap().unwrap();
    assert_eq!(here.version, kept);
}

#[tokio::test]
async fn a_version_that_was_blanked_goes_along() {
    let (at, product) = (sample::at(0), sample::product(1));
    let first = Stored { value: product, created: at, updated: at, version: Version(1) };
    let removed = ChangeItem::removed(&first);
    let ChangeItem { kind, id, action: Action::Removed(replaced) } = removed.clone() else { panic!("{removed:?}") };
    let blanked = ChangeItem { kind, id, action: Action::Removed(replaced.blanked()) };
    let version = BlankedVersion { version: Version(1), digest: Digest::of(first.canonical().as_bytes()) };
    let told = ChangeItem { kind, id, action: Action::Blanked(version) };
    let second = Stored { version: Version(3), ..first };
    let file = with_items(&[blanked, ChangeItem::added(&second), told]).await;
    let text = String::from_utf8(file).unwrap().replace("\"version\":1,\"content\"", "\"version\":3,\"content\"");
    let target = Site::in_memory().await;
    let bytes = sealed(&text);
    target.import(bytes.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!(target.export(Credentials::LeftOut).await, bytes);
    let verified = target.store.verify(&target.grant()).await.unwrap();
    assert_eq!((verified.findings, verified.blanked), (Vec::new(), 1));
}

#[tokio::test]
async fn more_than_a_batch_of_everything_goes_whole() {
    let source = Site::on_disk().await;
    source
        .change(async |tx| {
            let puts = (1..=4_500).map(|number| ports::repo::ActivityWrite::Add(sample::activity(number))).collect();
            tx.activities_mut().put_all(puts).await.unwrap();
            for number in 1..=1_001 {
                tx.products_mut().add(sample::product(number)).await.unwrap();
            }
        })
        .await;
    for number in 5_000..5_040 {
        source.change(async |tx| drop(tx.activities_mut().add(sample::activity(number)).await.unwrap())).await;
    }
    let bytes = source.export(Credentials::LeftOut).await;
    let target = Site::in_memory().await;
    let imported = target.import(bytes.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!((imported.counts.all_records(), imported.counts.changes), (5_541, 41));
    assert_eq!(target.export(Credentials::LeftOut).await, bytes);
    let found: Option<Stored<Product>> =
        target.store.read(&target.grant().to_read()).await.unwrap().products().find(sample::id(1_001)).await.unwrap();
    assert_eq!(found.unwrap().version, Version(1));
}
