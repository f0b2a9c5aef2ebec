//! Figures keep every digit, in every form of numbers.

use domain::Total;
use proptest::prelude::*;
use tonne_web::figure::{Digits, Numbers};
use tonne_web::viewer::LOCALES;
use tonne_web::{Figures, Locale};

/// 20 digits before the point and 18 behind it.
const LONG: &str = "12345678901234567890.123456789012345678";

fn numbers(locale: &str) -> Numbers {
    Numbers::new(&Locale::parse(locale).unwrap())
}

fn total(text: &str) -> Total {
    Total::parse(text).unwrap()
}

fn figures(locale: &str, digits: Digits, amounts: &[&str]) -> Figures {
    Figures::of(numbers(locale), digits, amounts.iter().map(|text| total(text)))
}

/// The digits of a text, whatever stands between them.
fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

#[test]
fn thirty_eight_digits_are_unchanged_in_every_locale() {
    for (locale, _) in LOCALES {
        assert_eq!(digits(&numbers(locale).plain(LONG)), digits(LONG), "{locale}");
    }
}

#[test]
fn five_locales_write_the_same_amount_in_their_own_way() {
    for (locale, written) in [
        ("en", "1,234,567.891"),
        ("de", "1.234.567,891"),
        ("de-CH", "1'234'567.891"),
        ("en-IN", "12,34,567.891"),
        ("fr", "1\u{202f}234\u{202f}567,891"),
    ] {
        assert_eq!(numbers(locale).plain("1234567.891"), written, "{locale}");
    }
}

#[test]
fn one_thing_is_named_otherwise_than_several_or_none() {
    let counted = |count: u64| numbers("en").counted(count, "activity", "activities");
    assert_eq!([0, 1, 21, 1_001].map(counted), ["0 activities", "1 activity", "21 activities", "1,001 activities"]);
}

#[test]
fn a_table_has_one_unit_and_one_number_of_decimals() {
    let table = figures("en", Digits::Fixed, &["12481300", "0.4", "310"]);
    assert_eq!(table.unit(), "t");
    assert_eq!([table.text(total("12481300")), table.text(total("310"))], ["12,481.3", "0.3"]);
    assert_eq!(figures("en", Digits::Fixed, &["320.53"]).unit(), "kg");
    assert_eq!(figures("en", Digits::Fixed, &["0.0123"]).unit(), "g");
}

#[test]
fn nothing_and_what_is_rounded_to_nothing_differ() {
    let table = figures("en", Digits::Fixed, &["5000"]);
    assert_eq!([table.text(Total::ZERO), table.text(total("0.001"))], ["0", "0.0000"]);
}

#[test]
fn shown_figures_are_rounded_half_to_even_from_the_exact_value() {
    let table = figures("en", Digits::Fixed, &["99999"]);
    assert_eq!([table.text(total("250.5")), table.text(total("251.5"))], ["0.250", "0.252"]);
    assert_eq!(table.text(total("250.500000000000000001")), "0.251");
}

#[test]
fn an_amount_tells_its_exact_number_of_kg() {
    let text = figures("de", Digits::Fixed, &[LONG]).amount(total(LONG)).into_string();
    assert!(text.starts_with(&format!("<data value=\"{LONG}\"")), "{text}");
    assert!(text.contains("exactly 12.345.678.901.234.567.890,123456789012345678 kg"), "{text}");
}

#[test]
fn all_digits_are_shown_where_they_are_asked_for() {
    let text = figures("en", Digits::All, &[LONG]).text(total(LONG));
    assert_eq!(text, "12,345,678,901,234,567.890123456789012345678");
}

proptest! {
    #[test]
    fn every_digit_of_every_total_is_shown_in_every_locale(
        whole in "[1-9][0-9]{0,30}", fraction in "[0-9]{0,17}[1-9]", minus in any::<bool>(), at in 0..LOCALES.len(),
    ) {
        let text = format!("{}{whole}.{fraction}", if minus { "-" } else { "" });
        let shown = numbers(LOCALES[at].0).plain(&total(&text).to_string());
        prop_assert_eq!(digits(&shown), digits(&text));
    }
}
