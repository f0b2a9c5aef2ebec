//! Footprints of both versions with every member, as partners send them.

use domain::footprint::{Edition, FieldValue, Projection, project};
use domain::{Decimal, Footprint, Timestamp};
use tonne_pact::{read, write};

pub(crate) const ID: &str = "91715e5e-fd0b-4d1c-8fab-76290c46e6ed";

pub(crate) const V2: &str = r#"{"id":"91715e5e-fd0b-4d1c-8fab-76290c46e6ed","specVersion":"2.3.0","precedingPfIds":["0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f10"],"version":2,"created":"2025-02-01T10:00:00.000Z","updated":"2025-02-02T10:00:00.000Z","status":"Active","statusComment":"as published","validityPeriodStart":"2025-01-01T00:00:00Z","validityPeriodEnd":"2028-01-01T00:00:00Z","companyName":"Aluminium Works","companyIds":["urn:pact:works.example:company:1"],"productDescription":"","productIds":["urn:gtin:4712345060507"],"productClassifications":["urn:cpc:41532"],"productCategoryCpc":"41532","productNameCompany":"Sheet \"A\" ü","comment":"","pcf":{"declaredUnit":"kilogram","unitaryProductAmount":"12","productMassPerDeclaredUnit":"1","pCfExcludingBiogenic":"18.4","pCfIncludingBiogenic":"-1.2","fossilGhgEmissions":"18","fossilCarbonContent":"0","biogenicCarbonContent":"0.6","dLucGhgEmissions":"0.1","landManagementGhgEmissions":"-0.2","otherBiogenicGhgEmissions":"0.3","iLucGhgEmissions":"0.4","biogenicCarbonWithdrawal":"-19.6","aircraftGhgEmissions":"0.3","characterizationFactors":"AR6","ipccCharacterizationFactorsSources":["AR6"],"crossSectoralStandardsUsed":["GHG Protocol Product standard"],"crossSectoralStandards":["GHGP-Product","PACT-3.0"],"productOrSectorSpecificRules":[{"operator":"Other","ruleNames":["Sheet rules"],"otherOperatorName":"Sheet makers"},{"operator":"PEF","ruleNames":["Metal sheets"]}],"biogenicAccountingMethodology":"GHGP","boundaryProcessesDescription":"Smelting","referencePeriodStart":"2024-01-01T00:00:00Z","referencePeriodEnd":"2025-01-01T00:00:00Z","geographyCountry":"NO","secondaryEmissionFactorSources":[{"name":"Factors of Norway","version":"2024"}],"exemptedEmissionsPercent":0.5,"exemptedEmissionsDescription":"","packagingEmissionsIncluded":true,"packagingGhgEmissions":"0.9","allocationRulesDescription":"By mass","uncertaintyAssessmentDescription":"Estimated","primaryDataShare":56.12,"dqi":{"coveragePercent":80,"technologicalDQR":1.5,"temporalDQR":2,"geographicalDQR":3,"completenessDQR":1,"reliabilityDQR":2.25},"assurance":{"assurance":true,"coverage":"product level","level":"limited","boundary":"Cradle-to-Gate","providerName":"Auditors","completedAt":"2025-01-15T00:00:00Z","standardName":"ISO 14064-3","comments":"none"}},"extensions":[{"specVersion":"2.0.0","dataSchema":"https://works.example/schema.json","documentation":"https://works.example/docs","data":{ "b": 1.50, "a": null }}]}"#;

pub(crate) const V3: &str = r#"{"id":"91715e5e-fd0b-4d1c-8fab-76290c46e6ed","specVersion":"3.0.0","precedingPfIds":["0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f10"],"created":"2025-02-01T10:00:00.000Z","status":"Active","validityPeriodStart":"2025-01-01T00:00:00Z","validityPeriodEnd":"2028-01-01T00:00:00Z","companyName":"Aluminium Works","companyIds":["urn:pact:works.example:company:1"],"productDescription":"","productIds":["urn:gtin:4712345060507"],"productClassifications":["urn:cpc:41532"],"productNameCompany":"Sheet","comment":"as published","pcf":{"productMassPerDeclaredUnit":"12","fossilGhgEmissions":"18","fossilCarbonContent":"0","biogenicCarbonContent":"0.6","aircraftGhgEmissions":"0.3","crossSectoralStandards":["GHGP-Product","PAS2050"],"productOrSectorSpecificRules":[{"operator":"PEF","ruleNames":["Metal sheets"]}],"boundaryProcessesDescription":"Smelting","referencePeriodStart":"2024-01-01T00:00:00Z","referencePeriodEnd":"2025-01-01T00:00:00Z","geographyCountry":"NO","secondaryEmissionFactorSources":[{"name":"Factors of Norway","version":"2024"}],"exemptedEmissionsPercent":"0.5","exemptedEmissionsDescription":"Small parts","packagingEmissionsIncluded":true,"packagingGhgEmissions":"0.9","allocationRulesDescription":"By mass","primaryDataShare":"56.12","dqi":{"technologicalDQR":"1.5","temporalDQR":"2","geographicalDQR":"5"},"declaredUnitOfMeasurement":"liter","declaredUnitAmount":"12","pcfExcludingBiogenicUptake":"19.2","pcfIncludingBiogenicUptake":"-0.4","recycledCarbonContent":"0.1","landUseChangeGhgEmissions":"1.2","biogenicNonCO2Emissions":"2.4","biogenicCO2Uptake":"-19.6","landManagementFossilGhgEmissions":"0.5","landManagementBiogenicCO2Emissions":"4.8","landManagementBiogenicCO2Removals":"-6","landCarbonLeakage":"3.6","landAreaOccupation":"7","packagingBiogenicCarbonContent":"0.2","outboundLogisticsGhgEmissions":"0.1","ccsTechnologicalCO2CaptureIncluded":true,"ccsTechnologicalCO2Capture":"-0.6","technologicalCO2Removals":"-0.6","technologicalCO2CaptureOrigin":"Own plant","ccuCarbonContent":"0.1","ccuCalculationApproach":"Credit","ccuCreditCertification":"https://certificates.example/1","ipccCharacterizationFactors":["AR6","AR5"],"verification":{"coverage":"product level","providerName":"Auditors","completedAt":"2025-01-15T00:00:00Z","standardName":"ISO 14064-3","comments":"none"}},"extensions":[{"specVersion":"2.0.0","dataSchema":"https://works.example/schema.json","data":{}}]}"#;

/// The footprint that a partner sent in that edition.
pub(crate) fn received(json: &str, edition: Edition) -> Footprint {
    let received = read(json.as_bytes(), edition).expect("can be read");
    Footprint::new(received.id, 7, Timestamp::parse("2025-03-01T00:00:00Z").unwrap(), received.fields)
}

pub(crate) fn shown(footprint: &Footprint, edition: Edition) -> Projection {
    project(footprint, edition).expect("a known version").resolve(|_| None)
}

pub(crate) fn written(projection: &Projection) -> String {
    let mut text = String::new();
    write(projection, &mut text);
    text
}

/// Sets the amount of that name in `pcf`, or takes the member away.
pub(crate) fn with(footprint: &mut Footprint, name: &str, amount: Option<Decimal>) {
    let pcf = footprint.fields.object_mut("pcf").expect("a footprint with pcf");
    match amount {
        Some(amount) => pcf.set(name, FieldValue::Number(amount)).expect("an amount"),
        None => drop(pcf.remove(name)),
    }
}
