//! Amounts with a unit of their own: emissions, quantities and intensities.

pub(crate) mod decimal;
pub(crate) mod plain;
pub(crate) mod round;
pub(crate) mod total;
pub(crate) mod wide;

use std::fmt;
use std::str::FromStr;

use crate::amount::decimal::{Decimal, DecimalError};
use crate::amount::total::Total;

macro_rules! amounts {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Decimal);

        impl $name {
            /// Zero.
            pub const ZERO: Self = Self(Decimal::ZERO);

            /// The amount of that number.
            #[must_use]
            pub const fn new(value: Decimal) -> Self {
                Self(value)
            }

            /// Reads a decimal number; see [`Decimal::parse`].
            pub fn parse(text: &str) -> Result<Self, DecimalError> {
                Decimal::parse(text).map(Self)
            }

            /// The amount without its unit.
            #[must_use]
            pub const fn decimal(self) -> Decimal {
                self.0
            }

            /// The sum, or `None` beyond 20 integer digits.
            #[must_use]
            pub fn checked_add(self, other: Self) -> Option<Self> {
                self.0.checked_add(other.0).map(Self)
            }

            /// The difference, or `None` beyond 20 integer digits.
            #[must_use]
            pub fn checked_sub(self, other: Self) -> Option<Self> {
                self.0.checked_sub(other.0).map(Self)
            }

            /// The amount with at most `places` digits after the point; see [`Decimal::round_half_even`].
            #[must_use]
            pub fn round_half_even(self, places: u32) -> Option<Self> {
                self.0.round_half_even(places).map(Self)
            }
        }

        impl FromStr for $name {
            type Err = DecimalError;

            fn from_str(text: &str) -> Result<Self, DecimalError> {
                Self::parse(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl From<$name> for Total {
            fn from(value: $name) -> Self {
                value.0.into()
            }
        }
    )*};
}

amounts! {
    /// Mass of greenhouse gases in kilograms of CO2 equivalent. Negative is a removal.
    Co2e;
    /// How much of something, in a unit that is beside it.
    Quantity;
    /// Kilograms of CO2 equivalent per unit of a product.
    Intensity;
}
