//! Explanations: every figure can be computed anew from what its explanation says.

use domain::Explanation;
use files::{parse, read_explanation};

use super::harness::{Client, Service, Value, json, to};

/// The computation in an explanation as it was answered.
#[track_caller]
fn read(client: &Client, path: &str) -> (Value, Explanation) {
    let answer = client.get(path);
    let read = read_explanation(&parse(&answer.body, 16).unwrap()).unwrap();
    (answer.ok(), read)
}

fn activity(client: &Client, body: &Value) -> String {
    format!("/v1/activity/{}", client.post("/v1/activity", body).uuid())
}

#[test]
fn an_activity_is_explained_by_quantity_conversion_factor_and_one_rounding_a_part() {
    let service = Service::start();
    let admin = service.admin();
    let gas = admin.priced("kWh", "0.03", "0.202");
    let path = activity(
        &admin,
        &json!({ "name": "Gas", "startDate": "2025-01-31", "quantity": "1234.5", "unit": "MJ", "product": to(&gas) }),
    );
    let (said, read) = read(&admin, &format!("{path}/explanation"));
    assert_eq!((&said["CO2e"], &said["recomputed"], &said["agrees"]), (&said["CO2e"], &said["CO2e"], &true.into()));
    assert_eq!(said["CO2e"], "79.556666666666666667");
    let downstream = &said["parts"][1];
    assert_eq!(downstream["conversion"], json!({ "numerator": "5", "denominator": "18", "text": "5/18" }));
    let product = json!({
        "numerator": "1246.845", "denominator": "18", "digits": "69.269166666666666666666666666666", "ends": false,
    });
    assert_eq!((&downstream["product"], &downstream["CO2e"]), (&product, &"69.269166666666666667".into()));
    assert_eq!(said["parts"][0]["product"]["digits"], "10.2875");
    assert_eq!((&said["factor"]["source"], &said["factor"]["holdsOnDay"]), (&"A published table".into(), &true.into()));
    assert_eq!(said["written"]["cause"], "POST /v1/activity");
    assert_eq!(said["import"], Value::Null);
    assert!(read.holds());
    assert_eq!(read.replay().unwrap().co2e.unwrap().to_string(), "79.556666666666666667");
}

