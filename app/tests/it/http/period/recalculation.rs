//! Recalculations leave out what stands in a closed period, and write the rest.

use super::super::harness::{Value, json, to};
use super::Closed;

#[test]
fn an_activity_in_a_closed_period_is_left_out_of_a_recalculation_and_counted() {
    let it = Closed::new();
    let admin = &it.admin;
    let product = admin.product("kg");
    let members = json!({ "product": to(&product), "quantity": 10, "unit": "kg", "startDate": "2026-05-01" });
    let open = admin.activity(members);
    admin.factor(&product, "kg", [json!("2"), Value::Null], "2020-01-01");
    let figures = it.figures();
    let preview = admin.post("/v1/recalculation?dryRun=true", &json!({})).ok();
    let done = admin.post("/v1/recalculation", &json!({ "confirm": preview["confirm"] })).ok();
    for answer in [&preview, &done] {
        let counts = ["activities", "changed", "closed", "CO2eAfter"].map(|name| answer[name].clone());
        assert_eq!(counts, [json!(2), json!(1), json!(1), json!("20")], "{answer}");
    }
    assert_eq!(preview["groups"], done["groups"]);
    assert_eq!(done["groups"][0]["changed"], 1);
    assert_eq!(admin.get(&format!("/v1/activity/{open}")).ok()["CO2e"], "20");
    assert_eq!(it.figures(), figures, "the closed period is as it was");
    let again = admin.post("/v1/recalculation", &json!({})).ok();
    assert_eq!((&again["changed"], &again["closed"]), (&json!(0), &json!(1)));
}
