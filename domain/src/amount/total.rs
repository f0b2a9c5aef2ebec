//! Exact sums: 256 bits scaled by 10^18.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

use ethnum::I256;

use crate::amount::decimal::{Decimal, DecimalError, FRACTION_DIGITS, SCALE};
use crate::amount::plain;
use crate::amount::round;
use crate::amount::wide::Wide;

/// The most integer digits of a total that is read.
const PARSED_DIGITS: u32 = 40;

/// An exact sum of [`Decimal`]s.
///
/// It never wraps. 58 integer digits fit, a single number has 20 and a total that is read 40, so it takes some 10^18
/// totals of the largest kind to fill it: no sum of records comes near. Whoever doubles one again and again does, and then
/// `+`, `-` and [`times`](Self::times) panic in every build, as adding to a [`Duration`](std::time::Duration) does;
/// [`checked_add`](Self::checked_add) asks first.
///
/// ```
/// # use tonne_domain::{Co2e, Total};
/// let months = ["103.537", "-0.037", "99999999999999999999"];
/// let year: Total = months.iter().map(|text| Co2e::parse(text).map(Total::from)).sum::<Result<_, _>>()?;
/// assert_eq!(year.to_string(), "100000000000000000102.5");
/// assert_eq!(format!("{:.0}", year), "100000000000000000102");
/// # Ok::<(), tonne_domain::DecimalError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Total(I256);

/// The sum, which has room for it; see [`Total`].
#[expect(clippy::panic, reason = "a figure that wrapped would be wrong in silence, and no sum of records comes here")]
fn sum(found: Option<I256>) -> Total {
    found.map_or_else(|| panic!("a total beyond 58 digits before the decimal point"), Total)
}

impl Total {
    /// Zero.
    pub const ZERO: Self = Self(I256::ZERO);

