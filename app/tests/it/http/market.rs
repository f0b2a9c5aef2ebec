//! Scope 2 market-based beside location-based: instruments that activities name, the residual mix of a product, both totals.

use super::harness::{Answer, Client, Service, Value, json, to};

/// Grid electricity of 0.4 kg CO2e per kWh, scope 2, and a factor of nothing that certificates stand for.
struct Company {
    scope: String,
    grid: String,
    wind: String,
}

fn company(admin: &Client) -> Company {
    let (scope, grid) = (admin.scope("scope2"), admin.priced("kWh", "0", "0.4"));
    let certificates = admin.post("/v1/product", &json!({ "name": "Certificates", "unit": "kWh" })).uuid();
    let wind = admin.factor(&certificates, "MWh", [Value::Null, json!("0")], "2025-01-01");
    Company { scope, grid, wind }
}

/// The residual mix of the grid, 0.5 kg CO2e per kWh from 2025 on.
fn mix(admin: &Client, company: &Company) -> String {
    let body = json!({
        "unit": "kWh", "downstream": "0.5", "validFrom": "2025-01-01", "source": "A published mix", "basis": "residualMix",
    });
    let made = admin.post(&format!("/v1/product/{}/factor", company.grid), &body).created();
    assert_eq!((&made["basis"], &made["fills"]), (&"residualMix".into(), &0.into()));
    made["uuid"].as_str().unwrap().to_owned()
}

fn power(company: &Company, day: &str, amount: &str) -> Value {
    json!({
        "name": "Power", "startDate": day, "scope": to(&company.scope), "product": to(&company.grid), "quantity": amount,
        "unit": "kWh",
    })
}

fn covered(company: &Company, amount: &str) -> Value {
    let mut body = power(company, "2025-06-01", amount);
    body["marketInstrument"] = json!("certificate");
    body["marketFactor"] = json!(company.wind);
    body["marketReference"] = json!("GO 4711");
    body
}

/// 1,000 kWh by certificate, 2,000 of the residual mix, and 500 of before there was one.
fn filled(admin: &Client) -> Company {
    let company = company(admin);
    admin.post("/v1/activity", &power(&company, "2024-06-01", "500")).expect(201);
    mix(admin, &company);
    admin.post("/v1/activity", &covered(&company, "1000")).expect(201);
    admin.post("/v1/activity", &power(&company, "2025-06-01", "2000")).expect(201);
    company
}

/// CO2e, marketCO2e, and what market-based scope 2 rests on.
fn figures(found: &Value) -> Value {
    let names = ["CO2e", "marketCO2e", "scope2InstrumentCO2e", "scope2ResidualCO2e", "scope2LocationCO2e"];
    json!(names.map(|name| found[name].clone()))
}

#[test]
fn totals_are_location_based_unless_the_market_is_asked_for_and_both_stand_side_by_side() {
    let service = Service::start();
    let admin = service.admin();
    filled(&admin);
    let ask = |query: &str| admin.get(&format!("/v1/activity?{query}")).ok();
    assert_eq!(figures(&ask("")), json!(["1400", null, null, null, null]));
    assert_eq!(ask("")["scope2"], "location");
    assert_eq!(figures(&ask("scope2=market")), json!(["1200", null, "0", "1000", "200"]));
    assert_eq!(figures(&ask("scope2=both")), json!(["1400", "1200", "0", "1000", "200"]));
    assert_eq!(figures(&ask("scope2=both&date=2025")), json!(["1200", "1000", "0", "1000", "0"]));
    assert_eq!(admin.get("/v1/activity?scope2=net").problem(), "400 invalid-parameters scope2");
}

#[test]
fn rows_of_the_report_have_the_same_figures_and_gases_are_location_based() {
    let service = Service::start();
    let admin = service.admin();
    filled(&admin);
    let ask = |query: &str| admin.get(&format!("/v1/report?{query}")).ok();
    let both = ask("by=year&scope2=both");
    assert_eq!(figures(&both), json!(["1400", "1200", "0", "1000", "200"]));
    let rows = json!([0, 1].map(|at| [both["rows"][at]["CO2e"].clone(), both["rows"][at]["marketCO2e"].clone()]));
    assert_eq!(rows, json!([["200", "200"], ["1200", "1000"]]));
    assert_eq!(ask("by=product&scope2=market")["rows"][0]["CO2e"], "1200", "activities one by one");
    assert_eq!(ask("by=scope&scope2=market")["CO2e"], "1200");
    assert!(ask("by=scope")["rows"][0]["marketCO2e"].is_null());
    assert_eq!(admin.get("/v1/report?by=gas&scope2=both").problem(), "400 invalid-parameters scope2");
    let csv = admin.request("GET", "/v1/report?by=year&scope2=both").header("Accept", "text/csv").send();
    assert!(csv.text().lines().next().unwrap().contains("marketCO2e"), "{}", csv.text());
}