#[test]
fn a_digit_that_is_changed_in_an_explanation_comes_out_otherwise() {
    let service = Service::start();
    let admin = service.admin();
    let gas = admin.priced("kWh", "0.03", "0.202");
    let body =
        json!({ "name": "Gas", "startDate": "2025-01-31", "quantity": "1000", "unit": "kWh", "product": to(&gas) });
    let answer = admin.get(&format!("{}/explanation", activity(&admin, &body)));
    let edited = answer.text().replace(r#""intensity":"0.202""#, r#""intensity":"0.2020000000001""#);
    let read = read_explanation(&parse(edited.as_bytes(), 16).unwrap()).unwrap();
    assert!(!read.holds());
    assert_eq!(read.replay().unwrap().co2e.unwrap().to_string(), "232.0000000001");
}

#[test]
fn supplied_parts_and_missing_ones_are_told_apart() {
    let service = Service::start();
    let admin = service.admin();
    let gas = admin.priced("kWh", "0.03", "0.202");
    let both = json!({
        "name": "Gas", "startDate": "2025-01-31", "quantity": "10", "unit": "kWh", "product": to(&gas), "UpstreamCO2e": "7",
    });
    let (said, read_back) = read(&admin, &format!("{}/explanation", activity(&admin, &both)));
    let origins = [&said["parts"][0]["from"], &said["parts"][1]["from"]];
    assert_eq!(origins, ["supplied", "computed"]);
    assert_eq!(said["CO2e"], "9.02");
    assert!(read_back.holds());
    let bare = activity(&admin, &json!({ "name": "Gas", "startDate": "2025-01-31" }));
    let (said, read_back) = read(&admin, &format!("{bare}/explanation"));
    assert_eq!((&said["CO2e"], &said["incomplete"]["code"]), (&Value::Null, &"no_product".into()));
    assert_eq!(said["parts"][0]["from"], "absent");
    assert!(read_back.holds());
}

#[test]
fn a_factor_that_was_corrected_since_is_named_with_what_stands_in_its_place() {
    let service = Service::start();
    let admin = service.admin();
    let gas = admin.product("kWh");
    let factor = admin.factor(&gas, "kWh", [Value::Null, json!("0.2")], "2025-01-01");
    let path = activity(
        &admin,
        &json!({ "name": "Gas", "startDate": "2025-01-31", "quantity": "10", "unit": "kWh", "product": to(&gas) }),
    );
    let right = json!({ "unit": "kWh", "downstream": "0.3", "source": "The table, corrected" });
    let right = admin.post(&format!("/v1/product/{gas}/factor/{factor}/correction"), &right).uuid();
    let (said, read) = read(&admin, &format!("{path}/explanation"));
    assert_eq!((&said["factor"]["uuid"], &said["factor"]["correctedBy"]), (&factor.into(), &right.into()));
    assert_eq!(said["CO2e"], "2");
    assert!(read.holds());
}

#[test]
fn inputs_models_and_switches_are_explained_down_to_the_one_rounding() {
    let service = Service::start();
    let admin = service.admin();
    let steel = admin.priced("kg", "1.2", "0.34");
    let body = json!({ "name": "Bolt", "unit": "kg", "amount": "3", "referenceDate": "2025-06-01" });
    let model = admin.post("/v1/model", &body).uuid();
    let input = |stage: &str, quantity: &str| {
        let stage = json!({ "code": stage });
        let body = json!({
            "name": "Steel", "material": to(&steel), "quantity": quantity, "unit": "kg", "lifecycleStage": stage,
        });
        admin.post(&format!("/v1/model/{model}/input"), &body).uuid()
    };
    let (first, _) = (input("A1", "10"), input("D", "-1"));
    let (said, read) = read(&admin, &format!("/v1/model/{model}/input/{first}/explanation"));
    assert_eq!((&said["kind"], &said["CO2e"], &said["day"]), (&"input".into(), &"15.4".into(), &"2025-06-01".into()));
    assert_eq!((&said["parts"][0]["part"], &said["parts"][0]["intensity"]), (&"both".into(), &"1.54".into()));
    assert!(read.holds());
    let switch = admin.post("/v1/switch", &json!({ "name": "Wall switch", "unit": "g" })).uuid();
    admin.put(&format!("/v1/switch/{switch}/sources"), &json!([to(&model)])).ok();
    let said = admin.get(&format!("/v1/switch/{switch}/explanation")).ok();
    let shown = admin.get(&format!("/v1/switch/{switch}")).ok()["footprint"]["CO2e"].clone();
    for (at, figure) in ["productCarbonFootprint", "A1_A3", "D"].into_iter().enumerate() {
        let found = &said["figures"][at];
        assert_eq!(
            (&found["figure"], &found["CO2e"], &found["agrees"]),
            (&figure.into(), &shown[figure], &true.into())
        );
    }
    assert_eq!(said["figures"][0]["CO2e"], "0.005133333333333333");
    let source = &said["sources"][0];
    assert_eq!(source["conversion"]["text"], "0.001");
    assert_eq!(source["inputs"][0]["share"], "0.005133333333333333");
    assert_eq!(source["inputs"][1]["in"], json!(["D"]));
    let said = admin.get(&format!("/v1/model/{model}/explanation")).ok();
    assert_eq!(said["figures"][0]["CO2e"], admin.get(&format!("/v1/model/{model}")).ok()["CO2e"]);
    assert_eq!(said["figures"][1]["agrees"], true);
}

#[test]
fn people_read_the_arithmetic_line_by_line() {
    let service = Service::start();
    let admin = service.admin();
    let gas = admin.priced("kWh", "0.03", "0.202");
    let body =
        json!({ "name": "Gas", "startDate": "2025-01-31", "quantity": "1234.5", "unit": "MJ", "product": to(&gas) });
    let path = format!("{}/explanation", activity(&admin, &body));
    let text = admin.request("GET", &path).header("Accept", "text/plain").send();
    assert_eq!(text.header("content-type"), Some("text/plain; charset=utf-8"));
    for line in [
        "  conversion  1 MJ = 5/18 kWh\n",
        "  computed    1234.5 x 5 x 0.202 / 18\n              = 1246.845 / 18\n",
        "  rounded     69.269166666666666667 kg, half to even at the 18th digit after the point\n",
        "  added       10.2875 + 69.269166666666666667 = 79.556666666666666667 kg\n",
        "  stored      the same, digit for digit\n",
    ] {
        assert!(text.text().contains(line), "{line:?} in {}", text.text());
    }
    assert_eq!(admin.request("GET", &path).header("Accept", "text/csv").send().status, 406);
}

#[test]
fn what_is_not_there_is_not_explained() {
    let service = Service::start();
    let admin = service.admin();
    let id = "0198c0de-0000-7000-8000-000000000000";
    for path in [
        format!("/v1/activity/{id}/explanation"),
        format!("/v1/model/{id}/explanation"),
        format!("/v1/model/{id}/input/{id}/explanation"),
        format!("/v1/switch/{id}/explanation"),
    ] {
        assert_eq!(admin.get(&path).problem(), "404 not-found", "{path}");
    }
}
