//! A service beside another process that holds the write lock of a company's file and does not go on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ports::contract::sample::{self, SampleClock, SampleIds};
use ports::store::Store as _;
use ports::{Grant, TenantId, TenantSlug};
use sqlite::{Options, SqliteStore};
use uuid::Uuid;

use super::run::Place;

const ROW: &str = r#"{"name":"Diesel","startDate":"2025-03-01","UpstreamCO2e":"1"}"#;

#[tokio::test]
async fn writes_beside_a_process_that_does_not_end_its_own_are_503_after_ten_seconds_and_reads_are_answered() {
    let place = Place::new();
    let served = place.serve();
    let key = place.json(&["key", "create", "--name", "a", "--permissions", "activity:read,activity:write"]);
    let header = format!("Authorization: Bearer {}", key["key"].as_str().unwrap());
    let post = || served.ask("POST", "/v1/activity", &[&header, "Content-Type: application/json"], ROW);
    assert_eq!(post().status, 201);

    let tenant: Uuid = place.json(&["tenant", "list"])[0]["uuid"].as_str().unwrap().parse().unwrap();
    let tenant = TenantId::from(tenant);
    let mut options = Options::new(Arc::new(SampleClock), Arc::new(SampleIds::default()));
    options.hold = Duration::from_mins(5);
    let store = SqliteStore::open(&place.path().join("tonne-data"), options);
    store.attach(tenant, &TenantSlug::parse("main").unwrap());
    let grant = Grant::for_maintenance(tenant, "test");
    let held = store.write(&grant.to_write(), sample::intent()).await.unwrap();

    let asked = Instant::now();
    let refused = post();
    assert!(refused.status == 503 && refused.body.contains("/problems/busy"), "{refused:?}");
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
    assert!(asked.elapsed() >= Duration::from_secs(9), "it waited for {:?} alone", asked.elapsed());
    assert_eq!(served.get("/v1/activity", &[&header]).0, 200);
    drop(held);
    assert_eq!(post().status, 201);
    let (_, listed) = served.get("/v1/activity?date=2025", &[&header]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["count"], 2, "what was refused was written");
    assert!(place.ok(&["verify"]).starts_with("OK"));
}
