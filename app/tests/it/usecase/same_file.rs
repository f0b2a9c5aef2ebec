//! Imports of one file that begin beside each other, and what is stored of how an import ended.

use std::sync::Arc;

use domain::Digest;
use ports::import_batch::ImportState;
use ports::inbound::{Error, Import, ImportOptions, Imports as _, Outcome, SameFile};

use super::conflict;
use super::meddled::{Begin, Meddled};
use super::undo::{Books, books, imports, row};
use super::unsaid::Unsaid;

fn begin(books: &Books, outcome: Outcome, same_file: SameFile) -> Box<dyn Import> {
    let hash = Some(Digest::of(b"file"));
    let options = ImportOptions { outcome, same_file, hash, name: "a.csv".to_owned(), ..ImportOptions::default() };
    books.imports.begin(&books.world.admin, options).unwrap()
}

#[tokio::test]
async fn of_two_imports_of_one_file_that_both_found_nothing_one_is_written() {
    for outcome in [Outcome::KeepGood, Outcome::AllOrNothing] {
        let books = books(1_000).await;
        let (mut one, mut other) =
            (begin(&books, outcome, SameFile::Refused), begin(&books, outcome, SameFile::Refused));
        let hash = Digest::of(b"file");
        assert_eq!(books.imports.same_file(&books.world.admin, hash, None).await.unwrap(), None);
        one.rows(vec![row(2, "a", "1"), row(3, "b", "1")]).await.unwrap();
        one.finish().await.unwrap();
        let late = match other.rows(vec![row(2, "c", "1"), row(3, "d", "1")]).await {
            Ok(_) => other.finish().await,
            refused => refused,
        };
        let (_, detail) = conflict(late);
        let id = one.id().unwrap();
        assert!(detail.contains(&format!("the same file was imported as import {id}")), "{detail}");
        other.break_off().await.unwrap();
        assert_eq!(books.total().await.0, 2);
        assert!(matches!(books.imports.find(&books.world.admin, other.id().unwrap()).await, Err(Error::NotFound)));

        let mut again = begin(&books, outcome, SameFile::Taken);
        again.rows(vec![row(2, "e", "1")]).await.unwrap();
        again.finish().await.unwrap();
        assert_eq!(books.total().await.0, 3);
        books.undo(again.id().unwrap()).await.unwrap();
        books.undo(id).await.unwrap();
        let mut undone = begin(&books, outcome, SameFile::Refused);
        undone.rows(vec![row(2, "f", "1")]).await.unwrap();
        undone.finish().await.unwrap();
        assert_eq!(books.total().await.0, 1);
    }
}

#[tokio::test]
async fn an_import_whose_first_commit_was_in_doubt_is_broken_off_with_what_is_stored() {
    let books = books(1_000).await;
    let store = Unsaid::store(Arc::clone(&books.world.store), 1);
    let options = ImportOptions { name: "a.csv".to_owned(), ..ImportOptions::default() };
    let mut import = imports(store, 1 << 33, 1_000).begin(&books.world.admin, options).unwrap();
    import.rows(vec![row(2, "a", "1")]).await.unwrap();
    let unknown = import.rows(vec![row(3, "b", "1")]).await;
    assert!(matches!(unknown, Err(Error::Unknown(_))), "{unknown:?}");
    import.break_off().await.unwrap();
    let seen = books.imports.find(&books.world.admin, import.id().unwrap()).await.unwrap();
    assert_eq!((seen.state, seen.counts.created), (ImportState::BrokenOff, 1));
    books.undo(seen.id).await.unwrap();
    assert_eq!(books.total().await.0, 0);
}

#[tokio::test]
async fn an_end_that_a_busy_store_refused_is_stored_by_the_next_try() {
    let books = books(1_000).await;
    let store = Meddled::busy(Arc::clone(&books.world.store), [Begin::Write(2)]);
    let options = ImportOptions { name: "a.csv".to_owned(), ..ImportOptions::default() };
    let mut import = imports(store, 1 << 33, 1_000).begin(&books.world.admin, options).unwrap();
    import.rows(vec![row(2, "a", "1")]).await.unwrap();
    import.break_off().await.unwrap();
    let seen = books.imports.find(&books.world.admin, import.id().unwrap()).await.unwrap();
    assert_eq!(seen.state, ImportState::Running);
    import.break_off().await.unwrap();
    let seen = books.imports.find(&books.world.admin, import.id().unwrap()).await.unwrap();
    assert_eq!((seen.state, seen.counts.created), (ImportState::BrokenOff, 1));
}
