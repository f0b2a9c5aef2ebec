//! The verdict on a record per edition: what hides it, what is advice, and that it is kept as it was found.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tonne_domain::footprint::{Edition, FieldValue, Layer, MAX_FINDINGS, RULE_SET, Rule, Verdict, project, validate};
use tonne_domain::{Canonical as _, Footprint};

use crate::footprint::{empty, flag, moment, number, put, text, texts, valid_v2, valid_v3};
use crate::footprint_laws::{any_footprint, valid_footprint};

/// A valid record, the change made to it, the edition that tells it, the rule, and where it is told.
type Case = (fn() -> Footprint, &'static str, Option<FieldValue>, Edition, Rule, &'static str);

#[rustfmt::skip]
fn cases() -> Vec<Case> {
    use Edition::{V2, V3};
    vec![
        (valid_v2, "/pcf/aircraftGhgEmissions", Some(number("99999999999999999999")), V3, Rule::AmountBounds, "/pcf/aircraftGhgEmissions"),
        (valid_v2, "/pcf/assurance/completedAt", Some(moment("0001-01-01T00:00:00+14:00")), V2, Rule::MomentBounds, "/pcf/assurance/completedAt"),
        (valid_v3, "/pcf/declaredUnitAmount", Some(number("7")), V2, Rule::AmountRounded, "/pcf/fossilGhgEmissions"),
        (valid_v2, "/pcf/dqi/temporalDQR", Some(number("2")), V3, Rule::LeftOut, "/pcf/dqi"),
        (valid_v3, "/pcf/packagingEmissionsIncluded", None, V3, Rule::FieldAdvised, "/pcf/packagingEmissionsIncluded"),
        (valid_v3, "/pcf/biogenicCarbonContent", None, V3, Rule::FieldAdvised, "/pcf/biogenicCarbonContent"),
        (valid_v3, "/pcf/pcfExcludingBiogenicUptake", Some(number("100")), V3, Rule::SumExcluding, "/pcf/pcfExcludingBiogenicUptake"),
        (valid_v3, "/pcf/pcfIncludingBiogenicUptake", Some(number("1")), V3, Rule::SumIncluding, "/pcf/pcfIncludingBiogenicUptake"),
        (valid_v3, "/pcf/pcfIncludingBiogenicUptake", Some(number("19")), V3, Rule::UptakeOrder, "/pcf/pcfIncludingBiogenicUptake"),
        (valid_v3, "/pcf/ipccCharacterizationFactors", Some(texts(&["AR5"])), V3, Rule::NewestReport, "/pcf/ipccCharacterizationFactors"),
    ]
}

/// The rules that only editions apply.
pub(crate) fn rules_of_editions() -> BTreeSet<&'static str> {
    cases().into_iter().map(|(.., rule, _)| rule.name()).collect()
}

/// A record for each of them, by the rule and the edition that tells it.
pub(crate) fn told_records() -> Vec<(String, Footprint)> {
    let record = |(from, pointer, value, edition, rule, _): Case| {
        let mut footprint = from();
        put(&mut footprint, pointer, value);
        (format!("{rule} {edition} {pointer}"), footprint)
    };
    cases().into_iter().map(record).collect()
}

fn told(footprint: &Footprint, edition: Edition) -> Vec<(Rule, String)> {
    let verdict = Verdict::of(footprint);
    verdict.edition(edition).findings.iter().map(|found| (found.rule, found.pointer.clone())).collect()
}

#[test]
fn each_change_is_told_in_the_edition_that_it_matters_in() {
    for (from, pointer, value, edition, rule, at) in cases() {
        let mut footprint = from();
        put(&mut footprint, pointer, value);
        let found = told(&footprint, edition);
        assert!(found.contains(&(rule, at.to_owned())), "{rule} at {at}: {found:?}");
        let is_shown = Verdict::of(&footprint).is_shown(edition);
        let hides = Edition::V2 == edition && footprint.fields.text("specVersion") == Some("3.0.0");
        // A piece has no place in version 2 whatever else is wrong.
        assert_eq!(is_shown, !(rule.layer().hides() || hides), "{rule}");
    }
}

#[test]
fn a_sum_within_a_hundredth_is_not_told() {
    let mut footprint = valid_v3();
    // 18 + 1.2 + 4.8 - 6 - 0.6 - 0.5 + 2.4
    put(&mut footprint, "/pcf/pcfExcludingBiogenicUptake", Some(number("19.3")));
    put(&mut footprint, "/pcf/pcfIncludingBiogenicUptake", Some(number("-0.3")));
    assert_eq!(told(&footprint, Edition::V3), []);
    put(&mut footprint, "/pcf/pcfExcludingBiogenicUptake", Some(number("19.4")));
    put(&mut footprint, "/pcf/pcfIncludingBiogenicUptake", Some(number("-0.2")));
    assert_eq!(told(&footprint, Edition::V3), []);
    put(&mut footprint, "/pcf/pcfExcludingBiogenicUptake", Some(number("19.5")));
    put(&mut footprint, "/pcf/pcfIncludingBiogenicUptake", Some(number("-0.1")));
    assert_eq!(told(&footprint, Edition::V3), [(Rule::SumExcluding, "/pcf/pcfExcludingBiogenicUptake".to_owned())]);
}

