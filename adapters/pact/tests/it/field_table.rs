//! What is written against the standard's field tables.

mod drawn;
pub(crate) mod table;

use std::collections::BTreeSet;

use domain::footprint::{Edition, FieldValue, Rule, Verdict, project};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::sample::{ID, V2, V3, shown, written};
use drawn::drawn;
use table::{departures, departures_of_v2, without_later};

#[test]
fn the_samples_are_as_the_tables_say() {
    for (json, edition) in [(V2, Edition::V2), (V3, Edition::V3)] {
        assert_eq!(departures(json, edition), [""; 0]);
    }
}

#[test]
fn the_check_finds_what_is_wrong() {
    let broken = |from: &str, edition, change: (&str, &str)| {
        let changed = from.replace(change.0, change.1);
        assert_ne!(changed, from, "{change:?}");
        assert_ne!(departures(&changed, edition), [""; 0], "{change:?}");
    };
    for change in [
        ("\"fossilGhgEmissions\":\"18\"", "\"fossilGhgEmissions\":18"),
        ("\"exemptedEmissionsPercent\":0.5", "\"exemptedEmissionsPercent\":\"0.5\""),
        ("\"comment\":\"\"", "\"comment\":null"),
        ("\"comment\":\"\",", ""),
        ("[\"urn:cpc:41532\"]", "[]"),
        ("\"declaredUnit\":\"kilogram\"", "\"declaredUnit\":\"piece\""),
        ("2025-02-01T10:00:00.000Z", "2025-02-01T10:00:00+01:00"),
        ("\"geographyCountry\":\"NO\"", "\"geographyCountry\":\"NO\",\"geographyRegionOrSubregion\":\"Europe\""),
        ("\"geographyCountry\":\"NO\"", "\"geographyRegionOrSubregion\":\"Scandinavia\""),
        ("\"geographyCountry\":\"NO\"", "\"geographyCountrySubdivision\":\"NO-\""),
        ("[\"AR6\"]", "[\"AR6a\"]"),
        ("\"2.3.0\"", "\"2.3.x\""),
        ("2025-02-02T10", "2025-02-30T10"),
        ("2025-02-02T10", "2025-02-01T10"),
        ("\"Other\",\"ruleNames\"", "\"PEF\",\"ruleNames\""),
        ("\"ruleNames\":[\"Sheet rules\"],\"otherOperatorName\":\"Sheet makers\"", "\"ruleNames\":[\"Sheet rules\"]"),
        ("\"specVersion\":\"2.0.0\"", "\"specVersion\":\"2.0\""),
        ("https://works.example/schema", "http://works.example/schema"),
        ("\"geographicalDQR\":3", "\"geographicalDQR\":3.5"),
        ("\"coveragePercent\":80", "\"coveragePercent\":101"),
        ("\"primaryDataShare\":56.12", "\"primaryDataShare\":-1"),
        ("\"exemptedEmissionsPercent\":0.5", "\"exemptedEmissionsPercent\":6"),
        ("\"validityPeriodStart\":\"2025-01-01", "\"validityPeriodStart\":\"2024-12-31"),
        ("\"validityPeriodEnd\":\"2028-01-01T00:00:00Z", "\"validityPeriodEnd\":\"2028-01-01T00:00:00.001Z"),
        ("\"validityPeriodEnd\":\"2028", "\"validityPeriodEnd\":\"2025"),
        ("\"validityPeriodEnd\":\"2028-01-01T00:00:00Z\",", ""),
        ("\"packagingEmissionsIncluded\":true", "\"packagingEmissionsIncluded\":false"),
        ("0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f10", ID),
        (
            "{\"operator\":\"PEF\",\"ruleNames\":[\"Metal sheets\"]}",
            "{\"operator\":\"Other\",\"ruleNames\":[\"Sheet rules\"],\"otherOperatorName\":\"Sheet makers\"}",
        ),
    ] {
        broken(V2, Edition::V2, change);
    }
    for change in [
        ("\"specVersion\":\"3.0.0\"", "\"specVersion\":\"3.0.0\",\"version\":1"),
        ("\"productMassPerDeclaredUnit\":\"12\",", ""),
        ("\"technologicalCO2Removals\":\"-0.6\"", "\"technologicalCO2Removals\":\"0.6\""),
        ("\"temporalDQR\":\"2\"", "\"temporalDQR\":2"),
        ("\"geographicalDQR\":\"5\"", "\"geographicalDQR\":\"5.5\""),
        ("\"ccsTechnologicalCO2CaptureIncluded\":true", "\"ccsTechnologicalCO2CaptureIncluded\":false"),
        ("\"ccuCalculationApproach\":\"Credit\"", "\"ccuCalculationApproach\":\"Cut-off\""),
        ("https://certificates.example/1", "certificate 1"),
        ("\"exemptedEmissionsPercent\":\"0.5\"", "\"exemptedEmissionsPercent\":\"100.5\""),
        ("\"primaryDataShare\":\"56.12\"", "\"primaryDataShare\":\"156.12\""),
    ] {
        broken(V3, Edition::V3, change);
    }
}

