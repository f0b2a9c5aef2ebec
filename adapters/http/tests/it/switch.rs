//! Switches.

use crate::api::get;
use crate::fake::SWITCH;

#[actix_web::test]
async fn a_switch_has_every_field() {
    let answer = get(&format!("/api/v1/switch/{SWITCH}"), "switch:read").await;
    assert_eq!(answer.status, 200);
    insta::assert_snapshot!(answer.text, @r#"{"uuid":"0193d3c5-0000-7000-8000-000000000002","syncId":"sw-1","name":"Wall","unit":"kg","image":null,"sources":[{"uuid":"0193d3c5-0000-7000-8000-000000000002","name":"Model"}],"footprint":{"CO2e":{"productCarbonFootprint":"1.5","A1_A3":null,"D":null},"issues":[{"code":"no_source","detail":"The switch has no source model."}]},"created":"2025-02-03T04:05:06.789Z","updated":"2025-02-03T04:05:06.789Z"}"#);
}

#[actix_web::test]
async fn another_switch_is_not_found() {
    let answer = get("/api/v1/switch/00000000-0000-0000-0000-000000000000", "switch:read").await;
    assert_eq!((answer.status, answer.problem().as_str()), (404, "not-found"));
}
