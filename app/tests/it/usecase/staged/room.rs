//! All rows or none of a file on a disk that lacks the room for them.

use std::sync::Arc;

use memory::{MemorySpool, MemoryStore};
use ports::inbound::{Again, RunRows};
use ports::staged_import::StagedState;
use ports::store::NoRoom;

use super::super::Counting;
use super::super::meddled::Meddled;
use super::{HEADER, site_of};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_rows_or_none_are_refused_with_the_bytes_and_rows_in_turn_are_not() {
    let no_room = NoRoom { rows: 0, needed: 9_000, free: 8_000 };
    let store = Meddled::without_room(Arc::new(MemoryStore::new(Arc::new(Counting::default()))), no_room);
    let site = site_of(store, Arc::new(MemorySpool::default()), Arc::default(), 1).await;
    let id = site.stage(&format!("{HEADER}1,Van,2025-03-01,1.5\n2,Van,2025-03-02,1.5\n")).await;
    site.checked(id, None).await;
    let refused = site.run(id, RunRows::AllOrNone, Again::No).await;
    assert_eq!(refused.state, StagedState::RunFailed);
    let told = refused.failure.expect("says why");
    assert!(told.starts_with("2 rows at once need 9000 bytes") && told.contains("8000 bytes are free"), "{told}");
    assert_eq!(site.total("2025").await.0, 0);
    let done = site.run(id, RunRows::Good, Again::No).await;
    assert_eq!((done.state, site.total("2025").await.0), (StagedState::Done, 2), "{:?}", done.failure);
}