    /// Reads what [`Display`](fmt::Display) writes: plain notation, at most 40 integer and 18 fractional digits.
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let ascii = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || digits.ends_with('.') || !ascii(whole) || !ascii(fraction) {
            return Err(DecimalError::Malformed);
        }
        if fraction.len() > 18 {
            return Err(DecimalError::TooFine);
        }
        if whole.len() <= 20 {
            // Nearly all sums are as short as a single number, and those are read much faster.
            return Decimal::parse(text).map(Self::from);
        }
        if whole.trim_start_matches('0').len() > PARSED_DIGITS as usize {
            return Err(DecimalError::TotalTooLarge);
        }
        let mut value = I256::ZERO;
        for digit in whole.bytes().chain(fraction.bytes()).chain(std::iter::repeat_n(b'0', 18 - fraction.len())) {
            value = value
                .checked_mul(I256::from(10))
                .and_then(|v| v.checked_add(I256::from(digit - b'0')))
                .ok_or(DecimalError::TotalTooLarge)?;
        }
        Ok(Self(if text.starts_with('-') { -value } else { value }))
    }

    /// The sum times 10^18 in two's complement, the lowest byte first.
    pub(crate) fn to_le_bytes(self) -> [u8; 32] {
        self.0.to_le_bytes()
    }

    /// What [`to_le_bytes`](Self::to_le_bytes) gives; `None` beyond 40 integer digits, as when text is read.
    pub(crate) fn from_le_bytes(bytes: [u8; 32]) -> Option<Self> {
        let value = I256::from_le_bytes(bytes);
        // Nearly all sums are as short as a single number: a checkpoint of millions is read without a power each.
        if i128::try_from(value).is_ok() {
            return Some(Self(value));
        }
        let limit = I256::from(10).pow(PARSED_DIGITS + FRACTION_DIGITS);
        (-limit < value && value < limit).then_some(Self(value))
    }

    /// The sum whose stored form is `scaled`, that is `scaled` / 10^18.
    pub(crate) fn from_scaled(scaled: i128) -> Self {
        Self(I256::from(scaled))
    }

    /// The sum times 10^18, where that has at most 128 bits.
    pub(crate) fn scaled(self) -> Option<i128> {
        i128::try_from(self.0).ok()
    }

    /// The sum as a bounded number; `None` beyond 20 integer digits.
    #[must_use]
    pub fn to_decimal(self) -> Option<Decimal> {
        Decimal::from_wide(self.0)
    }

    /// The sum of both, or `None` beyond 256 bits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` beyond 256 bits.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// This many times the sum; `count` is a number of days or records.
    ///
    /// # Panics
    ///
    /// Beyond 256 bits; see [`Total`].
    #[must_use]
    pub fn times(self, count: i64) -> Self {
        // Nearly all products are this short, and the other multiplication costs many times as much.
        let narrow = i128::try_from(self.0).ok().and_then(|scaled| scaled.checked_mul(count.into()));
        narrow.map_or_else(|| sum(self.0.checked_mul(I256::from(count))), Self::from_scaled)
    }

    /// The sum over `divisor`, rounded half to even at the 18th fractional digit; `None` for a zero divisor or beyond 256
    /// bits.
    #[must_use]
    pub fn checked_div(self, divisor: Decimal) -> Option<Self> {
        round::quotient(&[self.0, I256::from(SCALE)], &[I256::from(divisor.scaled())]).map(Self)
    }

    /// The sum with at most `places` digits after the point, rounded half to even: the nearest such number, and of two as
    /// near the one whose last digit is even.
    ///
    /// # Panics
    ///
    /// Where that is beyond 256 bits; see [`Total`].
    #[must_use]
    pub fn round_half_even(self, places: u32) -> Self {
        if places >= FRACTION_DIGITS {
            return self;
        }
        let step = I256::from(10).pow(FRACTION_DIGITS - places);
        sum(round::quotient(&[self.0], &[step]).and_then(|steps| steps.checked_mul(step)))
    }

    /// The stored form, to be computed with beyond 256 bits.
    pub(crate) fn wide(self) -> Wide {
        self.0.into()
    }

    /// The sum of that stored form.
    pub(crate) const fn from_wide(scaled: I256) -> Self {
        Self(scaled)
    }

    /// Plain notation of the sum times 10^`shift`, with at most `decimals` digits after the point, rounded half to even.
    #[must_use]
    pub fn rounded(self, shift: i8, decimals: u8) -> String {
        let cut = FRACTION_DIGITS.cast_signed() - i32::from(shift) - i32::from(decimals);
        let Some(cut) = u32::try_from(cut).ok().filter(|cut| *cut > 0) else { return self.shifted(shift) };
        // A step that is beyond 256 bits is more than twice any sum.
        let step = I256::from(10).checked_pow(cut);
        let steps = step.and_then(|step| round::quotient(&[self.0], &[step])).unwrap_or_default();
        let sign = if steps.is_negative() { "-" } else { "" };
        format!("{sign}{}", plain::text(&steps.unsigned_abs().to_string(), decimals.into(), 0))
    }

    /// How many `parts`-th parts of `whole` the sum is, rounded half to even to a whole number: 100 parts are percent.
    /// `None` where the whole is zero, or beyond 256 bits.
    #[must_use]
    pub fn parts_of(self, whole: Self, parts: i64) -> Option<i128> {
        round::quotient(&[self.0, I256::from(parts)], &[whole.0]).and_then(|found| i128::try_from(found).ok())
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 == I256::ZERO
    }

    /// Plain notation of the sum times 10^`places`, exactly: kg shown in g is `3`, in t `-3`.
    #[must_use]
    pub fn shifted(self, places: i8) -> String {
        let places = i32::from(places);
        let sign = if self.0.is_negative() { "-" } else { "" };
        let magnitude = self.0.unsigned_abs().to_string();
        match usize::try_from(FRACTION_DIGITS.cast_signed() - places) {
            Ok(scale) => format!("{sign}{}", plain::text(&magnitude, scale, 0)),
            Err(_) if self.is_zero() => magnitude,
            Err(_) => {
                let zeros = places.unsigned_abs() - FRACTION_DIGITS;
                format!("{sign}{magnitude}{}", "0".repeat(zeros as usize))
            }
        }
    }
}

impl fmt::Display for Total {
    /// Plain notation in full, trailing zeros removed. With a precision, that many digits after the point, rounded half
    /// to even.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nearly all sums are as short as a single number, and those are written much faster.
        if let Some(decimal) = self.to_decimal() {
            return decimal.fmt(f);
        }
        let fewest = f.precision().unwrap_or(0);
        let places = f.precision().and_then(|places| u32::try_from(places).ok()).unwrap_or(FRACTION_DIGITS);
        let places = places.min(FRACTION_DIGITS);
        let step = I256::from(10).pow(FRACTION_DIGITS - places);
        let steps = round::quotient(&[self.0], &[step]).ok_or(fmt::Error)?;
        plain::write(f, steps.is_negative(), &steps.unsigned_abs().to_string(), places as usize, fewest)
    }
}

impl fmt::Debug for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Total({self})")
    }
}

impl FromStr for Total {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Self::parse(text)
    }
}

impl From<Decimal> for Total {
    fn from(value: Decimal) -> Self {
        Self(I256::from(value.scaled()))
    }
}

impl Add for Total {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        sum(self.0.checked_add(other.0))
    }
}

impl Sub for Total {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        sum(self.0.checked_sub(other.0))
    }
}

impl Neg for Total {
    type Output = Self;
    fn neg(self) -> Self {
        sum(self.0.checked_neg())
    }
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Total {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Total {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Self::ZERO, Add::add)
    }
}
