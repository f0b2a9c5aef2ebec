//! Units are read strictly and convert exactly.

use proptest::prelude::*;
use proptest::sample::select;
use tonne_domain::{Decimal, Dimension, Quantity, Ratio, Unit, UnitError, convert};

fn unit(code: &str) -> Unit {
    Unit::parse(code).unwrap()
}

fn converted(quantity: &str, from: &str, to: &str) -> String {
    convert(Quantity::parse(quantity).unwrap(), unit(from), unit(to)).unwrap().to_string()
}

#[test]
fn every_canonical_code_reads_back_as_its_unit_and_is_the_only_one() {
    let mut spellings = std::collections::BTreeMap::new();
    for unit in Unit::all() {
        assert_eq!(Unit::parse(unit.code()), Ok(unit));
        assert_eq!(spellings.insert(unit.code(), unit), None, "{unit}");
    }
    for unit in Unit::all().filter(|unit| unit.rec20().is_some_and(|code| code != "STN")) {
        assert_eq!(Unit::parse(unit.rec20().unwrap()), Ok(unit));
    }
}

#[test]
fn currencies_follow_the_table_in_alphabetical_order() {
    let currencies: Vec<_> =
        Unit::all().skip_while(|unit| unit.dimension().name() != "money").map(Unit::code).collect();
    assert_eq!((currencies.first(), currencies.last()), (Some(&"AED"), Some(&"ZWL")));
    assert!(currencies.is_sorted());
    assert!(currencies.iter().all(|code| code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase())));
}

#[test]
fn factors_print_as_the_exact_decimals_of_their_definitions() {
    for (code, base, factor) in [
        ("g", "kg", "0.001"),
        ("kg", "kg", "1"),
        ("t", "kg", "1000"),
        ("kt", "kg", "1000000"),
        ("Mt", "kg", "1000000000"),
        ("lbs", "kg", "0.45359237"),
        ("oz", "kg", "0.028349523125"),
        ("ton_short", "kg", "907.18474"),
        ("ton_long", "kg", "1016.0469088"),
        ("kWh", "MJ", "3.6"),
        ("MWh", "MJ", "3600"),
        ("GWh", "MJ", "3600000"),
        ("TWh", "MJ", "3600000000"),
        ("kJ", "MJ", "0.001"),
        ("MJ", "MJ", "1"),
        ("GJ", "MJ", "1000"),
        ("kWh_gross", "MJ_gross", "3.6"),
        ("MMBtu_gross", "MJ_gross", "1055.05585262"),
        ("therm_gross", "MJ_gross", "105.4804"),
        ("therm_ec_gross", "MJ_gross", "105.505585262"),
        ("kWh_net", "MJ_net", "3.6"),
        ("TJ", "MJ", "1000000"),
        ("Btu", "MJ", "0.00105505585262"),
        ("kBtu", "MJ", "1.05505585262"),
        ("MMBtu", "MJ", "1055.05585262"),
        ("therm", "MJ", "105.4804"),
        ("therm_ec", "MJ", "105.505585262"),
        ("L", "m3", "0.001"),
        ("mL", "m3", "0.000001"),
        ("million_L", "m3", "1000"),
        ("m3", "m3", "1"),
        ("gal", "m3", "0.003785411784"),
        ("gal_uk", "m3", "0.00454609"),
        ("bbl", "m3", "0.158987294928"),
        ("ft3", "m3", "0.028316846592"),
        ("m", "km", "0.001"),
        ("km", "km", "1"),
        ("mi", "km", "1.609344"),
        ("nmi", "km", "1.852"),
        ("tkm", "tkm", "1"),
        ("pkm", "pkm", "1"),
        ("vkm", "vkm", "1"),
        ("tmi_short", "tkm", "1.45997231821056"),
        ("pmi", "pkm", "1.609344"),
        ("vmi", "vkm", "1.609344"),
        ("m2", "m2", "1"),
        ("ft2", "m2", "0.09290304"),
        ("ha", "m2", "10000"),
        ("h", "h", "1"),
        ("d", "h", "24"),
        ("room_night", "room_night", "1"),
        ("fte_h", "fte_h", "1"),
        ("piece", "piece", "1"),
        ("EUR", "EUR", "1"),
    ] {
        assert_eq!((unit(code).base().code(), unit(code).to_base().to_string().as_str()), (base, factor), "{code}");
    }
    for unit in Unit::all() {
        assert!(!unit.to_base().to_string().contains('/'), "{unit} has no finite decimal");
        assert_eq!(unit.base().to_base(), Ratio::ONE, "{unit}");
    }
}

