//! Imports as batches that have a name, and removing many activities at once.

use domain::Digest;

use super::sample;
use super::tenant::Tenant;
use crate::import_batch::{ImportBatch, ImportCounts, ImportState};
use crate::ledger::{PackedLines, PartPlace, line_of};
use crate::repo::{ActivityWrite, Page};
use crate::store::{Store, StoreError};
use crate::{ImportId, Version};

/// The import of that number, of a file with that content.
fn import(number: u64, file: Option<&str>) -> ImportBatch {
    let hash = file.map(|file| Digest::of(file.as_bytes()));
    let id = ImportId::new(sample::id(number));
    ImportBatch::begin(id, format!("file {number} \"é\".csv"), "key:1".to_owned(), sample::at(0), hash)
}

async fn put(tenant: &Tenant<'_>, batches: &[ImportBatch]) {
    let mut tx = tenant.write().await;
    for batch in batches {
        tx.imports_mut().put(batch.clone()).await.expect("stores an import");
    }
    tx.commit().await.expect("commits");
}

pub async fn an_import_is_stored_with_what_it_wrote_or_not_at_all(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let batch = import(1, None);
    let mut tx = tenant.write().await;
    tx.products_mut().add(sample::product(1)).await.expect("adds");
    tx.imports_mut().put(batch.clone()).await.expect("stores");
    assert_eq!(tx.imports().find(batch.id).await.expect("finds"), Some(batch.clone()));
    drop(tx);
    assert_eq!(tenant.read().await.imports().find(batch.id).await.expect("finds"), None);
    put(&tenant, std::slice::from_ref(&batch)).await;
    assert_eq!(tenant.read().await.imports().find(batch.id).await.expect("finds"), Some(batch));
}

pub async fn an_import_comes_back_as_it_was_last_stored(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let first = import(1, None);
    let last = ImportBatch {
        hash: Some(Digest::of(b"file")),
        state: ImportState::Undoing,
        counts: ImportCounts { created: 1, updated: 2, unchanged: 3, rejected: 4, warnings: 5 },
        changes: Some((6, 7)),
        left: Some(PartPlace { change: 7, part: 2 }),
        kept: 8,
        ..first.clone()
    };
    put(&tenant, &[first]).await;
    put(&tenant, std::slice::from_ref(&last)).await;
    let mut tx = tenant.read().await;
    assert_eq!(tx.imports().find(last.id).await.expect("finds"), Some(last.clone()));
    assert_eq!(tx.imports().with_hash(Digest::of(b"file")).await.expect("finds"), [last]);
}

pub async fn imports_are_listed_the_newest_first_and_found_by_their_file(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (one, two, three) = (import(1, Some("a")), import(2, Some("b")), import(3, Some("a")));
    put(&tenant, &[two.clone(), one.clone(), three.clone()]).await;
    let mut tx = tenant.read().await;
    let first = tx.imports().list(Page { number: 1, size: 2 }).await.expect("lists");
    assert_eq!((first.count, first.data), (3, vec![three.clone(), two]));
    let second = tx.imports().list(Page { number: 2, size: 2 }).await.expect("lists");
    assert_eq!((second.count, second.data), (3, vec![one.clone()]));
    assert_eq!(tx.imports().with_hash(Digest::of(b"a")).await.expect("finds"), [three, one]);
    assert_eq!(tx.imports().with_hash(Digest::of(b"c")).await.expect("finds"), []);
}

