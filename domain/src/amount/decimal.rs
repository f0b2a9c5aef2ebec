//! The one exact number: an integer scaled by 10^18, and how text becomes one and back.
//! Nothing here passes through binary floating point.

use std::fmt;
use std::str::FromStr;

use ethnum::I256;

use crate::amount::plain;
use crate::amount::round;

/// How many fractional digits a [`Decimal`] keeps.
pub const FRACTION_DIGITS: u32 = 18;
/// How many integer digits a [`Decimal`] keeps.
pub const INTEGER_DIGITS: u32 = 20;
/// The scale: one is stored as this.
pub(crate) const SCALE: i128 = 1_000_000_000_000_000_000;
/// The largest stored magnitude: 38 nines.
const LIMIT: i128 = 99_999_999_999_999_999_999_999_999_999_999_999_999;
/// The longest text that is read as a number.
const MAX_TEXT: usize = 64;
/// The largest absolute value of an exponent.
const MAX_EXPONENT: u32 = 40;

/// An exact decimal number of at most 20 integer and 18 fractional digits.
///
/// Equal numbers are equal values: `12.50` and `12.5` are the same `Decimal`, and there is one zero.
///
/// ```
/// # use tonne_domain::Decimal;
/// let price = Decimal::parse("12.50")?;
/// assert_eq!(price.to_string(), "12.5");
/// assert_eq!(format!("{price:>8.2}|{price:.0}"), "   12.50|12");
/// assert_eq!(price.checked_mul(Decimal::parse("1e-1")?), Some(Decimal::parse("1.25")?));
/// assert_eq!(Decimal::parse("12,50").unwrap_err().to_string(), "not a decimal number such as 12.5");
/// # Ok::<(), tonne_domain::DecimalError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(i128);

/// Why a text is not a [`Decimal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// Not of the form sign, digits, point, digits, exponent.
    #[error("not a decimal number such as 12.5")]
    Malformed,
    /// More than 64 characters.
    #[error("a number longer than 64 characters")]
    TooLong,
    /// The exponent's absolute value is above 40.
    #[error("an exponent beyond 40")]
    Exponent,
    /// More than 20 digits before the point.
    #[error("more than 20 digits before the decimal point")]
    TooLarge,
    /// More than 40 digits before the point of a [`Total`](crate::Total).
    #[error("more than 40 digits before the decimal point")]
    TotalTooLarge,
    /// More than 18 digits after the point, trailing zeros not counted.
    #[error("more than 18 digits after the decimal point")]
    TooFine,
}

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// One.
    pub const ONE: Self = Self(SCALE);
    /// The largest number: 20 nines before and 18 after the point.
    pub const MAX: Self = Self(LIMIT);
    /// The smallest number, `-MAX`.
    pub const MIN: Self = Self(-LIMIT);

    /// Reads a number as JSON, CSV or a person writes it: an optional sign, digits with an optional point, an
    /// optional exponent. Trailing zeros of the fraction count as no digits.
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        if text.len() > MAX_TEXT {
            return Err(DecimalError::TooLong);
        }
        let (negative, rest) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], parse_exponent(&rest[at + 1..])?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let has_digits = !whole.is_empty() || !fraction.is_empty();
        let well_formed =
            has_digits && !mantissa.ends_with('.') && whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit());
        if !well_formed {
            return Err(DecimalError::Malformed);
        }
        let magnitude = scale_digits(whole, fraction, exponent)?;
        Ok(Self(if negative { -magnitude } else { magnitude }))
    }

    /// The number whose stored form is `scaled`, that is `scaled` / 10^18; `None` beyond 20 integer digits.
    #[must_use]
    pub const fn from_scaled(scaled: i128) -> Option<Self> {
        if scaled > LIMIT || scaled < -LIMIT { None } else { Some(Self(scaled)) }
    }

    /// The stored form: the number times 10^18.
    #[must_use]
    pub const fn scaled(self) -> i128 {
        self.0
    }

    /// The decimal of a whole number: every `i64` fits.
    #[must_use]
    pub fn from_integer(value: i64) -> Self {
        Self(i128::from(value) * SCALE)
    }

    /// The sum, or `None` beyond 20 integer digits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).and_then(Self::from_scaled)
    }

    /// The difference, or `None` beyond 20 integer digits.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).and_then(Self::from_scaled)
    }

    /// The product, rounded half to even at the 18th fractional digit, or `None` beyond 20 integer digits.
    #[must_use]
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        round::quotient(&[self.0, other.0], &[SCALE]).and_then(Self::from_wide)
    }

    /// The quotient, rounded half to even at the 18th fractional digit; `None` for a zero divisor or beyond 20
    /// integer digits.
    #[must_use]
    pub fn checked_div(self, divisor: Self) -> Option<Self> {
        round::quotient(&[self.0, SCALE], &[divisor.0]).and_then(Self::from_wide)
    }

    /// The number with at most `places` digits after the point, rounded half to even: the nearest such number, and of two
    /// as near the one whose last digit is even (IEEE 754, roundTiesToEven; ISO 80000-1, B.3 rule A). `None` where that
    /// has 21 integer digits.
    ///
    /// ```
    /// # use tonne_domain::Decimal;
    /// let rounded = |text: &str| Decimal::parse(text).ok()?.round_half_even(1).map(|number| number.to_string());
    /// assert_eq!(rounded("0.25").as_deref(), Some("0.2"));
    /// assert_eq!(rounded("0.35").as_deref(), Some("0.4"));
    /// assert_eq!(rounded("-0.250000000000000001").as_deref(), Some("-0.3"));
    /// ```
    #[must_use]
    pub fn round_half_even(self, places: u32) -> Option<Self> {
        let Some(step) = FRACTION_DIGITS.checked_sub(places).map(|digits| 10_i128.pow(digits)) else {
            return Some(self);
        };
        let steps: i128 = round::quotient(&[self.0], &[step])?.try_into().ok()?;
        steps.checked_mul(step).and_then(Self::from_scaled)
    }

    /// The number of that stored form; `None` beyond 20 integer digits.
    pub(crate) fn from_wide(scaled: I256) -> Option<Self> {
        i128::try_from(scaled).ok().and_then(Self::from_scaled)
    }

    /// The number with its sign turned.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// Whether it is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether it is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }
}

