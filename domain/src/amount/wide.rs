//! Whole numbers of any length, for the few products that outgrow 256 bits.

pub(crate) mod digits;

use std::cmp::Ordering;
use std::ops::{Add, Mul};

use ethnum::{I256, U256};

/// A whole number of any length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wide {
    negative: bool,
    /// The magnitude in base 2^64, lowest first, the last one not zero; empty for zero.
    limbs: Vec<u64>,
}

impl Wide {
    fn of(negative: bool, mut limbs: Vec<u64>) -> Self {
        let length = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
        limbs.truncate(length);
        Self { negative: negative && length > 0, limbs }
    }

    /// Whether it is below zero.
    pub(crate) const fn is_negative(&self) -> bool {
        self.negative
    }

    /// How many bits the magnitude has.
    fn bits(&self) -> usize {
        self.limbs.last().map_or(0, |last| self.limbs.len() * 64 - last.leading_zeros() as usize)
    }

    fn bit(&self, index: usize) -> bool {
        self.limbs.get(index / 64).is_some_and(|limb| limb >> (index % 64) & 1 == 1)
    }

    /// The magnitude over another's: the whole part, and how what is left compares with what the divisor lacks of it,
    /// which is how it compares with one half. `None` for a zero divisor or a whole part beyond 256 bits.
    pub(crate) fn divide(&self, divisor: &Self) -> Option<(U256, Ordering)> {
        let spare = (self.bits() + 1).saturating_sub(divisor.bits());
        if divisor.limbs.is_empty() || spare > 256 {
            return None;
        }
        // Long division, bit by bit: at most 256 of them can be in the whole part.
        let (mut whole, mut rest) = (U256::ZERO, self.shifted_down(spare));
        for index in (0..spare).rev() {
            rest = doubled(&rest, self.bit(index));
            whole <<= 1;
            if compare(&rest, &divisor.limbs) != Ordering::Less {
                rest = difference(&rest, &divisor.limbs);
                whole |= U256::ONE;
            }
        }
        let lacking = difference(&divisor.limbs, &rest);
        Some((whole, compare(&rest, &lacking)))
    }

    /// The magnitude without its lowest bits.
    fn shifted_down(&self, bits: usize) -> Vec<u64> {
        let mut limbs = self.limbs.get(bits / 64..).unwrap_or_default().to_vec();
        let (shift, mut above) = (bits % 64, 0);
        for limb in limbs.iter_mut().rev() {
            let low = if shift == 0 { 0 } else { *limb << (64 - shift) };
            *limb = *limb >> shift | above;
            above = low;
        }
        Self::of(false, limbs).limbs
    }
}

/// Twice the magnitude, and one if `odd`.
fn doubled(limbs: &[u64], odd: bool) -> Vec<u64> {
    let mut carry = u64::from(odd);
    let mut twice: Vec<u64> = Vec::with_capacity(limbs.len() + 1);
    for limb in limbs {
        twice.push(limb << 1 | carry);
        carry = limb >> 63;
    }
    if carry > 0 {
        twice.push(carry);
    }
    twice
}

/// How two magnitudes without leading zeros compare.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut carry = false;
    let mut limbs: Vec<u64> = Vec::with_capacity(long.len() + 1);
    for (index, limb) in long.iter().enumerate() {
        let (part, over) = limb.overflowing_add(short.get(index).copied().unwrap_or(0));
        let (part, again) = part.overflowing_add(carry.into());
        limbs.push(part);
        carry = over || again;
    }
    limbs.push(carry.into());
    limbs
}

/// `a - b` where `a` is no less, without leading zeros.
fn difference(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut borrow = false;
    let mut limbs: Vec<u64> = Vec::with_capacity(a.len());
    for (index, limb) in a.iter().enumerate() {
        let (part, under) = limb.overflowing_sub(b.get(index).copied().unwrap_or(0));
        let (part, again) = part.overflowing_sub(borrow.into());
        limbs.push(part);
        borrow = under || again;
    }
    Wide::of(false, limbs).limbs
}

impl From<i128> for Wide {
    fn from(value: i128) -> Self {
        Self::from(I256::from(value))
    }
}

