//! Exact decimals.

use domain::{Decimal, DecimalError, Total};

use super::check;

const SAMPLES: [&str; 9] = [
    "0",
    "-0.0",
    "12345678901234567890.123456789012345678",
    "-99999999999999999999.999999999999999999",
    "1e-18",
    "9.99E19",
    "+1.50",
    ".5",
    "100000000000000000000000000000e-10",
];

#[test]
fn a_decimal_has_the_value_of_its_digits_and_one_text() {
    let words =
        ["e", "E-18", "e+19", "e2147483648", "000000000000000000", ".", "-", "+", "9999999999", "\u{664}", "NaN"];
    check("decimals", &SAMPLES.map(|text| text.as_bytes().to_vec()), &words, |input| {
        let text = String::from_utf8_lossy(input);
        let expected = scaled(&text);
        match Decimal::parse(&text) {
            Ok(decimal) => {
                assert_eq!(expected, Some(decimal.scaled()), "{text}");
                let written = decimal.to_string();
                assert_eq!(Decimal::parse(&written), Ok(decimal), "{written}");
                let (whole, fraction) = written.split_once('.').unwrap_or((&written, ""));
                assert!(!fraction.ends_with('0') && !written.ends_with('.') && !written.contains(['e', 'E', '+']));
                assert!(whole.trim_start_matches('-').len() == 1 || !whole.trim_start_matches('-').starts_with('0'));
                assert_eq!(Decimal::from_scaled(decimal.scaled()), Some(decimal));
                assert_eq!(Total::parse(&written).unwrap().to_string(), written);
                "a decimal".to_owned()
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                // The two bounds of a text, whatever its value is.
                let is_bound = matches!(error, DecimalError::TooLong | DecimalError::Exponent);
                assert!(expected.is_none() || is_bound, "{text:?} is {expected:?}, not {error}");
                if let Ok(total) = Total::parse(&text) {
                    assert_eq!(Total::parse(&total.to_string()).unwrap(), total);
                }
                error.to_string()
            }
        }
    });
}

/// The value times 10^18 of a text that is a decimal, worked out by moving the point through its digits.
fn scaled(text: &str) -> Option<i128> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let digits_of = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let exponent: i64 =
        if digits_of.bytes().all(|byte| byte.is_ascii_digit()) { exponent.parse().ok()? } else { return None };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || mantissa.ends_with('.') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Beyond that the service says so and does not look at the digits, and the value would not fit here either.
    if exponent.abs() > 1_000 {
        return None;
    }
    let mut value = digits.trim_start_matches('0').to_owned();
    let mut zeros = exponent + 18 - i64::try_from(fraction.len()).unwrap();
    while zeros < 0 && !value.is_empty() {
        if value.pop() != Some('0') {
            return None;
        }
        zeros += 1;
    }
    if value.is_empty() {
        return Some(0);
    }
    value.push_str(&"0".repeat(usize::try_from(zeros).ok().filter(|zeros| *zeros < 60)?));
    (value.len() <= 38).then(|| sign * value.parse::<i128>().unwrap())
}
