//! Imports and the room of their store: they wait for its log, and all rows or none begin only where the disk has room for them.

use std::sync::Arc;

use ports::clock::Clock as _;
use ports::inbound::{ImportOptions, ImportPatience, Outcome};
use ports::store::{Intent, LogFull, NoRoom, Store};
use ports::{demand, permit};

use super::Noon;
use super::import::{begin, begin_with, rows, run, total, world_on_disk};
use super::meddled::{Begin, Deed, Meddled};

#[tokio::test]
async fn all_rows_or_none_are_refused_before_the_turn_where_the_disk_lacks_the_room() {
    let (_folder, world) = world_on_disk(|options| options.free_bytes = Some(1 << 30)).await;
    let mut import = begin(&world, Arc::clone(&world.store), Outcome::AllOrNothing);
    let refused = import.check_room(1_000_000).await.unwrap_err();
    let no_room = NoRoom::among_causes(&refused).expect("the disk lacks the room");
    assert_eq!((no_room.rows, no_room.free), (1_000_000, 1 << 30));
    assert!(no_room.needed > no_room.free, "{no_room}");
    let grant = permit(&world.admin, demand::CATALOG_WRITE).unwrap();
    let intent = Intent { at: Noon.now(), cause: "test".to_owned() };
    drop(world.store.write(&grant, intent).await.expect("nobody has the turn"));
    import.check_room(10_000).await.unwrap();
    let mut in_turn = begin(&world, Arc::clone(&world.store), Outcome::KeepGood);
    in_turn.check_room(1_000_000).await.unwrap();
}

#[tokio::test]
async fn an_import_waits_while_a_reader_of_an_old_state_leaves_room_for_single_records_alone() {
    waits_for_a_reader(|options| options.log_pages = 64).await;
}

#[tokio::test]
async fn an_import_waits_while_a_reader_of_an_old_state_leaves_room_for_nothing() {
    waits_for_a_reader(|options| (options.log_pages, options.most_log_pages) = (64, 320)).await;
}

#[tokio::test]
async fn all_rows_or_none_wait_too_while_a_reader_of_an_old_state_leaves_no_room_for_them() {
    let (_folder, world) = world_on_disk(|options| options.log_pages = 64).await;
    let mut reader = world.store.read(&permit(&world.admin, demand::CATALOG_READ).unwrap()).await.unwrap();
    assert_eq!(reader.head().await.unwrap().number, 0);
    let ends: Deed = Box::pin(async move { drop(reader) });
    // More transactions than there are imports: some of them found the log full.
    let store = Meddled::store(Arc::clone(&world.store), [(Begin::Write(12), ends)]);
    for number in 0..10 {
        let mut import = begin(&world, Arc::clone(&store) as Arc<dyn Store>, Outcome::AllOrNothing);
        let all = run(import.as_mut(), vec![rows(2 + number * 500, 500)]).await.unwrap();
        assert_eq!((all.created, all.rejected), (500, 0));
    }
    assert!(store.is_done(), "the log was never full");
    assert_eq!(total(&world).await.0, 5_000);
}

#[tokio::test]
async fn all_rows_or_none_whose_answer_is_waited_for_are_refused_with_what_reads_and_taken_once_that_has_ended() {
    let (_folder, world) = world_on_disk(|options| options.log_pages = 64).await;
    let mut reader = world.store.read(&permit(&world.admin, demand::CATALOG_READ).unwrap()).await.unwrap();
    assert_eq!(reader.head().await.unwrap().number, 0);
    let options =
        ImportOptions { outcome: Outcome::AllOrNothing, patience: ImportPatience::Seconds, ..ImportOptions::default() };
    let mut refused = None;
    for number in 0..10 {
        let mut import = begin_with(&world, Arc::clone(&world.store), &options);
        if let Err(error) = run(import.as_mut(), vec![rows(2 + number * 500, 500)]).await {
            refused = Some((number, error));
            break;
        }
    }
    let (number, error) = refused.expect("the log has room for few rows beside the reader");
    let told = LogFull::among_causes(&error).expect("the log is full").to_string();
    assert!(told.contains("no room for many rows at once until a read by this process that began"), "{told}");
    assert_eq!(total(&world).await.0, number * 500);
    drop(reader);
    let mut import = begin_with(&world, Arc::clone(&world.store), &options);
    let all = run(import.as_mut(), vec![rows(2 + number * 500, 500)]).await.unwrap();
    assert_eq!((all.created, all.rejected), (500, 0));
}

#[tokio::test]
async fn all_rows_or_none_may_take_many_times_the_room_that_the_log_has() {
    const ROWS: u64 = 20_000;
    /// In pages of 4 KiB.
    const BOUND: u32 = 320;
    let (folder, world) = world_on_disk(|options| (options.log_pages, options.most_log_pages) = (64, BOUND)).await;
    let mut import = begin(&world, Arc::clone(&world.store), Outcome::AllOrNothing);
    let all = run(import.as_mut(), vec![rows(2, ROWS / 2), rows(2 + ROWS / 2, ROWS / 2)]).await.unwrap();
    assert_eq!((all.created, all.rejected), (ROWS, 0));
    assert_eq!((total(&world).await.0, world.changes().await), (ROWS, 1), "one transaction");
    // Whatever it wrote went through the log.
    let files = folder.path().join("tenants").read_dir().unwrap();
    let written: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert!(written > 4 * u64::from(BOUND) * 4_096, "{written} bytes");
    // Where nobody reads an old state, what it left in the log is in nobody's way.
    let mut next = begin(&world, Arc::clone(&world.store), Outcome::KeepGood);
    let more = run(next.as_mut(), vec![rows(2 + ROWS, 500)]).await.unwrap();
    assert_eq!((more.created, more.rejected), (500, 0));
}

/// Imports beside a reader that ends when the store was asked more often than there are calls.
async fn waits_for_a_reader(change: impl FnOnce(&mut sqlite::Options)) {
    let (_folder, world) = world_on_disk(change).await;
    let mut reader = world.store.read(&permit(&world.admin, demand::CATALOG_READ).unwrap()).await.unwrap();
    assert_eq!(reader.head().await.unwrap().number, 0);
    // More transactions than there are calls: some of them found the log full.
    let ends: Deed = Box::pin(async move { drop(reader) });
    let store = Meddled::store(Arc::clone(&world.store), [(Begin::Write(12), ends)]);
    let mut import = begin(&world, Arc::clone(&store) as Arc<dyn Store>, Outcome::KeepGood);
    let calls = (0..10).map(|call| rows(2 + call * 500, 500)).collect();
    let all = run(import.as_mut(), calls).await.unwrap();
    assert!(store.is_done(), "the log was never full");
    assert_eq!((all.created, all.rejected), (5_000, 0));
    assert_eq!(total(&world).await.0, 5_000);
}