#[test]
fn earlier_versions_of_2_ask_for_less_and_judge_what_they_have() {
    let mut without = without_later(&serde_json::from_str(V2).unwrap(), 0);
    without["pcf"]["crossSectoralStandards"] = serde_json::json!(["a later one"]);
    let wrong: Vec<_> = (0..=3).map(|minor| departures_of_v2(&without.to_string(), minor).len()).collect();
    assert_eq!(wrong, [0, 0, 1, 2]);
    without["pcf"].as_object_mut().unwrap().remove("fossilGhgEmissions");
    assert!((0..=3).all(|minor| !departures_of_v2(&without.to_string(), minor).is_empty()));
}

#[test]
fn every_rule_that_hides_a_footprint_is_among_those_that_are_drawn() {
    let mut runner = TestRunner::deterministic();
    let mut missing: BTreeSet<_> = Rule::ALL.iter().copied().filter(|rule| rule.layer().hides()).collect();
    for _ in 0..20_000 {
        let footprint = drawn().new_tree(&mut runner).unwrap().current();
        let verdict = Verdict::of(&footprint);
        for found in Edition::ALL.into_iter().flat_map(|edition| &verdict.edition(edition).findings) {
            missing.remove(&found.rule);
        }
        if missing.is_empty() {
            break;
        }
    }
    assert_eq!(missing, BTreeSet::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn every_footprint_that_an_edition_shows_is_as_its_table_says(footprint in drawn()) {
        let verdict = Verdict::of(&footprint);
        for edition in Edition::ALL.into_iter().filter(|edition| verdict.is_shown(*edition)) {
            let json = written(&shown(&footprint, edition));
            prop_assert_eq!(departures(&json, edition), [""; 0], "{}", json);
        }
    }

    #[test]
    fn every_footprint_that_an_edition_hides_is_not_as_it_asks(footprint in drawn()) {
        let verdict = Verdict::of(&footprint);
        for edition in Edition::ALL.into_iter().filter(|edition| !verdict.is_shown(*edition)) {
            // Of no known version there is nothing to show. What is compared has not lost yet what it names twice.
            let Some(projection) = project(&footprint, edition) else { continue };
            let findings = verdict.edition(edition).findings.iter().map(|found| found.rule);
            let hiding: Vec<_> = findings.filter(|rule| rule.layer().hides()).collect();
            // An amount that leaves the bounds when it is converted is not written, so that no table can tell.
            let cannot_be_told = hiding.iter().all(|rule| *rule == Rule::AmountBounds);
            let json = written(&projection);
            prop_assert!(cannot_be_told || !departures(&json, edition).is_empty(), "{:?} {}", hiding, json);
        }
    }

    #[test]
    fn a_footprint_of_no_known_version_is_hidden(mut footprint in drawn(), version in "|3|9[.]9[.]9|2[.]3|3[.]0[.]0-1") {
        footprint.fields.set("specVersion", FieldValue::Text(version)).unwrap();
        let verdict = Verdict::of(&footprint);
        prop_assert_eq!(Edition::ALL.map(|edition| verdict.is_shown(edition)), [false, false]);
    }

    #[test]
    fn what_is_written_is_read_as_it_was(footprint in drawn()) {
        for projection in Edition::ALL.into_iter().filter_map(|edition| project(&footprint, edition)) {
            let read = tonne_pact::read(written(&projection).as_bytes(), projection.edition).unwrap();
            prop_assert_eq!(read.departures.as_slice(), []);
            prop_assert_eq!(read.fields, projection.footprint.fields);
        }
    }
}
