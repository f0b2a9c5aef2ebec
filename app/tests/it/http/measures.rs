//! Measures beside CO2e: biogenic CO2 and single gases, from the write to the report.

use super::harness::{Client, Service, Value, json, to};
use super::origin::with_sets;
use crate::published_sample::id;

/// Diesel of a company, whose factor is a copy with gases: 2.1 kg CO2 and a gram of fossil CH4 a litre, AR5.
fn diesel(admin: &Client) -> String {
    let product = admin.product("L");
    let body = json!({ "published": { "set": id(2025, 1).to_string(), "cell": "A1" } });
    admin.post(&format!("/v1/product/{product}/factor"), &body).expect(201);
    product
}

/// A thousand litres burnt in the first quarter, and 50 kg CO2e that somebody stated, both in scope 1.
fn burnt(admin: &Client) -> (String, String) {
    let (scope, product) = (admin.scope("scope1"), diesel(admin));
    let vans = json!({
        "name": "Vans", "startDate": "2025-01-01", "endDate": "2025-03-31", "scope": to(&scope), "product": to(&product),
        "quantity": "1000", "unit": "L",
    });
    let stated = json!({ "name": "Leak", "startDate": "2025-02-01", "scope": to(&scope), "DownstreamCO2e": "50" });
    let vans = admin.post("/v1/activity", &vans).uuid();
    admin.post("/v1/activity", &stated).expect(201);
    (vans, scope)
}

/// Of each row its gas, CO2e and mass.
fn rows(found: &Value) -> Vec<[String; 3]> {
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let rows = found["rows"].as_array().unwrap().iter();
    rows.map(|row| ["gas", "CO2e", "mass"].map(|name| text(row, name))).collect()
}

fn row(gas: &str, co2e: &str, mass: &str) -> [String; 3] {
    [gas, co2e, mass].map(str::to_owned)
}

#[test]
fn gases_of_a_factor_stand_in_the_report_in_mass_and_co2e_and_the_rest_is_unspecified() {
    let service = with_sets();
    let admin = service.admin();
    let (_, scope) = burnt(&admin);
    let found = admin.get("/v1/report?by=gas&date=2025").ok();
    let expected = [row("CO2", "2100", "2100"), row("CH4_fossil", "30", "1"), row("unspecified", "50", "0")];
    assert_eq!(rows(&found), expected);
    assert_eq!((&found["CO2e"], &found["count"]), (&"2180".into(), &2.into()));
    assert!(found["rows"][0]["count"].is_null(), "an activity is in several rows");
    let filtered = admin.get(&format!("/v1/report?by=scope,gas&scope={scope}&date=2025")).ok();
    assert_eq!(rows(&filtered), expected);
    let tonnes = admin.get("/v1/report?by=gas&date=2025&co2eUnit=t").ok();
    assert_eq!(rows(&tonnes)[1], row("CH4_fossil", "0.03", "0.001"));
    // 31 of the 90 days.
    let january = admin.get("/v1/report?by=gas&date=2025-01&attribution=daily").ok();
    assert_eq!(rows(&january)[0][0], "CO2");
    assert_eq!(rows(&january)[0][1], "723.333333333333333323", "31 equal shares of 23.333333333333333333");
    let one_by_one = admin.get("/v1/report?by=gas&date=2025-01&attribution=daily&name=vans").ok();
    assert_eq!(rows(&one_by_one), rows(&january), "what reads activities one by one finds the same");
    let months = admin.get("/v1/report?by=month,gas&date=2025&attribution=daily").ok();
    let sum: domain::Total = rows(&months)
        .iter()
        .filter(|row| row[0] == "CH4_fossil")
        .map(|row| domain::Total::parse(&row[2]).unwrap())
        .sum();
    assert_eq!(sum.to_string(), "1", "the masses of the months are that of the year");
}

