//! What becomes of figures when a factor comes later, or was wrong.

mod undo;

use std::io::Cursor;

use files::NdjsonRows;

use super::harness::{Client, Service, Value, json, to};

/// The sentence of an activity that a factor which came later completes.
const LATER: &str = "came later holds on the day";

/// A product counted in kg, without factors.
fn product(admin: &Client) -> (String, String) {
    let product = admin.product("kg");
    let factors = format!("/v1/product/{product}/factor");
    (product, factors)
}

fn per_kg(upstream: &str) -> Value {
    json!({ "unit": "kg", "upstream": upstream, "validFrom": "2025-01-01", "source": "Table" })
}

/// An activity of 10 kg of that product on a day, and its address.
fn burnt(admin: &Client, product: &str, day: &str) -> String {
    let body = json!({ "name": "A", "product": to(product), "quantity": 10, "unit": "kg", "startDate": day });
    format!("/v1/activity/{}", admin.post("/v1/activity", &body).uuid())
}

/// CO2e, and whether it is outdated.
fn figure(admin: &Client, path: &str) -> (Value, Value) {
    let read = admin.get(path).ok();
    (read["CO2e"].clone(), read["outdated"].clone())
}

fn recalculate(admin: &Client, dry_run: bool, body: &Value) -> Value {
    admin.post(&format!("/v1/recalculation?dryRun={dry_run}"), body).ok()
}

#[test]
fn a_row_that_is_imported_again_takes_the_factor_that_came_meanwhile() {
    let service = Service::start();
    let admin = service.admin();
    let (product, factors) = product(&admin);
    let row = json!({
        "name": "A", "syncId": "a", "product": to(&product), "quantity": 10, "unit": "kg", "startDate": "2025-03-01",
    });
    let import = || {
        let rows = NdjsonRows::new(Cursor::new(row.to_string().into_bytes()), 1 << 16).map(Result::unwrap);
        service.import(service.operator(), rows.collect())
    };
    assert_eq!(import().created, 1);
    assert_eq!(import().unchanged, 1, "there is still no factor");
    admin.post(&factors, &per_kg("2")).expect(201);
    let again = import();
    assert_eq!((again.updated, again.unchanged), (1, 0));
    assert_eq!(admin.get("/v1/activity").ok()["uncategorizedCO2e"], "20");
    assert_eq!(import().unchanged, 1);
}

#[test]
fn whatever_is_written_to_an_incomplete_activity_completes_it_and_a_complete_one_keeps_its_figures() {
    let service = Service::start();
    let admin = service.admin();
    let (product, factors) = product(&admin);
    let one = burnt(&admin, &product, "2025-03-01");
    admin.patch(&one, &json!({ "name": "B" })).expect(200);
    assert_eq!(figure(&admin, &one).0, Value::Null);
    let wrong = admin.post(&factors, &per_kg("2")).uuid();
    assert_eq!(admin.patch(&one, &json!({ "name": "C" })).ok()["CO2e"], "20");
    admin.post(&format!("{factors}/{wrong}/correction"), &per_kg("3")).expect(201);
    assert_eq!(admin.patch(&one, &json!({ "name": "D" })).ok()["CO2e"], "20");
    assert_eq!(admin.patch(&one, &json!({ "quantity": 11 })).ok()["CO2e"], "33");
}

#[test]
fn the_reason_is_that_of_today() {
    let service = Service::start();
    let admin = service.admin();
    let (product, factors) = product(&admin);
    let one = burnt(&admin, &product, "2025-03-01");
    let reason = || {
        let read = admin.get(&one).ok()["incomplete"].as_str().unwrap_or("none").to_owned();
        assert_eq!(admin.get("/v1/activity").ok()["data"][0]["incomplete"].as_str().unwrap_or("none"), read);
        read
    };
    assert!(reason().contains("no emission factor yet"));
    admin.factor(&product, "kg", [json!("1"), Value::Null], "2026-01-01");
    assert!(reason().contains("None of the product's"), "{}", reason());
    let until =
        json!({ "unit": "kg", "upstream": "1", "validFrom": "2025-01-01", "validTo": "2026-01-01", "source": "T" });
    admin.post(&factors, &until).expect(201);
    assert!(reason().contains(LATER), "{}", reason());
    recalculate(&admin, false, &json!({}));
    assert_eq!(reason(), "none");
}

