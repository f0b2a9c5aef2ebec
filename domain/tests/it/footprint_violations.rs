//! Each rule broken by one change to a valid record, and by nothing else.

use std::collections::BTreeSet;

use tonne_domain::Footprint;
use tonne_domain::footprint::{FieldValue, Major, Reference, Rule, validate};

use crate::footprint::{OTHER_ID, OWN_ID, empty, flag, moment, number, put, raw, text, texts, valid_v2, valid_v3};

/// A valid record, the changes made to it, the rule that breaks and where it is reported.
type Case = (Major, Vec<(&'static str, Option<FieldValue>)>, &'static str, &'static str);

fn to(pointer: &'static str, value: FieldValue) -> Vec<(&'static str, Option<FieldValue>)> {
    vec![(pointer, Some(value))]
}

fn none(pointer: &'static str) -> Vec<(&'static str, Option<FieldValue>)> {
    vec![(pointer, None)]
}

fn and(
    mut changes: Vec<(&'static str, Option<FieldValue>)>,
    more: Vec<(&'static str, Option<FieldValue>)>,
) -> Vec<(&'static str, Option<FieldValue>)> {
    changes.extend(more);
    changes
}

fn references(items: Vec<Reference>) -> FieldValue {
    FieldValue::References(items)
}

fn theirs(id: &str) -> Reference {
    Reference::Text(id.to_owned())
}

fn changed(from: Major, changes: &[(&'static str, Option<FieldValue>)]) -> Footprint {
    let mut footprint = match from {
        Major::V2 => valid_v2(),
        Major::V3 => valid_v3(),
    };
    for (pointer, value) in changes {
        put(&mut footprint, pointer, value.clone());
    }
    footprint
}

/// The validity period moves with the reference period, so that only the rule in question breaks.
fn reaching_into_2025() -> Vec<(&'static str, Option<FieldValue>)> {
    and(
        to("/pcf/referencePeriodEnd", moment("2025-01-01T00:00:01Z")),
        to("/validityPeriodStart", moment("2025-06-01T00:00:00Z")),
    )
}

#[rustfmt::skip]
fn cases() -> Vec<Case> {
    use Major::{V2, V3};
    vec![
        (V2, to("/specVersion", text("2.3")), "spec-version-form", "/specVersion"),
        (V3, to("/specVersion", text("3.0.0-2025")), "spec-version-form", "/specVersion"),
        (V2, to("/specVersion", text("2.4.0")), "spec-version-known", "/specVersion"),
        (V3, to("/specVersion", text("4.0.0")), "spec-version-known", "/specVersion"),
        (V3, none("/specVersion"), "required-field", "/specVersion"),
        (V2, none("/pcf"), "required-field", "/pcf"),
        (V2, none("/comment"), "required-field", "/comment"),
        (V2, to("/companyIds", texts(&[])), "required-field", "/companyIds"),
        (V2, none("/pcf/exemptedEmissionsDescription"), "required-field", "/pcf/exemptedEmissionsDescription"),
        (V2, none("/pcf/dqi/coveragePercent"), "required-field", "/pcf/dqi/coveragePercent"),
        (V2, none("/pcf/assurance/providerName"), "required-field", "/pcf/assurance/providerName"),
        (V2, none("/extensions/0/data"), "required-field", "/extensions/0/data"),
        (V2, to("/pcf/productOrSectorSpecificRules/1/ruleNames", texts(&[])), "required-field", "/pcf/productOrSectorSpecificRules/1/ruleNames"),
        (V3, none("/pcf/productMassPerDeclaredUnit"), "required-field", "/pcf/productMassPerDeclaredUnit"),
        (V3, none("/pcf/crossSectoralStandards"), "required-field", "/pcf/crossSectoralStandards"),
        (V2, and(reaching_into_2025(), none("/pcf/pCfIncludingBiogenic")), "required-from-2025", "/pcf/pCfIncludingBiogenic"),
        (V2, and(reaching_into_2025(), none("/pcf/dqi")), "required-from-2025", "/pcf/dqi"),
        (V2, and(reaching_into_2025(), none("/pcf/primaryDataShare")), "required-from-2025", "/pcf/primaryDataShare"),
        (V2, and(none("/pcf/primaryDataShare"), none("/pcf/dqi")), "primary-share-or-dqi", "/pcf"),
        (V2, to("/status", text("active")), "allowed-value", "/status"),
        (V2, to("/pcf/declaredUnit", text("piece")), "allowed-value", "/pcf/declaredUnit"),
        (V3, to("/pcf/declaredUnitOfMeasurement", text("kg")), "allowed-value", "/pcf/declaredUnitOfMeasurement"),
        (V2, to("/pcf/characterizationFactors", text("AR4")), "allowed-value", "/pcf/characterizationFactors"),
        (V2, to("/pcf/crossSectoralStandards", texts(&["PAS2050"])), "allowed-value", "/pcf/crossSectoralStandards/0"),
        (V2, to("/pcf/crossSectoralStandardsUsed", texts(&["ISO14067"])), "allowed-value", "/pcf/crossSectoralStandardsUsed/0"),
        (V2, to("/pcf/biogenicAccountingMethodology", text("ghgp")), "allowed-value", "/pcf/biogenicAccountingMethodology"),
        (V3, to("/pcf/productOrSectorSpecificRules/1/operator", text("ISO")), "allowed-value", "/pcf/productOrSectorSpecificRules/1/operator"),
        (V2, to("/pcf/assurance/level", text("high")), "allowed-value", "/pcf/assurance/level"),
        (V3, to("/pcf/verification/coverage", text("corporate level")), "allowed-value", "/pcf/verification/coverage"),
        (V2, to("/companyName", text("")), "text-not-empty", "/companyName"),
        (V3, to("/pcf/crossSectoralStandards", texts(&[""])), "text-not-empty", "/pcf/crossSectoralStandards/0"),
        (V3, to("/pcf/secondaryEmissionFactorSources/0/version", text("")), "text-not-empty", "/pcf/secondaryEmissionFactorSources/0/version"),
        (V2, to("/productIds", texts(&["urn:gtin:1", "urn:gtin:1"])), "items-distinct", "/productIds/1"),
        (V3, to("/precedingPfIds", references(vec![theirs(OTHER_ID), theirs(OTHER_ID)])), "items-distinct", "/precedingPfIds/1"),
        (V2, to("/precedingPfIds", references(vec![theirs(OTHER_ID), theirs(&OTHER_ID.to_uppercase())])), "items-distinct", "/precedingPfIds/1"),
        (V2, and(to("/pcf/productOrSectorSpecificRules/2/operator", text("PEF")), to("/pcf/productOrSectorSpecificRules/2/ruleNames", texts(&["Metal sheets"]))), "items-distinct", "/pcf/productOrSectorSpecificRules/2"),
        (V2, to("/productIds", texts(&["4712345060507"])), "urn-form", "/productIds/0"),
        (V3, to("/productClassifications", texts(&["urn:cpc:1", "urn:"])), "urn-form", "/productClassifications/1"),
        (V2, to("/precedingPfIds", references(vec![theirs("old one")])), "preceding-id-form", "/precedingPfIds/0"),
        (V2, to("/precedingPfIds", references(vec![Reference::Number(0)])), "preceding-id-form", "/precedingPfIds/0"),
        (V2, to("/precedingPfIds", references(vec![Reference::Number(7)])), "preceding-id-own", "/precedingPfIds/0"),
        (V3, to("/precedingPfIds", references(vec![theirs(&OWN_ID.to_uppercase())])), "preceding-id-own", "/precedingPfIds/0"),
        (V2, to("/version", FieldValue::Integer(-1)), "version-range", "/version"),
        (V2, to("/version", FieldValue::Integer(2_147_483_648)), "version-range", "/version"),
        (V2, to("/updated", moment("2025-02-01T10:00:00Z")), "updated-after-created", "/updated"),
        (V2, to("/pcf/unitaryProductAmount", number("0")), "amount-positive", "/pcf/unitaryProductAmount"),
        (V3, to("/pcf/declaredUnitAmount", number("-1")), "amount-positive", "/pcf/declaredUnitAmount"),
        (V2, to("/pcf/pCfExcludingBiogenic", number("-0.1")), "amount-not-negative", "/pcf/pCfExcludingBiogenic"),
        (V3, to("/pcf/landAreaOccupation", number("-1")), "amount-not-negative", "/pcf/landAreaOccupation"),
        (V2, to("/pcf/biogenicCarbonWithdrawal", number("0.1")), "amount-not-positive", "/pcf/biogenicCarbonWithdrawal"),
        (V3, to("/pcf/technologicalCO2Removals", number("1")), "amount-not-positive", "/pcf/technologicalCO2Removals"),
        (V2, to("/pcf/exemptedEmissionsPercent", number("5.1")), "percent-range", "/pcf/exemptedEmissionsPercent"),
        (V3, to("/pcf/exemptedEmissionsPercent", number("100.1")), "percent-range", "/pcf/exemptedEmissionsPercent"),
        (V2, to("/pcf/primaryDataShare", number("-1")), "percent-range", "/pcf/primaryDataShare"),
        (V2, to("/pcf/dqi/temporalDQR", number("3.1")), "rating-range", "/pcf/dqi/temporalDQR"),
        (V3, to("/pcf/dqi/temporalDQR", number("5.1")), "rating-range", "/pcf/dqi/temporalDQR"),
        (V3, to("/pcf/dqi/temporalDQR", number("0.9")), "rating-range", "/pcf/dqi/temporalDQR"),
        (V2, to("/pcf/referencePeriodStart", moment("2025-01-01T00:00:00Z")), "reference-period-order", "/pcf/referencePeriodEnd"),
        (V2, none("/validityPeriodEnd"), "validity-period-complete", "/validityPeriodEnd"),
        (V2, to("/validityPeriodStart", moment("2024-12-31T23:59:59Z")), "validity-period-start", "/validityPeriodStart"),
        (V3, and(to("/validityPeriodStart", moment("2024-12-31T23:59:59Z")), none("/validityPeriodEnd")), "validity-period-start", "/validityPeriodStart"),
        (V2, to("/validityPeriodEnd", moment("2025-01-01T00:00:00Z")), "validity-period-order", "/validityPeriodEnd"),
        (V2, to("/validityPeriodEnd", moment("2028-01-01T00:00:00.001Z")), "validity-period-length", "/validityPeriodEnd"),
        (V3, and(to("/validityPeriodEnd", moment("2028-01-02T00:00:00Z")), none("/validityPeriodStart")), "validity-period-length", "/validityPeriodEnd"),
        (V2, to("/pcf/geographyRegionOrSubregion", text("Europe")), "single-geography", "/pcf/geographyCountry"),
        (V3, to("/pcf/geographyCountrySubdivision", text("NO-03")), "single-geography", "/pcf/geographyCountrySubdivision"),
        (V2, to("/pcf/geographyCountry", text("no")), "country-form", "/pcf/geographyCountry"),
        (V2, and(none("/pcf/geographyCountry"), to("/pcf/geographyCountrySubdivision", text("NO"))), "subdivision-form", "/pcf/geographyCountrySubdivision"),
        (V2, and(none("/pcf/geographyCountry"), to("/pcf/geographyRegionOrSubregion", text("Scandinavia"))), "region-name", "/pcf/geographyRegionOrSubregion"),
        (V2, to("/pcf/ipccCharacterizationFactorsSources", texts(&["ar6"])), "assessment-report-form", "/pcf/ipccCharacterizationFactorsSources/0"),
        (V3, to("/pcf/ipccCharacterizationFactors", texts(&["AR"])), "assessment-report-form", "/pcf/ipccCharacterizationFactors/0"),
        (V2, to("/pcf/packagingEmissionsIncluded", flag(false)), "packaging-excluded", "/pcf/packagingGhgEmissions"),
        (V3, and(to("/pcf/ccsTechnologicalCO2CaptureIncluded", flag(false)), and(none("/pcf/technologicalCO2Removals"), none("/pcf/technologicalCO2CaptureOrigin"))), "ccs-excluded", "/pcf/ccsTechnologicalCO2Capture"),
        (V2, none("/pcf/productOrSectorSpecificRules/0/otherOperatorName"), "other-operator-name", "/pcf/productOrSectorSpecificRules/0/otherOperatorName"),
        (V3, to("/pcf/productOrSectorSpecificRules/1/otherOperatorName", text("Someone")), "other-operator-name", "/pcf/productOrSectorSpecificRules/1/otherOperatorName"),
        (V3, to("/pcf/ccuCalculationApproach", text("Cut-off")), "credit-certification", "/pcf/ccuCreditCertification"),
        (V3, to("/pcf/ccuCreditCertification", text("by hand")), "uri-form", "/pcf/ccuCreditCertification"),
        (V2, to("/extensions/0/dataSchema", text("http://works.example/schema.json")), "extension-address", "/extensions/0/dataSchema"),
        (V3, to("/extensions/0/documentation", text("docs")), "extension-address", "/extensions/0/documentation"),
        (V2, to("/extensions/0/specVersion", text("2.0")), "extension-version", "/extensions/0/specVersion"),
        (V3, to("/extensions/0/data", raw("[1]")), "extension-data", "/extensions/0/data"),
    ]
}

/// A record for each case, by the rule, the version and where it breaks.
pub(crate) fn broken_records() -> Vec<(String, Footprint)> {
    let record = |(from, changes, rule, pointer): Case| (format!("{rule} {from:?} {pointer}"), changed(from, &changes));
    cases().into_iter().map(record).collect()
}

#[test]
fn each_change_breaks_the_one_rule_it_is_against() {
    for (from, changes, rule, pointer) in cases() {
        let broken = validate(&changed(from, &changes));
        let found: Vec<_> = broken.iter().map(|b| (b.rule.name(), b.pointer.as_str())).collect();
        assert_eq!(found, [(rule, pointer)], "{from:?} {changes:?}");
        assert!(broken[0].detail.ends_with('.'), "{}", broken[0]);
    }
}

#[test]
fn each_rule_has_a_case() {
    let tested: BTreeSet<&str> = cases().into_iter().map(|(_, _, rule, _)| rule).collect();
    let all: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    // Those of conversions and advice have theirs with the editions, in `footprint_verdict`.
    assert_eq!(
        all.difference(&tested).copied().collect::<BTreeSet<_>>(),
        crate::footprint_verdict::rules_of_editions()
    );
    assert_eq!(all.len(), Rule::ALL.len());
    assert!(Rule::ALL.iter().all(|rule| Rule::parse(rule.name()) == Some(*rule)));
}

#[test]
#[rustfmt::skip]
fn what_looks_wrong_but_is_allowed_breaks_nothing() {
    use Major::{V2, V3};
    for (from, changes) in [
        (V2, reaching_into_2025()),
        (V2, none("/pcf/dqi")),
        (V2, none("/pcf/primaryDataShare")),
        (V2, and(none("/validityPeriodStart"), none("/validityPeriodEnd"))),
        (V2, and(none("/pcf/crossSectoralStandards"), none("/pcf/geographyCountry"))),
        (V2, to("/pcf/landManagementGhgEmissions", number("4"))),
        (V3, none("/validityPeriodStart")),
        (V3, none("/comment")),
        (V3, none("/pcf/dqi")),
        (V3, to("/pcf/dqi/temporalDQR", number("5"))),
        (V3, to("/pcf/exemptedEmissionsPercent", number("80"))),
        (V3, to("/pcf/pcfExcludingBiogenicUptake", number("-4"))),
        (V3, none("/pcf/ccsTechnologicalCO2CaptureIncluded")),
        (V3, none("/pcf/packagingEmissionsIncluded")),
        (V3, to("/pcf/pCfExcludingBiogenic", number("-4"))),
    ] {
        assert_eq!(validate(&changed(from, &changes)), [], "{from:?} {changes:?}");
    }
}

#[test]
fn three_years_after_a_leap_day_end_on_the_28th() {
    let changes =
        |end| and(to("/pcf/referencePeriodEnd", moment("2024-02-29T00:00:00Z")), to("/validityPeriodEnd", moment(end)));
    assert_eq!(validate(&changed(Major::V2, &changes("2027-02-28T00:00:00Z"))), []);
    let broken = validate(&changed(Major::V2, &changes("2027-02-28T00:00:01Z")));
    assert_eq!(broken.iter().map(|b| b.rule).collect::<Vec<_>>(), [Rule::ValidityPeriodLength]);
}

#[test]
fn all_that_is_missing_is_named_at_once() {
    let mut footprint = empty();
    put(&mut footprint, "/specVersion", Some(text("3.0.0")));
    let broken = validate(&footprint);
    let missing: Vec<&str> = broken.iter().map(|b| b.pointer.as_str()).collect();
    assert!(broken.iter().all(|b| b.rule == Rule::RequiredField));
    assert_eq!(missing.len(), 17, "{missing:?}");
}
