//! Quality and evidence of activities, and reports by quality.

use super::harness::{Client, Service, Value, json, to};

const FILE: &str = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a Invoice 4711.pdf";
const LINK: &str = "https://archive.example/4711";

/// Activities of 40 measured, 30 estimated, 20 from a proxy and 10 that say nothing, all in scope 1; and 5 estimated without
/// a scope.
fn filled(admin: &Client) -> String {
    let scope = admin.scope("scope1");
    for (co2e, quality) in
        [("40", json!("measured")), ("30", json!("estimated")), ("20", json!("proxy")), ("10", Value::Null)]
    {
        admin.activity(json!({ "scope": to(&scope), "UpstreamCO2e": co2e, "quality": quality }));
    }
    admin.activity(json!({ "UpstreamCO2e": "5", "quality": "estimated" }));
    scope
}

#[test]
fn quality_and_evidence_come_back_and_are_changed_and_cleared() {
    let service = Service::start();
    let admin = service.admin();
    let id = admin.activity(json!({ "UpstreamCO2e": "7", "quality": "estimated", "evidence": [LINK, FILE] }));
    let at = format!("/v1/activity/{id}");
    let read = admin.get(&at).ok();
    assert_eq!((&read["quality"], &read["evidence"]), (&json!("estimated"), &json!([LINK, FILE])));
    let renamed = admin.patch(&at, &json!({ "name": "Renamed" })).ok();
    assert_eq!((&renamed["quality"], &renamed["evidence"]), (&json!("estimated"), &json!([LINK, FILE])));
    let changed = admin.patch(&at, &json!({ "quality": "measured", "evidence": [FILE] })).ok();
    assert_eq!((&changed["quality"], &changed["evidence"]), (&json!("measured"), &json!([FILE])));
    let said = admin.get(&format!("{at}/explanation")).ok();
    assert_eq!(
        (&said["quality"], &said["evidence"], &said["agrees"]),
        (&json!("measured"), &json!([FILE]), &true.into())
    );
    let cleared = admin.patch(&at, &json!({ "quality": null, "evidence": null })).ok();
    assert_eq!((&cleared["quality"], &cleared["evidence"]), (&Value::Null, &json!([])));
}

#[test]
fn what_is_no_quality_or_no_evidence_is_refused_with_its_place() {
    let service = Service::start();
    let admin = service.admin();
    let places = |quality: &str, evidence: Value| {
        let body = json!({ "name": "Gas", "startDate": "2025-01-01", "quality": quality, "evidence": evidence });
        admin.post("/v1/activity", &body).expect(422).places()
    };
    assert_eq!(places("guessed", json!(["invoice.pdf", LINK])), ["/evidence/0", "/quality"]);
    assert_eq!(places("proxy", json!([LINK, LINK])), ["/evidence"]);
    let many: Vec<String> = (0..21).map(|number| format!("{LINK}/{number}")).collect();
    assert_eq!(places("proxy", json!(many)), ["/evidence"]);
}

#[test]
fn a_report_says_how_well_its_total_is_known() {
    let service = Service::start();
    let admin = service.admin();
    filled(&admin);
    let quality = |query: &str| admin.get(&format!("/v1/activity?{query}")).ok()["quality"].clone();
    let tiers = |measured: &str, estimated: &str, proxy: &str, not: &str| json!({ "measuredCO2e": measured, "estimatedCO2e": estimated, "proxyCO2e": proxy, "notStatedCO2e": not });
    assert_eq!(quality("date=2025"), tiers("40", "30", "20", "10"));
    assert_eq!(quality("date=2025&co2eUnit=t"), tiers("0.04", "0.03", "0.02", "0.01"));
    assert_eq!(quality("date=2025&scope2=market"), tiers("40", "30", "20", "10"));
    assert_eq!(quality("date=2024"), tiers("0", "0", "0", "0"));
}

#[test]
fn rows_by_quality_add_up_and_are_explained() {
    let service = Service::start();
    let admin = service.admin();
    filled(&admin);
    let report = admin.get("/v1/report?date=2025&by=quality").ok();
    let rows: Vec<_> = report["rows"].as_array().unwrap().iter().collect();
    let of = |name: &str| rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("quality"), ["measured", "estimated", "proxy", "notStated"]);
    assert_eq!(of("CO2e"), ["40", "30", "20", "10"]);
    assert_eq!(of("uncategorizedCO2e"), ["0", "5", "0", "0"]);
    assert!(rows.iter().all(|row| row.get("count").is_none() && row.get("biogenicCO2").is_none()));
    let line = admin.get("/v1/report/explanation?date=2025&by=quality&line=estimated").ok();
    assert_eq!((&line["agrees"], &line["count"]), (&true.into(), &2.into()));
    let with = |query: &str| admin.get(&format!("/v1/report?date=2025&{query}")).expect(400).places();
    assert_eq!(with("by=quality,gas"), ["by"]);
    assert_eq!(with("by=quality&scope2=market"), ["scope2"]);
}

#[test]
fn a_row_of_a_report_is_written_back_with_its_quality_and_evidence() {
    let service = Service::start();
    let admin = service.admin();
    let body = json!({ "syncId": "a", "UpstreamCO2e": "7", "quality": "proxy", "evidence": [LINK, FILE] });
    admin.activity(body);
    for media in ["text/csv", "application/x-ndjson"] {
        let rows = admin.request("GET", "/v1/activity?date=2025").header("accept", media).send().expect(200);
        let batch = admin.request("POST", "/v1/activity/batch").header("content-type", media);
        let told = batch.body(rows.body.clone()).send().ok();
        assert_eq!((&told["unchanged"], &told["errors"]), (&1.into(), &json!([])), "{media} {told}");
    }
    let csv = "syncId,name,startDate,quality,evidence\na,Activity,2025-01-01,measured,\n";
    let batch = admin.request("POST", "/v1/activity/batch").header("content-type", "text/csv");
    assert_eq!(batch.body(csv).send().ok()["updated"], 1);
    let one = &admin.get("/v1/activity?date=2025").ok()["data"][0];
    assert_eq!((&one["quality"], &one["evidence"], &one["CO2e"]), (&json!("measured"), &json!([]), &json!("7")));
}
