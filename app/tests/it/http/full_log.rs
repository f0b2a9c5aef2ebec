//! Writes while the log of the company's file is full, and something reads an older state.

use std::sync::Arc;
use std::sync::mpsc;

use ports::Grant;
use ports::contract::sample::{SampleClock, SampleIds};
use ports::store::{ReadTx, Store as _};
use sqlite::{Options, SqliteStore};

use super::harness::{Answer, Client, Service, json};

/// A reader of an older state, and the store by which it reads.
type Reader = (SqliteStore, Box<dyn ReadTx>);

fn post(admin: &Client) -> Answer {
    admin.post("/v1/product", &json!({"name": "Steel", "unit": "kg"}))
}

/// Fills the log beside a reader, and gives both with the answer to the first write that was refused.
fn full() -> (Service, Reader, Answer) {
    let (tell, told) = mpsc::channel();
    let service = Service::with(move |config| {
        // The log is one of files.
        config.database.url = None;
        config.store.log_bytes = 1 << 20;
        tell.send(config.store.data_dir.clone()).unwrap();
    });
    let admin = service.admin();
    post(&admin).expect(201);
    let (tenant, folder) = (service.own().tenant, told.recv().unwrap());
    let reader: Reader = service.wait(async move {
        let options = Options::new(Arc::new(SampleClock), Arc::new(SampleIds::default()));
        let store = SqliteStore::open(&folder, options);
        store.attach(tenant.id, &tenant.slug);
        let reader = store.read(&Grant::for_maintenance(tenant.id, "test").to_read()).await.unwrap();
        (store, reader)
    });
    let refused = (0..1_000).map(|_| post(&admin)).find(|answer| answer.status != 201).expect("the log has a bound");
    (service, reader, refused)
}

fn assert_refused(refused: &Answer) {
    assert_eq!(refused.problem(), "503 busy");
    assert_eq!(refused.header("retry-after"), Some("10"));
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    // On a slow machine a read of the service itself may last long enough to be named.
    let names = |reader: &str| detail.contains(&format!("(1 MiB, store.log_bytes) until a read by {reader} process"));
    assert!(["another", "this"].into_iter().any(names), "{detail}");
}

#[test]
fn writes_get_503_that_says_what_reads_until_that_has_ended() {
    let (service, reader, refused) = full();
    assert_refused(&refused);
    let admin = service.admin();
    admin.get("/v1/product").expect(200);
    drop(reader);
    post(&admin).expect(201);
}

#[test]
fn a_body_of_all_rows_or_none_gets_the_same_within_seconds_and_is_taken_once_that_has_ended() {
    let (service, reader, _) = full();
    let admin = service.admin();
    let send = || {
        let body = r#"{"syncId":"a","name":"Van","startDate":"2025-01-01","UpstreamCO2e":"1"}"#;
        let request = admin.request("POST", "/v1/activity/batch?atomic=true");
        request.header("Content-Type", "application/x-ndjson").body(body).send()
    };
    // The client waits for a minute at most.
    assert_refused(&send());
    drop(reader);
    assert_eq!(send().ok()["created"], 1);
}
