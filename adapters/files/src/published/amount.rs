//! Figures of published tables, and whether those that belong together do add up.

use domain::{Decimal, DecimalError, FRACTION_DIGITS, GasAmount, GwpSet};

use crate::delimited::CellKind;
use crate::workbook::fifteen_digits;

/// What publishers write where they give no value.
const NO_VALUE: [&str; 6] = ["", "NA", "N/A", "n/a", "-", "\u{2013}"];

/// What stands where a figure belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Figure {
    /// No value, which is not zero.
    Absent,
    /// That number.
    Of(Decimal),
    /// That number, rounded half to even at the 18th digit after the point, where a decimal ends.
    Rounded(Decimal),
}

impl Figure {
    pub(super) const fn value(self) -> Option<Decimal> {
        match self {
            Self::Absent => None,
            Self::Of(value) | Self::Rounded(value) => Some(value),
        }
    }
}

/// The figure of a cell; the error completes "... ".
pub(super) fn figure(text: &str, kind: CellKind) -> Result<Figure, String> {
    if kind == CellKind::Error {
        return Err(format!("has a formula that failed with {text}"));
    }
    if NO_VALUE.contains(&text) {
        return Ok(Figure::Absent);
    }
    let meant = if kind == CellKind::Number { fifteen_digits(text) } else { text.to_owned() };
    match Decimal::parse(&meant) {
        Ok(value) => Ok(Figure::Of(value)),
        Err(error) => match rounded(&meant) {
            Some(value) if error == DecimalError::TooFine => Ok(Figure::Rounded(value)),
            _ => Err(format!("has {text:?} where a number belongs: {error}")),
        },
    }
}

/// A number of too many digits after the point, rounded half to even at the last one that a decimal has.
fn rounded(text: &str) -> Option<Decimal> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let scaled: i128 = format!("{whole}{fraction}").parse().ok()?;
    let exponent = exponent.parse::<i64>().ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let shift = u32::try_from(-i64::from(FRACTION_DIGITS) - exponent).ok()?;
    let Some(step) = 10_i128.checked_pow(shift) else { return Some(Decimal::ZERO) };
    let (quotient, rest) = (scaled / step, (scaled % step).unsigned_abs());
    let half = step.unsigned_abs() / 2;
    let is_up = rest > half || (rest == half && step > 1 && quotient % 2 != 0);
    Decimal::from_scaled(if is_up { quotient + scaled.signum() } else { quotient })
}

/// That a figure was rounded; completes "the row ...".
pub(super) fn rounding(text: &str, value: Decimal) -> String {
    format!("has {text}, which is kept as {value}: a decimal has {FRACTION_DIGITS} digits after the point")
}

/// Whether a total is the sum of its parts, each times its weight, as far as rounding each figure to its last digit explains
/// a difference.
///
/// `Err` says what they come to. `least_digits` is how many digits after the point the source rounds to at least, since
/// zeros at the end are not written.
pub(super) fn check_sum(total: Decimal, parts: &[(Decimal, Decimal)], least_digits: u32) -> Result<(), String> {
    let too_large = || "has figures that are too large to be added up".to_owned();
    let half = |value: Decimal| {
        let digits = fraction_digits(value).max(least_digits);
        // Beyond the digits of a decimal there is nothing to round.
        Decimal::parse(&format!("5e-{}", digits + 1)).unwrap_or(Decimal::ZERO)
    };
    let (mut sum, mut allowed) = (Decimal::ZERO, half(total));
    for &(value, weight) in parts {
        let part = value.checked_mul(weight);
        sum = part.and_then(|part| sum.checked_add(part)).ok_or_else(too_large)?;
        let more = half(value).checked_mul(weight);
        allowed = more.and_then(|more| allowed.checked_add(more)).ok_or_else(too_large)?;
    }
    let difference = total.checked_sub(sum).ok_or_else(too_large)?;
    let difference = if difference.is_negative() { difference.negated() } else { difference };
    if difference <= allowed {
        return Ok(());
    }
    Err(format!("has parts that add up to {sum} and a total of {total}: rounding explains {allowed} at most"))
}

/// The same of gases under a set of global warming potentials.
pub(super) fn check_gases(
    total: Decimal,
    gases: &[(domain::Gas, GasAmount)],
    set: GwpSet,
    least_digits: u32,
) -> Result<(), String> {
    let mut parts = Vec::with_capacity(gases.len());
    for (gas, amount) in gases.iter().filter(|(gas, _)| gas.is_in_scopes()) {
        parts.push(match amount {
            GasAmount::Co2e(value) => (*value, Decimal::ONE),
            GasAmount::Mass(value) => {
                let potential = set.potential(*gas);
                (*value, potential.ok_or_else(|| format!("has {gas}, of which {set} has no potential"))?)
            }
        });
    }
    check_sum(total, &parts, least_digits)
}

/// How many digits after the point a number has.
fn fraction_digits(value: Decimal) -> u32 {
    let text = value.to_string();
    text.split_once('.').map_or(0, |(_, fraction)| u32::try_from(fraction.len()).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(total: &str, parts: &[&str]) -> Result<(), String> {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        let parts: Vec<_> = parts.iter().map(|part| (decimal(part), Decimal::ONE)).collect();
        check_sum(decimal(total), &parts, 5)
    }

    #[test]
    fn what_rounding_explains_adds_up_and_one_digit_more_does_not() {
        assert_eq!(sum("3033.38067", &["3029.26", "2.52", "1.60067"]), Ok(()));
        assert_eq!(sum("0.3", &["0.1", "0.1", "0.10002"]), Ok(()));
        assert!(sum("0.3", &["0.1", "0.1", "0.10003"]).unwrap_err().contains("0.00002 at most"));
    }

    #[test]
    fn what_is_too_small_for_a_decimal_is_rounded_half_to_even_and_told() {
        for (text, kind, expected) in [
            ("0.000004860776705385985", CellKind::Number, "0.000004860776705386"),
            ("1.5e-18", CellKind::Text, "0.000000000000000002"),
            ("2.5E-18", CellKind::Text, "0.000000000000000002"),
            ("-1.5e-18", CellKind::Text, "-0.000000000000000002"),
            ("0.5e-18", CellKind::Text, "0"),
            ("1e-40", CellKind::Text, "0"),
        ] {
            assert_eq!(figure(text, kind), Ok(Figure::Rounded(Decimal::parse(expected).unwrap())), "{text}");
        }
        assert!(figure("1e-41", CellKind::Text).is_err() && figure("1e-", CellKind::Text).is_err());
    }

    #[test]
    fn no_value_is_not_zero_and_a_number_of_a_workbook_is_its_15_digits() {
        for text in NO_VALUE {
            assert_eq!(figure(text, CellKind::Text), Ok(Figure::Absent));
        }
        assert_eq!(figure("0", CellKind::Number), Ok(Figure::Of(Decimal::ZERO)));
        let expected = Decimal::parse("0.022").unwrap();
        assert_eq!(figure("0.022000000000000002", CellKind::Number), Ok(Figure::Of(expected)));
        assert!(figure("0.022000000000000002", CellKind::Text).unwrap() != Figure::Of(expected));
        assert!(figure("#REF!", CellKind::Error).unwrap_err().contains("formula"));
        assert!(figure("1,5", CellKind::Text).unwrap_err().contains("\"1,5\""));
    }
}
