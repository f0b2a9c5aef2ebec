//! Footprints that are made of models.

use crate::http::harness::{Client, Service, Value, json, to};

/// A model of 10 pieces of that name, with an input of 2 kg at stage A1 and of 1 kg at C4; the factor is 1.5 kg CO2e per kg.
pub(in crate::http) fn model(admin: &Client) -> String {
    let material = admin.priced("kg", "1.5", "0");
    let body = json!({ "name": "Box", "unit": "piece", "amount": 10, "referenceDate": "2025-06-01" });
    let model = format!("/v1/model/{}", admin.post("/v1/model", &body).uuid());
    for (quantity, stage) in [("2", "A1"), ("1", "C4")] {
        let input = json!({
            "name": "Steel", "material": to(&material), "quantity": quantity, "unit": "kg",
            "lifecycleStage": { "code": stage },
        });
        admin.post(&format!("{model}/input"), &input).expect(201);
    }
    model
}

/// All that has to be said of it.
pub(in crate::http) fn said() -> Value {
    json!({
        "companyIds": ["urn:pact:works.example:company:1"],
        "productIds": ["urn:gtin:4712345060507"],
        "productClassifications": ["urn:cpc:41532"],
        "pcf": {
            "productMassPerDeclaredUnit": "3", "exemptedEmissionsPercent": 0, "fossilCarbonContent": 0,
            "biogenicCarbonContent": "0", "crossSectoralStandards": ["GHGP-Product"], "packagingEmissionsIncluded": false,
            "ipccCharacterizationFactors": ["AR6"],
        },
    })
}

pub(in crate::http) fn publish(client: &Client, model: &str, said: &Value) -> Value {
    client.post(&format!("{model}/footprint"), said).json()
}

#[test]
fn a_models_footprint_is_shown_to_partners_of_both_versions() {
    let service = Service::start();
    let admin = service.admin();
    let model = model(&admin);
    let answer = admin.post(&format!("{model}/footprint"), &said()).expect(201);
    let done = answer.json();
    assert_eq!((&done["outcome"], &done["replaces"]), (&json!("published"), &Value::Null));
    assert_eq!(
        done["stages"],
        json!([
            { "stage": "A1", "CO2e": "3", "counted": "footprint" },
            { "stage": "C4", "CO2e": "1.5", "counted": "leftOut" },
        ])
    );
    let uuid = done["footprint"]["uuid"].as_str().unwrap();
    assert!(answer.header("location").unwrap().ends_with(&format!("/v1/footprint/{uuid}")));
    let v3 = admin.get(&format!("/3/footprints/{uuid}")).ok()["data"].clone();
    assert_eq!(v3["pcf"]["pcfIncludingBiogenicUptake"], "3");
    assert_eq!(
        (&v3["pcf"]["declaredUnitAmount"], &v3["pcf"]["declaredUnitOfMeasurement"]),
        (&json!("10"), &json!("piece"))
    );
    // PACT 2 has no pieces; the record says so.
    assert_eq!(admin.get(&format!("/2/footprints/{uuid}")).status, 404);
    let record = admin.get(&format!("/v1/footprint/{uuid}")).ok();
    assert_eq!(format!("/v1/model/{}", record["model"].as_str().unwrap()), model);
    let shown: Vec<_> = record["editions"].as_array().unwrap().iter().map(|edition| edition["shown"].clone()).collect();
    assert_eq!(shown, [json!(false), json!(true)]);
    let finding = &record["editions"][0]["findings"][0];
    assert_eq!((&finding["layer"], &finding["pointer"]), (&json!("wire"), &json!("/pcf/declaredUnit")));
}

#[test]
fn what_is_missing_is_refused_all_at_once_by_its_name() {
    let service = Service::start();
    let admin = service.admin();
    let model = model(&admin);
    let refused =
        admin.post(&format!("{model}/footprint"), &json!({ "pcf": { "primaryDataShare": 70 }, "color": "red" }));
    assert_eq!(refused.status, 422);
    let body = refused.json();
    let mut pointers: Vec<_> =
        body["errors"].as_array().unwrap().iter().map(|one| one["pointer"].as_str().unwrap()).collect();
    pointers.sort_unstable();
    assert_eq!(
        pointers,
        [
            "/color",
            "/companyIds",
            "/pcf/crossSectoralStandards",
            "/pcf/exemptedEmissionsPercent",
            "/pcf/fossilCarbonContent",
            "/pcf/ipccCharacterizationFactors",
            "/pcf/primaryDataShare",
            "/pcf/productMassPerDeclaredUnit",
            "/productIds",
        ]
    );
    assert_eq!(admin.get("/v1/footprint").ok()["count"], 0);
}

#[test]
fn publishing_again_replaces_what_changed_and_leaves_what_did_not() {
    let service = Service::start();
    let admin = service.admin();
    let model = model(&admin);
    let first = publish(&admin, &model, &said());
    let first_uuid = first["footprint"]["uuid"].as_str().unwrap().to_owned();
    let partner = admin.post("/v1/partner", &json!({ "name": "A", "baseUrl": "https://a.example" })).uuid();
    admin.put(&format!("/v1/footprint/{first_uuid}/sharing"), &json!({ "partners": [partner] })).expect(200);
    // What was said holds; nothing has changed.
    let again = admin.post(&format!("{model}/footprint"), &json!({}));
    assert_eq!((again.status, again.json()["outcome"].clone()), (200, json!("unchanged")));
    assert_eq!(again.json()["footprint"]["uuid"], first_uuid.as_str());
    admin.patch(&model, &json!({ "name": "Large box" })).expect(200);
    let preview = admin.post(&format!("{model}/footprint?dryRun=true"), &json!({}));
    assert_eq!((preview.status, preview.json()["outcome"].clone()), (200, json!("preview")));
    assert_eq!(preview.json()["footprint"]["productNameCompany"], "Large box");
    assert_eq!(admin.get("/v1/footprint").ok()["count"], 1);
    let second = publish(&admin, &model, &json!({}));
    assert_eq!((&second["outcome"], second["replaces"].as_str()), (&json!("published"), Some(first_uuid.as_str())));
    assert_eq!(second["footprint"]["precedingPfIds"], json!([1]));
    let before = admin.get(&format!("/v1/footprint/{first_uuid}")).ok();
    assert_eq!(
        (&before["status"], &before["statusComment"]),
        (&json!("Deprecated"), &json!("Replaced by footprint 2"))
    );
    // The one that takes its place is shared with the same partners.
    let sharing = |uuid: &str| admin.get(&format!("/v1/footprint/{uuid}/sharing")).ok();
    let second_uuid = second["footprint"]["uuid"].as_str().unwrap();
    assert_eq!(sharing(second_uuid), json!({ "all": false, "partners": [partner] }));
    // What was said before can be left behind.
    let anew = admin.post(&format!("{model}/footprint?anew=true"), &json!({}));
    assert_eq!(anew.status, 422);
    // Whoever deprecates the newest and publishes gets another one.
    admin.patch(&format!("/v1/footprint/{second_uuid}"), &json!({ "status": "Deprecated" })).expect(200);
    assert_eq!(publish(&admin, &model, &json!({}))["footprint"]["precedingPfIds"], json!([2]));
    // The model may go; its footprints stay.
    admin.delete(&model).expect(204);
    assert_eq!(admin.get("/v1/footprint").ok()["count"], 3);
}