#[test]
fn a_record_can_be_shown_in_one_edition_and_hidden_in_the_other() {
    let shown = |footprint: &Footprint| Edition::ALL.map(|edition| Verdict::of(footprint).is_shown(edition));
    assert_eq!(shown(&valid_v2()), [true, true]);
    let mut footprint = valid_v2();
    put(&mut footprint, "/pcf/productMassPerDeclaredUnit", None);
    assert_eq!(shown(&footprint), [true, false], "version 3 requires the mass");
    assert_eq!(shown(&valid_v3()), [false, true], "version 2 has no pieces");
    let mut footprint = valid_v3();
    put(&mut footprint, "/pcf/declaredUnitOfMeasurement", Some(text("kilogram")));
    assert_eq!(shown(&footprint), [true, true]);
    put(&mut footprint, "/pcf/exemptedEmissionsPercent", Some(number("6")));
    assert_eq!(shown(&footprint), [false, true], "version 2 exempts 5 percent at most");
    put(&mut footprint, "/pcf/fossilGhgEmissions", Some(number("-1")));
    assert_eq!(shown(&footprint), [false, false]);
    assert_eq!(shown(&empty()), [false, false]);
}

#[test]
fn what_version_2_asks_for_from_2025_on_is_advice_in_its_lists() {
    let mut footprint = valid_v2();
    put(&mut footprint, "/pcf/referencePeriodEnd", Some(moment("2025-03-01T00:00:00Z")));
    put(&mut footprint, "/validityPeriodStart", Some(moment("2025-06-01T00:00:00Z")));
    put(&mut footprint, "/pcf/dqi", None);
    let verdict = Verdict::of(&footprint);
    assert!(!verdict.is_valid && verdict.is_shown(Edition::V2));
    assert_eq!(told(&footprint, Edition::V2), [(Rule::RequiredFrom2025, "/pcf/dqi".to_owned())]);
    assert_eq!(verdict.edition(Edition::V2).findings[0].layer(), Layer::Advice);
}

#[test]
fn out_of_period_and_deprecated_records_are_shown() {
    let mut footprint = valid_v2();
    put(&mut footprint, "/status", Some(text("Deprecated")));
    put(&mut footprint, "/pcf/referencePeriodStart", Some(moment("1990-01-01T00:00:00Z")));
    put(&mut footprint, "/pcf/referencePeriodEnd", Some(moment("1991-01-01T00:00:00Z")));
    put(&mut footprint, "/validityPeriodStart", Some(moment("1991-01-01T00:00:00Z")));
    put(&mut footprint, "/validityPeriodEnd", Some(moment("1992-01-01T00:00:00Z")));
    assert_eq!(Edition::ALL.map(|edition| Verdict::of(&footprint).is_shown(edition)), [true, true]);
}

#[test]
fn what_hides_comes_first_and_a_hundred_are_kept() {
    let mut footprint = valid_v3();
    put(&mut footprint, "/pcf/packagingEmissionsIncluded", Some(flag(false)));
    put(&mut footprint, "/pcf/biogenicCarbonContent", None);
    let ids: Vec<_> = (0..150).map(|number| format!("no urn {number}")).collect();
    put(&mut footprint, "/productIds", Some(FieldValue::Texts(ids)));
    let verdict = Verdict::of(&footprint);
    let v3 = verdict.edition(Edition::V3);
    assert_eq!((v3.findings.len(), v3.findings[0].rule), (MAX_FINDINGS, Rule::UrnForm));
    assert!(v3.more >= 52, "{}", v3.more);
}

#[test]
fn a_verdict_says_the_number_of_its_rules() {
    let verdict = Verdict::of(&valid_v2());
    assert_eq!((verdict.rules, verdict.is_current()), (RULE_SET, true));
    let mut older = verdict;
    older.rules += 1;
    assert!(!older.is_current());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_verdict_is_read_as_it_was_written(footprint in any_footprint()) {
        let verdict = Verdict::of(&footprint);
        prop_assert_eq!(Verdict::from_canonical((), &verdict.canonical()), Ok(verdict));
    }

    #[test]
    fn what_an_edition_shows_breaks_no_rule_of_it_but_advice(footprint in valid_footprint()) {
        for edition in Edition::ALL {
            let projection = project(&footprint, edition).unwrap();
            let hidden = validate(&projection.footprint).iter().any(|broken| broken.layer().hides())
                || projection.losses.iter().any(|loss| loss.layer().hides());
            prop_assert_eq!(Verdict::of(&footprint).is_shown(edition), !hidden);
        }
    }

    #[test]
    fn a_valid_record_of_version_3_and_of_2_3_is_shown_in_its_own_edition(footprint in valid_footprint()) {
        let own = if footprint.fields.text("specVersion") == Some("3.0.0") { Edition::V3 } else { Edition::V2 };
        let verdict = Verdict::of(&footprint);
        prop_assert!(verdict.is_valid && verdict.is_shown(own), "{:?}", verdict.edition(own));
    }
}
