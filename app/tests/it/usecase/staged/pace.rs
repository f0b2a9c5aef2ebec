//! What a check and an import tell of how far they are.

use std::sync::atomic::Ordering;

use ports::clock::Clock as _;
use ports::inbound::{Again, RunRows, StagedImports as _};
use ports::staged_import::StagedReading;

use super::{HEADER, site, without_sync_ids};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_and_an_import_say_when_they_began_to_take_rows_and_how_much_of_the_file_they_read() {
    let site = site().await;
    let text = without_sync_ids();
    let id = site.stage(&text).await;
    site.clock.0.fetch_add(3_000, Ordering::Relaxed);
    let checked = site.checked(id, None).await;
    assert_eq!((checked.started, checked.rows), (Some(site.clock.now()), 30));
    assert_eq!((checked.read, checked.bytes), (Some(text.len() as u64), text.len() as u64));

    site.clock.0.fetch_add(5_000, Ordering::Relaxed);
    let done = site.run(id, RunRows::Good, Again::No).await;
    assert_eq!((done.started, done.rows), (Some(site.clock.now()), 30));
    assert_eq!(done.read, Some(text.len() as u64));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_reads_the_file_in_another_way_begins_anew() {
    let site = site().await;
    let id = site.stage(&format!("{HEADER}1,Van,2025-03-01,1.5\n")).await;
    assert_eq!(site.checked(id, None).await.rows, 1);
    let read = site.service.read_as(site.admin(), id, StagedReading::default()).await.unwrap();
    assert_eq!((read.rows, read.read, read.started, read.checked), (0, None, None, None));
}
