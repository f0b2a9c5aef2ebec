//! A process that is stopped in the middle of a write transaction, with SQLite's own lock.

use std::env;
use std::io::{BufRead as _, BufReader, Write as _, stdin};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ports::contract::sample;
use ports::store::{Store as _, StoreError};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use tonne_sqlite::SqliteStore;

use crate::support::{Shop, grant, options};

/// Longer than the test takes.
const LONG: Duration = Duration::from_mins(5);
/// Tells a process started by the test which folder to write to.
const FOLDER: &str = "TONNE_TEST_FOLDER";

/// A process, killed when it is dropped: one that is stopped would never end.
struct Other(Child);

impl Other {
    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    /// Stops it, and waits until it is.
    fn stop(&self) {
        self.signal(Signal::STOP);
        let (_, status) = waitpid(Some(Pid::from_child(&self.0)), WaitOptions::UNTRACED).unwrap().unwrap();
        assert!(status.stopped(), "{status:?}");
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = (self.0.kill(), self.0.wait());
    }
}

/// Begins to write, says so, and commits once it is told to.
async fn commit_when_told(folder: &Path) {
    let mut options = options();
    options.hold = LONG;
    let store = SqliteStore::open(folder, options);
    store.prepare(&grant()).await.unwrap();
    let mut write = store.write(&grant().to_write(), sample::intent()).await.unwrap();
    write.products_mut().add(sample::product(1)).await.unwrap();
    println!("writing");
    stdin().read_line(&mut String::new()).unwrap();
    write.commit().await.unwrap();
}

async fn commit_product(store: &SqliteStore, number: u64) {
    let mut write = store.write(&grant().to_write(), sample::intent()).await.unwrap();
    write.products_mut().add(sample::product(number)).await.unwrap();
    write.commit().await.unwrap();
}

#[tokio::test]
async fn beside_a_process_that_is_stopped_while_it_writes_others_read_and_are_busy_until_it_goes_on() {
    if let Ok(folder) = env::var(FOLDER) {
        return commit_when_told(Path::new(&folder)).await;
    }
    let shop = Shop::open().await;
    let waiting_for = |wait: Duration| {
        let mut options = options();
        options.wait = wait;
        options
    };
    let impatient = shop.again(waiting_for(Duration::from_millis(50))).await;
    let patient = shop.again(waiting_for(LONG)).await;
    let child = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "stopped::beside_a_process_that_is_stopped_while_it_writes_others_read_and_are_busy_until_it_goes_on",
            "--nocapture",
        ])
        .env(FOLDER, shop.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut other = Other(child);
    let mut lines = BufReader::new(other.0.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().ends_with("writing")), "it did not begin to write");
    other.stop();
    // It would commit now, if it were not stopped.
    other.0.stdin.take().unwrap().write_all(b"commit\n").unwrap();

    let waiting = tokio::spawn(async move { commit_product(&patient, 2).await });
    for _ in 0..3 {
        let refused = impatient.write(&grant().to_write(), sample::intent()).await;
        assert!(matches!(refused, Err(StoreError::Busy(_))));
        let mut read = impatient.read(&grant().to_read()).await.unwrap();
        assert_eq!(read.head().await.unwrap().number, 0);
    }
    assert!(!waiting.is_finished(), "it wrote beside the one that is stopped");
    other.signal(Signal::CONT);
    waiting.await.unwrap();
    assert!(other.0.wait().unwrap().success());

    let mut read = shop.store.read(&grant().to_read()).await.unwrap();
    assert_eq!((read.head().await.unwrap().number, read.products().names().await.unwrap().len()), (2, 2));
    drop(read);
    assert_eq!(shop.findings().await, Vec::<String>::new());
}
