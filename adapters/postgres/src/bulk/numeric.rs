//! `numeric` in the server's binary form: digits of base 10,000, the place of the first one, sign, and how many decimal
//! digits show behind the point.

use domain::Decimal;

/// One, as [`Decimal::scaled`] has it.
const ONE: u128 = 1_000_000_000_000_000_000;
const BASE: u128 = 10_000;
const NEGATIVE: u16 = 0x4000;
/// How many decimal digits show behind the point.
const SCALE: u16 = 18;

/// Appends a number in the binary form of `numeric`.
pub(super) fn encode(data: &mut Vec<u8>, value: Decimal) {
    let magnitude = value.scaled().unsigned_abs();
    // Five digits before the point, and five behind it: 18 decimal ones and two zeros.
    let (mut whole, mut fraction) = (magnitude / ONE, magnitude % ONE * 100);
    let mut digits = [0_i16; 10];
    for place in (0..5).rev() {
        for (at, part) in [(place, &mut whole), (place + 5, &mut fraction)] {
            if *part > 0 {
                digits[at] = i16::try_from(*part % BASE).unwrap_or_default();
                *part /= BASE;
            }
        }
    }
    append(data, &digits, 4, value.is_negative());
}

/// Appends digits of which the first counts 10,000 to the power of `weight`.
fn append(data: &mut Vec<u8>, digits: &[i16], weight: i16, is_negative: bool) {
    let lead = digits.iter().take_while(|digit| **digit == 0).count();
    let end = digits.iter().rposition(|digit| *digit != 0).map_or(lead, |last| last + 1);
    let digits = digits.get(lead..end).unwrap_or_default();
    let weight = if digits.is_empty() { 0 } else { weight - i16::try_from(lead).unwrap_or_default() };
    let sign = if is_negative { NEGATIVE } else { 0 };
    data.extend(i16::try_from(digits.len()).unwrap_or(i16::MAX).to_be_bytes());
    data.extend(weight.to_be_bytes());
    data.extend(sign.to_be_bytes());
    data.extend(SCALE.to_be_bytes());
    data.extend(digits.iter().flat_map(|digit| digit.to_be_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a number; `None` for what is no [`Decimal`], such as `NaN`.
    fn decode(data: &[u8]) -> Option<Decimal> {
        let word = |at: usize| Some(u16::from_be_bytes([*data.get(at)?, *data.get(at + 1)?]));
        let (count, weight, sign) = (usize::from(word(0)?), word(2)?.cast_signed(), word(4)?);
        let digits = data.get(8..)?;
        if digits.len() != count * 2 || !matches!(sign, 0 | NEGATIVE) {
            return None;
        }
        let mut magnitude = 0_i128;
        for (digit, at) in digits.chunks_exact(2).zip(0_i16..) {
            let digit = i128::from(u16::from_be_bytes([*digit.first()?, *digit.last()?]));
            let place = i32::from(weight) - i32::from(at);
            // The last of five digits behind the point holds two decimal ones.
            let part = match place {
                -4..=4 => digit.checked_mul(10_i128.checked_pow(u32::try_from(18 + place * 4).ok()?)?)?,
                -5 if digit % 100 == 0 => digit / 100,
                _ if digit == 0 => 0,
                _ => return None,
            };
            magnitude = magnitude.checked_add(part)?;
        }
        Decimal::from_scaled(if sign == NEGATIVE { -magnitude } else { magnitude })
    }

    fn bytes(text: &str) -> Vec<u8> {
        let mut data = Vec::new();
        encode(&mut data, Decimal::parse(text).expect("a number"));
        data
    }

    #[test]
    fn a_number_has_the_form_of_the_server() {
        // ndigits, weight, sign, dscale, digits
        assert_eq!(bytes("0"), [0, 0, 0, 0, 0, 0, 0, 18]);
        assert_eq!(bytes("12345.67"), [0, 3, 0, 1, 0, 0, 0, 18, 0, 1, 0x09, 0x29, 0x1A, 0x2C]);
        assert_eq!(bytes("-0.000000000000000001"), [0, 1, 0xFF, 0xFB, 0x40, 0, 0, 18, 0, 100]);
        assert_eq!(bytes("10000"), [0, 1, 0, 1, 0, 0, 0, 18, 0, 1]);
    }

    #[test]
    fn every_number_comes_back() {
        let edges = ["0", "1", "-1", "0.1", "9999", "10000", "100000000000000000", "-0.000000000000000001"];
        let edges = edges.map(|text| Decimal::parse(text).expect("a number"));
        for value in edges.into_iter().chain([Decimal::MAX, Decimal::MIN]) {
            let mut data = Vec::new();
            encode(&mut data, value);
            assert_eq!(decode(&data), Some(value));
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let nan = [0, 0, 0, 0, 0xC0, 0, 0, 0];
        let beyond = [0, 1, 0, 5, 0, 0, 0, 0, 0, 1];
        let too_fine = [0, 1, 0xFF, 0xFB, 0, 0, 0, 20, 0, 1];
        for data in [&nan[..], &beyond, &too_fine, &[], &[0, 1]] {
            assert_eq!(decode(data), None, "{data:?}");
        }
    }
}
