//! Writes while the log of the company's file is full, and something reads an older state.

use std::sync::Arc;
use std::sync::mpsc;

use ports::Grant;
use ports::contract::sample::{SampleClock, SampleIds};
use ports::store::{ReadTx, Store as _};
use sqlite::{Options, SqliteStore};

use super::harness::{Service, json};

#[test]
fn writes_get_503_that_says_what_reads_until_that_has_ended() {
    let (tell, told) = mpsc::channel();
    let service = Service::with(move |config| {
        // The log is one of files.
        config.database.url = None;
        config.store.log_bytes = 1 << 20;
        tell.send(config.store.data_dir.clone()).unwrap();
    });
    let (admin, steel) = (service.admin(), json!({"name": "Steel", "unit": "kg"}));
    let post = || admin.post("/v1/product", &steel);
    post().expect(201);
    let (tenant, folder) = (service.own().tenant, told.recv().unwrap());
    let other: (SqliteStore, Box<dyn ReadTx>) = service.wait(async move {
        let options = Options::new(Arc::new(SampleClock), Arc::new(SampleIds::default()));
        let store = SqliteStore::open(&folder, options);
        store.attach(tenant.id, &tenant.slug);
        let reader = store.read(&Grant::for_maintenance(tenant.id, "test").to_read()).await.unwrap();
        (store, reader)
    });
    let refused = (0..1_000).map(|_| post()).find(|answer| answer.status != 201).expect("the log has a bound");
    assert_eq!(refused.problem(), "503 busy");
    assert_eq!(refused.header("retry-after"), Some("10"));
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("(1 MiB, store.log_bytes) until a read by another process"), "{detail}");
    admin.get("/v1/product").expect(200);
    drop(other);
    post().expect(201);
}