impl From<I256> for Wide {
    fn from(value: I256) -> Self {
        let bytes = value.unsigned_abs().to_le_bytes();
        let limb = |chunk: &[u8]| chunk.iter().rev().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
        Self::of(value < I256::ZERO, bytes.chunks(8).map(limb).collect())
    }
}

impl Add for &Wide {
    type Output = Wide;

    fn add(self, other: Self) -> Wide {
        if self.negative == other.negative {
            return Wide::of(self.negative, sum(&self.limbs, &other.limbs));
        }
        if compare(&self.limbs, &other.limbs) == Ordering::Less {
            return Wide::of(other.negative, difference(&other.limbs, &self.limbs));
        }
        Wide::of(self.negative, difference(&self.limbs, &other.limbs))
    }
}

impl Mul for &Wide {
    type Output = Wide;

    fn mul(self, other: Self) -> Wide {
        let mut limbs = vec![0_u64; self.limbs.len() + other.limbs.len()];
        for (i, a) in self.limbs.iter().enumerate() {
            let mut carry = 0_u128;
            for (j, b) in other.limbs.iter().enumerate() {
                // (2^64-1)^2 + 2 (2^64-1) is 2^128-1, so nothing is lost.
                let part = u128::from(*a) * u128::from(*b) + u128::from(limbs[i + j]) + carry;
                (limbs[i + j], carry) = halves(part);
            }
            (limbs[i + other.limbs.len()], _) = halves(carry);
        }
        Wide::of(self.negative != other.negative, limbs)
    }
}

/// The lower 64 bits, and the upper ones.
#[expect(clippy::cast_possible_truncation, reason = "the upper half is given back beside it")]
const fn halves(value: u128) -> (u64, u128) {
    (value as u64, value >> 64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wide(value: i128) -> Wide {
        value.into()
    }

    fn any_i256() -> impl Strategy<Value = I256> {
        (any::<i128>(), any::<i128>(), 0_u32..=256).prop_map(|(high, low, shift)| {
            let value = I256::from_words(high, low);
            if shift == 256 { I256::ZERO } else { value >> shift }
        })
    }

    #[test]
    fn zero_has_one_form() {
        assert_eq!(&wide(7) + &wide(-7), Wide::default());
        assert_eq!(&wide(-7) * &wide(0), Wide::default());
        assert_eq!(wide(0).divide(&wide(3)), Some((U256::ZERO, Ordering::Less)));
    }

    #[test]
    fn a_zero_divisor_and_a_whole_part_beyond_256_bits_have_no_quotient() {
        assert_eq!(wide(1).divide(&wide(0)), None);
        let high = &Wide::from(I256::MIN) * &wide(2);
        assert_eq!(high.divide(&wide(1)), None);
        assert_eq!(high.divide(&wide(2)), Some((U256::ONE << 255, Ordering::Less)));
    }

    proptest! {
        #[test]
        fn sums_and_products_are_those_of_256_bits(a in any_i256(), b in any_i256()) {
            if let Some(sum) = a.checked_add(b) {
                prop_assert_eq!(&Wide::from(a) + &Wide::from(b), Wide::from(sum));
            }
            if let Some(product) = a.checked_mul(b) {
                prop_assert_eq!(&Wide::from(a) * &Wide::from(b), Wide::from(product));
            }
        }

        #[test]
        fn quotients_are_those_of_256_bits(a in any_i256(), b in any_i256()) {
            let (top, bottom) = (a.unsigned_abs(), b.unsigned_abs());
            let expected = top.checked_div(bottom).map(|whole| (whole, (top % bottom).cmp(&(bottom - top % bottom))));
            prop_assert_eq!(Wide::from(a).divide(&Wide::from(b)), expected);
        }

        #[test]
        fn a_product_over_one_of_its_factors_is_the_other(a in any_i256(), b in any_i256(), c in any_i256()) {
            let (a, b, c) = (Wide::from(a), Wide::from(b), Wide::from(c));
            let beside = &b * &c;
            if beside != Wide::default() {
                let whole = (&a * &beside).divide(&beside).map(|(whole, half)| (half, whole));
                prop_assert_eq!(whole, a.divide(&wide(1)).map(|(whole, half)| (half, whole)));
            }
        }
    }
}
