//! A record as each edition shows it, and what holds of seeing it as the other and back.

use proptest::prelude::*;
use tonne_domain::footprint::{Edition, FieldValue, Fields, Projection, Reference, Rule, project, validate};
use tonne_domain::{Decimal, Footprint, FootprintId};

use crate::footprint::{OTHER_ID, OWN_ID, empty, flag, moment, number, put, text, texts, valid_v2, valid_v3};
use crate::footprint_round_trip::drawn;

pub(crate) fn shown(footprint: &Footprint, edition: Edition) -> Projection {
    project(footprint, edition).expect("a known version")
}

/// What a pointer such as `/pcf/dqi` names.
pub(crate) fn find<'a>(fields: &'a Fields, pointer: &str) -> Option<&'a FieldValue> {
    let (name, rest) = pointer[1..].split_once('/').map_or((&pointer[1..], None), |(name, rest)| (name, Some(rest)));
    match rest {
        Some(rest) => find(fields.object(name)?, &format!("/{rest}")),
        None => fields.find(name),
    }
}

#[track_caller]
fn has(projection: &Projection, expected: &[(&str, Option<FieldValue>)]) {
    for (pointer, value) in expected {
        assert_eq!(find(&projection.footprint.fields, pointer), value.as_ref(), "{pointer}");
    }
}

fn losses(projection: &Projection) -> Vec<(Rule, &str)> {
    projection.losses.iter().map(|loss| (loss.rule, loss.pointer.as_str())).collect()
}

#[test]
fn a_record_of_version_2_is_shown_per_declared_unit_in_version_3() {
    let projection = shown(&valid_v2(), Edition::V3);
    has(
        &projection,
        &[
            ("/specVersion", Some(text("3.0.0"))),
            ("/version", None),
            ("/updated", None),
            ("/comment", None),
            ("/productCategoryCpc", None),
            ("/productClassifications", Some(texts(&["urn:unspsc:11101500", "urn:cpc:41532"]))),
            ("/pcf/declaredUnitOfMeasurement", Some(text("kilogram"))),
            ("/pcf/declaredUnitAmount", Some(number("12"))),
            ("/pcf/productMassPerDeclaredUnit", Some(number("12"))),
            ("/pcf/pcfExcludingBiogenicUptake", Some(number("220.8"))),
            ("/pcf/pcfIncludingBiogenicUptake", Some(number("-14.4"))),
            ("/pcf/fossilGhgEmissions", Some(number("216"))),
            ("/pcf/biogenicCarbonContent", Some(number("7.2"))),
            ("/pcf/landUseChangeGhgEmissions", Some(number("1.2"))),
            ("/pcf/landManagementBiogenicCO2Emissions", None),
            ("/pcf/landManagementBiogenicCO2Removals", Some(number("-2.4"))),
            ("/pcf/biogenicNonCO2Emissions", Some(number("3.6"))),
            ("/pcf/landCarbonLeakage", Some(number("4.8"))),
            ("/pcf/biogenicCO2Uptake", Some(number("-235.2"))),
            ("/pcf/packagingGhgEmissions", Some(number("10.8"))),
            ("/pcf/exemptedEmissionsPercent", Some(number("0.5"))),
            ("/pcf/primaryDataShare", Some(number("56.12"))),
            ("/pcf/ipccCharacterizationFactors", Some(texts(&["AR6"]))),
            ("/pcf/crossSectoralStandards", Some(texts(&["GHGP-Product", "PACT-3.0"]))),
            ("/pcf/exemptedEmissionsDescription", None),
            ("/pcf/dqi", None),
            ("/pcf/verification/coverage", Some(text("product level"))),
            ("/pcf/verification/providerName", Some(text("Auditors"))),
        ],
    );
    assert_eq!(validate(&projection.footprint), []);
    assert_eq!(
        losses(&projection),
        [
            (Rule::LeftOut, "/pcf/assurance/level"),
            (Rule::LeftOut, "/pcf/assurance/boundary"),
            (Rule::LeftOut, "/pcf/biogenicAccountingMethodology"),
            (Rule::LeftOut, "/pcf/uncertaintyAssessmentDescription"),
            (Rule::LeftOut, "/pcf/dqi"),
            (Rule::LeftOut, "/statusComment"),
        ]
    );
}

