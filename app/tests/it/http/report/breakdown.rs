//! `GET /v1/report`: the report broken down.

use domain::Total;

use super::law::{Tree, fill, trees};
use super::{emit, report};
use crate::http::harness::{Answer, Client, Service, Value, json, to};

const COUNTS: [&str; 2] = ["count", "incompleteCount"];
const TIMES: [&str; 4] = ["day", "month", "quarter", "year"];
const AMOUNTS: [&str; 5] = ["CO2e", "uncategorizedCO2e", "biogenicCO2", "creditsCO2e", "outsideCO2e"];

#[track_caller]
fn broken_down(client: &Client, query: &str) -> Value {
    client.get(&format!("/v1/report?{query}")).ok()
}

fn ask(client: &Client, accept: &str, query: &str) -> Answer {
    client.request("GET", &format!("/v1/report?{query}")).header("Accept", accept).send()
}

fn total(value: &Value) -> Total {
    Total::parse(value.as_str().unwrap()).unwrap()
}

/// What the rows' figures of that name come to.
fn summed(rows: &Value, amount: &str) -> Total {
    rows.as_array().unwrap().iter().map(|row| total(&row[amount])).sum()
}

/// Fails unless the rows add up to the totals of the report and of what it is compared with.
#[track_caller]
fn adds_up(found: &Value, query: &str) {
    let rows = found["rows"].as_array().unwrap();
    for name in AMOUNTS {
        assert_eq!(summed(&found["rows"], name), total(&found[name]), "{name} of {query}");
        if !found["compared"].is_null() {
            let others: Total = rows.iter().map(|row| total(&row["compared"][name])).sum();
            assert_eq!(others, total(&found["compared"][name]), "{name} compared in {query}");
        }
    }
    let is_by_time = found["by"].as_array().unwrap().iter().any(|by| TIMES.contains(&by.as_str().unwrap()));
    if found["attribution"] == "start" || !is_by_time {
        for name in COUNTS {
            let sum: i64 = rows.iter().map(|row| row[name].as_i64().unwrap()).sum();
            assert_eq!(found[name], sum, "{name} of {query}");
        }
    }
}

fn filled(service: &Service) -> [Tree; 3] {
    let admin = service.admin();
    let trees = trees(&admin);
    fill(service, &admin, &trees);
    trees
}

#[test]
fn rows_add_up_to_the_report_to_the_digit_whatever_they_are_about() {
    let service = Service::start();
    let (admin, trees) = (service.admin(), filled(&service));
    let (org, scope) = (&trees[0]["Works"].0, &trees[1]["scope3"].0);
    let tables = [
        "by=day",
        "by=quarter",
        "by=org",
        "by=taxonomy",
        "by=product",
        "by=scope&depth=2",
        "by=month,scope",
        "by=scope,month",
        "by=org,taxonomy&depth=2",
        "by=quarter,product",
        "by=year,month&year=04-06",
    ];
    let filters = [
        String::new(),
        "&sd=2024-01-01&ed=2024-12-31".to_owned(),
        format!("&sd=2024-11-15&ed=2025-02-03&org={org}"),
        format!("&sd=2025-01-01&ed=2025-12-31&scope={scope}"),
    ];
    for table in tables {
        for filter in &filters {
            for attribution in ["start", "daily"] {
                let filter = format!("attribution={attribution}{filter}");
                let query = format!("{table}&{filter}");
                let found = broken_down(&admin, &query);
                adds_up(&found, &query);
                let plain = report(&admin, &filter);
                // The same, read activity by activity.
                let walked = broken_down(&admin, &format!("{query}&updatedSince=2000-01-01T00:00:00Z"));
                for name in COUNTS.iter().chain(&AMOUNTS).chain(&["startDate", "endDate"]) {
                    assert_eq!(found[*name], plain[*name], "{name} of {query}");
                    assert_eq!(walked[*name], found[*name], "{name} of {query}");
                }
                assert_eq!(walked["rows"], found["rows"], "{query}");
            }
        }
    }
}

