//! What the forms of the ledger promise, and the chain of `ports/tests/golden/chain.txt`.

use domain::{Digest, Timestamp};
use uuid::Uuid;

use super::{ChainWalk, Draft, ItemsError, PackedItems};
use crate::change::{Action, BlankedVersion, ChainHead, Change, ChangeDigest, ChangeItem, Replaced, Verb};
use crate::record::{RecordKind, Version};
use crate::store::{Intent, Verification};

const FILE: &str = include_str!("../../tests/golden/chain.txt");

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn items(packed: &[PackedItems]) -> Result<Vec<ChangeItem>, ItemsError> {
    packed.iter().flat_map(|part| part.items().collect::<Vec<_>>()).collect()
}

/// The changes of the file, each with its items.
fn chain() -> Vec<(Change, PackedItems)> {
    let blocks = FILE.split("\n\n").skip(1);
    blocks
        .map(|block| {
            let [_, number, at, actor, cause, items, digest] = block.lines().collect::<Vec<_>>()[..] else {
                panic!("not seven lines: {block}");
            };
            let change = Change {
                number: number.parse().unwrap(),
                at: Timestamp::from_millis(at.parse().unwrap()).unwrap(),
                actor: actor.to_owned(),
                cause: cause.to_owned(),
                digest: Digest::parse(digest).unwrap(),
            };
            (change, PackedItems::from_stored(bytes(items)))
        })
        .collect()
}

/// What a walk along changes finds, given as their items.
fn walked(chain: &[(Change, Vec<ChangeItem>)]) -> Vec<String> {
    let (mut walk, mut found) = (ChainWalk::default(), Verification::default());
    let mut left = std::collections::HashMap::new();
    for (change, items) in chain {
        walk.begin(change.clone(), &mut found);
        for item in items {
            let record = (item.kind, item.id);
            walk.item(item, left.get(&record).copied(), &mut found);
            match item.left() {
                Some(digest) => drop(left.insert(record, digest)),
                None if item.blanked().is_some() => {}
                None => drop(left.remove(&record)),
            }
        }
        walk.end(&mut found);
    }
    let last = &chain.last().unwrap().0;
    let head = ChainHead { number: last.number, digest: last.digest, epoch: Uuid::nil(), catalog: last.number };
    walk.head(&head, &mut found);
    found.findings.into_iter().map(|finding| format!("{}: {}", finding.subject, finding.detail)).collect()
}

fn unpacked() -> Vec<(Change, Vec<ChangeItem>)> {
    chain().into_iter().map(|(change, packed)| (change, items(&[packed]).unwrap())).collect()
}

#[test]
fn the_golden_chain_adds_up_and_its_items_are_packed_to_the_same_bytes() {
    let mut previous = Digest::ZERO;
    for (change, packed) in chain() {
        let items = items(std::slice::from_ref(&packed)).unwrap();
        let mut digest = ChangeDigest::new(previous, change.number, change.at, &change.actor, &change.cause);
        for item in &items {
            digest.item(item);
        }
        assert_eq!(digest.finish(), change.digest, "change {}", change.number);
        assert_eq!(PackedItems::pack(&items), [packed]);
        previous = change.digest;
    }
    assert_eq!(walked(&unpacked()), Vec::<String>::new());
}

/// The change behind another one, with those items.
fn next(last: &Change, items: &[ChangeItem]) -> (Change, Vec<ChangeItem>) {
    let (number, at, actor, cause) = (last.number + 1, last.at, "cli:me".to_owned(), "blank history: asked".to_owned());
    let mut digest = ChangeDigest::new(last.digest, number, at, &actor, &cause);
    for item in items {
        digest.item(item);
    }
    (Change { number, at, actor, cause, digest: digest.finish() }, items.to_vec())
}

#[test]
fn a_change_that_says_it_blanked_what_is_there_is_found() {
    let mut chain = unpacked();
    let item = chain.iter().flat_map(|(_, items)| items).find(|item| item.replaced().is_some()).unwrap().clone();
    let replaced = item.replaced().unwrap();
    let version = BlankedVersion { version: replaced.version, digest: replaced.digest };
    let last = chain.last().unwrap().0.clone();
    chain.push(next(&last, &[ChangeItem { action: Action::Blanked(version), ..item }]));
    let found = walked(&chain);
    assert!(found.iter().any(|line| line.contains("says that it blanked version")), "{found:?}");
}

#[test]
fn a_blanked_text_keeps_the_chain() {
    let mut chain = unpacked();
    let there = chain.iter().flat_map(|(_, items)| items).filter_map(|item| {
        let replaced = item.replaced().filter(|replaced| replaced.text.is_some())?;
        let version = BlankedVersion { version: replaced.version, digest: replaced.digest };
        Some(ChangeItem { action: Action::Blanked(version), ..*item })
    });
    let told: Vec<ChangeItem> = there.collect();
    for (_, items) in &mut chain {
        for item in items {
            item.action = match item.action.clone() {
                added @ Action::Added(_) => added,
                Action::Updated { digest, replaced } => Action::Updated { digest, replaced: replaced.blanked() },
                Action::Removed(replaced) => Action::Removed(replaced.blanked()),
                blanked @ Action::Blanked(_) => blanked,
            };
        }
    }
    let silent = walked(&chain);
    assert!(silent.iter().any(|line| line.ends_with("is gone, and no change says that it was blanked")), "{silent:?}");
    let last = chain.last().unwrap().0.clone();
    chain.push(next(&last, &told));
    assert_eq!(walked(&chain), Vec::<String>::new());
    let packed = PackedItems::pack(&chain[1].1);
    assert_eq!(items(&packed).unwrap(), chain[1].1);
    assert!(chain[1].1[0].replaced().unwrap().text.is_none());
}

