//! Sums that cannot overflow: 256 bits scaled by 10^18.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use ethnum::I256;

use crate::decimal::{Decimal, DecimalError, SCALE};
use crate::round;

/// An exact sum of [`Decimal`]s. It has room for more than 10^38 of the largest, so adding needs no check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Total(I256);

impl Total {
    /// Zero.
    pub const ZERO: Self = Self(I256::ZERO);

    /// Reads what [`Display`](fmt::Display) writes: plain notation, at most 18 fractional digits, any integer digits.
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
        let mut value = I256::ZERO;
        for digit in whole.bytes().chain(fraction.bytes()).chain(std::iter::repeat_n(b'0', 18 - fraction.len())) {
            value = value
                .checked_mul(I256::from(10))
                .and_then(|v| v.checked_add(I256::from(digit - b'0')))
                .ok_or(DecimalError::TooLarge)?;
        }
        Ok(Self(if text.starts_with('-') { -value } else { value }))
    }

    /// The sum times 10^18 in two's complement, the lowest byte first.
    pub(crate) fn to_le_bytes(self) -> [u8; 32] {
        self.0.to_le_bytes()
    }

    /// What [`to_le_bytes`](Self::to_le_bytes) gives.
    pub(crate) fn from_le_bytes(bytes: [u8; 32]) -> Self {
        Self(I256::from_le_bytes(bytes))
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
        i128::try_from(self.0).ok().and_then(Decimal::from_scaled)
    }

    /// This many times the sum, wrapping never in practice: `count` is a number of days.
    #[must_use]
    pub fn times(self, count: i64) -> Self {
        Self(self.0 * I256::from(count))
    }

    /// The sum over `divisor`, rounded half to even at the 18th fractional digit; `None` for a zero divisor.
    #[must_use]
    pub fn checked_div(self, divisor: Decimal) -> Option<Self> {
        let top = self.0.checked_mul(I256::from(SCALE))?;
        round::round_half_even(top, I256::from(divisor.scaled())).map(Self)
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 == I256::ZERO
    }

    /// Plain notation of the sum times 10^`places`, exactly: kg shown in g is `3`, in t `-3`.
    #[must_use]
    pub fn shifted(self, places: i32) -> String {
        plain(self.0, 18 - places)
    }
}

/// Plain notation of `value / 10^scale`, trailing zeros of the fraction removed.
fn plain(value: I256, scale: i32) -> String {
    let sign = if value < I256::ZERO { "-" } else { "" };
    let digits = value.unsigned_abs().to_string();
    let Ok(scale) = usize::try_from(scale) else {
        let zeros = if value == I256::ZERO { 0 } else { scale.unsigned_abs() as usize };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    };
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nearly all sums are as short as a single number, and those are written much faster.
        match self.to_decimal() {
            Some(decimal) => decimal.fmt(f),
            None => f.write_str(&plain(self.0, 18)),
        }
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
        Self(self.0 + other.0)
    }
}

impl Sub for Total {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Total {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Total {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Sum for Total {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Self::ZERO, Add::add)
    }
}