pub async fn imports_that_are_being_undone_are_found_whatever_they_are_called(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let in_state = |number, state| ImportBatch { state, ..import(number, None) };
    let named_so = ImportBatch { name: r#"{"state":"undoing"}"#.to_owned(), ..import(9, None) };
    let all = (1..).zip(ImportState::ALL).map(|(number, state)| in_state(number, state)).chain([named_so]);
    put(&tenant, &all.collect::<Vec<_>>()).await;
    let first = in_state(4, ImportState::Undoing);
    assert_eq!(tenant.read().await.imports().undoing().await.expect("finds"), std::slice::from_ref(&first));
    let second = in_state(10, ImportState::Undoing);
    let mut tx = tenant.write().await;
    tx.imports_mut().put(second.clone()).await.expect("stores");
    assert_eq!(tx.imports().undoing().await.expect("finds"), [second, first.clone()]);
    tx.imports_mut().put(in_state(10, ImportState::Undone)).await.expect("stores");
    assert_eq!(tx.imports().undoing().await.expect("finds"), [first]);
}

pub async fn an_import_makes_no_change_of_its_own(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let head = tenant.head().await;
    let mut tx = tenant.write().await;
    tx.imports_mut().put(import(1, None)).await.expect("stores");
    assert_eq!(tx.commit().await.expect("commits"), head);
    assert_eq!(tenant.read().await.imports().list(Page::FIRST).await.expect("lists").count, 1);
    let verified = store.verify(tenant.grant()).await.expect("verifies");
    assert_eq!((verified.changes, verified.findings), (0, Vec::new()));
}

pub async fn imports_are_their_own_tenants_and_go_with_it(store: &dyn Store) {
    let (one, other) = (Tenant::prepare(store).await, Tenant::prepare_nth(store, 2).await);
    let batch = import(1, Some("a"));
    put(&one, std::slice::from_ref(&batch)).await;
    let mut tx = other.read().await;
    assert_eq!(tx.imports().find(batch.id).await.expect("finds"), None);
    assert_eq!(tx.imports().with_hash(Digest::of(b"a")).await.expect("finds"), []);
    assert_eq!(tx.imports().list(Page::FIRST).await.expect("lists").count, 0);
    drop(tx);
    store.remove(one.grant(), 0).await.expect("removes");
    let again = Tenant::prepare(store).await;
    assert_eq!(again.read().await.imports().find(batch.id).await.expect("finds"), None);
}

/// Adds activities of those numbers in one change, whose number it gives.
async fn add(tenant: &Tenant<'_>, numbers: std::ops::Range<u64>) -> Version {
    let mut tx = tenant.write().await;
    let all = numbers.map(|number| ActivityWrite::Add(sample::activity(number))).collect();
    tx.activities_mut().put_all(all).await.expect("adds");
    Version(tx.commit().await.expect("commits").number)
}

pub async fn many_activities_are_removed_at_once_with_their_postings(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let version = add(&tenant, 1..60).await;
    let mut tx = tenant.write().await;
    let gone = (2..60).map(|number| (sample::activity(number).id, version)).collect();
    tx.activities_mut().remove_all(gone).await.expect("removes");
    tx.commit().await.expect("commits");
    let mut tx = tenant.read().await;
    assert!(tx.activities().find(sample::activity(1).id).await.expect("finds").is_some());
    assert!(tx.activities().find(sample::activity(2).id).await.expect("finds").is_none());
    drop(tx);
    let verified = store.verify(tenant.grant()).await.expect("verifies");
    assert_eq!((verified.records, verified.changes, verified.findings), (1, 2, Vec::new()));
}

pub async fn of_many_activities_none_is_removed_when_one_was_changed(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let version = add(&tenant, 1..4).await;
    let mut tx = tenant.write().await;
    let stale = vec![(sample::activity(1).id, version), (sample::activity(2).id, Version(version.0 + 1))];
    let refused = tx.activities_mut().remove_all(stale).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    tx.activities_mut().remove_all(vec![(sample::activity(3).id, version)]).await.expect("the transaction goes on");
    tx.commit().await.expect("commits");
    let verified = store.verify(tenant.grant()).await.expect("verifies");
    assert_eq!((verified.records, verified.findings), (2, Vec::new()));
}

/// Imports activities of those numbers in one change, from those lines.
pub(super) async fn import_of(tenant: &Tenant<'_>, numbers: std::ops::Range<u64>, lines: &[u64]) -> ImportBatch {
    let mut tx = tenant.write().await;
    let batch = ImportBatch { changes: Some((tx.number(), tx.number())), ..import(1, Some("a")) };
    let all = numbers.map(|number| ActivityWrite::Add(sample::activity(number))).collect();
    tx.activities_mut().put_all(all).await.expect("adds");
    tx.ledger_mut().note_lines(lines.to_vec()).await.expect("notes lines");
    tx.imports_mut().put(batch.clone()).await.expect("stores");
    tx.commit().await.expect("commits");
    batch
}

pub async fn each_activity_of_an_import_has_the_line_that_it_came_from(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let (first, many) = (Version(1), PackedLines::MOST as u64 + 9);
    // The order of the items is that of the writes, and not that of days or identifiers.
    let lines: Vec<u64> = (0..many).map(|at| (many - at) * 3).collect();
    let mut tx = tenant.write().await;
    tx.products_mut().add(sample::product(1)).await.expect("adds");
    let numbers: Vec<u64> = (100..100 + many).rev().collect();
    let adds = numbers.iter().map(|number| ActivityWrite::Add(sample::activity(*number))).collect();
    tx.activities_mut().put_all(adds).await.expect("adds");
    tx.ledger_mut().note_lines(lines.clone()).await.expect("notes lines");
    let (renamed, new) = (sample::activity(105).with_name(sample::name("Other")), sample::activity(7));
    let later = vec![ActivityWrite::Update(renamed, first), ActivityWrite::Add(new)];
    tx.activities_mut().put_all(later).await.expect("changes and adds");
    tx.ledger_mut().note_lines(vec![1, 90_000]).await.expect("notes lines");
    tx.commit().await.expect("commits");
    tenant.update(sample::activity(106).with_name(sample::name("By hand")), first).await;
    let mut tx = tenant.read().await;
    let mut of = async |change: u64, number: u64| {
        line_of(tx.ledger(), change, sample::activity(number).id).await.expect("finds")
    };
    assert_eq!(of(1, numbers[0]).await, Some(lines[0]));
    assert_eq!(of(1, 106).await, Some(lines[numbers.iter().position(|number| *number == 106).expect("is there")]));
    assert_eq!(of(1, 105).await, Some(1), "the last line of those that it had");
    assert_eq!(of(1, 7).await, Some(90_000));
    assert_eq!(of(1, 8).await, None, "the change did not write it");
    assert_eq!(of(2, 106).await, None, "the change is of no import");
    drop(tx);
    let verified = store.verify(tenant.grant()).await.expect("verifies");
    assert_eq!(verified.findings, []);
}

pub async fn lines_are_stored_with_their_change_or_not_at_all(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let stored = async |tenant: &Tenant<'_>| {
        tenant.read().await.ledger().lines_since(PartPlace::behind(0), 9).await.expect("reads")
    };
    let mut tx = tenant.write().await;
    tx.activities_mut().put_all(vec![ActivityWrite::Add(sample::activity(1))]).await.expect("adds");
    tx.ledger_mut().note_lines(vec![2]).await.expect("notes lines");
    drop(tx);
    assert_eq!(stored(&tenant).await, []);
    import_of(&tenant, 1..3, &[2, 3]).await;
    import_of(&tenant, 3..4, &[4]).await;
    let part = |change, lines: &[u64]| (PartPlace { change, part: 0 }, PackedLines::pack(lines).remove(0));
    assert_eq!(stored(&tenant).await, [part(1, &[2, 3]), part(2, &[4])]);
    let mut tx = tenant.read().await;
    let behind = tx.ledger().lines_since(PartPlace { change: 1, part: 0 }, 9).await.expect("reads");
    assert_eq!(behind, [part(2, &[4])]);
    assert_eq!(tx.ledger().lines_since(PartPlace::behind(0), 1).await.expect("reads"), [part(1, &[2, 3])]);
}