#[test]
fn worked_conversions_are_exact() {
    for (quantity, from, to, expected) in [
        ("1", "gal", "L", "3.785411784"),
        ("42", "gal", "bbl", "1"),
        ("1", "bbl", "L", "158.987294928"),
        ("10", "therm_ec", "MMBtu", "1"),
        ("1", "MMBtu", "kWh", "293.071070172222222222"),
        ("1000000", "Btu", "MMBtu", "1"),
        ("2000", "lbs", "ton_short", "1"),
        ("2240", "lb", "ton_long", "1"),
        ("16", "oz", "lbs", "1"),
        ("1", "ft3", "L", "28.316846592"),
        ("-2.5", "MWh", "GJ", "-9"),
        ("7", "EUR", "EUR", "7"),
    ] {
        assert_eq!(converted(quantity, from, to), expected, "{quantity} {from} in {to}");
    }
}

#[test]
fn dimensions_and_currencies_do_not_mix() {
    for (from, to) in [("kg", "L"), ("kWh", "m3"), ("EUR", "USD"), ("tkm", "km"), ("pkm", "vkm"), ("piece", "kg")]
        .into_iter()
        .chain([("kWh", "kWh_gross"), ("kWh", "kWh_net"), ("kWh_gross", "kWh_net"), ("GJ_net", "MMBtu_gross")])
    {
        assert_eq!(unit(from).ratio_to(unit(to)), None, "{from} to {to}");
    }
    assert_eq!(unit("EUR").dimension().name(), "money");
    assert_ne!(unit("EUR").dimension(), unit("USD").dimension());
    assert_eq!(unit("kBtu").dimension(), Dimension::Energy);
}

