//! Whole numbers of any length in decimal digits, and their division digit by digit, as it is done by hand.

use ethnum::U256;

use super::Wide;

/// How many digits are split off at a time.
const GROUP: usize = 18;
/// 10 to the power of that.
const GROUP_SIZE: u128 = 1_000_000_000_000_000_000;

impl Wide {
    /// The digits of the magnitude, the highest first; `0` for zero.
    pub(crate) fn digits(&self) -> String {
        let (mut limbs, mut groups) = (self.limbs.clone(), Vec::new());
        while !limbs.is_empty() {
            let mut rest = 0_u128;
            for limb in limbs.iter_mut().rev() {
                let both = rest << 64 | u128::from(*limb);
                // The rest is below 10^18, so the quotient has at most 64 bits.
                *limb = u64::try_from(both / GROUP_SIZE).unwrap_or(u64::MAX);
                rest = both % GROUP_SIZE;
            }
            groups.push(rest);
            limbs = Self::of(false, limbs).limbs;
        }
        let digits: String = groups.iter().rev().map(|group| format!("{group:0GROUP$}")).collect::<Vec<_>>().concat();
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() { "0".to_owned() } else { digits.to_owned() }
    }
}

/// The quotient of a number in digits by a positive one: its whole digits, the digits after the point, at most so many, and
/// whether these are all.
pub(crate) fn long_division(digits: &str, divisor: u128, most: usize) -> (String, String, bool) {
    let (divisor, mut rest) = (U256::from(divisor), U256::ZERO);
    let mut step = |digit: u8| {
        // The divisor has at most 128 bits, so ten times the rest is far from the bound.
        rest = rest * 10 + U256::from(digit);
        let quotient = rest / divisor;
        rest %= divisor;
        (char::from(b'0' + u8::try_from(quotient).unwrap_or(0)), rest == U256::ZERO)
    };
    let (mut whole, mut is_whole) = (String::with_capacity(digits.len()), true);
    for digit in digits.bytes() {
        let (next, even) = step(digit - b'0');
        whole.push(next);
        is_whole = even;
    }
    let (mut fraction, mut ends) = (String::new(), is_whole);
    while !ends && fraction.len() < most {
        let (next, even) = step(0);
        fraction.push(next);
        ends = even;
    }
    let whole = whole.trim_start_matches('0');
    (if whole.is_empty() { "0" } else { whole }.to_owned(), fraction, ends)
}

#[cfg(test)]
mod tests {
    use ethnum::I256;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_quotient_ends_or_is_cut() {
        let of = |digits: &str, divisor, most| long_division(digits, divisor, most);
        assert_eq!(of("180", 5, 10), ("36".to_owned(), String::new(), true));
        assert_eq!(of("1", 8, 10), ("0".to_owned(), "125".to_owned(), true));
        assert_eq!(of("22", 7, 6), ("3".to_owned(), "142857".to_owned(), false));
        assert_eq!(of("0", 7, 6), ("0".to_owned(), String::new(), true));
    }

    proptest! {
        #[test]
        fn digits_are_those_of_a_number_of_256_bits(high in any::<i128>(), low in any::<i128>()) {
            let value = I256::from_words(high, low);
            prop_assert_eq!(Wide::from(value).digits(), value.unsigned_abs().to_string());
        }

        #[test]
        fn division_by_hand_is_division(top in any::<u128>(), bottom in 1..=u128::MAX) {
            let (whole, _, ends) = long_division(&top.to_string(), bottom, 0);
            prop_assert_eq!(whole, (top / bottom).to_string());
            prop_assert_eq!(ends, top % bottom == 0);
        }
    }
}