#[test]
fn a_report_by_gas_comes_as_a_table_and_its_lines_name_their_activities() {
    let service = with_sets();
    let admin = service.admin();
    let (vans, _) = burnt(&admin);
    let csv = admin.request("GET", "/v1/report?by=gas&date=2025").header("Accept", "text/csv").send().text().to_owned();
    let head = csv.lines().next().unwrap();
    assert_eq!(head, "gas,CO2e,uncategorizedCO2e,biogenicCO2,creditsCO2e,outsideCO2e,mass,CO2eUnit");
    assert!(csv.contains("\nCH4_fossil,30,0,0,0,0,1,kg"), "{csv}");
    let line = admin.get("/v1/report/explanation?by=gas&date=2025&line=CH4_fossil").ok();
    assert_eq!((&line["agrees"], &line["count"]), (&true.into(), &1.into()));
    assert_eq!((&line["data"][0]["uuid"], &line["data"][0]["adds"]), (&vans.into(), &"30".into()));
}

#[test]
fn an_explanation_has_the_gases_and_is_computed_anew_from_its_json() {
    let service = with_sets();
    let admin = service.admin();
    let (vans, _) = burnt(&admin);
    let said = admin.get(&format!("/v1/activity/{vans}/explanation")).ok();
    let methane = &said["gases"][1];
    assert_eq!(
        (&methane["gas"], &methane["massPerUnit"], &methane["CO2e"], &methane["mass"]),
        (&"CH4_fossil".into(), &"0.001".into(), &"30".into(), &"1".into())
    );
    let json = files::parse(said.to_string().as_bytes(), 8).unwrap();
    assert!(files::read_explanation(&json).unwrap().holds());
    let mut altered = said.clone();
    altered["measures"][0]["amount"] = json!("1");
    let json = files::parse(altered.to_string().as_bytes(), 8).unwrap();
    assert!(!files::read_explanation(&json).unwrap().holds());
}

#[test]
fn biogenic_co2_that_is_stated_stands_beside_co2e_and_comes_back_as_it_was_written() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    let body = json!({
        "name": "Pellets", "startDate": "2025-01-15", "scope": to(&scope), "DownstreamCO2e": "12", "biogenicCO2": "1650.5",
    });
    let made = admin.post("/v1/activity", &body).created();
    assert_eq!((&made["CO2e"], &made["biogenicCO2"]), (&"12".into(), &"1650.5".into()));
    assert_eq!(made["supplied"], json!(["DownstreamCO2e", "biogenicCO2"]));
    let report = admin.get("/v1/activity?date=2025").ok();
    assert_eq!((&report["CO2e"], &report["biogenicCO2"]), (&"12".into(), &"1650.5".into()));
    let path = format!("/v1/activity/{}", made["uuid"].as_str().unwrap());
    assert_eq!(admin.patch(&path, &made).ok()["updated"], made["updated"], "written back it changes nothing");
    let csv = admin.request("GET", "/v1/activity").header("Accept", "text/csv").send().text().to_owned();
    let again = admin.request("POST", "/v1/activity/batch").header("Content-Type", "text/csv").body(csv).send();
    assert_eq!(again.json()["unchanged"], 1);
    let without = admin.patch(&path, &json!({ "biogenicCO2": null })).ok();
    assert_eq!((&without["biogenicCO2"], &without["supplied"]), (&Value::Null, &json!(["DownstreamCO2e"])));
    assert_eq!(admin.get("/v1/activity").ok()["biogenicCO2"], "0");
}

#[test]
fn an_activity_of_a_biogenic_scope_has_its_biogenic_co2_as_co2e_alone() {
    let service = Service::start();
    let admin = service.admin();
    let (direct, apart) = (admin.scope("scope1"), admin.scope("biogenic"));
    let mut body = json!({ "name": "Chips", "startDate": "2025-01-15", "scope": to(&apart), "biogenicCO2": "7" });
    assert_eq!(admin.post("/v1/activity", &body).problem(), "422 invalid-input /biogenicCO2");
    body["scope"] = to(&direct);
    let path = format!("/v1/activity/{}", admin.post("/v1/activity", &body).uuid());
    assert_eq!(admin.patch(&path, &json!({ "scope": to(&apart) })).problem(), "422 invalid-input /biogenicCO2");
    let moved = json!({ "scope": to(&apart), "biogenicCO2": null, "DownstreamCO2e": "7" });
    admin.patch(&path, &moved).expect(200);
    assert_eq!(admin.get("/v1/activity").ok()["biogenicCO2"], "7");
}
