//! Whether another process reads a file.

use std::env;
use std::io::{BufRead as _, BufReader, stdin};
use std::path::Path;
use std::process::{Command, Stdio};

use ports::store::Store as _;
use tonne_sqlite::{SqliteStore, is_read_elsewhere};

use crate::support::{Shop, grant, options};

/// Tells a process started by a test which folder to read.
const FOLDER: &str = "TONNE_TEST_FOLDER";

#[tokio::test]
async fn a_file_is_seen_to_be_read_by_another_process_until_that_has_ended() {
    if let Ok(folder) = env::var(FOLDER) {
        let store = SqliteStore::open(Path::new(&folder), options());
        let mut reader = store.read(&grant().to_read()).await.unwrap();
        reader.head().await.unwrap();
        println!("reading");
        // Until it is ended, or the test is.
        stdin().read_line(&mut String::new()).unwrap();
        return;
    }
    let shop = Shop::open().await;
    shop.store.close().await;
    assert_eq!(is_read_elsewhere(&shop.file()), Some(false), "nobody has it open");
    let mut other = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "elsewhere::a_file_is_seen_to_be_read_by_another_process_until_that_has_ended",
            "--nocapture",
        ])
        .env(FOLDER, shop.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(other.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().ends_with("reading")), "the other process reads");
    assert_eq!(is_read_elsewhere(&shop.file()), Some(true));
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!(is_read_elsewhere(&shop.file()), Some(false), "the index is still there");
}