#[test]
fn an_activity_shows_what_counts_in_the_market_and_comes_back_as_it_was_written() {
    let service = Service::start();
    let admin = service.admin();
    let company = filled(&admin);
    let report = admin.get("/v1/activity?date=2025").ok();
    let find = |instrument: &str| {
        let data = report["data"].as_array().unwrap();
        data.iter().find(|one| one["marketInstrument"] == instrument).unwrap().clone()
    };
    let named = find("certificate");
    assert_eq!((&named["CO2e"], &named["marketCO2e"]), (&"400".into(), &"0".into()));
    assert_eq!((&named["marketFactor"], &named["marketReference"]), (&company.wind.into(), &"GO 4711".into()));
    assert_eq!(named["supplied"], json!(["marketFactor"]));
    let of_product = find("residualMix");
    assert_eq!((&of_product["marketCO2e"], &of_product["supplied"]), (&"1000".into(), &json!([])));
    for one in [&named, &of_product] {
        let path = format!("/v1/activity/{}", one["uuid"].as_str().unwrap());
        assert_eq!(admin.patch(&path, one).ok()["updated"], one["updated"], "written back it changes nothing");
        let said = admin.get(&format!("{path}/explanation")).ok();
        assert_eq!((&said["agrees"], &said["market"]["instrument"]), (&true.into(), &one["marketInstrument"]));
        let json = files::parse(said.to_string().as_bytes(), 8).unwrap();
        assert!(files::read_explanation(&json).unwrap().holds());
    }
    let csv = admin.request("GET", "/v1/activity").header("Accept", "text/csv").send().text().to_owned();
    let again = admin.request("POST", "/v1/activity/batch").header("Content-Type", "text/csv").body(csv).send();
    assert_eq!(again.json()["unchanged"], 3, "{}", again.text());
}

#[test]
fn a_residual_mix_that_comes_later_moves_no_figure_until_the_activity_changes() {
    let service = Service::start();
    let admin = service.admin();
    let company = company(&admin);
    let path = format!("/v1/activity/{}", admin.post("/v1/activity", &power(&company, "2025-06-01", "100")).uuid());
    mix(&admin, &company);
    assert_eq!(admin.patch(&path, &json!({ "name": "Renamed" })).ok()["marketCO2e"], Value::Null);
    assert_eq!(admin.patch(&path, &json!({ "quantity": "200" })).ok()["marketCO2e"], "100");
    let named = json!({ "marketInstrument": "contract", "marketFactor": company.wind });
    assert_eq!(admin.patch(&path, &named).ok()["marketCO2e"], "0");
}

fn faults(answer: &Answer) -> Vec<String> {
    answer.json()["errors"].as_array().unwrap().iter().map(|one| one["detail"].as_str().unwrap().to_owned()).collect()
}

/// Scope 2 quality criteria: the vintage, the market, and that an instrument covers energy of scope 2.
#[test]
fn an_instrument_that_does_not_fit_the_activity_is_refused_with_the_reason() {
    let service = Service::start();
    let admin = service.admin();
    let company = company(&admin);
    let with = |name: &str, value: Value| {
        let mut body = covered(&company, "10");
        body[name] = value;
        admin.post("/v1/activity", &body)
    };
    let early = with("startDate", json!("2024-12-31"));
    assert_eq!(early.problem(), "422 invalid-input /marketFactor");
    assert!(faults(&early)[0].contains("an instrument counts for the time it was issued for"), "{:?}", faults(&early));
    let other = with("scope", to(&admin.scope("scope1")));
    assert_eq!(faults(&other), ["is for activities in a scope of kind scope2"]);
    let unknown = with("marketFactor", json!("01890000-0000-7000-8000-000000000000"));
    assert_eq!(unknown.problem(), "422 invalid-input /marketFactor");
    assert_eq!(with("marketInstrument", Value::Null).problem(), "422 invalid-input /marketInstrument");
    assert_eq!(with("marketFactor", Value::Null).problem(), "422 invalid-input /marketFactor");
    assert_eq!(with("marketInstrument", json!("promise")).problem(), "422 invalid-input /marketInstrument");
    let per_mass = admin.priced("kg", "0", "1");
    let per_mass = admin.get(&format!("/v1/product/{per_mass}/factor")).ok()["data"][0]["uuid"].clone();
    assert_eq!(with("marketFactor", per_mass).problem(), "422 invalid-input /marketFactor");
}