#[test]
fn what_is_compared_adds_up_too_and_stretches_are_beside_each_other() {
    let service = Service::start();
    let admin = service.admin();
    filled(&service);
    for query in [
        "by=month&date=2025&compare=2024",
        "by=org,quarter&date=2025&compare=2024",
        "by=scope&date=2025-03&compare=2024",
    ] {
        adds_up(&broken_down(&admin, query), query);
    }
    let found = broken_down(&admin, "by=month&date=2025-01&compare=2024-01-01/2024-03-31");
    let months: Vec<_> = found["rows"].as_array().unwrap().iter().map(|row| row["month"].as_str().unwrap()).collect();
    assert_eq!(months, ["2025-01", "2025-02", "2025-03"]);
    assert_eq!(found["rows"][1]["count"], 0);
    let april = report(&admin, "date=2024-02");
    assert_eq!(found["rows"][1]["compared"]["CO2e"], april["CO2e"]);
}

#[test]
fn filters_select_single_activities() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, product) = (admin.scope("scope1"), admin.priced("kWh", "0.5", "0"));
    emit(&admin, &scope, "2025-01-01", "1");
    admin.activity(json!({ "name": "Fährt ÜBERall", "DownstreamCO2e": "4", "scope": to(&scope) }));
    admin.activity(json!({ "quantity": 32, "unit": "kWh", "product": to(&product), "scope": to(&scope) }));
    admin.activity(json!({ "DownstreamCO2e": "64" }));
    admin.activity(json!({ "name": "Later", "scope": to(&scope) }));
    let of = |filter: &str| {
        let found = broken_down(&admin, &format!("by=scope&{filter}"));
        adds_up(&found, filter);
        ["count", "CO2e", "uncategorizedCO2e"].map(|name| found[name].to_string().replace('"', ""))
    };
    assert_eq!(of("name=%C3%BCberALL"), ["1", "4", "0"]);
    assert_eq!(of(&format!("product={product}")), ["1", "16", "0"]);
    assert_eq!(of("incomplete=true"), ["1", "0", "0"]);
    assert_eq!(of("uncategorized=true"), ["1", "0", "64"]);
    assert_eq!(of("uncategorized=true&incomplete=true"), ["0", "0", "0"]);
    assert_eq!(of("incomplete=false"), ["5", "21", "64"]);
    assert_eq!(of("updatedSince=2999-01-01T00:00:00Z"), ["0", "0", "0"]);
    let products = broken_down(&admin, "by=product");
    assert_eq!(
        (&products["rows"][0]["product"]["uuid"], &products["rows"][1]["product"]),
        (&json!(product), &Value::Null)
    );
}

#[test]
fn shares_and_rounding_are_told_and_the_total_is_rounded_itself() {
    let service = Service::start();
    let admin = service.admin();
    let (one, three) = (admin.scope("scope1"), admin.scope("scope3"));
    emit(&admin, &one, "2025-01-01", "0.25");
    emit(&admin, &three, "2025-01-01", "0.25");
    let found = broken_down(&admin, "by=scope&round=1&shares=2");
    assert_eq!((&found["roundedTo"], &found["percentRoundedTo"]), (&json!(1), &json!(2)));
    assert_eq!((&found["rows"][0]["CO2e"], &found["CO2e"]), (&json!("0.2"), &json!("0.5")));
    assert_eq!(found["rows"][0]["share"], "50");
    let exact = broken_down(&admin, "by=scope&co2eUnit=t");
    assert_eq!(
        (&exact["CO2e"], &exact["roundedTo"], &exact["CO2eUnit"]),
        (&json!("0.0005"), &Value::Null, &json!("t"))
    );
    assert!(exact["rows"][0]["share"].is_null());
}

