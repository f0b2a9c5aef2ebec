//! The one rounding of Tonne: an exact product over an exact product, half to even.

use ethnum::I256;
use num_bigint::{BigInt, Sign};

use crate::total::Total;

/// The product of `numerators` over the product of `divisors`, rounded half to even to a whole number.
/// `None` for a zero divisor or a result outside an `i128`.
pub(crate) fn quotient(numerators: &[i128], divisors: &[i128]) -> Option<i128> {
    match (product(numerators), product(divisors)) {
        (Some(top), Some(bottom)) => round_half_even(top, bottom)?.try_into().ok(),
        _ => wide_quotient(numerators, divisors),
    }
}

/// `top / bottom` rounded half to even, `None` for a zero `bottom`.
pub(crate) fn round_half_even(top: I256, bottom: I256) -> Option<I256> {
    if bottom == I256::ZERO {
        return None;
    }
    let (floor, rest) = (top.checked_div_euclid(bottom)?, top.checked_rem_euclid(bottom)?);
    // The remainder is in 0..|bottom|; comparing it with what is left avoids doubling it.
    let left = bottom.checked_abs()? - rest;
    let up = rest > left || (rest == left && floor & I256::ONE == I256::ONE);
    // Euclidean division by a negative divisor rounds away from the floor, so the next value lies below.
    let step = if bottom > I256::ZERO { I256::ONE } else { -I256::ONE };
    if up { floor.checked_add(step) } else { Some(floor) }
}

fn product(parts: &[i128]) -> Option<I256> {
    parts.iter().try_fold(I256::ONE, |acc, part| acc.checked_mul(I256::from(*part)))
}

fn wide_quotient(numerators: &[i128], divisors: &[i128]) -> Option<i128> {
    let multiply = |parts: &[i128]| parts.iter().fold(BigInt::from(1), |acc, part| acc * part);
    wide_half_even(&multiply(numerators), &multiply(divisors))?.try_into().ok()
}

/// `top / bottom` rounded half to even, `None` for a zero `bottom`.
fn wide_half_even(top: &BigInt, bottom: &BigInt) -> Option<BigInt> {
    if bottom.sign() == Sign::NoSign {
        return None;
    }
    let negative = (top.sign() == Sign::Minus) != (bottom.sign() == Sign::Minus);
    let (top, bottom) = (top.magnitude(), bottom.magnitude());
    let (floor, rest) = (top / bottom, top % bottom);
    let twice = rest * 2_u32;
    let up = twice > *bottom || (twice == *bottom && floor.bit(0));
    let magnitude = BigInt::from(if up { floor + 1_u32 } else { floor });
    Some(if negative { -magnitude } else { magnitude })
}

/// `top / bottom` rounded half to even, as the scaled form of a [`Total`]; `None` for a zero `bottom` or beyond 256
/// bits.
pub(crate) fn total(top: &BigInt, bottom: &BigInt) -> Option<Total> {
    let scaled = wide_half_even(top, bottom)?;
    let (sign, digits) = (if scaled.sign() == Sign::Minus { "-" } else { "" }, scaled.magnitude().to_string());
    let padded = format!("{digits:0>19}");
    let (whole, fraction) = padded.split_at(padded.len() - 18);
    Total::parse(&format!("{sign}{whole}.{fraction}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_half_goes_to_the_even_neighbour() {
        for (top, bottom, expected) in [
            (1, 2, 0),
            (3, 2, 2),
            (5, 2, 2),
            (-1, 2, 0),
            (-3, 2, -2),
            (-5, 2, -2),
            (7, -2, -4),
            (5, -2, -2),
            (-7, -2, 4),
        ] {
            assert_eq!(quotient(&[top], &[bottom]), Some(expected), "{top}/{bottom}");
            assert_eq!(wide_quotient(&[top], &[bottom]), Some(expected), "wide {top}/{bottom}");
        }
    }

    #[test]
    fn a_zero_divisor_has_no_quotient() {
        assert_eq!(quotient(&[1], &[0]), None);
        assert_eq!(wide_quotient(&[1], &[3, 0]), None);
    }

    proptest! {
        #[test]
        fn both_widths_agree(a in any::<i64>(), b in any::<i64>(), c in any::<i64>(), d in any::<i64>()) {
            let (n, m) = ([i128::from(a), i128::from(b)], [i128::from(c), i128::from(d)]);
            prop_assert_eq!(quotient(&n, &m), wide_quotient(&n, &m));
        }
    }
}
