use proptest::prelude::*;
use tonne_domain::{Decimal, DecimalError};

fn any_decimal() -> impl Strategy<Value = Decimal> {
    let limit = Decimal::MAX.scaled();
    (-limit..=limit).prop_map(|scaled| Decimal::from_scaled(scaled).unwrap())
}

proptest! {
    #[test]
    fn parse_and_print_are_inverse(number in any_decimal()) {
        prop_assert_eq!(Decimal::parse(&number.to_string()), Ok(number));
    }

    #[test]
    fn adding_and_taking_away_leaves_nothing(a in any_decimal(), b in any_decimal()) {
        if let Some(sum) = a.checked_add(b) {
            prop_assert_eq!(sum.checked_sub(b), Some(a));
        }
    }

    #[test]
    fn dividing_a_product_by_a_whole_factor_gives_the_other(a in -1_000_000_i64..1_000_000, b in 1_i64..1_000_000) {
        let (a, b) = (Decimal::from_integer(a), Decimal::from_integer(b));
        prop_assert_eq!(a.checked_mul(b).unwrap().checked_div(b), Some(a));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,70}") {
        let _ = Decimal::parse(&text);
    }

    #[test]
    fn no_number_like_text_makes_the_reader_panic(text in "[-+]?[0-9]{0,30}[.]?[0-9]{0,30}([eE][-+]?[0-9]{0,4})?") {
        if let Ok(number) = Decimal::parse(&text) {
            prop_assert_eq!(Decimal::parse(&number.to_string()), Ok(number));
        }
    }
}

#[test]
fn text_becomes_the_shortest_plain_notation() {
    for (text, plain) in [
        ("12.50", "12.5"),
        ("-0", "0"),
        ("-0.000", "0"),
        ("+7", "7"),
        (".5", "0.5"),
        ("00012", "12"),
        ("1e3", "1000"),
        ("1.5E-3", "0.0015"),
        ("0e40", "0"),
        ("1e-18", "0.000000000000000001"),
        ("99999999999999999999.999999999999999999", "99999999999999999999.999999999999999999"),
        ("0.0000000000000000010000000000", "0.000000000000000001"),
    ] {
        assert_eq!(Decimal::parse(text).map(|d| d.to_string()), Ok(plain.to_owned()), "{text}");
    }
}

#[test]
fn what_is_no_decimal_says_why() {
    for (text, error) in [
        ("", DecimalError::Malformed),
        ("-", DecimalError::Malformed),
        (".", DecimalError::Malformed),
        ("1.", DecimalError::Malformed),
        ("1,5", DecimalError::Malformed),
        (" 1", DecimalError::Malformed),
        ("1e", DecimalError::Malformed),
        ("NaN", DecimalError::Malformed),
        ("١٢", DecimalError::Malformed),
        ("--1", DecimalError::Malformed),
        ("1e41", DecimalError::Exponent),
        ("1e-99999999999", DecimalError::Exponent),
        ("100000000000000000000", DecimalError::TooLarge),
        ("1e20", DecimalError::TooLarge),
        ("0.0000000000000000001", DecimalError::TooFine),
        ("1e-19", DecimalError::TooFine),
        ("00000000000000000000000000000000000000000000000000000000000000001", DecimalError::TooLong),
    ] {
        assert_eq!(Decimal::parse(text), Err(error), "{text}");
    }
}

#[test]
fn results_beyond_twenty_integer_digits_are_none() {
    assert_eq!(Decimal::MAX.checked_add(Decimal::parse("0.000000000000000001").unwrap()), None);
    assert_eq!(Decimal::MAX.checked_mul(Decimal::from_integer(2)), None);
    assert_eq!(Decimal::ONE.checked_div(Decimal::ZERO), None);
}

#[test]
fn the_smallest_exponent_of_32_bits_is_refused_as_others_are() {
    for text in ["1e-2147483648", "1e2147483647", "1e-2147483647", "1e-41", "1e41"] {
        assert_eq!(Decimal::parse(text), Err(DecimalError::Exponent), "{text}");
    }
}

#[cfg(feature = "bigdecimal")]
mod edge {
    use std::str::FromStr as _;

    use bigdecimal::BigDecimal;

    use super::*;

    proptest! {
        #[test]
        fn there_and_back_is_the_same(number in any_decimal()) {
            let there = BigDecimal::from(number);
            prop_assert_eq!(Decimal::try_from(&there), Ok(number));
            prop_assert_eq!(Decimal::try_from(&there.with_scale(40)), Ok(number));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_and_never_rounded() {
        for (text, error) in [
            ("1e20", DecimalError::TooLarge),
            ("1e1000000000", DecimalError::TooLarge),
            ("1e-19", DecimalError::TooFine),
            ("1e-1000000000", DecimalError::TooFine),
        ] {
            assert_eq!(Decimal::try_from(&BigDecimal::from_str(text).unwrap()), Err(error), "{text}");
        }
        assert_eq!(Decimal::try_from(&BigDecimal::from_str("0e1000000000").unwrap()), Ok(Decimal::ZERO));
    }
}
