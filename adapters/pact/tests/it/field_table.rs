//! What is written against the standard's field tables.

pub(crate) mod table;

use domain::footprint::{Edition, FOOTPRINT, PCF, Verdict};
use domain::{Decimal, Footprint};
use proptest::prelude::*;

use crate::sample::{V2, V3, received, shown, with, written};
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
    ] {
        broken(V2, Edition::V2, change);
    }
    for change in [
        ("\"specVersion\":\"3.0.0\"", "\"specVersion\":\"3.0.0\",\"version\":1"),
        ("\"productMassPerDeclaredUnit\":\"12\",", ""),
        ("\"technologicalCO2Removals\":\"-0.6\"", "\"technologicalCO2Removals\":\"0.6\""),
        ("\"temporalDQR\":\"2\"", "\"temporalDQR\":2"),
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

/// A footprint of either version, some of its members left out, its amounts drawn anew, in some other unit.
fn drawn() -> impl Strategy<Value = Footprint> {
    let amount = (0_i64..1_000_000_000, 0_u32..12);
    let amounts = prop::collection::vec(prop::option::weighted(0.8, amount), PCF.fields.len());
    let units = prop::sample::select(vec!["1", "12", "0.5", "3", "7", "1e10", "1e-9"]);
    let left_out = prop::sample::subsequence((0..FOOTPRINT.fields.len()).collect::<Vec<_>>(), 0..3);
    (any::<bool>(), amounts, units, left_out, any::<bool>()).prop_map(|(v2, amounts, units, left_out, negative)| {
        let mut footprint = if v2 { received(V2, Edition::V2) } else { received(V3, Edition::V3) };
        for at in left_out {
            if !["pcf", "specVersion"].contains(&FOOTPRINT.fields[at].name) {
                footprint.fields.remove(FOOTPRINT.fields[at].name);
            }
        }
        let given = footprint.fields.object("pcf").unwrap().clone();
        for (spec, amount) in PCF.fields.iter().zip(amounts) {
            if given.number(spec.name).is_some() && spec.unit.is_per_declared_unit() {
                let amount = amount.map(|(mantissa, places)| {
                    let below = given.number(spec.name).unwrap().is_negative() != negative && negative;
                    Decimal::parse(&format!("{}{mantissa}e-{places}", if below { "-" } else { "" })).unwrap()
                });
                with(&mut footprint, spec.name, amount);
            }
        }
        let name = if v2 { "unitaryProductAmount" } else { "declaredUnitAmount" };
        with(&mut footprint, name, Some(Decimal::parse(units).unwrap()));
        footprint
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

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
            let losses = &verdict.edition(edition).findings;
            let out_of_bounds = losses.iter().any(|found| found.rule.name() == "amount-bounds");
            let json = written(&shown(&footprint, edition));
            prop_assert!(out_of_bounds || !departures(&json, edition).is_empty(), "{:?} {}", losses, json);
        }
    }

    #[test]
    fn what_is_written_is_read_as_it_was(footprint in drawn()) {
        for edition in Edition::ALL {
            let projection = shown(&footprint, edition);
            let read = tonne_pact::read(written(&projection).as_bytes(), edition).unwrap();
            prop_assert_eq!(read.departures.as_slice(), []);
            prop_assert_eq!(read.fields, projection.footprint.fields);
        }
    }
}
