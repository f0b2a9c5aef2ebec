//! Greenhouse gases under the published sets of potentials, against figures that their sources print.

use proptest::prelude::*;
use proptest::sample::select;
use tonne_domain::{Decimal, Gas, GasAmount, GasRow, GasSplit, GasSplitError, GwpSet};

fn gas(name: &str) -> Gas {
    Gas::parse(name).unwrap()
}

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn masses(set: GwpSet, parts: &[(&str, &str)]) -> GasSplit {
    GasSplit::new(set, parts.iter().map(|(name, mass)| (gas(name), GasAmount::Mass(decimal(mass))))).unwrap()
}

fn total(split: &GasSplit, set: GwpSet) -> String {
    split.co2e(set).unwrap().total.to_string()
}

#[test]
fn every_gas_and_set_reads_back_by_its_name_and_no_spelling_means_two() {
    for gas in Gas::all() {
        assert_eq!(Gas::parse(gas.name()), Ok(gas), "{gas}");
        assert_eq!(Gas::parse(&gas.name().replace(['-', '_'], " ").to_lowercase()), Ok(gas), "{gas}");
    }
    for set in GwpSet::ALL {
        assert_eq!(set.name().to_lowercase().parse(), Ok(set));
        assert!(set.citation().starts_with("IPCC, "), "{set}");
    }
    assert_eq!(Gas::parse("PFC-14"), Gas::parse("CF4"));
    assert!(Gas::parse("R-134a").is_err() && Gas::parse("").is_err() && GwpSet::parse("AR7").is_err());
}

#[test]
fn the_named_gases_are_those_of_the_table() {
    for (gas, name) in [
        (Gas::CO2, "CO2"),
        (Gas::CO2_BIOGENIC, "CO2_biogenic"),
        (Gas::CH4, "CH4"),
        (Gas::CH4_FOSSIL, "CH4_fossil"),
        (Gas::CH4_NON_FOSSIL, "CH4_non_fossil"),
        (Gas::N2O, "N2O"),
    ] {
        assert_eq!(gas.name(), name);
    }
}

/// GHG Protocol, Global Warming Potential Values (February 2016); IPCC AR6 WGI Tables 7.15 and 7.SM.7.
#[test]
fn potentials_are_those_that_were_published() {
    for (name, ar4, ar5, ar6) in [
        ("CO2", "1", "1", "1"),
        ("CH4", "25", "28", "27.9"),
        ("CH4_fossil", "25", "30", "29.8"),
        ("CH4_non_fossil", "25", "28", "27"),
        ("N2O", "298", "265", "273"),
        ("SF6", "22800", "23500", "25200"),
        ("NF3", "17200", "16100", "17400"),
        ("HFC-23", "14800", "12400", "14600"),
        ("HFC-32", "675", "677", "771"),
        ("HFC-125", "3500", "3170", "3740"),
        ("HFC-134a", "1430", "1300", "1530"),
        ("HFC-143a", "4470", "4800", "5810"),
        ("HFC-152a", "124", "138", "164"),
        ("HFC-227ea", "3220", "3350", "3600"),
        ("HFC-245fa", "1030", "858", "962"),
        ("HFC-365mfc", "794", "804", "914"),
        ("HFC-43-10mee", "1640", "1650", "1600"),
        ("CF4", "7390", "6630", "7380"),
        ("C2F6", "12200", "11100", "12400"),
        ("HCFC-22", "1810", "1760", "1960"),
    ] {
        let found = [GwpSet::Ar4, GwpSet::Ar5, GwpSet::Ar6].map(|set| set.potential(gas(name)).unwrap().to_string());
        assert_eq!(found, [ar4, ar5, ar6], "{name}");
    }
    assert_eq!(GwpSet::Ar6GhgProtocol.potential(gas("SF6")), Some(decimal("24300")));
    assert_eq!(GwpSet::Ar5Feedback.potential(Gas::CH4), Some(decimal("34")));
    assert_eq!(GwpSet::Ar4.potential(gas("HFC-41")), None);
}

/// US EPA, GHG Emission Factors Hub 2025, Table 1: natural gas, kg CO2 and g CH4 and N2O per mmBtu, under AR5.
#[test]
fn natural_gas_of_the_epa_hub_comes_to_what_its_gases_add_up_to() {
    let natural_gas = masses(GwpSet::Ar5, &[("CO2", "53.06"), ("CH4", "0.001"), ("N2O", "0.0001")]);
    assert_eq!(total(&natural_gas, GwpSet::Ar5), "53.1145");
    assert_eq!(total(&natural_gas, GwpSet::Ar6), "53.1152");
}

/// Compositions: US EPA, GHG Emission Factors Hub 2025, Table 12.
#[test]
fn blends_of_refrigerants_are_the_sums_of_their_gases() {
    for (blend, parts, ar5, ar6) in [
        ("R-410A", &[("HFC-32", "0.5"), ("HFC-125", "0.5")][..], "1923.5", "2255.5"),
        ("R-404A", &[("HFC-125", "0.44"), ("HFC-134a", "0.04"), ("HFC-143a", "0.52")], "3942.8", "4728"),
        ("R-407C", &[("HFC-32", "0.23"), ("HFC-125", "0.25"), ("HFC-134a", "0.52")], "1624.21", "1907.93"),
        ("R-507A", &[("HFC-125", "0.5"), ("HFC-143a", "0.5")], "3985", "4775"),
        ("R-508B", &[("HFC-23", "0.46"), ("C2F6", "0.54")], "11698", "13412"),
    ] {
        let split = masses(GwpSet::Ar5, parts);
        assert_eq!((total(&split, GwpSet::Ar5), total(&split, GwpSet::Ar6)), (ar5.into(), ar6.into()), "{blend}");
    }
}

