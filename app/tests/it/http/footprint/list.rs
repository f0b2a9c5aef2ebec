//! What partners are shown: valid records alone, in exactly the interface's shape.

use super::examples::{v2, v3, with};
use super::listed;
use crate::http::harness::{Answer, Service, Value, json};

/// The bytes of an object's member in an answer's text: digits as they came.
fn digits<'a>(answer: &'a Answer, member: &str) -> &'a str {
    let text = answer.text();
    let start =
        text.find(&format!("\"{member}\":")).unwrap_or_else(|| panic!("no {member}: {text}")) + member.len() + 3;
    let end = text[start..].find([',', '}']).unwrap();
    &text[start..start + end]
}

#[test]
fn a_full_record_is_listed_with_every_field_as_it_was_given() {
    let service = Service::start();
    let admin = service.admin();
    admin.post("/v1/footprint", &v2()).expect(201);
    let mut expected = v2();
    expected["id"] = json!(1);
    for member in ["geographyCountrySubdivision", "geographyRegionOrSubregion"] {
        expected["pcf"][member] = Value::Null;
    }
    assert_eq!(admin.get("/pact/2/footprints").ok(), json!({ "data": [expected] }));
}

#[test]
fn a_record_of_little_is_listed_with_every_field_too() {
    let service = Service::start();
    let admin = service.admin();
    let mut record = v2();
    let optional = ["precedingPfIds", "statusComment", "validityPeriodStart", "validityPeriodEnd", "extensions"];
    for member in optional.into_iter().chain(["version", "created", "updated", "status"]) {
        record = with(record, &format!("/{member}"), None);
    }
    let all: Vec<_> = v2()["pcf"].as_object().unwrap().keys().cloned().collect();
    let required = [
        "declaredUnit",
        "unitaryProductAmount",
        "pCfExcludingBiogenic",
        "fossilGhgEmissions",
        "fossilCarbonContent",
        "biogenicCarbonContent",
        "characterizationFactors",
        "ipccCharacterizationFactorsSources",
        "crossSectoralStandardsUsed",
        "boundaryProcessesDescription",
        "referencePeriodStart",
        "referencePeriodEnd",
        "exemptedEmissionsPercent",
        "exemptedEmissionsDescription",
        "packagingEmissionsIncluded",
        "primaryDataShare",
    ];
    for member in all.iter().filter(|member| !required.contains(&member.as_str())) {
        record = with(record, &format!("/pcf/{member}"), None);
    }
    record["pcf"]["referencePeriodStart"] = json!("2023-07-01T00:00:00Z");
    record["pcf"]["referencePeriodEnd"] = json!("2024-07-01T00:00:00Z");
    admin.post("/v1/footprint", &record).expect(201);
    let shown = admin.get("/pact/2/footprints").ok()["data"][0].clone();
    let arrays = ["precedingPfIds", "extensions", "productOrSectorSpecificRules", "secondaryEmissionFactorSources"];
    let unknown = |name: &str| if arrays.contains(&name) { json!([]) } else { Value::Null };
    for member in
        ["precedingPfIds", "statusComment", "validityPeriodStart", "validityPeriodEnd", "extensions", "updated"]
    {
        assert_eq!(shown.get(member), Some(&unknown(member)), "{member}");
    }
    for member in all.iter().filter(|member| !required.contains(&member.as_str())) {
        assert_eq!(shown["pcf"].get(member), Some(&unknown(member)), "{member}");
    }
    assert_eq!([&shown["version"], &shown["status"]], [&json!(1), &json!("Active")]);
    assert!(shown["created"].as_str().unwrap().ends_with('Z'));
    assert_eq!((shown.as_object().unwrap().len(), shown["pcf"].as_object().unwrap().len()), (19, 33));
}

#[test]
fn an_invalid_record_is_kept_and_never_listed() {
    let service = Service::start();
    let admin = service.admin();
    for record in [json!({}), v2(), with(v2(), "/companyName", None), v3(), with(v3(), "/status", Some(json!("Draft")))]
    {
        admin.post("/v1/footprint", &record).expect(201);
    }
    assert_eq!(listed(&admin), [2, 4]);
    let all = admin.get("/v1/footprint").ok();
    assert_eq!(all["count"], 5);
    let valid: Vec<_> = all["data"].as_array().unwrap().iter().map(|one| (&one["id"], &one["valid"])).collect();
    let expected = [1, 2, 3, 4, 5].map(|id| (json!(id), json!(id == 2 || id == 4)));
    assert_eq!(valid, expected.each_ref().map(|(id, valid)| (id, valid)));
}

#[test]
fn who_may_only_read_gets_what_is_shared_and_no_draft() {
    let service = Service::start();
    let admin = service.admin();
    let [shared, draft] = [v2(), json!({})].map(|record| {
        let uuid = admin.post("/v1/footprint", &record).created()["uuid"].as_str().unwrap().to_owned();
        format!("/v1/footprint/{uuid}")
    });
    let partner = service.caller("footprint:read");
    assert_eq!(listed(&partner), [1]);
    partner.get(&shared).expect(200);
    for path in [draft.as_str(), "/v1/footprint"] {
        let refused = partner.get(path);
        assert_eq!(refused.problem(), "403 missing-permission", "{path}");
        assert!(refused.json()["detail"].as_str().unwrap().contains("footprint:review"), "{}", refused.text());
        service.caller("footprint:review").get(path).expect(200);
    }
}

