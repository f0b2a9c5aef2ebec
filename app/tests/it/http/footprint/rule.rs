//! Every rule of PACT that a record can break, by name and place: one line a case.

use super::broken;
use super::examples::{v2, v3, with};
use crate::http::harness::{Service, Value, json};

/// A place, what is there instead (nothing: `None`), and what is broken then.
type Case = (&'static str, Option<Value>, &'static [&'static str]);

fn validates(record: &Value, cases: Vec<Case>) {
    let service = Service::start();
    let admin = service.admin();
    assert_eq!(broken(&admin.post("/v1/footprint", record).created()), [""; 0]);
    for (place, value, expected) in cases {
        let changed = with(record.clone(), place, value.clone());
        let made = admin.post("/v1/footprint", &changed).created();
        assert_eq!(broken(&made), expected, "{place}: {value:?}");
        let uuid = made["uuid"].as_str().unwrap();
        assert_eq!(admin.get(&format!("/v1/footprint/{uuid}")).ok(), made);
    }
}

#[test]
fn required_fields_of_version_2() {
    let top = ["companyName", "companyIds", "productDescription", "productIds", "productCategoryCpc"];
    let pcf = [
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
        "exemptedEmissionsPercent",
        "exemptedEmissionsDescription",
        "packagingEmissionsIncluded",
    ];
    let service = Service::start();
    let admin = service.admin();
    let top = top.into_iter().chain(["productNameCompany", "comment", "pcf"]).map(|name| format!("/{name}"));
    for place in top.chain(pcf.map(|name| format!("/pcf/{name}"))) {
        let made = admin.post("/v1/footprint", &with(v2(), &place, None)).created();
        assert_eq!(broken(&made), [format!("required-field {place}")]);
    }
    let without = admin.post("/v1/footprint", &with(v2(), "/specVersion", None)).created();
    assert_eq!(broken(&without), ["required-field /specVersion"]);
}

#[test]
fn fields_of_version_2_that_are_required_from_2025_on() {
    let service = Service::start();
    let admin = service.admin();
    for name in [
        "pCfIncludingBiogenic",
        "dLucGhgEmissions",
        "landManagementGhgEmissions",
        "otherBiogenicGhgEmissions",
        "biogenicCarbonWithdrawal",
        "biogenicAccountingMethodology",
        "primaryDataShare",
        "dqi",
    ] {
        let place = format!("/pcf/{name}");
        let record = with(v2(), &place, None);
        let made = admin.post("/v1/footprint", &record).created();
        assert_eq!(broken(&made), [format!("required-from-2025 {place}")]);
        let record = with(record, "/pcf/referencePeriodEnd", Some(json!("2025-01-01T00:00:00Z")));
        assert_eq!(broken(&admin.post("/v1/footprint", &record).created()), [""; 0], "{name} before 2025");
    }
    let neither = with(with(v2(), "/pcf/dqi", None), "/pcf/primaryDataShare", None);
    let neither = with(neither, "/pcf/referencePeriodEnd", Some(json!("2025-01-01T00:00:00Z")));
    assert_eq!(broken(&admin.post("/v1/footprint", &neither).created()), ["primary-share-or-dqi /pcf"]);
}

#[test]
fn forms_of_the_fields_of_version_2() {
    validates(
        &v2(),
        vec![
            ("/specVersion", Some(json!("2.3")), &["spec-version-form /specVersion"]),
            ("/specVersion", Some(json!("2.9.0")), &["spec-version-known /specVersion"]),
            ("/version", Some(json!(-1)), &["version-range /version"]),
            ("/version", Some(json!(2_147_483_648_i64)), &["version-range /version"]),
            ("/status", Some(json!("active")), &["allowed-value /status"]),
            ("/companyName", Some(json!("")), &["text-not-empty /companyName"]),
            ("/productCategoryCpc", Some(json!("")), &["text-not-empty /productCategoryCpc"]),
            ("/companyIds/1", Some(json!("works")), &["urn-form /companyIds/1"]),
            ("/productIds/0", Some(json!("urn:gtin:")), &["urn-form /productIds/0"]),
            ("/productIds/1", Some(json!("urn:gtin:4712345060507")), &["items-distinct /productIds/1"]),
            ("/precedingPfIds/0", Some(json!("the old one")), &["preceding-id-form /precedingPfIds/0"]),
            ("/updated", Some(json!("2025-03-01T08:00:00Z")), &["updated-after-created /updated"]),
            ("/pcf/declaredUnit", Some(json!("piece")), &["allowed-value /pcf/declaredUnit"]),
            ("/pcf/unitaryProductAmount", Some(json!(0)), &["amount-positive /pcf/unitaryProductAmount"]),
            ("/pcf/fossilGhgEmissions", Some(json!("-1")), &["amount-not-negative /pcf/fossilGhgEmissions"]),
            ("/pcf/biogenicCarbonWithdrawal", Some(json!(1)), &["amount-not-positive /pcf/biogenicCarbonWithdrawal"]),
            ("/pcf/characterizationFactors", Some(json!("AR4")), &["allowed-value /pcf/characterizationFactors"]),
            (
                "/pcf/ipccCharacterizationFactorsSources/0",
                Some(json!("6")),
                &["assessment-report-form /pcf/ipccCharacterizationFactorsSources/0"],
            ),
            (
                "/pcf/crossSectoralStandardsUsed/1",
                Some(json!("PAS2050")),
                &["allowed-value /pcf/crossSectoralStandardsUsed/1"],
            ),
            ("/pcf/geographyCountry", Some(json!("de")), &["country-form /pcf/geographyCountry"]),
            ("/pcf/exemptedEmissionsPercent", Some(json!("5.1")), &["percent-range /pcf/exemptedEmissionsPercent"]),
            ("/pcf/primaryDataShare", Some(json!(101)), &["percent-range /pcf/primaryDataShare"]),
            ("/pcf/dqi/temporalDQR", Some(json!("0.9")), &["rating-range /pcf/dqi/temporalDQR"]),
            ("/pcf/dqi/reliabilityDQR", None, &["required-field /pcf/dqi/reliabilityDQR"]),
            (
                "/pcf/secondaryEmissionFactorSources/0/version",
                None,
                &["required-field /pcf/secondaryEmissionFactorSources/0/version"],
            ),
            ("/extensions/0/specVersion", Some(json!("2")), &["extension-version /extensions/0/specVersion"]),
            (
                "/extensions/0/dataSchema",
                Some(json!("http://a.example")),
                &["extension-address /extensions/0/dataSchema"],
            ),
            ("/extensions/0/data", Some(json!("S1")), &["extension-data /extensions/0/data"]),
        ],
    );
}

#[test]
fn rules_that_bind_fields_of_version_2_together() {
    let rules = "/pcf/productOrSectorSpecificRules/0";
    validates(
        &v2(),
        vec![
            (
                "/pcf/referencePeriodStart",
                Some(json!("2025-07-01T00:00:00Z")),
                &["reference-period-order /pcf/referencePeriodEnd"],
            ),
            ("/validityPeriodEnd", None, &["validity-period-complete /validityPeriodEnd"]),
            (
                "/validityPeriodStart",
                Some(json!("2025-06-30T23:59:59Z")),
                &["validity-period-start /validityPeriodStart"],
            ),
            ("/validityPeriodEnd", Some(json!("2025-07-01T00:00:00Z")), &["validity-period-order /validityPeriodEnd"]),
            ("/validityPeriodEnd", Some(json!("2028-07-01T00:00:01Z")), &["validity-period-length /validityPeriodEnd"]),
            ("/validityPeriodEnd", Some(json!("2028-07-01T00:00:00Z")), &[]),
            (
                "/pcf/geographyCountrySubdivision",
                Some(json!("DE-BY")),
                &["single-geography /pcf/geographyCountrySubdivision"],
            ),
            ("/pcf/packagingEmissionsIncluded", Some(json!(false)), &["packaging-excluded /pcf/packagingGhgEmissions"]),
            (
                "/pcf/productOrSectorSpecificRules/0/operator",
                Some(json!("PEF")),
                &["other-operator-name /pcf/productOrSectorSpecificRules/0/otherOperatorName"],
            ),
            (
                "/pcf/productOrSectorSpecificRules/0/otherOperatorName",
                None,
                &["other-operator-name /pcf/productOrSectorSpecificRules/0/otherOperatorName"],
            ),
        ],
    );
    assert_eq!(v2().pointer(rules).unwrap()["operator"], "Other");
}

#[test]
fn forms_of_geographies() {
    let place = |record: Value| with(record, "/pcf/geographyCountry", None);
    validates(
        &place(v2()),
        vec![
            ("/pcf/geographyCountrySubdivision", Some(json!("DE-BY")), &[]),
            (
                "/pcf/geographyCountrySubdivision",
                Some(json!("Bavaria")),
                &["subdivision-form /pcf/geographyCountrySubdivision"],
            ),
            ("/pcf/geographyRegionOrSubregion", Some(json!("Northern Europe")), &[]),
            (
                "/pcf/geographyRegionOrSubregion",
                Some(json!("Europe, north")),
                &["region-name /pcf/geographyRegionOrSubregion"],
            ),
        ],
    );
}

#[test]
fn rules_of_version_3() {
    validates(
        &v3(),
        vec![
            ("/pcf/declaredUnitAmount", Some(json!("0")), &["amount-positive /pcf/declaredUnitAmount"]),
            ("/pcf/declaredUnitOfMeasurement", Some(json!("piece")), &[]),
            ("/pcf/declaredUnitOfMeasurement", Some(json!("dozen")), &["allowed-value /pcf/declaredUnitOfMeasurement"]),
            ("/pcf/productMassPerDeclaredUnit", None, &["required-field /pcf/productMassPerDeclaredUnit"]),
            ("/pcf/pcfIncludingBiogenicUptake", None, &["required-field /pcf/pcfIncludingBiogenicUptake"]),
            ("/pcf/pcfExcludingBiogenicUptake", Some(json!("-1")), &[]),
            ("/pcf/biogenicCO2Uptake", Some(json!("0.1")), &["amount-not-positive /pcf/biogenicCO2Uptake"]),
            ("/pcf/crossSectoralStandards/3", Some(json!("Our own")), &[]),
            ("/pcf/crossSectoralStandards/3", Some(json!("")), &["text-not-empty /pcf/crossSectoralStandards/3"]),
            ("/pcf/exemptedEmissionsPercent", Some(json!("50")), &[]),
            ("/pcf/exemptedEmissionsPercent", Some(json!("100.1")), &["percent-range /pcf/exemptedEmissionsPercent"]),
            ("/pcf/dqi/temporalDQR", Some(json!("5.1")), &["rating-range /pcf/dqi/temporalDQR"]),
            ("/pcf/verification/coverage", Some(json!("product line")), &["allowed-value /pcf/verification/coverage"]),
            (
                "/pcf/ccuCreditCertification",
                Some(json!("https://a.example")),
                &["credit-certification /pcf/ccuCreditCertification"],
            ),
            ("/validityPeriodEnd", Some(json!("2027-01-01T00:00:00Z")), &[]),
            ("/productCategoryCpc", None, &[]),
        ],
    );
    let capture = with(v3(), "/pcf/ccsTechnologicalCO2CaptureIncluded", Some(json!(false)));
    validates(
        &capture,
        vec![
            ("/pcf/ccsTechnologicalCO2Capture", Some(json!("0")), &["ccs-excluded /pcf/ccsTechnologicalCO2Capture"]),
            (
                "/pcf/technologicalCO2CaptureOrigin",
                Some(json!("Cement")),
                &["ccs-excluded /pcf/technologicalCO2CaptureOrigin"],
            ),
        ],
    );
    let credit = with(v3(), "/pcf/ccuCalculationApproach", Some(json!("Credit")));
    validates(
        &credit,
        vec![
            ("/pcf/ccuCreditCertification", Some(json!("https://a.example")), &[]),
            ("/pcf/ccuCreditCertification", Some(json!("certified")), &["uri-form /pcf/ccuCreditCertification"]),
        ],
    );
}

#[test]
fn every_broken_rule_is_told_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let record = with(with(v2(), "/companyName", None), "/pcf/declaredUnit", Some(json!("box")));
    let made = admin.post("/v1/footprint", &with(record, "/pcf/fossilCarbonContent", Some(json!(-1)))).created();
    let expected = [
        "required-field /companyName",
        "allowed-value /pcf/declaredUnit",
        "amount-not-negative /pcf/fossilCarbonContent",
    ];
    assert_eq!(broken(&made), expected);
}

#[test]
fn a_record_is_validated_by_its_own_version() {
    let service = Service::start();
    let admin = service.admin();
    for (version, expected) in [
        ("2.0.0", vec![]),
        ("2.1.0", vec![]),
        ("2.2.0", vec!["required-field /pcf/ipccCharacterizationFactorsSources"]),
        ("2.3.0-20251201", vec!["required-field /pcf/ipccCharacterizationFactorsSources"]),
    ] {
        let record = with(v2(), "/pcf/ipccCharacterizationFactorsSources", None);
        let record = with(record, "/specVersion", Some(json!(version)));
        assert_eq!(broken(&admin.post("/v1/footprint", &record).created()), expected, "{version}");
    }
}

#[test]
fn declared_units_of_both_versions() {
    let units = ["liter", "kilogram", "cubic meter", "kilowatt hour", "megajoule", "ton kilometer", "square meter"];
    let cases =
        |place: &'static str, units: &[&str]| units.iter().map(|unit| (place, Some(json!(unit)), &[][..])).collect();
    validates(&v2(), cases("/pcf/declaredUnit", &units));
    let more = ["hour", "megabit second", "piece"];
    validates(&v3(), cases("/pcf/declaredUnitOfMeasurement", &[&units[..], &more].concat()));
}