/// US EPA, GHG Emission Factors Hub 2025, Table 12: only the part that is HFC counts, 17.94 printed as 18.
#[test]
fn what_the_kyoto_protocol_does_not_count_is_in_no_total() {
    let split = masses(GwpSet::Ar5, &[("HCFC-22", "0.53"), ("HCFC-124", "0.34"), ("HFC-152a", "0.13")]);
    let co2e = split.co2e(GwpSet::Ar5).unwrap();
    assert_eq!(co2e.total.to_string(), "17.94");
    assert_eq!(co2e.outside_scopes.to_string(), "1111.98");
    let wood = masses(GwpSet::Ar5, &[("CO2_biogenic", "93.8"), ("CH4", "0.0072"), ("N2O", "0.0036")]);
    let co2e = wood.co2e(GwpSet::Ar5).unwrap();
    assert_eq!((co2e.total.to_string(), co2e.biogenic.to_string()), ("1.1556".into(), "93.8".into()));
}

/// UK Government GHG Conversion Factors 2024: butane per tonne, in kg CO2e of each gas under AR5.
#[test]
fn what_a_source_gives_as_co2e_stays_to_the_digit_and_is_converted_by_the_ratio_of_the_potentials() {
    let parts = [("CO2", "3029.26"), ("CH4", "2.52"), ("N2O", "1.60067")];
    let butane = GasSplit::new(GwpSet::Ar5, parts.map(|(name, co2e)| (gas(name), GasAmount::Co2e(decimal(co2e)))));
    let butane = butane.unwrap();
    assert_eq!(total(&butane, GwpSet::Ar5), "3033.38067");
    // 3029.26 + 2.52 * 27.9 / 28 + 1.60067 * 273 / 265
    assert_eq!(total(&butane, GwpSet::Ar6), "3033.41999211320754717");
}

#[test]
fn a_split_has_each_gas_once_and_only_gases_that_its_set_knows() {
    let mass = |name: &str| (gas(name), GasAmount::Mass(decimal("1")));
    assert_eq!(GasSplit::new(GwpSet::Ar5, []), Err(GasSplitError::Empty));
    assert_eq!(
        GasSplit::new(GwpSet::Ar5, [mass("CH4"), mass("CO2"), mass("CH4")]),
        Err(GasSplitError::Twice(Gas::CH4))
    );
    let unknown = GasSplitError::NoPotential { set: GwpSet::Ar4, gas: gas("HFC-41") };
    assert_eq!(GasSplit::new(GwpSet::Ar4, [mass("HFC-41")]), Err(unknown));
    let known = GasSplit::new(GwpSet::Ar5, [mass("HFC-41")]).unwrap();
    assert_eq!(known.co2e(GwpSet::Ar4), Err(unknown));
    assert_eq!(unknown.to_string(), "AR4 has no global warming potential of HFC-41");
    let huge = (Gas::N2O, GasAmount::Mass(decimal("99999999999999999999")));
    assert_eq!(GasSplit::new(GwpSet::Ar5, [huge]), Err(GasSplitError::TooLarge(Gas::N2O)));
}

#[test]
fn every_row_of_gases_has_a_title_of_its_own() {
    let titles: std::collections::BTreeSet<_> = GasRow::ALL.into_iter().map(GasRow::title).collect();
    assert_eq!(titles.len(), GasRow::ALL.len(), "{titles:?}");
    assert!(titles.iter().all(|title| !title.contains('_')), "{titles:?}");
}

proptest! {
    #[test]
    fn a_split_under_its_own_set_is_what_its_source_says_and_its_parts_add_up(
        set in select(GwpSet::ALL.to_vec()),
        amounts in prop::collection::btree_map(0_usize..62, -1_000_000_000_i64..1_000_000_000, 1..20),
    ) {
        let of = |index: &usize| Gas::all().nth(*index).unwrap();
        let known: Vec<_> = amounts
            .iter()
            .filter(|(index, _)| set.potential(of(index)).is_some())
            .map(|(index, value)| (of(index), GasAmount::Co2e(Decimal::from_integer(*value))))
            .collect();
        prop_assume!(!known.is_empty());
        let split = GasSplit::new(set, known.iter().rev().copied()).unwrap();
        let co2e = split.co2e(set).unwrap();
        let expected: Vec<_> = known.iter().map(|(gas, amount)| match amount {
            GasAmount::Co2e(value) | GasAmount::Mass(value) => (*gas, *value),
        }).collect();
        prop_assert_eq!(co2e.gases.iter().map(|(gas, value)| (*gas, value.decimal())).collect::<Vec<_>>(), expected);
        let inside = co2e.gases.iter().filter(|(gas, _)| gas.is_in_scopes());
        let sum = inside.fold(Decimal::ZERO, |sum, (_, value)| sum.checked_add(value.decimal()).unwrap());
        prop_assert_eq!(co2e.total.decimal(), sum);
        let of_row = |row| co2e.gases.iter().filter(move |(gas, _)| gas.row() == row);
        let biogenic = of_row(Some(GasRow::BiogenicCo2)).map(|(_, value)| value.decimal());
        prop_assert_eq!(co2e.biogenic.decimal(), biogenic.fold(Decimal::ZERO, |sum, value| sum.checked_add(value).unwrap()));
    }
}