#[test]
fn nothing_listed_is_an_empty_array() {
    let service = Service::start();
    let admin = service.admin();
    assert_eq!(admin.get("/pact/2/footprints").expect(200).text(), r#"{"data":[]}"#);
    admin.post("/v1/footprint", &json!({})).expect(201);
    assert_eq!(admin.get("/pact/2/footprints").expect(200).text(), r#"{"data":[]}"#);
}

#[test]
fn amounts_are_json_numbers_with_every_digit() {
    let service = Service::start();
    let admin = service.admin();
    let long = "12345678901234567890.123456789012345678";
    for (given, read) in [
        (long, long),
        (r#""0.10""#, "0.1"),
        (r#""12.50""#, "12.5"),
        ("1e-18", "0.000000000000000001"),
        (r#""1E3""#, "1000"),
        ("0.1", "0.1"),
        ("-0", "0"),
    ] {
        let text = v2().to_string().replace(r#""fossilGhgEmissions":18"#, &format!(r#""fossilGhgEmissions":{given}"#));
        let made = admin.request("POST", "/v1/footprint").json_text(&text).send().expect(201);
        assert_eq!(digits(&made, "fossilGhgEmissions"), read, "{given}");
        let uuid = made.json()["uuid"].as_str().unwrap().to_owned();
        let list = admin.get("/pact/2/footprints").expect(200);
        let last = list.text().rsplit("fossilGhgEmissions\":").next().unwrap().to_owned();
        assert_eq!(last.split(',').next(), Some(read), "{given}: {uuid}");
    }
}

#[test]
fn a_record_of_version_3_is_listed_per_one_unit_under_the_names_of_version_2() {
    let service = Service::start();
    let admin = service.admin();
    admin.post("/v1/footprint", &v3()).expect(201);
    let list = admin.get("/pact/2/footprints").expect(200);
    for (member, expected) in [
        ("declaredUnit", r#""liter""#),
        ("unitaryProductAmount", "12"),
        ("pCfExcludingBiogenic", "1.5"),
        ("pCfIncludingBiogenic", "1.4"),
        ("fossilGhgEmissions", "1.25"),
        ("fossilCarbonContent", "0.008333333333333333"),
        ("biogenicCarbonContent", "0.05"),
        ("dLucGhgEmissions", "0.1"),
        ("landManagementGhgEmissions", "0.1"),
        ("otherBiogenicGhgEmissions", "0.05"),
        ("iLucGhgEmissions", "0.01"),
        ("biogenicCarbonWithdrawal", "-0.1"),
        ("aircraftGhgEmissions", "0"),
        ("characterizationFactors", r#""AR5""#),
        ("geographyRegionOrSubregion", r#""Western Europe""#),
        ("geographyCountry", "null"),
        ("exemptedEmissionsPercent", "2.5"),
        ("packagingEmissionsIncluded", "true"),
        ("packagingGhgEmissions", "0.5"),
        ("primaryDataShare", "40"),
        ("dqi", "null"),
        ("specVersion", r#""3.0.0""#),
        ("productCategoryCpc", r#""24410""#),
    ] {
        assert_eq!(digits(&list, member), expected, "{member}");
    }
    let shown = list.json()["data"][0].clone();
    assert_eq!(shown["pcf"]["ipccCharacterizationFactorsSources"], json!(["AR6", "AR5"]));
    let standards = json!(["ISO Standard 14067", "GHG Protocol Product standard", "PAS2050"]);
    assert_eq!(shown["pcf"]["crossSectoralStandardsUsed"], standards);
    assert_eq!((shown.as_object().unwrap().len(), shown["pcf"].as_object().unwrap().len()), (19, 33));
}

#[test]
fn times_are_listed_in_utc_and_kept_as_they_were_written() {
    let service = Service::start();
    let admin = service.admin();
    let written = "2025-07-01T02:00:00.50+02:00";
    let made = admin.post("/v1/footprint", &with(v2(), "/validityPeriodStart", Some(json!(written)))).created();
    assert_eq!((&made["validityPeriodStart"], &made["valid"]), (&json!(written), &json!(true)));
    assert_eq!(admin.get("/pact/2/footprints").ok()["data"][0]["validityPeriodStart"], "2025-07-01T00:00:00.50Z");
}

#[test]
fn the_list_takes_no_other_parameters_than_those_of_parts() {
    let service = Service::start();
    let admin = service.admin();
    for query in ["page", "$filter"] {
        let answer = admin.get(&format!("/pact/2/footprints?{query}=1"));
        assert_eq!(answer.problem(), format!("400 invalid-parameters {query}"));
    }
    assert_eq!(admin.post("/pact/2/footprints", &v2()).problem(), "405 method-not-allowed");
}

#[test]
fn a_long_list_is_whole_and_in_the_order_of_the_numbers() {
    let service = Service::start();
    let admin = service.admin();
    for number in 1..=450 {
        let record = if number % 3 == 0 { json!({}) } else { v2() };
        admin.post("/v1/footprint", &record).expect(201);
    }
    let expected: Vec<u64> = (1..=450).filter(|number| number % 3 != 0).collect();
    assert_eq!(listed(&admin), expected);
}