fn parse_exponent(text: &str) -> Result<i32, DecimalError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(DecimalError::Malformed);
    }
    let value: i32 = text.parse().map_err(|_| DecimalError::Exponent)?;
    if value.unsigned_abs() > MAX_EXPONENT { Err(DecimalError::Exponent) } else { Ok(value) }
}

/// The magnitude of `whole.fraction x 10^exponent`, scaled by 10^18.
fn scale_digits(whole: &str, fraction: &str, exponent: i32) -> Result<i128, DecimalError> {
    let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|b| b - b'0').collect();
    let Some(first) = digits.iter().position(|d| *d != 0) else { return Ok(0) };
    let last = digits.iter().rposition(|d| *d != 0).unwrap_or(first);
    // MAX_TEXT bounds both lengths, so the casts and sums below stay far inside an i32.
    let point = i32::try_from(whole.len()).map_err(|_| DecimalError::TooLong)? + exponent;
    let position = |index: usize| i32::try_from(index).map_err(|_| DecimalError::TooLong);
    if point - position(first)? > INTEGER_DIGITS.cast_signed() {
        return Err(DecimalError::TooLarge);
    }
    if position(last)? + 1 - point > FRACTION_DIGITS.cast_signed() {
        return Err(DecimalError::TooFine);
    }
    let mut value: i128 = 0;
    for digit in &digits[first..=last] {
        value = value * 10 + i128::from(*digit);
    }
    let zeros = FRACTION_DIGITS.cast_signed() - (position(last)? + 1 - point);
    Ok(value * 10_i128.pow(zeros.unsigned_abs()))
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Self::parse(text)
    }
}

impl fmt::Display for Decimal {
    /// Plain notation, trailing zeros removed, `0` for zero. With a precision, that many digits after the point, rounded
    /// as by [`round_half_even`](Decimal::round_half_even).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(precision) = f.precision() else {
            return plain::write_scaled(f, self.is_negative(), self.0.unsigned_abs());
        };
        let places = u32::try_from(precision).unwrap_or(FRACTION_DIGITS).min(FRACTION_DIGITS);
        let step = 10_i128.pow(FRACTION_DIGITS - places);
        let steps = round::quotient(&[self.0], &[step]).ok_or(fmt::Error)?;
        plain::write(f, steps.is_negative(), &steps.unsigned_abs().to_string(), places as usize, precision)
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decimal({self})")
    }
}

#[cfg(feature = "bigdecimal")]
impl From<Decimal> for bigdecimal::BigDecimal {
    fn from(value: Decimal) -> Self {
        Self::new(value.0.into(), i64::from(FRACTION_DIGITS)).normalized()
    }
}

#[cfg(feature = "bigdecimal")]
impl TryFrom<&bigdecimal::BigDecimal> for Decimal {
    type Error = DecimalError;

    /// Exact, or an error: never rounded. Huge exponents are refused before any digit is written.
    fn try_from(value: &bigdecimal::BigDecimal) -> Result<Self, DecimalError> {
        let (digits, scale) = value.as_bigint_and_exponent();
        if digits == 0.into() {
            return Ok(Self::ZERO);
        }
        if digits.bits() > 512 || !(-64..=256).contains(&scale) {
            return Err(if scale > 0 { DecimalError::TooFine } else { DecimalError::TooLarge });
        }
        let text = digits.magnitude().to_string();
        let point = i64::try_from(text.len()).map_err(|_| DecimalError::TooLong)? - scale;
        let (whole, fraction) = match usize::try_from(point) {
            Ok(at) if at <= text.len() => (text[..at].to_owned(), text[at..].to_owned()),
            Ok(at) => (format!("{text}{}", "0".repeat(at - text.len())), String::new()),
            Err(_) => (String::new(), format!("{}{text}", "0".repeat(usize::try_from(-point).unwrap_or(0)))),
        };
        let magnitude = scale_digits(&whole, &fraction, 0)?;
        Ok(Self(if digits.sign() == bigdecimal::num_bigint::Sign::Minus { -magnitude } else { magnitude }))
    }
}
