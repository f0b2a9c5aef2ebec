//! The one rounding of Tonne: an exact quotient to the nearest whole number, a half to the even neighbour.

use std::cmp::Ordering;

use ethnum::{I256, U256};

use crate::amount::wide::Wide;

/// The product of `numerators` over the product of `divisors`, rounded half to even to a whole number. `None` for a
/// zero divisor or beyond 256 bits.
pub(crate) fn quotient<N: Copy + Into<I256>>(numerators: &[N], divisors: &[N]) -> Option<I256> {
    let negative = numerators.iter().chain(divisors).filter(|part| (**part).into() < I256::ZERO).count() % 2 == 1;
    match (product(numerators), product(divisors)) {
        (Some(top), Some(bottom)) => {
            // Nearly all numbers are as short as this, and those are divided much faster.
            let (whole, rest) = (top.checked_div(bottom)?, top.checked_rem(bottom)?);
            half_even(negative, whole, rest.cmp(&(bottom - rest)))
        }
        _ => wide_quotient(&wide_product(numerators), &wide_product(divisors)),
    }
}

/// `top / bottom` rounded half to even, `None` for a zero `bottom` or beyond 256 bits.
pub(crate) fn wide_quotient(top: &Wide, bottom: &Wide) -> Option<I256> {
    let (whole, half) = top.divide(bottom)?;
    half_even(top.is_negative() != bottom.is_negative(), whole, half)
}

/// The number whose magnitude has that whole part and a rest that compares so with one half.
fn half_even(negative: bool, whole: U256, half: Ordering) -> Option<I256> {
    let up = match half {
        Ordering::Less => false,
        Ordering::Equal => whole & U256::ONE == U256::ONE,
        Ordering::Greater => true,
    };
    let magnitude: I256 = whole.checked_add(U256::from(up))?.try_into().ok()?;
    Some(if negative { -magnitude } else { magnitude })
}

fn product<N: Copy + Into<I256>>(parts: &[N]) -> Option<U256> {
    parts.iter().try_fold(U256::ONE, |product, part| product.checked_mul((*part).into().unsigned_abs()))
}

fn wide_product<N: Copy + Into<I256>>(parts: &[N]) -> Wide {
    parts.iter().fold(1.into(), |product, part| &product * &Wide::from((*part).into()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wide(numerators: &[i128], divisors: &[i128]) -> Option<I256> {
        let product = |parts: &[i128]| parts.iter().fold(1.into(), |product: Wide, part| &product * &(*part).into());
        wide_quotient(&product(numerators), &product(divisors))
    }

    #[test]
    fn a_half_goes_to_the_even_neighbour() {
        for (top, bottom, expected) in [
            (1, 2, 0_i128),
            (3, 2, 2),
            (5, 2, 2),
            (-1, 2, 0),
            (-3, 2, -2),
            (-5, 2, -2),
            (7, -2, -4),
            (5, -2, -2),
            (-7, -2, 4),
        ] {
            assert_eq!(quotient(&[top], &[bottom]), Some(expected.into()), "{top}/{bottom}");
            assert_eq!(wide(&[top], &[bottom]), Some(expected.into()), "wide {top}/{bottom}");
        }
    }

    #[test]
    fn a_zero_divisor_has_no_quotient() {
        assert_eq!(quotient(&[1], &[0]), None);
        assert_eq!(wide(&[1], &[3, 0]), None);
    }

    #[test]
    fn products_beyond_256_bits_are_divided_exactly() {
        let most = i128::MAX;
        assert_eq!(quotient(&[most, most, 3], &[most, most, 2]), Some(I256::from(2)));
        assert_eq!(quotient(&[most, most, 5], &[most, 2, most]), Some(I256::from(2)));
        assert_eq!(quotient(&[most, most, most], &[1]), None);
    }

    proptest! {
        #[test]
        fn both_widths_agree(a in any::<i64>(), b in any::<i64>(), c in any::<i64>(), d in any::<i64>()) {
            let (n, m) = ([i128::from(a), i128::from(b)], [i128::from(c), i128::from(d)]);
            prop_assert_eq!(quotient(&n, &m), wide(&n, &m));
        }
    }
}