#[test]
fn adding_a_factor_says_how_many_activities_it_could_complete() {
    let service = Service::start();
    let admin = service.admin();
    let (product, factors) = product(&admin);
    for day in ["2024-12-31", "2025-01-01", "2025-12-31", "2026-01-01"] {
        burnt(&admin, &product, day);
    }
    burnt(&admin, &admin.product("kg"), "2025-06-01");
    admin.activity(json!({ "product": to(&product) }));
    admin.activity(json!({ "product": to(&product), "quantity": 1, "unit": "kg", "DownstreamCO2e": "1" }));
    let mut year = per_kg("1");
    year["validTo"] = json!("2026-01-01");
    assert_eq!(admin.post(&factors, &year).created()["fills"], 2);
    assert_eq!(
        admin
            .post(&factors, &json!({ "unit": "kg", "upstream": "1", "validFrom": "2026-01-01", "source": "T" }))
            .created()["fills"],
        1
    );
    assert_eq!(admin.get(&factors).ok()["data"][0]["fills"], Value::Null);
}

#[test]
fn a_recalculation_fills_in_what_had_no_factor_and_touches_nothing_else() {
    let service = Service::start();
    let admin = service.admin();
    let (product, factors) = product(&admin);
    let (first, second) = (burnt(&admin, &product, "2025-03-01"), burnt(&admin, &product, "2025-04-01"));
    let early = burnt(&admin, &product, "2024-03-01");
    let priced = admin.priced("kg", "5", "0");
    let complete = burnt(&admin, &priced, "2025-03-01");
    let wrong = admin.get(&format!("/v1/product/{priced}/factor")).ok()["data"][0]["uuid"].as_str().unwrap().to_owned();
    admin
        .post(
            &format!("/v1/product/{priced}/factor/{wrong}/correction"),
            &json!({ "unit": "kg", "upstream": "6", "source": "T" }),
        )
        .expect(201);
    admin.post(&factors, &per_kg("2")).expect(201);
    let kept = |path: &str| admin.get(path).ok();
    let others = [kept(&early), kept(&complete)];
    let tag = admin.get("/v1/activity").header("etag").map(str::to_owned);
    let preview = recalculate(&admin, true, &json!({}));
    assert_eq!((&preview["dryRun"], &preview["activities"], &preview["changed"]), (&json!(true), &json!(3), &json!(2)));
    assert_eq!((&preview["CO2eBefore"], &preview["CO2eAfter"]), (&json!("0"), &json!("40")));
    assert_eq!(admin.get("/v1/activity").header("etag").map(str::to_owned), tag, "a preview writes nothing");
    let done = recalculate(&admin, false, &json!({ "of": "incomplete" }));
    assert_eq!((&done["dryRun"], &done["changed"], &done["confirm"]), (&json!(false), &json!(2), &Value::Null));
    assert_eq!([figure(&admin, &first).0, figure(&admin, &second).0], ["20", "20"]);
    assert_eq!([kept(&early), kept(&complete)], others);
    assert_eq!(recalculate(&admin, false, &json!({}))["changed"], 0);
    assert_eq!(admin.get("/v1/activity").ok()["incompleteCount"], 1);
}

#[test]
fn a_correction_stands_in_the_place_of_a_wrong_factor_which_stays_readable() {
    let service = Service::start();
    let admin = service.admin();
    let (product, factors) = product(&admin);
    let mut year = per_kg("2");
    year["validTo"] = json!("2026-01-01");
    let wrong = admin.post(&factors, &year).uuid();
    let before = burnt(&admin, &product, "2025-03-01");
    let made = admin.post(
        &format!("{factors}/{wrong}/correction"),
        &json!({ "unit": "t", "upstream": "3000", "source": "Mended" }),
    );
    let made = made.expect(201);
    let right = made.json();
    assert_eq!(
        (&right["corrects"], &right["validFrom"], &right["validTo"]),
        (&json!(wrong), &json!("2025-01-01"), &json!("2026-01-01"))
    );
    assert_eq!(admin.get(made.header("location").unwrap()).ok(), right);
    let old = admin.get(&format!("{factors}/{wrong}")).ok();
    assert_eq!((&old["upstream"], &old["corrects"]), (&json!("2"), &Value::Null));
    assert_eq!(admin.get(&factors).ok()["count"], 2);
    assert_eq!(figure(&admin, &before), (json!("20"), json!(true)));
    assert_eq!(figure(&admin, &burnt(&admin, &product, "2025-03-01")), (json!("30"), json!(false)));
    let again = admin.post(&format!("{factors}/{wrong}/correction"), &per_kg("4"));
    assert_eq!(again.problem(), "409 conflict");
    assert!(again.text().contains(right["uuid"].as_str().unwrap()), "{}", again.text());
    let answer = admin.delete(&format!("{factors}/{wrong}"));
    assert!(answer.problem() == "409 conflict" && answer.text().contains("1 factor"), "{}", answer.text());
    for (body, fault) in [
        (json!({ "unit": "kg", "upstream": "1", "source": "T", "validFrom": "2025-01-02" }), "/validFrom"),
        (json!({ "unit": "kg", "upstream": "1", "source": "T", "validTo": null }), "/validTo"),
        (json!({ "unit": "kWh", "upstream": "1", "source": "T" }), "/unit"),
        (json!({ "unit": "kg", "source": "T" }), "/upstream"),
    ] {
        let path = format!("{factors}/{}/correction", right["uuid"].as_str().unwrap());
        assert_eq!(admin.post(&path, &body).problem(), format!("422 invalid-input {fault}"));
    }
    let nowhere = format!("{factors}/0198c0de-0000-7000-8000-000000000000/correction");
    assert_eq!(admin.post(&nowhere, &per_kg("1")).problem(), "404 not-found");
}

