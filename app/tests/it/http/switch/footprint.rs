//! The footprint of a switch, with figures calculated by hand. A kg of the material emits 1 kg upstream and 0.5 kg
//! downstream.

use super::{input, model, switch};
use crate::http::harness::{Client, Service, Value, json};

/// The three figures of a switch, and the codes of its issues.
fn footprint(client: &Client, switch: &str) -> (Value, Vec<String>) {
    let footprint = client.get(&format!("/v1/switch/{switch}")).ok()["footprint"].clone();
    let co2e = &footprint["CO2e"];
    let issues = footprint["issues"].as_array().unwrap();
    for issue in issues {
        assert!(issue["detail"].as_str().is_some_and(|detail| detail.len() > 10), "{issue}");
    }
    let codes = issues.iter().map(|issue| issue["code"].as_str().unwrap().to_owned()).collect();
    (json!([co2e["productCarbonFootprint"], co2e["A1_A3"], co2e["D"]]), codes)
}

#[test]
fn stages_a_b_c_and_none_add_up_and_module_d_stands_apart() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let bolt = model(&admin, "2", "kg");
    for (quantity, stage) in [
        ("10", Some("A1")),   // 15
        ("4", Some("A3")),    // 6
        ("6", Some("A1-A3")), // 9
        ("2", Some("A4")),    // 3
        ("1", Some("B6")),    // 1.5
        ("1", Some("C4")),    // 1.5
        ("1", None),          // 1.5
        ("-3", Some("D")),    // -4.5
    ] {
        input(&admin, &bolt, &material, quantity, stage);
    }
    // 37.5 of 2 kg; of the product stage 30; apart from both -4.5.
    let switch = switch(&admin, Some("kg"), &[&bolt]);
    assert_eq!(footprint(&admin, &switch), (json!(["18.75", "15", "-2.25"]), vec![]));
}

#[test]
fn the_product_stage_is_null_where_none_is_declared_and_zero_where_zero_is() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let bolt = model(&admin, "1", "kg");
    input(&admin, &bolt, &material, "2", Some("A5"));
    let switch = switch(&admin, Some("kg"), &[&bolt]);
    assert_eq!(footprint(&admin, &switch), (json!(["3", null, null]), vec![]));
    input(&admin, &bolt, &material, "0", Some("A2"));
    input(&admin, &bolt, &material, "0", Some("D"));
    assert_eq!(footprint(&admin, &switch), (json!(["3", "0", "0"]), vec![]));
}

#[test]
fn figures_are_per_one_unit_of_the_switch_and_rounded_once() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let thirds: Vec<_> = (0..3)
        .map(|_| {
            let model = model(&admin, "4.5", "kg");
            input(&admin, &model, &material, "1", Some("A1"));
            model
        })
        .collect();
    // 1.5 kg CO2e of 4.5 kg: a third per kg.
    for (unit, models, expected) in [
        ("kg", 1, "0.333333333333333333"),
        ("kg", 3, "1"),
        ("t", 1, "333.333333333333333333"),
        ("t", 3, "1000"),
        ("g", 3, "0.001"),
        ("lbs", 3, "0.45359237"),
    ] {
        let models: Vec<&str> = thirds.iter().take(models).map(String::as_str).collect();
        let switch = switch(&admin, Some(unit), &models);
        assert_eq!(footprint(&admin, &switch), (json!([expected, expected, null]), vec![]), "{unit} {}", models.len());
    }
}

#[test]
fn models_of_several_units_are_brought_together() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let per_tonne = model(&admin, "1", "t");
    input(&admin, &per_tonne, &material, "200", Some("A1")); // 300 a tonne, 0.3 a kg
    let per_gram = model(&admin, "10", "g");
    input(&admin, &per_gram, &material, "0.02", None); // 0.03 of 10 g, 3 a kg
    let switch = switch(&admin, Some("kg"), &[&per_tonne, &per_gram]);
    assert_eq!(footprint(&admin, &switch), (json!(["3.3", "0.3", null]), vec![]));
}

#[test]
fn whatever_stands_in_the_way_makes_null_and_says_why() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let without_factor = admin.product("kg");
    let good = model(&admin, "1", "kg");
    input(&admin, &good, &material, "2", Some("A1"));
    let empty = model(&admin, "1", "kg");
    let incomplete = model(&admin, "1", "kg");
    input(&admin, &incomplete, &without_factor, "2", Some("A4"));
    let by_energy = model(&admin, "1", "kWh");
    input(&admin, &by_energy, &material, "2", Some("A1"));
    let only_d = model(&admin, "1", "kg");
    input(&admin, &only_d, &material, "-2", Some("D"));
    let none = json!([null, null, null]);
    for (unit, models, figures, issues) in [
        (None, vec![], none.clone(), vec!["no_source", "no_unit"]),
        (Some("kg"), vec![], none.clone(), vec!["no_source"]),
        (None, vec![&good], none.clone(), vec!["no_unit"]),
        (Some("kg"), vec![&empty], none.clone(), vec!["no_input"]),
        (Some("kg"), vec![&good, &empty], none.clone(), vec!["no_input"]),
        (Some("kg"), vec![&good, &incomplete], json!([null, "3", null]), vec!["no_co2e"]),
        (Some("kg"), vec![&good, &by_energy], none.clone(), vec!["units"]),
        (Some("piece"), vec![&good], none.clone(), vec!["units"]),
        (Some("kg"), vec![&only_d], json!([null, null, "-3"]), vec!["only_stage_d"]),
    ] {
        let models: Vec<&str> = models.into_iter().map(String::as_str).collect();
        let switch = switch(&admin, unit, &models);
        let issues: Vec<_> = issues.into_iter().map(str::to_owned).collect();
        assert_eq!(footprint(&admin, &switch), (figures, issues));
    }
}

#[test]
fn figures_are_reckoned_when_they_are_read() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let bolt = model(&admin, "1", "kg");
    let steel = input(&admin, &bolt, &material, "2", Some("A1"));
    let switch = switch(&admin, Some("kg"), &[&bolt]);
    let one = format!("/v1/switch/{switch}");
    let before = admin.get(&one);
    admin.patch(&format!("/v1/model/{bolt}/input/{steel}"), &json!({ "quantity": "4" })).expect(200);
    assert_eq!(footprint(&admin, &switch).0, json!(["6", "6", null]));
    let after = admin.get(&one);
    assert_eq!(after.json()["updated"], before.json()["updated"]);
    let known = admin.request("GET", &one).header("If-None-Match", before.etag()).send();
    assert_eq!(known.expect(200).text(), after.text(), "another footprint is another answer");
    let renamed = admin.request("PATCH", &one).header("If-Match", before.etag()).json(&json!({ "name": "B" })).send();
    renamed.expect(200);
}
