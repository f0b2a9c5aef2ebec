//! Files that nobody goes on with.

use std::sync::atomic::Ordering;

use ports::Grant;
use ports::inbound::{Again, Error, RunRows, StagedImports as _};
use ports::spool::SpoolPart;
use ports::staged_import::{KEPT_MS, StagedReading, StagedState};

use super::{HEADER, site};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_left_at_any_step_has_written_nothing_is_swept_a_day_later_and_can_be_begun_again() {
    let site = site().await;
    let text = format!("{HEADER}a,Van,2025-01-01,1\nb,Van,2025-01-01,2\n");
    // What a process leaves that dies while a file comes.
    let mut upload = site.service.receive(site.admin(), "rows.csv").await.unwrap();
    upload.put(text.as_bytes()).await.unwrap();
    let receiving = upload.id();
    std::mem::forget(upload);
    let [received, read, checked] = [site.stage(&text).await, site.stage(&text).await, site.stage(&text).await];
    site.service.read_as(site.admin(), read, StagedReading::default()).await.unwrap();
    site.checked(checked, None).await;
    let left = [
        (receiving, StagedState::Receiving),
        (received, StagedState::Received),
        (read, StagedState::Received),
        (checked, StagedState::Checked),
    ];
    for (id, state) in left {
        assert_eq!(site.service.find(site.admin(), id).await.unwrap().state, state);
    }
    assert_eq!(site.total("2025").await.0, 0, "nothing is written before the run");

    let grant = Grant::for_maintenance(site.admin().tenant, "test");
    site.clock.0.fetch_add(KEPT_MS, Ordering::Relaxed);
    assert_eq!(site.service.sweep(&grant).await.unwrap(), 0, "a day is not over");
    site.clock.0.fetch_add(1, Ordering::Relaxed);
    assert_eq!(site.service.sweep(&grant).await.unwrap(), 4);
    for (id, _) in left {
        assert!(matches!(site.service.find(site.admin(), id).await, Err(Error::NotFound)));
        assert_eq!(site.spool.chunk(&grant.to_read(), id, SpoolPart::File, 0).await.unwrap(), None);
    }

    let id = site.stage(&text).await;
    site.checked(id, None).await;
    let done = site.run(id, RunRows::Good, Again::No).await;
    assert_eq!((done.state, done.outcome.unwrap().created), (StagedState::Done, 2));
    assert_eq!(site.total("2025").await, (2, "3".to_owned()));
}
