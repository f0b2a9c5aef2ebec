//! First answers of nodes whose clocks are wrong.

use domain::Timestamp;
use ports::contract::sample;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};
use ports::store::{Intent, Store as _};

use crate::harness::{Fresh, grant, reading, writing};

fn request(key: &str) -> KeyedRequest {
    KeyedRequest::new(RequestKey::new("key:1", "POST /v1/product", key), "", b"{}")
}

fn answer() -> FirstAnswer {
    FirstAnswer { status: 201, location: None, etag: None, body: b"{}".to_vec() }
}

#[tokio::test]
async fn a_node_whose_clock_is_years_ahead_forgets_no_first_answer() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let epoch = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let now = i64::try_from(epoch.as_millis()).unwrap();
    let after = |days: i64| Timestamp::from_millis(now + days * 86_400_000).unwrap();
    let keep = async |key: &str, at: Timestamp| {
        let mut write = store.write(&writing(1), Intent { at, ..sample::intent() }).await.unwrap();
        write.answers_mut().add(request(key), answer()).await?;
        write.commit().await.map(drop)
    };
    keep("a", after(0)).await.unwrap();
    keep("b", after(4_000)).await.unwrap();
    keep("a", after(4_000)).await.expect_err("it is there and not outdated");
    let mut read = store.read(&reading(1)).await.unwrap();
    for at in [after(0), after(4_000)] {
        assert!(read.answers().find(request("a").key, at).await.unwrap().is_some());
    }
}
