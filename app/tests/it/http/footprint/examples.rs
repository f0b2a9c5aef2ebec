//! Records to test with: every field of PACT 2.3 and of PACT 3, all of them right.

use crate::http::harness::{Value, json};

/// A record of PACT 2.3 with every field of the interface.
pub(crate) fn v2() -> Value {
    json!({
        "specVersion": "2.3.0",
        "precedingPfIds": ["0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f10"],
        "version": 3,
        "created": "2025-03-01T08:00:00.000Z",
        "updated": "2025-03-02T08:00:00.000Z",
        "status": "Active",
        "statusComment": "Audited",
        "validityPeriodStart": "2025-07-01T00:00:00Z",
        "validityPeriodEnd": "2027-12-31T00:00:00Z",
        "companyName": "Works",
        "companyIds": ["urn:pact:works.example:company:1"],
        "productIds": ["urn:gtin:4712345060507", "urn:pact:works.example:product-id:7"],
        "productCategoryCpc": "41532",
        "productNameCompany": "Aluminium sheet",
        "productDescription": "Cold rolled",
        "comment": "",
        "pcf": carbon_v2(),
        "extensions": [{
            "specVersion": "2.0.0",
            "dataSchema": "https://catalog.example/ship.json",
            "documentation": "https://catalog.example/ship",
            "data": { "shipmentId": "S1", "weight": 10 },
        }],
    })
}

fn carbon_v2() -> Value {
    let text = r#"{
        "declaredUnit": "kilogram",
        "unitaryProductAmount": 2.5,
        "pCfExcludingBiogenic": 18.4,
        "pCfIncludingBiogenic": 17.9,
        "fossilGhgEmissions": 18,
        "fossilCarbonContent": 0,
        "biogenicCarbonContent": 0.1,
        "dLucGhgEmissions": 0.4,
        "landManagementGhgEmissions": -0.2,
        "otherBiogenicGhgEmissions": 0.2,
        "iLucGhgEmissions": 0.3,
        "biogenicCarbonWithdrawal": -0.5,
        "aircraftGhgEmissions": 0.7,
        "characterizationFactors": "AR6",
        "ipccCharacterizationFactorsSources": ["AR6"],
        "crossSectoralStandardsUsed": ["GHG Protocol Product standard"],
        "productOrSectorSpecificRules": [
            { "operator": "Other", "ruleNames": ["Rolling 1"], "otherOperatorName": "Rollers" }
        ],
        "biogenicAccountingMethodology": "GHGP",
        "boundaryProcessesDescription": "Smelting and rolling",
        "referencePeriodStart": "2024-07-01T00:00:00Z",
        "referencePeriodEnd": "2025-07-01T00:00:00Z",
        "geographyCountry": "DE",
        "secondaryEmissionFactorSources": [{ "name": "ecoinvent", "version": "3.10" }],
        "exemptedEmissionsPercent": 1.5,
        "exemptedEmissionsDescription": "Lubricants",
        "packagingEmissionsIncluded": true,
        "packagingGhgEmissions": 0.05,
        "allocationRulesDescription": "By mass",
        "uncertaintyAssessmentDescription": "Low",
        "primaryDataShare": 62.5,
        "dqi": {
            "coveragePercent": 90, "technologicalDQR": 1.5, "temporalDQR": 2, "geographicalDQR": 1,
            "completenessDQR": 2, "reliabilityDQR": 3
        }
    }"#;
    serde_json::from_str(text).unwrap()
}

/// A record of PACT 3 for 12 litres.
pub(in crate::http) fn v3() -> Value {
    json!({
        "specVersion": "3.0.0",
        "status": "Active",
        "companyName": "Bottlers",
        "companyIds": ["urn:lei:5493001KJTIIGC8Y1R12"],
        "productIds": ["urn:gtin:4712345060507"],
        "productClassifications": ["urn:eclass:27", "urn:cpc:24410"],
        "productNameCompany": "Water",
        "productDescription": "Twelve bottles",
        "pcf": carbon_v3(),
    })
}

fn carbon_v3() -> Value {
    let text = r#"{
        "declaredUnitOfMeasurement": "liter",
        "declaredUnitAmount": "12",
        "productMassPerDeclaredUnit": "12.6",
        "referencePeriodStart": "2025-01-01T00:00:00Z",
        "referencePeriodEnd": "2026-01-01T00:00:00Z",
        "geographyRegionOrSubregion": "Western Europe",
        "pcfExcludingBiogenicUptake": "18",
        "pcfIncludingBiogenicUptake": "16.8",
        "fossilGhgEmissions": "15",
        "fossilCarbonContent": "0.1",
        "biogenicCarbonContent": "0.6",
        "landUseChangeGhgEmissions": "1.2",
        "biogenicNonCO2Emissions": "0.6",
        "biogenicCO2Uptake": "-1.2",
        "landManagementBiogenicCO2Emissions": "2.4",
        "landManagementBiogenicCO2Removals": "-1.2",
        "landCarbonLeakage": "0.12",
        "aircraftGhgEmissions": "0",
        "packagingEmissionsIncluded": true,
        "packagingGhgEmissions": "6",
        "ipccCharacterizationFactors": ["AR6", "AR5"],
        "crossSectoralStandards": ["ISO14067", "GHGP-Product", "PAS2050"],
        "exemptedEmissionsPercent": "2.5",
        "primaryDataShare": "40",
        "dqi": { "technologicalDQR": "1", "geographicalDQR": "4.5", "temporalDQR": "5" },
        "verification": { "coverage": "PCF program", "providerName": "Checkers" }
    }"#;
    serde_json::from_str(text).unwrap()
}

/// The record with another value at a place, or without one there.
pub(in crate::http) fn with(mut record: Value, pointer: &str, value: Option<Value>) -> Value {
    let (parent, member) = pointer.rsplit_once('/').unwrap();
    let parent = record.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at {pointer}"));
    match (parent, value) {
        (Value::Object(members), Some(value)) => drop(members.insert(member.to_owned(), value)),
        (Value::Object(members), None) => drop(members.remove(member)),
        (Value::Array(items), Some(value)) => items.insert(member.parse().unwrap(), value),
        (parent, value) => panic!("{parent} cannot take {value:?}"),
    }
    record
}
