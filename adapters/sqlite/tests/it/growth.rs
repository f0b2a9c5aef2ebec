//! A database of before a member came: its rows, the texts of its changes and its chain stay valid as they are.

use domain::{Canonical as _, Digest, Product};
use ports::contract::later::{Later, LaterProduct};
use ports::contract::sample;
use ports::ledger::{ChainWalk, PartPlace};
use ports::load::AnyRecord;
use ports::store::{Store as _, Verification};
use ports::{ChangeItem, RecordKind, Stored};

use crate::support::{Shop, by_hand, findings, grant};

/// A product that was changed and another that is gone, of this version.
async fn written_before() -> Shop {
    let shop = Shop::open().await;
    let mut write = shop.write().await;
    let first = write.products_mut().add(sample::product(1)).await.unwrap();
    let second = write.products_mut().add(sample::product(2)).await.unwrap();
    let mut activity = sample::activity(1);
    activity.product = Some(sample::id(1));
    write.activities_mut().add(activity).await.unwrap();
    write.commit().await.unwrap();
    let mut write = shop.write().await;
    let mut renamed = sample::product(1);
    renamed.name = sample::name("Renamed");
    write.products_mut().update(renamed, first.version).await.unwrap();
    write.products_mut().remove(sample::id(2), second.version).await.unwrap();
    write.commit().await.unwrap();
    shop
}

/// The stored product as a later version reads it from its row.
fn later(stored: Stored<Product>) -> Stored<LaterProduct> {
    let Stored { value: product, created, updated, version } = stored;
    Stored { value: LaterProduct { product, colour: None }, created, updated, version }
}

#[tokio::test]
async fn rows_that_lack_a_member_that_came_later_have_the_digests_that_stand_beside_them() {
    let shop = written_before().await;
    let stored = shop.store.read(&grant().to_read()).await.unwrap().products().find(sample::id(1)).await.unwrap();
    let digest = later(stored.unwrap()).digest();
    let conn = rusqlite::Connection::open(shop.file()).unwrap();
    let beside: [u8; 32] = conn.query_row("SELECT digest FROM product", [], |row| row.get(0)).unwrap();
    assert_eq!(digest, Digest::from_stored(beside));
    // A migration adds the columns.
    by_hand(&shop.file(), "ALTER TABLE product ADD COLUMN colour TEXT");
    by_hand(&shop.file(), "ALTER TABLE activity ADD COLUMN note TEXT");
    by_hand(&shop.file(), "ALTER TABLE head ADD COLUMN later TEXT");
    assert_eq!(findings(&shop.store).await, Vec::<String>::new());
}

#[tokio::test]
async fn the_chain_is_valid_where_texts_of_changes_are_read_with_a_member_that_came_later() {
    let shop = written_before().await;
    let mut read = shop.store.read(&grant().to_read()).await.unwrap();
    let (mut walk, mut found, mut texts) = (ChainWalk::default(), Verification::default(), 0);
    let changes = read.ledger().changes_since(0, 10).await.unwrap();
    let parts = read.ledger().items_since(PartPlace::behind(0), 10).await.unwrap();
    for change in changes {
        let number = change.number;
        walk.begin(change, &mut found);
        for item in parts.iter().filter(|(place, _)| place.change == number).flat_map(|(_, part)| part.items()) {
            let item: ChangeItem = item.unwrap();
            let replaced = item.replaced().and_then(|replaced| replaced.text.as_deref());
            // The digest of what was replaced, as a later version comes to it.
            let digest = replaced.map(|text| {
                texts += 1;
                assert_eq!(item.kind, RecordKind::Product);
                let with_note = Later::<AnyRecord>::from_canonical((), text).unwrap();
                assert_eq!((with_note.canonical().as_str(), with_note.note), (text, None));
                Stored::<LaterProduct>::from_canonical((), text).unwrap().digest()
            });
            walk.item(&item, digest, &mut found);
        }
        walk.end(&mut found);
    }
    walk.head(&read.head().await.unwrap(), &mut found);
    assert_eq!((found.findings, texts), (Vec::new(), 2));
}
