//! Amounts from one declared unit to many and back, and whether that is exact.

use crate::amount::decimal::{Decimal, FRACTION_DIGITS};
use crate::amount::total::Total;

/// How amounts of a record become those of an edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// They stay.
    Same,
    /// They are per one declared unit and become per so many.
    Times(Decimal),
    /// They are per so many declared units and become per one.
    Over(Decimal),
    /// How many declared units they are per is not written.
    Unknown,
}

/// What an amount becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scaled {
    /// To the last digit.
    Exact(Decimal),
    /// Rounded half to even at the 18th fractional digit.
    Rounded(Decimal),
    /// It has more than 20 integer digits.
    OutOfBounds,
    /// It cannot be told: how many declared units it is per is not written, or none.
    Unknown,
}

impl Scale {
    pub(super) fn apply(self, amount: Decimal) -> Scaled {
        self.apply_to_sum(amount.into())
    }

    /// The same of a sum of amounts, rounded once.
    pub(super) fn apply_to_sum(self, sum: Total) -> Scaled {
        let (scaled, is_exact) = match (self, sum.to_decimal()) {
            (Self::Same, amount) => (amount, true),
            (Self::Times(units), Some(amount)) => (amount.checked_mul(units), is_exact_product(amount, units)),
            (Self::Times(_), None) => (None, false),
            (Self::Over(units), _) if units.is_zero() => return Scaled::Unknown,
            (Self::Over(units), amount) => {
                let quotient = sum.checked_div(units).and_then(Total::to_decimal);
                let is_exact = |one: Decimal| is_exact_product(one, units) && one.checked_mul(units) == amount;
                (quotient, amount.is_some() && quotient.is_some_and(is_exact))
            }
            (Self::Unknown, _) => return Scaled::Unknown,
        };
        match scaled {
            Some(amount) if is_exact => Scaled::Exact(amount),
            Some(amount) => Scaled::Rounded(amount),
            None => Scaled::OutOfBounds,
        }
    }
}

/// Whether the product of two decimals has at most 18 fractional digits: whether that of their stored forms has 18 factors
/// two and five.
fn is_exact_product(a: Decimal, b: Decimal) -> bool {
    let factors = |of: i128| factors_in(a.scaled(), of) + factors_in(b.scaled(), of);
    a.is_zero() || b.is_zero() || factors(2).min(factors(5)) >= FRACTION_DIGITS
}

fn factors_in(mut number: i128, factor: i128) -> u32 {
    let mut found = 0;
    while number != 0 && number % factor == 0 {
        number /= factor;
        found += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn a_bottle_of_twelve_litres_has_twelve_times_the_amount_of_one() {
        assert_eq!(Scale::Times(decimal("12")).apply(decimal("1.5")), Scaled::Exact(decimal("18")));
        assert_eq!(Scale::Over(decimal("12")).apply(decimal("18")), Scaled::Exact(decimal("1.5")));
    }

    #[test]
    fn what_needs_a_nineteenth_digit_is_told_from_what_does_not() {
        let rounded = Scale::Over(decimal("3")).apply(decimal("1"));
        assert_eq!(rounded, Scaled::Rounded(decimal("0.333333333333333333")));
        let tiny = decimal("0.000000000000000001");
        assert_eq!(Scale::Times(decimal("0.5")).apply(tiny), Scaled::Rounded(Decimal::ZERO));
        assert_eq!(Scale::Times(decimal("2")).apply(tiny), Scaled::Exact(decimal("0.000000000000000002")));
        assert_eq!(Scale::Over(decimal("2")).apply(tiny), Scaled::Rounded(Decimal::ZERO));
        assert_eq!(Scale::Over(decimal("7")).apply(Decimal::ZERO), Scaled::Exact(Decimal::ZERO));
    }

    #[test]
    fn what_leaves_the_bounds_and_what_has_no_unit_is_no_amount() {
        assert_eq!(Scale::Times(Decimal::MAX).apply(decimal("2")), Scaled::OutOfBounds);
        assert_eq!(Scale::Over(decimal("0.1")).apply(Decimal::MAX), Scaled::OutOfBounds);
        assert_eq!(Scale::Over(Decimal::ZERO).apply(decimal("2")), Scaled::Unknown);
        assert_eq!(Scale::Unknown.apply(decimal("2")), Scaled::Unknown);
    }
}