#[test]
fn the_energy_of_a_fuel_is_read_in_the_words_of_published_tables() {
    for (words, code) in [
        ("kWh (Gross CV)", "kWh_gross"),
        ("kWh (Net CV)", "kWh_net"),
        ("MMBtu HHV", "MMBtu_gross"),
        ("GJ (LHV)", "GJ_net"),
    ] {
        assert_eq!(Unit::parse(words), Ok(unit(code)), "{words}");
    }
    let misspelt = |text: &str| match Unit::parse(text) {
        Err(UnitError::Misspelt { suggestion, .. }) => suggestion.code(),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!((misspelt("KWh_gross"), misspelt("kwh (net cv)")), ("kWh_gross", "kWh_net"));
    assert!(matches!(Unit::parse("mWh_gross"), Err(UnitError::Unknown(_))), "no suggestion crosses a prefix");
}

#[test]
fn all_units_of_a_dimension_convert_into_each_other_and_no_others_do() {
    for from in Unit::all() {
        for to in Unit::all() {
            assert_eq!(from.ratio_to(to).is_some(), from.dimension() == to.dimension(), "{from} to {to}");
        }
    }
}

#[test]
fn a_conversion_beyond_twenty_digits_is_none() {
    assert_eq!(convert(Quantity::new(Decimal::MAX), unit("t"), unit("g")), None);
}

#[test]
fn aliases_mean_the_unit_they_name() {
    for (alias, code) in [
        ("lb", "lbs"),
        ("litre", "L"),
        ("liter", "L"),
        ("l", "L"),
        ("kilogram", "kg"),
        ("kilowatt hour", "kWh"),
        ("cubic meter", "m3"),
        ("ton kilometer", "tkm"),
        ("square meter", "m2"),
        ("megajoule", "MJ"),
        ("KGM", "kg"),
        ("C62", "piece"),
        ("3B", "MJ"),
        ("m\u{b3}", "m3"),
        ("KTN", "kt"),
        ("megatonnes", "Mt"),
        ("D32", "TWh"),
        ("KJO", "kJ"),
        ("ml", "mL"),
        ("milliliter", "mL"),
        ("hr", "h"),
    ] {
        assert_eq!(Unit::parse(alias).map(Unit::code), Ok(code), "{alias}");
    }
}

#[test]
fn what_means_several_units_is_refused_with_a_choice() {
    for (text, choice) in [
        ("ton", "ton_short"),
        ("tons", "ton_long"),
        ("gallon", "gal_uk"),
        ("MBtu", "kBtu or MMBtu"),
        ("MBTU", "kBtu or MMBtu"),
        ("T", "write t for the tonne"),
        (" ton.", "ton_short"),
        ("MT", "write t or Mt"),
        ("ML", "1,000 m3"),
        ("kW", "kWh"),
        ("km2", "ha"),
        ("cup", "mL"),
        ("Sm3", "m3"),
        ("Nm3", "m3"),
        ("mcf", "scf"),
        ("cwt", "112 lb"),
        ("STN", "ton_short"),
        ("$", "USD"),
    ] {
        let error = Unit::parse(text).unwrap_err();
        assert!(matches!(error, UnitError::Ambiguous { .. }), "{text}: {error}");
        assert!(error.to_string().contains(choice), "{text}: {error}");
    }
}

#[test]
fn a_slip_in_case_or_in_a_word_names_the_unit_that_was_meant() {
    for (text, code) in [
        ("KG", "kg"),
        ("Kt", "kt"),
        ("kwh", "kWh"),
        ("Mwh", "MWh"),
        ("twh", "TWh"),
        ("KJ", "kJ"),
        ("MMBTU", "MMBtu"),
        ("mmBtu", "MMBtu"),
        ("M3", "m3"),
        ("tne", "t"),
        ("kilogrm", "kg"),
        ("gigajuoles", "GJ"),
        ("square metter", "m2"),
        ("eur", "EUR"),
        (" kg", "kg"),
        ("kW h", "kWh"),
    ] {
        let error = Unit::parse(text).unwrap_err();
        assert_eq!(error, UnitError::Misspelt { text: text.into(), suggestion: unit(code) });
        assert!(error.to_string().ends_with(&format!("did you mean {code}?")), "{error}");
    }
}

#[test]
fn no_suggestion_crosses_a_prefix_or_a_dimension() {
    for text in [
        "Gg",
        "Mg",
        "mg",
        "ug",
        "kW",
        "MT.",
        "mt",
        "mj",
        "mWh",
        "mwh",
        "PJ",
        "pJ",
        "EJ",
        "ML",
        "kL",
        "cL",
        "dL",
        "hL",
        "cm",
        "mm",
        "dm",
        "km2",
        "cm2",
        "dm3",
        "cm3",
        "yr",
        "ms",
        "us",
        "M",
        "G",
        "K",
        "H",
        "cal",
        "kcal",
        "Wh",
        "J",
        "in",
        "yd",
        "ac",
        "gr",
        "picogram",
        "milligram",
        "kiloton",
        "gigatonne",
        "merajoule",
        "billion Btu",
        "grains",
        "mitres",
        "kilolitre",
        "UD gallon",
        "passenger-mi",
        "tonne-mi",
        "cup",
        "therm_u",
    ] {
        let error = Unit::parse(text).unwrap_err();
        assert!(!matches!(error, UnitError::Misspelt { .. }), "{error}");
    }
}

#[test]
fn what_resembles_nothing_is_unknown_and_shown_in_part() {
    assert_eq!(Unit::parse(""), Err(UnitError::Empty));
    assert_eq!(Unit::parse("parsec"), Err(UnitError::Unknown("parsec".into())));
    assert_eq!(Unit::parse(&"x".repeat(100_000)), Err(UnitError::Unknown("x".repeat(40))));
}

fn any_unit() -> impl Strategy<Value = Unit> {
    select(Unit::all().collect::<Vec<_>>())
}

/// Two units of one dimension.
fn related() -> impl Strategy<Value = (Unit, Unit)> {
    any_unit().prop_flat_map(|from| {
        let same = Unit::all().filter(|to| to.dimension() == from.dimension()).collect::<Vec<_>>();
        (Just(from), select(same))
    })
}

proptest! {
    #[test]
    fn a_unit_in_itself_is_the_same_quantity(scaled in any::<i64>(), unit in any_unit()) {
        let quantity = Quantity::new(Decimal::from_scaled(scaled.into()).unwrap());
        prop_assert_eq!(convert(quantity, unit, unit), Some(quantity));
    }

    #[test]
    fn there_and_back_is_exact_when_the_way_there_is((from, to) in related(), scaled in any::<i64>()) {
        let ratio = from.ratio_to(to).unwrap();
        // A multiple of the denominator converts without rounding.
        let quantity = i128::from(scaled).checked_mul(ratio.denominator()).and_then(Decimal::from_scaled).map(Quantity::new);
        if let Some(quantity) = quantity && let Some(there) = convert(quantity, from, to) {
            prop_assert_eq!(convert(there, to, from), Some(quantity));
        }
    }

    #[test]
    fn ratios_compose((from, via) in related(), pick in any::<proptest::sample::Index>()) {
        let same = Unit::all().filter(|to| to.dimension() == from.dimension()).collect::<Vec<_>>();
        let to = *pick.get(&same);
        let (direct, first, second) = (from.ratio_to(to), from.ratio_to(via).unwrap(), via.ratio_to(to).unwrap());
        prop_assert_eq!(direct, first.times(second));
        prop_assert_eq!(from.ratio_to(via).map(Ratio::inverse), via.ratio_to(from));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,60}") {
        let _ = Unit::parse(&text);
    }
}
