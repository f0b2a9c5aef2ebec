//! Inputs of a model.

use crate::api::get;
use crate::fake::SWITCH;

#[actix_web::test]
async fn inputs_come_page_by_page_with_every_field() {
    let answer = get(&format!("/api/v1/model/{SWITCH}/input?page=2&pageSize=10"), "model:read").await;
    assert_eq!(answer.status, 200);
    insta::assert_snapshot!(answer.text, @r#"{"count":1,"page":2,"pageSize":10,"data":[{"uuid":"0193d3c5-0000-7000-8000-000000000002","name":"Steel","syncId":null,"quantity":2.5,"unit":"kg","order":3,"material":{"uuid":"0193d3c5-0000-7000-8000-000000000002","name":"Steel"},"block":null,"lifecycleStage":{"code":"A1","name":"Raw material supply"},"created":"2025-02-03T04:05:06.789Z","updated":"2025-02-03T04:05:06.789Z","CO2e":"0.001"}]}"#);
}

#[actix_web::test]
async fn what_is_no_page_is_refused_all_at_once() {
    let answer =
        get(&format!("/api/v1/model/{SWITCH}/input?page=0&pageSize=1001&pagesize=1&syncId="), "model:read").await;
    assert_eq!(
        (answer.status, answer.places()),
        (400, ["syncId", "page", "pageSize", "pagesize"].map(String::from).to_vec())
    );
    assert!(answer.text.contains("did you mean pageSize?"));
}
