//! Files that were edited, with a digest at their end that fits.

use domain::Digest;
use files::{TenantHeader, TenantWriter};
use ports::contract::sample;
use ports::ledger::{PackedItems, PartPlace};
use ports::{Change, ChangeDigest, ChangeItem};
use tonne::usecase::transfer::Credentials;

use super::site::Site;

/// The file with another piece in a line's place, and the digest that it then has.
pub(super) fn forged(file: &[u8], piece: &str, other: &str) -> Vec<u8> {
    let text = String::from_utf8(file.to_vec()).unwrap();
    assert!(text.contains(piece), "{piece}");
    sealed(&text.replacen(piece, other, 1))
}

/// The text with the digest that it then has in its last line.
pub(super) fn sealed(text: &str) -> Vec<u8> {
    let (body, _) = text.rsplit_once("{\"form\":1,\"kind\":\"seal\"").unwrap();
    format!("{body}{{\"form\":1,\"kind\":\"seal\",\"sha256\":\"{}\"}}\n", Digest::of(body.as_bytes())).into_bytes()
}

/// A file of one product and the change that added it, then of more changes, each of one item, whose digests are right.
pub(super) async fn with_items(items: &[ChangeItem]) -> Vec<u8> {
    let source = Site::in_memory().await;
    let product = sample::product(1);
    source.change(async |tx| drop(tx.products_mut().add(product).await.unwrap())).await;
    let text = String::from_utf8(source.export(Credentials::LeftOut).await).unwrap();
    let (mut tx, mut more) = (source.store.read(&source.grant().to_read()).await.unwrap(), String::new());
    let Change { mut number, mut digest, at, .. } = tx.ledger().changes_since(0, 1).await.unwrap().remove(0);
    let end = format!("\"number\":{number},\"digest\":\"{digest}\",\"catalog\":{number}");
    for item in items {
        number += 1;
        let mut next = ChangeDigest::new(digest, number, at, "test", "test");
        next.item(item);
        digest = next.finish();
        let change = Change { number, at, actor: "test".to_owned(), cause: "test".to_owned(), digest };
        let mut file = Vec::new();
        let header = TenantHeader { tenant: (&source.tenant).into(), credentials: false };
        let mut writer = TenantWriter::new(&mut file, &header).unwrap();
        writer.change(&change).unwrap();
        for packed in PackedItems::pack([item]) {
            writer.items(PartPlace { change: number, part: 0 }, &packed).unwrap();
        }
        drop(writer);
        more.extend(String::from_utf8(file).unwrap().split_inclusive('\n').skip(1));
    }
    let at_end = "{\"form\":1,\"kind\":\"end\"";
    let text = text.replace(at_end, &format!("{more}{at_end}"));
    let text = text.replace(&end, &format!("\"number\":{number},\"digest\":\"{digest}\",\"catalog\":{number}"));
    let lines = items.len() + 1;
    sealed(&text.replace("\"change\":1,\"items\":1}", &format!("\"change\":{lines},\"items\":{lines}}}")))
}