#[test]
fn what_was_computed_from_a_wrong_factor_changes_when_a_preview_is_confirmed_and_not_before() {
    let service = Service::start();
    let admin = service.admin();
    let (product, factors) = product(&admin);
    let wrong = admin.post(&factors, &per_kg("2")).uuid();
    let (one, other) = (burnt(&admin, &product, "2025-03-01"), burnt(&admin, &product, "2025-04-01"));
    admin
        .post(&format!("{factors}/{wrong}/correction"), &json!({ "unit": "kg", "upstream": "3", "source": "T" }))
        .expect(201);
    let outdated = json!({ "of": "outdated" });
    assert_eq!(admin.post("/v1/recalculation", &outdated).problem(), "422 invalid-input /confirm");
    assert_eq!(recalculate(&admin, false, &json!({}))["changed"], 0, "they are complete");
    let preview = recalculate(&admin, true, &outdated);
    assert_eq!([&preview["activities"], &preview["changed"]], [2, 2]);
    assert_eq!((&preview["CO2eBefore"], &preview["CO2eAfter"]), (&json!("40"), &json!("60")));
    assert_eq!(figure(&admin, &one), (json!("20"), json!(true)));
    admin.patch(&other, &json!({ "quantity": 1 })).expect(200);
    let confirm = |preview: &Value| json!({ "of": "outdated", "confirm": preview["confirm"] });
    assert_eq!(admin.post("/v1/recalculation", &confirm(&preview)).problem(), "409 conflict /confirm");
    assert_eq!(figure(&admin, &one), (json!("20"), json!(true)), "what was previewed is no longer so");
    let preview = recalculate(&admin, true, &outdated);
    assert_eq!((&preview["changed"], &preview["CO2eAfter"]), (&json!(1), &json!("30")));
    assert_eq!(recalculate(&admin, false, &confirm(&preview))["changed"], 1);
    assert_eq!(figure(&admin, &one), (json!("30"), json!(false)));
    assert_eq!(admin.get("/v1/activity").ok()["uncategorizedCO2e"], "33");
}

#[test]
fn what_cannot_be_computed_is_named_and_left_as_it_is() {
    let service = Service::start();
    let admin = service.admin();
    let (product, factors) = product(&admin);
    let body = json!({ "name": "A", "product": to(&product), "quantity": "90000000000000000000", "unit": "kg", "startDate": "2025-03-01" });
    let large = admin.post("/v1/activity", &body).uuid();
    let small = burnt(&admin, &product, "2025-03-01");
    admin.post(&factors, &per_kg("2")).expect(201);
    let done = recalculate(&admin, false, &json!({}));
    assert_eq!([&done["changed"], &done["failures"]], [1, 1]);
    assert_eq!(done["errors"][0]["uuid"], large.as_str());
    assert_eq!(figure(&admin, &small).0, "20");
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let post = |query: &str, body: Value| admin.post(&format!("/v1/recalculation{query}"), &body).problem();
    assert_eq!(post("", json!({ "of": "all" })), "422 invalid-input /of");
    assert_eq!(post("", json!({ "of": 1, "confirm": 2, "x": 3 })), "422 invalid-input /confirm /of /x");
    assert_eq!(post("?dryRun=maybe", json!({})), "400 invalid-parameters dryRun");
    assert_eq!(post("?dryrun=true", json!({})), "400 invalid-parameters dryrun");
}
