//! Exact ratios between units.

use std::fmt;

/// A positive fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    /// One.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The fraction of two positive numbers; `None` where one is not.
    #[must_use]
    pub const fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if numerator > 0 && denominator > 0 { Some(Self::reduced(numerator, denominator)) } else { None }
    }

    /// The fraction of two positive numbers, in lowest terms.
    pub(super) const fn reduced(numerator: i128, denominator: i128) -> Self {
        let divisor = greatest_common_divisor(numerator, denominator);
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// What is above the line; at least one.
    #[must_use]
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// What is below the line; at least one.
    #[must_use]
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// The ratio with numerator and denominator exchanged.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self { numerator: self.denominator, denominator: self.numerator }
    }

    /// The product, or `None` when a term leaves an `i128`.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        // Crosswise reduction keeps the terms as small as those of the result.
        let left = Self::reduced(self.numerator, other.denominator);
        let right = Self::reduced(other.numerator, self.denominator);
        Some(Self {
            numerator: left.numerator.checked_mul(right.numerator)?,
            denominator: left.denominator.checked_mul(right.denominator)?,
        })
    }

    /// The quotient, or `None` when a term leaves an `i128`.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        self.times(other.inverse())
    }
}

const fn greatest_common_divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl fmt::Display for Ratio {
    /// The exact decimal when it has finitely many digits (at most 30 after the point), else `numerator/denominator`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut fraction, mut rest) = (String::new(), self.numerator % self.denominator);
        while rest != 0 {
            let Some(tenfold) = rest.checked_mul(10).filter(|_| fraction.len() < 30) else {
                return f.pad(&format!("{}/{}", self.numerator, self.denominator));
            };
            fraction.push_str(&(tenfold / self.denominator).to_string());
            rest = tenfold % self.denominator;
        }
        let whole = self.numerator / self.denominator;
        if fraction.is_empty() { f.pad(&whole.to_string()) } else { f.pad(&format!("{whole}.{fraction}")) }
    }
}

impl fmt::Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ratio({self})")
    }
}
