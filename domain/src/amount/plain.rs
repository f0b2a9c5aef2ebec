//! Plain notation: digits and a point, no exponent.

use std::fmt;

/// Writes a number of that magnitude over 10^`scale`, with at least `fewest` digits after the point and no further zeros
/// at its end. Width, fill, alignment and sign are the formatter's; `0` never has a minus.
pub(crate) fn write(
    f: &mut fmt::Formatter<'_>,
    negative: bool,
    magnitude: &str,
    scale: usize,
    fewest: usize,
) -> fmt::Result {
    let text = text(magnitude, scale, fewest);
    if f.width().is_none() && !f.sign_plus() {
        // Nearly all numbers are written so, and `pad_integral` would count their letters first.
        if negative {
            f.write_str("-")?;
        }
        return f.write_str(&text);
    }
    f.pad_integral(!negative, "", &text)
}

/// How many digits [`write_scaled`] has after the point.
const FRACTION_DIGITS: usize = 18;
/// 10 to the power of that.
const SCALE: u64 = 1_000_000_000_000_000_000;

/// Writes a number of that magnitude over 10^18 without zeros at its end, as [`write`] does: without an allocation, since
/// amounts are written by the million.
pub(crate) fn write_scaled(f: &mut fmt::Formatter<'_>, negative: bool, magnitude: u128) -> fmt::Result {
    let (Ok(whole), Ok(fraction)) =
        (u64::try_from(magnitude / u128::from(SCALE)), u64::try_from(magnitude % u128::from(SCALE)))
    else {
        return write(f, negative, &magnitude.to_string(), FRACTION_DIGITS, 0);
    };
    // 20 digits, the point and 18 digits, filled from the end.
    let mut text = [b'0'; 39];
    let mut at = text.len();
    if fraction > 0 {
        let (mut rest, mut places) = (fraction, FRACTION_DIGITS);
        while rest % 10 == 0 {
            rest /= 10;
            places -= 1;
        }
        at -= places;
        fill(&mut text[at..], rest);
        at -= 1;
        text[at] = b'.';
    }
    let digits = whole.checked_ilog10().map_or(1, |log| log as usize + 1);
    fill(&mut text[at - digits..at], whole);
    let text = std::str::from_utf8(&text[at - digits..]).unwrap_or_default();
    if f.width().is_none() && !f.sign_plus() {
        if negative {
            f.write_str("-")?;
        }
        return f.write_str(text);
    }
    f.pad_integral(!negative, "", text)
}

/// Fills the place with the last digits of a number.
fn fill(place: &mut [u8], mut number: u64) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

/// The text of a magnitude over 10^`scale`.
pub(crate) fn text(magnitude: &str, scale: usize, fewest: usize) -> String {
    let mut text = String::with_capacity(magnitude.len().max(scale) + fewest + 2);
    let whole = magnitude.len().saturating_sub(scale);
    text.push_str(if whole == 0 { "0" } else { &magnitude[..whole] });
    let fraction = &magnitude[whole..];
    let shown = fraction.trim_end_matches('0');
    let zeros = scale - fraction.len();
    if !shown.is_empty() || fewest > 0 {
        text.push('.');
    }
    let before = text.len();
    if !shown.is_empty() {
        text.extend(std::iter::repeat_n('0', zeros));
        text.push_str(shown);
    }
    let missing = fewest.saturating_sub(text.len() - before);
    text.extend(std::iter::repeat_n('0', missing));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Scaled(bool, u128);

    impl fmt::Display for Scaled {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_scaled(f, self.0, self.1)
        }
    }

    struct Spelled(bool, u128);

    impl fmt::Display for Spelled {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write(f, self.0, &self.1.to_string(), FRACTION_DIGITS, 0)
        }
    }

    fn agree(negative: bool, magnitude: u128) {
        let (scaled, spelled) = (Scaled(negative, magnitude), Spelled(negative, magnitude));
        assert_eq!(scaled.to_string(), spelled.to_string());
        assert_eq!(format!("{scaled:>45}|{scaled:+}|{scaled:042}"), format!("{spelled:>45}|{spelled:+}|{spelled:042}"));
    }

    #[test]
    fn both_ways_of_writing_agree_at_the_bounds() {
        let unit = u128::from(SCALE);
        let bounds = [0, 1, 10, unit - 1, unit, unit + 1, 10 * unit, unit * u128::from(u64::MAX), u128::MAX];
        for magnitude in bounds.into_iter().chain((0..39).map(|power| 10_u128.pow(power))) {
            agree(false, magnitude);
            agree(true, magnitude.saturating_sub(1));
        }
    }

    proptest! {
        #[test]
        fn both_ways_of_writing_agree(negative: bool, magnitude: u128, less in 0_u32..100, zeros in 0_u32..20) {
            agree(negative, (magnitude >> less) / 10_u128.pow(zeros) * 10_u128.pow(zeros));
        }
    }
}