#[test]
fn tables_come_as_csv_ndjson_and_a_page() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    admin.patch(&format!("/v1/scope/{scope}"), &json!({ "name": "=cmd <b>" })).expect(200);
    emit(&admin, &scope, "2025-01-01", "1.5");
    let csv = ask(&admin, "text/csv", "by=month,scope&cells=text&bom=true").expect(200);
    assert_eq!(csv.header("content-disposition"), Some("attachment; filename=\"report-by-month-scope.csv\""));
    let lines: Vec<_> = csv.text().lines().collect();
    assert!(
        lines[0].starts_with("\u{feff}month,scope,scopeName,scopePath,count,incompleteCount,CO2e,"),
        "{}",
        lines[0]
    );
    assert_eq!(lines[1], format!("2025-01,{scope},'=cmd <b>,'=cmd <b>,1,0,1.5,0,0,0,0,kg"));
    assert_eq!(lines.len(), 2);
    let line = ask(&admin, "application/x-ndjson", "by=scope&co2eUnit=g").expect(200);
    let row: Value = serde_json::from_str(line.text()).unwrap();
    assert_eq!((&row["CO2e"], &row["CO2eUnit"], &row["scope"]["uuid"]), (&json!("1500"), &json!("g"), &json!(scope)));
    let workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    assert!(ask(&admin, workbook, "by=scope&shares=1&date=2025&compare=2024").expect(200).body.starts_with(b"PK"));
    let page = ask(&admin, "text/html", "by=scope").expect(200);
    assert!(page.text().contains("=cmd &lt;b&gt;") && page.text().contains("1.5"), "{}", page.text());
    assert!(!page.text().contains("<b>") && !page.text().contains("<script"), "{}", page.text());
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let places = |query: &str| {
        let mut places = ask(&admin, "*/*", query).expect(400).places();
        places.sort();
        places
    };
    assert_eq!(places("by=month,moon&depth=0&org=x&round=19&shares=7&compare=y&bom=1&year=02-30&nme=a").len(), 9);
    for by in ["scope,scope", "day,month,year", "", ","] {
        assert_eq!(places(&format!("by={by}")), ["by"], "{by}");
    }
    let nobody = "00000000-0000-7000-8000-000000000000";
    assert_eq!(places(&format!("product={nobody}&scope={nobody}")), ["product", "scope"]);
    assert_eq!(places("by=day&date=2025&compare=2024"), ["compare"]);
    assert_eq!(places("by=month&compare=2024"), ["compare"]);
    admin.activity(json!({ "startDate": "0001-01-01" }));
    admin.activity(json!({ "startDate": "9999-01-01" }));
    assert_eq!(places("by=day"), ["date"]);
}

#[test]
fn who_may_see_totals_alone_sees_rows_but_asks_for_no_single_activity() {
    let service = Service::start();
    let caller = service.caller("activity:report");
    ask(&caller, "*/*", "by=product&incomplete=true").expect(200);
    for query in ["name=a", "updatedSince=2025-01-01T00:00:00Z"] {
        ask(&caller, "*/*", query).expect(403);
    }
    ask(&service.caller("catalog:read"), "*/*", "").expect(403);
}

#[test]
fn a_table_that_is_known_is_not_sent_again() {
    let service = Service::start();
    let admin = service.admin();
    let tag = ask(&admin, "*/*", "by=month").expect(200).etag();
    let again = |accept: &str, query: &str| {
        let request = admin.request("GET", &format!("/v1/report?{query}")).header("Accept", accept);
        request.header("If-None-Match", &tag).send().status
    };
    assert_eq!(again("*/*", "by=month"), 304);
    assert_eq!([again("text/csv", "by=month"), again("*/*", "by=year")], [200, 200]);
    admin.activity(json!({}));
    assert_eq!(again("*/*", "by=month"), 200);
    let tag = ask(&admin, "*/*", "by=month&name=a").expect(200).etag();
    let reporter = service.caller("activity:report");
    let request = reporter.request("GET", "/v1/report?by=month&name=a").header("If-None-Match", &tag);
    assert_eq!(request.send().status, 403, "the tag differs by permission");
}
