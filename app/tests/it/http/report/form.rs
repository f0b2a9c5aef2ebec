//! The forms of the answer: JSON, CSV, NDJSON, and that the last two can be imported again.

use std::io::Cursor;

use files::{CsvRows, NdjsonRows};
use ports::inbound::{BatchOutcome, RowDraft};

use crate::http::harness::{Answer, Client, Service, json, to};

const MAX_ROW: usize = 64 << 10;

fn ask(client: &Client, accept: &str, query: &str) -> Answer {
    client.request("GET", &format!("/v1/activity?{query}")).header("Accept", accept).send()
}

/// As many activities of 1 kg, a line each.
pub(in crate::http) fn lines(count: usize) -> Vec<RowDraft> {
    let line =
        |number| format!(r#"{{"name": "A", "syncId": "a-{number}", "startDate": "2025-01-01", "DownstreamCO2e": 1}}"#);
    ndjson((0..count).map(line).collect::<Vec<_>>().join("\n").into_bytes())
}

pub(super) fn ndjson(bytes: Vec<u8>) -> Vec<RowDraft> {
    NdjsonRows::new(Cursor::new(bytes), MAX_ROW).map(Result::unwrap).collect()
}

fn csv(bytes: Vec<u8>) -> Vec<RowDraft> {
    CsvRows::new(Cursor::new(bytes), MAX_ROW).unwrap().map(Result::unwrap).collect()
}

/// Activities of every kind: complete and not, supplied and computed, with texts that a table must quote.
fn fill(admin: &Client) {
    let (product, scope) = (admin.priced("kWh", "0.1", "0.4"), admin.scope("scope2"));
    let (org, taxonomy) = (admin.org("Works, \"north\"", None), admin.taxonomy("Power", None));
    admin.activity(json!({
        "syncId": "a-1", "name": "Comma, quote \" and ; tab", "description": "two\nlines\r\nand a quote \"",
        "quantity": "1500.000000000000000001", "unit": "MWh", "product": to(&product), "scope": to(&scope),
        "org": to(&org), "taxonomy": to(&taxonomy), "startDate": "2025-01-01T08:00:00.120+02:00",
        "endDate": "2025-03-31T23:59:59+02:00",
    }));
    admin.activity(json!({ "syncId": "a-2", "DownstreamCO2e": "-12.5", "scope": to(&scope) }));
    admin.activity(json!({
        "syncId": "a-3", "UpstreamCO2e": "0", "quantity": 3, "unit": "kWh", "product": to(&product),
    }));
    admin.activity(json!({ "syncId": "=SUM(A1)", "name": "+1 line", "quantity": 3, "unit": "EUR" }));
    admin.activity(json!({ "syncId": "none", "name": "null", "description": "none" }));
}

fn unchanged(count: u64) -> BatchOutcome {
    BatchOutcome { unchanged: count, ..BatchOutcome::default() }
}

#[test]
fn a_table_for_a_spreadsheet_has_no_formulas_and_its_numbers_stay_numbers() {
    let service = Service::start();
    let admin = service.admin();
    admin.activity(json!({ "syncId": "=SUM(A1)", "name": "@cmd", "description": "+1\n=2", "DownstreamCO2e": "-12.5" }));
    let cells = |query: &str| {
        let answer = ask(&admin, "text/csv", query).expect(200);
        let (header, row) = answer.text().split_once('\n').unwrap();
        let at = |name: &str| header.split(',').position(|one| one == name).unwrap();
        let row = row.replace("\"+1\n=2\"", "+1 =2").replace("\"'+1\n=2\"", "'+1 =2");
        let row: Vec<_> = row.split(',').collect();
        ["syncId", "name", "description", "DownstreamCO2e", "CO2e"].map(|name| row[at(name)].to_owned())
    };
    assert_eq!(cells("date=2025"), ["=SUM(A1)", "@cmd", "+1 =2", "-12.5", "-12.5"]);
    assert_eq!(cells("date=2025&cells=text"), ["'=SUM(A1)", "'@cmd", "'+1 =2", "-12.5", "-12.5"]);
    assert_eq!(ask(&admin, "text/csv", "cells=verbatim").problem(), "400 invalid-parameters cells");
    let json = ask(&admin, "application/json", "cells=text").ok();
    assert_eq!(json["data"][0]["syncId"], "=SUM(A1)", "JSON stays as it is");
}

#[test]
fn a_table_is_the_activities_alone() {
    let service = Service::start();
    let admin = service.admin();
    admin.activity(json!({ "syncId": "a-1", "name": "Gas", "DownstreamCO2e": "12.50" }));
    let answer = ask(&admin, "text/csv", "date=2025").expect(200);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    let (header, row) = answer.text().split_once('\n').unwrap();
    insta::assert_snapshot!(header, @"syncId,name,description,quantity,unit,UpstreamCO2e,DownstreamCO2e,biogenicCO2,marketInstrument,marketFactor,marketReference,quality,evidence,supplied,product,scope,taxonomy,org,startDate,endDate,productName,scopeName,scopePath,scopeSyncId,taxonomyName,taxonomyPath,taxonomySyncId,orgName,orgPath,orgSyncId,uuid,created,updated,CO2e,marketCO2e,incomplete,outdated");
    assert!(row.starts_with("a-1,Gas,,,,,12.5,,,,,,,DownstreamCO2e,,,,,2025-01-01T00:00:00Z,,,,,,"), "{row}");
    assert_eq!(ask(&admin, "text/csv", "date=2024").expect(200).text().trim_end(), header.trim_end());
}

#[test]
fn lines_are_the_items_of_the_report() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let answer = ask(&admin, "application/x-ndjson", "").expect(200);
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    let mut items: Vec<serde_json::Value> =
        answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Rows are for other installations too: they say where nodes are.
    let nodes = items.iter_mut().flat_map(|item| ["scope", "org", "taxonomy"].map(|kind| item[kind].take()));
    let nodes: Vec<_> = nodes.collect();
    assert!(nodes.iter().any(|node| node["path"].is_string()), "{nodes:?}");
    let mut data = admin.get("/v1/activity").ok()["data"].clone();
    for item in data.as_array_mut().unwrap() {
        for kind in ["scope", "org", "taxonomy"] {
            item[kind].take();
        }
    }
    assert_eq!(json!(items), data);
    assert!(ask(&admin, "application/x-ndjson", "date=1999").expect(200).body.is_empty());
}