pub async fn lines_are_their_own_tenants_and_go_with_it(store: &dyn Store) {
    let (one, other) = (Tenant::prepare(store).await, Tenant::prepare_nth(store, 2).await);
    import_of(&one, 1..3, &[2, 3]).await;
    let all = PartPlace::behind(0);
    assert_eq!(other.read().await.ledger().lines_since(all, 9).await.expect("reads"), []);
    store.remove(one.grant(), 1).await.expect("removes");
    let again = Tenant::prepare(store).await;
    assert_eq!(again.read().await.ledger().lines_since(all, 9).await.expect("reads"), []);
}

pub async fn a_change_with_other_lines_than_activities_is_found(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    import_of(&tenant, 1..3, &[2, 3]).await;
    import_of(&tenant, 3..5, &[4]).await;
    let verified = store.verify(tenant.grant()).await.expect("verifies");
    let findings: Vec<_> = verified.findings.iter().map(|one| (one.subject.as_str(), one.detail.as_str())).collect();
    assert_eq!(findings, [("change 2", "has 1 lines of its file, but 2 items that left an activity")]);
}

pub async fn lines_of_several_calls_fill_parts(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let mut tx = tenant.write().await;
    for number in 1..=3_u64 {
        tx.activities_mut().put_all(vec![ActivityWrite::Add(sample::activity(number))]).await.expect("adds");
        tx.ledger_mut().note_lines(vec![number + 1]).await.expect("notes lines");
    }
    tx.commit().await.expect("commits");
    let stored = tenant.read().await.ledger().lines_since(PartPlace::behind(0), 9).await.expect("reads");
    assert_eq!(stored, [(PartPlace { change: 1, part: 0 }, PackedLines::pack(&[2, 3, 4]).remove(0))]);
}
