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