#[test]
fn what_was_exported_changes_nothing_when_it_is_imported_again() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let before = admin.get("/v1/activity").ok();
    for query in ["", "co2eUnit=t", "co2eUnit=g", "attribution=daily&sd=2025-01-15", "page=1"] {
        let count = admin.get(&format!("/v1/activity?{query}")).ok()["count"].as_u64().unwrap();
        assert!(count > 0);
        let caller = || service.operator();
        let table = ask(&admin, "text/csv", query).expect(200);
        assert_eq!(service.import(caller(), csv(table.body)), unchanged(count), "CSV {query}");
        let lines = ask(&admin, "application/x-ndjson", query).expect(200);
        assert_eq!(service.import(caller(), ndjson(lines.body)), unchanged(count), "NDJSON {query}");
    }
    assert_eq!(admin.get("/v1/activity").ok(), before);
}

#[test]
fn what_was_exported_makes_the_same_activities_elsewhere() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let table = ask(&admin, "text/csv", "").expect(200);
    let rows = csv(table.body);
    let before = admin.get("/v1/activity").ok();
    for one in before["data"].as_array().unwrap() {
        admin.delete(&format!("/v1/activity/{}", one["uuid"].as_str().unwrap())).expect(204);
    }
    let outcome = service.import(service.operator(), rows);
    assert_eq!((outcome.created, outcome.rejected), (5, 0), "{outcome:?}");
    let after = admin.get("/v1/activity").ok();
    let told = |report: &serde_json::Value| {
        let mut items = report["data"].as_array().unwrap().clone();
        for item in &mut items {
            for member in ["uuid", "created", "updated"] {
                item.as_object_mut().unwrap().remove(member);
            }
        }
        items.sort_by_key(|item| item["syncId"].to_string());
        items
    };
    assert_eq!(told(&after), told(&before));
}

#[test]
fn accept_chooses_the_form() {
    let service = Service::start();
    let admin = service.admin();
    for (accept, kind) in [
        ("*/*", "application/json"),
        ("text/csv", "text/csv; charset=utf-8"),
        ("text/*", "text/csv; charset=utf-8"),
        ("application/x-ndjson, application/json;q=0.9", "application/x-ndjson"),
        ("application/json;q=0.1, text/csv;q=0.2", "text/csv; charset=utf-8"),
    ] {
        assert_eq!(ask(&admin, accept, "").expect(200).header("content-type"), Some(kind), "{accept}");
    }
    for accept in ["application/xml", "text/html", "application/json;q=0"] {
        assert_eq!(ask(&admin, accept, "").problem(), "406 not-acceptable", "{accept}");
    }
}

#[test]
fn a_fault_of_the_query_is_a_problem_in_every_form() {
    let service = Service::start();
    for accept in ["text/csv", "application/x-ndjson"] {
        assert_eq!(ask(&service.admin(), accept, "date=x").problem(), "400 invalid-parameters date");
    }
}

#[test]
fn activities_without_a_sync_id_are_known_by_their_uuid_when_they_are_imported_again() {
    let service = Service::start();
    let admin = service.admin();
    for amount in ["1", "2", "3"] {
        admin.activity(json!({ "UpstreamCO2e": amount }));
    }
    let before = admin.get("/v1/activity").ok();
    let table = ask(&admin, "text/csv", "").expect(200);
    assert_eq!(service.import(service.operator(), csv(table.body)), unchanged(3));
    let lines = ask(&admin, "application/x-ndjson", "").expect(200).text().replacen(
        r#""UpstreamCO2e":"1""#,
        r#""UpstreamCO2e":"7""#,
        1,
    );
    let outcome = service.import(service.operator(), ndjson(lines.into_bytes()));
    assert_eq!((outcome.created, outcome.updated, outcome.unchanged, outcome.without_sync_id), (0, 1, 2, 0));
    assert_eq!(before["CO2e"], json!("0"));
    assert_eq!(admin.get("/v1/activity").ok()["uncategorizedCO2e"], json!("12"));
}