#[test]
fn a_record_of_version_3_is_shown_per_one_unit_in_version_2() {
    let mut footprint = valid_v3();
    put(&mut footprint, "/pcf/declaredUnitOfMeasurement", Some(text("liter")));
    let projection = shown(&footprint, Edition::V2);
    has(
        &projection,
        &[
            ("/specVersion", Some(text("2.3.0"))),
            ("/version", Some(FieldValue::Integer(1))),
            ("/productCategoryCpc", Some(text("41532"))),
            ("/pcf/declaredUnit", Some(text("liter"))),
            ("/pcf/unitaryProductAmount", Some(number("12"))),
            ("/pcf/fossilGhgEmissions", Some(number("1.5"))),
            ("/pcf/pCfExcludingBiogenic", Some(number("1.533333333333333333"))),
            ("/pcf/landManagementGhgEmissions", Some(number("-0.1"))),
            ("/pcf/characterizationFactors", Some(text("AR5"))),
            ("/pcf/ipccCharacterizationFactorsSources", Some(texts(&["AR6", "AR5"]))),
            ("/pcf/crossSectoralStandardsUsed", Some(texts(&["GHG Protocol Product standard"]))),
            ("/pcf/assurance/assurance", Some(flag(true))),
            ("/pcf/dqi", None),
        ],
    );
    let rounded = projection.losses.iter().filter(|loss| loss.rule == Rule::AmountRounded);
    let rounded: Vec<_> = rounded.map(|loss| loss.pointer.as_str()).collect();
    assert_eq!(rounded[..2], ["/pcf/productMassPerDeclaredUnit", "/pcf/pcfExcludingBiogenicUptake"]);
    assert!(losses(&projection).contains(&(Rule::LeftOut, "/pcf/recycledCarbonContent")));
}

#[test]
fn texts_that_only_version_2_requires_are_empty_there_and_absent_in_version_3() {
    let mut footprint = valid_v3();
    for name in ["/comment", "/pcf/boundaryProcessesDescription", "/pcf/exemptedEmissionsDescription"] {
        put(&mut footprint, name, None);
        has(&shown(&footprint, Edition::V3), &[(name, None)]);
        has(&shown(&footprint, Edition::V2), &[(name, Some(text("")))]);
    }
}

#[test]
fn a_record_of_2_0_names_its_one_report_in_the_list_of_2_3() {
    let mut footprint = valid_v2();
    put(&mut footprint, "/specVersion", Some(text("2.0.1-20230314")));
    put(&mut footprint, "/pcf/ipccCharacterizationFactorsSources", None);
    for (edition, name) in
        [(Edition::V2, "/pcf/ipccCharacterizationFactorsSources"), (Edition::V3, "/pcf/ipccCharacterizationFactors")]
    {
        has(&shown(&footprint, edition), &[(name, Some(texts(&["AR6"])))]);
    }
    has(&shown(&footprint, Edition::V2), &[("/specVersion", Some(text("2.3.0")))]);
}

#[test]
fn date_times_are_shown_in_utc_and_creation_with_its_milliseconds() {
    let mut footprint = valid_v2();
    put(&mut footprint, "/created", Some(moment("2025-02-01T11:00:00+01:00")));
    put(&mut footprint, "/pcf/referencePeriodStart", Some(moment("2024-01-01T02:00:00+02:00")));
    put(&mut footprint, "/pcf/assurance/completedAt", Some(moment("2025-01-15T01:00:00+01:00")));
    has(
        &shown(&footprint, Edition::V2),
        &[
            ("/created", Some(moment("2025-02-01T10:00:00.000Z"))),
            ("/pcf/referencePeriodStart", Some(moment("2024-01-01T00:00:00Z"))),
            ("/pcf/assurance/completedAt", Some(moment("2025-01-15T00:00:00Z"))),
        ],
    );
}