#[test]
fn a_replaced_text_that_was_changed_and_one_that_replaces_another_version_are_found() {
    let damage = |change: &mut dyn FnMut(&mut Replaced)| {
        let mut chain = unpacked();
        let Action::Updated { replaced, .. } = &mut chain[1].1[0].action else { unreachable!("is an update") };
        change(replaced);
        walked(&chain)
    };
    let found = damage(&mut |replaced| replaced.text = Some("{}".to_owned()));
    assert!(found.iter().any(|line| line.starts_with("change 2: what it replaced of product")), "{found:?}");
    let found = damage(&mut |replaced| replaced.digest = Digest::ZERO);
    assert!(found.iter().any(|line| line == "change 2: does not have the digest stored with it"), "{found:?}");
}

#[test]
fn a_change_that_is_gone_or_altered_is_found() {
    let mut gone = unpacked();
    gone.remove(1);
    assert!(walked(&gone).iter().any(|line| line == "change 3: stands where change 2 is expected"));
    let mut altered = unpacked();
    altered[0].0.actor.push('!');
    assert_eq!(walked(&altered)[0], "change 1: does not have the digest stored with it");
    let mut empty = unpacked();
    empty[2].1.clear();
    assert_eq!(walked(&empty)[0], "change 3: has no items");
}

#[test]
fn many_items_are_packed_in_parts_and_read_in_order() {
    let digest = |n: u128| Digest::of(&n.to_be_bytes());
    let item = |n: u128| {
        let text = (!n.is_multiple_of(3)).then(|| "ü".repeat(usize::try_from(n % 50).unwrap()));
        let replaced = Replaced { version: Version(u64::try_from(n).unwrap()), digest: digest(n), text };
        let action = match n % 5 {
            4 => Action::Blanked(BlankedVersion { version: Version(u64::try_from(n).unwrap()), digest: digest(n) }),
            0 | 1 => Action::Added(digest(n)),
            2 => Action::Updated { digest: digest(n + 1), replaced },
            _ => Action::Removed(replaced),
        };
        let kinds = RecordKind::ALL;
        ChangeItem { kind: kinds[usize::try_from(n).unwrap() % kinds.len()], id: Uuid::from_u128(n), action }
    };
    let all: Vec<ChangeItem> = (0..10_000).map(item).collect();
    let parts = PackedItems::pack(&all);
    assert_eq!(parts.len(), 3);
    assert_eq!(items(&parts).unwrap(), all);
    let large = Replaced { version: Version(1), digest: digest(0), text: Some("x".repeat(300_000)) };
    let large = ChangeItem { action: Action::Removed(large), ..item(0) };
    assert_eq!(PackedItems::pack([&large, &large]).len(), 2, "a part ends behind an item that fills it");
}

#[test]
fn bytes_that_are_no_items_are_refused() {
    let sound = chain().remove(1).1.into_bytes();
    let read = |bytes: Vec<u8>| items(&[PackedItems::from_stored(bytes)]);
    for cut in 0..sound.len() {
        assert!(read(sound[..cut].to_vec()).is_err(), "{cut} of {}", sound.len());
    }
    let with = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        read(bytes).unwrap_err()
    };
    assert_eq!(with(0, 2), ItemsError::Form(2));
    assert_eq!(with(2, 4), ItemsError::Code(4));
    assert_eq!(with(3, 14), ItemsError::Code(14));
    let mut longer = sound.clone();
    longer.push(0);
    assert_eq!(read(longer), Err(ItemsError::Length));
    assert_eq!(read(vec![1, 0]), Ok(Vec::new()));
    assert_eq!(read(vec![1, 0x80, 0]), Err(ItemsError::Spelling));
}

#[test]
fn codes_of_verbs_and_kinds_stay() {
    let kinds: Vec<(u8, &str)> = RecordKind::ALL.iter().map(|kind| (kind.code(), kind.as_str())).collect();
    let words =
        "activity scope org taxonomy product factor model input switch footprint period exclusion partner sharing";
    assert_eq!(kinds, (0..).zip(words.split(' ')).collect::<Vec<_>>());
    assert_eq!(Verb::ALL.map(Verb::code), [0, 1, 2, 3]);
    assert!(RecordKind::ALL.iter().all(|kind| RecordKind::from_code(kind.code()) == Some(*kind)));
}

#[test]
fn a_draft_closes_with_what_was_kept_and_nothing_of_what_was_undone() {
    let head = ChainHead { number: 4, digest: Digest::of(b"4"), epoch: Uuid::nil(), catalog: 2 };
    let intent = Intent { at: Timestamp::from_millis(0).unwrap(), cause: "test".to_owned() };
    assert!(Draft::new(head, &intent, "cli:root").close().unwrap().is_none());
    let item = |kind, n| ChangeItem { kind, id: Uuid::from_u128(n), action: Action::Added(Digest::ZERO) };
    let mut draft = Draft::new(head, &intent, "cli:root");
    draft.note(item(RecordKind::Model, 1));
    draft.keep().unwrap();
    draft.note(item(RecordKind::Product, 2));
    draft.undo();
    let closed = draft.close().unwrap().unwrap();
    assert_eq!((closed.change.number, closed.head.number, closed.head.catalog), (5, 5, 2));
    let kept: Vec<PackedItems> = closed.parts.items.into_iter().map(|(_, part)| part).collect();
    assert_eq!(items(&kept).unwrap(), [item(RecordKind::Model, 1)]);
    let mut digest = ChangeDigest::new(head.digest, 5, intent.at, "cli:root", "test");
    digest.item(&item(RecordKind::Model, 1));
    assert_eq!((closed.change.digest, closed.head.digest), (digest.clone().finish(), digest.finish()));
}