#[test]
fn a_factor_that_counts_in_the_market_is_in_use() {
    let service = Service::start();
    let admin = service.admin();
    let company = company(&admin);
    let path = format!("/v1/activity/{}", admin.post("/v1/activity", &covered(&company, "10")).uuid());
    let products = admin.get("/v1/product?name=Certificates").ok();
    let product = products["data"][0]["uuid"].as_str().unwrap().to_owned();
    let factor = format!("/v1/product/{product}/factor/{}", company.wind);
    assert_eq!(admin.delete(&factor).status, 409);
    admin.delete(&path).expect(204);
    admin.delete(&factor).expect(204);
}

/// What a correction makes of the figures that rest on it, in reports and in the activities themselves.
#[test]
fn a_corrected_market_factor_reads_as_outdated_and_is_recalculated_and_undone() {
    let service = Service::start();
    let admin = service.admin();
    let company = company(&admin);
    admin.post("/v1/activity", &power(&company, "2024-06-01", "500")).expect(201);
    let mix = mix(&admin, &company);
    admin.post("/v1/activity", &covered(&company, "1000")).expect(201);
    let of_mix = admin.post("/v1/activity", &power(&company, "2025-06-01", "2000")).uuid();
    let report = || admin.get("/v1/activity?scope2=both").ok();
    let before = (figures(&report()), report()["data"].clone());
    let correction = json!({ "unit": "kWh", "downstream": "0.7", "source": "A mended mix" });
    admin.post(&format!("/v1/product/{}/factor/{mix}/correction", company.grid), &correction).expect(201);
    assert_eq!((figures(&report()), report()["outdatedCount"].clone()), (before.0.clone(), json!(1)));
    assert_eq!(admin.get(&format!("/v1/activity/{of_mix}")).ok()["outdated"], true);
    let asked = json!({ "of": "outdated", "cause": "correction" });
    let preview = admin.post("/v1/recalculation?dryRun=true", &asked).ok();
    let sums = |answer: &Value| {
        let names = ["changed", "CO2eBefore", "CO2eAfter", "marketCO2eBefore", "marketCO2eAfter"];
        json!(names.map(|name| answer[name].clone()))
    };
    assert_eq!(sums(&preview), json!([1, "800", "800", "1000", "1400"]));
    assert_eq!(sums(&preview["groups"][0]), sums(&preview));
    assert_eq!(figures(&report()), before.0, "a preview writes nothing");
    let mut confirmed = asked.clone();
    confirmed["confirm"] = preview["confirm"].clone();
    let done = admin.post("/v1/recalculation", &confirmed).ok();
    assert_eq!((sums(&done), &done["groups"]), (sums(&preview), &preview["groups"]));
    assert_eq!(
        (figures(&report()), report()["outdatedCount"].clone()),
        (json!(["1400", "1600", "0", "1400", "200"]), json!(0))
    );
    let said = admin.get(&format!("/v1/activity/{of_mix}/explanation")).ok();
    assert_eq!(said["agrees"], true);
    let undone = admin.delete(&format!("/v1/recalculation/{}", done["uuid"].as_str().unwrap())).ok();
    assert_eq!((&undone["restored"], figures(&report())), (&json!(1), before.0));
    assert_eq!(report()["outdatedCount"], 1);
}

/// The activity is not outdated where it stands: what its location-based figure would be chosen from today is not asked.
#[test]
fn an_instrument_that_was_corrected_moves_the_market_based_figure_alone() {
    let service = Service::start();
    let admin = service.admin();
    let company = company(&admin);
    let path = format!("/v1/activity/{}", admin.post("/v1/activity", &covered(&company, "1000")).uuid());
    let products = admin.get("/v1/product?name=Certificates").ok();
    let product = products["data"][0]["uuid"].as_str().unwrap().to_owned();
    let correction = json!({ "unit": "kWh", "upstream": "0.01", "source": "Mended" });
    let right = admin.post(&format!("/v1/product/{product}/factor/{}/correction", company.wind), &correction).uuid();
    let preview = admin.post("/v1/recalculation?dryRun=true", &json!({ "of": "outdated" })).ok();
    admin.post("/v1/recalculation", &json!({ "of": "outdated", "confirm": preview["confirm"] })).expect(200);
    let after = admin.get(&path).ok();
    assert_eq!([&after["CO2e"], &after["marketCO2e"], &after["marketFactor"]], ["400", "10", right.as_str()]);
    assert_eq!([&after["outdated"], &after["supplied"]], [&json!(false), &json!(["marketFactor"])]);
}