#[test]
fn the_category_comes_before_other_codes_of_its_kind_and_back_unchanged() {
    let mut footprint = valid_v2();
    put(&mut footprint, "/productClassifications", Some(texts(&["URN:CPC:1", "urn:cpc:41532"])));
    let v3 = shown(&footprint, Edition::V3).footprint;
    has(&shown(&footprint, Edition::V3), &[("/productClassifications", Some(texts(&["urn:cpc:41532", "URN:CPC:1"])))]);
    has(&shown(&v3, Edition::V2), &[("/productCategoryCpc", Some(text("41532")))]);
}

#[test]
fn an_assurance_that_was_not_given_is_no_verification() {
    let mut footprint = valid_v2();
    put(&mut footprint, "/pcf/assurance/assurance", Some(flag(false)));
    has(&shown(&footprint, Edition::V3), &[("/pcf/verification", None)]);
    let mut footprint = valid_v3();
    put(&mut footprint, "/pcf/verification/providerName", None);
    has(&shown(&footprint, Edition::V2), &[("/pcf/assurance", None)]);
}

#[test]
fn an_amount_that_leaves_the_bounds_is_not_shown_and_hides_the_record() {
    let mut footprint = valid_v2();
    put(&mut footprint, "/pcf/aircraftGhgEmissions", Some(number("99999999999999999999")));
    let projection = shown(&footprint, Edition::V3);
    has(&projection, &[("/pcf/aircraftGhgEmissions", None)]);
    assert!(losses(&projection).contains(&(Rule::AmountBounds, "/pcf/aircraftGhgEmissions")));
    assert!(Rule::AmountBounds.layer().hides());
}

#[test]
fn records_that_precede_are_named_once_by_their_uuids_and_unknown_ones_not_at_all() {
    let mut footprint = valid_v2();
    let references =
        [Reference::Number(3), Reference::Text(OTHER_ID.to_uppercase()), Reference::Number(9), Reference::Number(4)];
    put(&mut footprint, "/precedingPfIds", Some(FieldValue::References(references.to_vec())));
    let (own, other): (FootprintId, FootprintId) = (OWN_ID.parse().unwrap(), OTHER_ID.parse().unwrap());
    let find = |number| match number {
        3 => Some(other),
        4 => Some(own),
        _ => None,
    };
    let resolved = shown(&footprint, Edition::V3).resolve(find);
    let named = [OTHER_ID, OWN_ID].map(|id| Reference::Text(id.to_owned())).to_vec();
    has(&resolved, &[("/precedingPfIds", Some(FieldValue::References(named)))]);
    has(
        &shown(&footprint, Edition::V3).resolve(|_| None),
        &[("/precedingPfIds", Some(FieldValue::References(vec![Reference::Text(OTHER_ID.to_owned())])))],
    );
}

#[test]
fn a_record_of_no_known_version_is_shown_in_no_edition() {
    assert_eq!(Edition::ALL.map(|edition| project(&empty(), edition)), [None, None]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn an_edition_shows_its_own_shape_the_same_however_often(footprint in drawn()) {
        for edition in Edition::ALL {
            let once = shown(&footprint, edition);
            let twice = shown(&once.footprint, edition);
            prop_assert_eq!(&twice.footprint.fields, &once.footprint.fields);
            prop_assert_eq!(twice.losses, []);
        }
    }

    #[test]
    fn an_amount_is_said_to_be_rounded_exactly_where_it_does_not_come_back(
        mantissa in 0_i64..1_000_000, places in 0_u32..18, units in 1_i64..5_000,
    ) {
        let amount = Decimal::parse(&format!("{mantissa}e-{places}")).unwrap();
        let mut footprint = valid_v3();
        put(&mut footprint, "/pcf/declaredUnitAmount", Some(FieldValue::Number(Decimal::from_integer(units))));
        put(&mut footprint, "/pcf/aircraftGhgEmissions", Some(FieldValue::Number(amount)));
        let there = shown(&footprint, Edition::V2);
        let back = shown(&there.footprint, Edition::V3);
        let comes_back = find(&back.footprint.fields, "/pcf/aircraftGhgEmissions") == Some(&FieldValue::Number(amount));
        let told = losses(&there).contains(&(Rule::AmountRounded, "/pcf/aircraftGhgEmissions"));
        prop_assert_eq!(told, !comes_back, "{} over {}", amount, units);
    }
}
