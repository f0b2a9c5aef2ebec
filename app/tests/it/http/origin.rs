//! `published` of a new factor, and `origin` of one that is a copy.

use ports::{Grant, Installation};

use super::harness::{Service, Value, json};
use crate::published_sample::{edition, id};

/// A service whose installation has the editions of 2025.
pub(super) fn with_sets() -> Service {
    let service = Service::start();
    for digit in [1, 2] {
        let app = service.app();
        let add = async move {
            let operator = Grant::for_maintenance(Installation, "test");
            app.factor_set_imports()
                .add_factor_set(&operator, edition(2025, digit), ports::inbound::Beside::Refused)
                .await
                .map(|_| ())
        };
        service.wait(add).unwrap();
    }
    service
}

fn published(digit: u8, cell: &str) -> Value {
    json!({ "published": { "set": id(2025, digit).to_string(), "cell": cell } })
}

#[test]
fn a_copy_shows_all_that_it_was_copied_from() {
    let service = with_sets();
    let admin = service.admin();
    let path = format!("/v1/product/{}/factor", admin.product("L"));
    let mut body = published(1, "A1");
    body["gwp"] = json!("AR6");
    let copy = admin.post(&path, &body).created();
    let figures =
        ["unit", "upstream", "downstream", "validFrom", "validTo", "source", "gwp"].map(|name| copy[name].clone());
    let source = "A ministry, Conversion factors, 2025 v1, A1";
    assert_eq!(json!(figures), json!(["L", null, "2.1298", "2025-01-01", "2026-01-01", source, "AR6"]));
    let origin = json!({
        "set": id(2025, 1).to_string(),
        "publisher": "A ministry",
        "title": "Conversion factors",
        "edition": "2025 v1",
        "licence": "Open Government Licence v3.0",
        "file": "factors-2025-1.xlsx",
        "validFrom": "2025-01-01",
        "validTo": "2026-01-01",
        "gwp": "AR5",
        "cell": "A1",
        "name": "Diesel",
        "path": ["Fuels"],
        "region": "GB",
        "use": "direct",
        "CO2e": null,
        "gases": [
            { "gas": "CO2", "mass": "2.1", "CO2e": null },
            { "gas": "CH4_fossil", "mass": "0.001", "CO2e": null },
        ],
        "rows": [{ "row": 7, "cells": [{ "header": "Activity", "value": "Diesel" }] }],
    });
    assert_eq!(copy["origin"], origin);
    let read = admin.get(&format!("{path}/{}", copy["uuid"].as_str().unwrap())).ok();
    assert_eq!(read["origin"], origin);
    assert_eq!(admin.get(&path).ok()["data"][0]["origin"], origin);
}

#[test]
fn what_keeps_a_published_factor_from_being_copied_is_told_where_it_is_named() {
    let service = with_sets();
    let admin = service.admin();
    let path = format!("/v1/product/{}/factor", admin.product("kWh"));
    let post = |body: &Value| admin.post(&path, body).problem();
    let with = |mut body: Value, name: &str, value: Value| {
        body[name] = value;
        body
    };
    assert_eq!(post(&published(1, "Z9")), "422 invalid-input /published/cell");
    assert_eq!(post(&published(3, "A2")), "422 invalid-input /published/set");
    assert_eq!(post(&with(published(1, "A2"), "gwp", json!("AR6"))), "422 invalid-input /gwp");
    assert_eq!(post(&with(published(1, "A2"), "unit", json!("kWh"))), "422 invalid-input /unit");
    assert_eq!(post(&with(published(1, "A2"), "origin", json!({}))), "422 invalid-input /origin");
    assert_eq!(post(&published(1, "A1")), "422 invalid-input /published");
    assert_eq!(post(&published(1, "A5")), "422 invalid-input /published");
    assert_eq!(
        post(&json!({ "published": { "set": "short", "cell": "" } })),
        "422 invalid-input /published/cell /published/set"
    );
    admin.post(&path, &published(1, "A2")).expect(201);
    assert_eq!(post(&published(2, "A4")), "422 invalid-input /published");
}

#[test]
fn a_corrected_edition_corrects_a_copy() {
    let service = with_sets();
    let admin = service.admin();
    let path = format!("/v1/product/{}/factor", admin.product("kWh"));
    let wrong = admin.post(&path, &published(1, "A2")).uuid();
    let right = admin.post(&format!("{path}/{wrong}/correction"), &published(2, "A2")).created();
    assert_eq!((&right["corrects"], &right["downstream"]), (&json!(wrong), &json!("0.22")));
    assert_eq!(right["origin"]["edition"], "2025 v2");
    assert_eq!((&right["validFrom"], &right["validTo"]), (&json!("2025-01-01"), &json!("2026-01-01")));
}
