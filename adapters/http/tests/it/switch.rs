//! Switches.

use crate::api::get;
use crate::fake::SWITCH;

#[actix_web::test]
async fn a_switch_has_every_field() {
    let answer = get(&format!("/api/v1/switch/{SWITCH}"), "switch:read").await;
    assert_eq!(answer.status, 200);
    insta::assert_snapshot!(answer.text, @"");
}

#[actix_web::test]
async fn another_switch_is_not_found() {
    let answer = get("/api/v1/switch/00000000-0000-0000-0000-000000000000", "switch:read").await;
    assert_eq!((answer.status, answer.problem().as_str()), (404, "not-found"));
}
