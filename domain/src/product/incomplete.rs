//! Why an activity or an input has no CO2e, although nothing is wrong with it.

use std::fmt;
use std::str::FromStr;

/// Why there was no CO2e when it was computed, although nothing is wrong: what a record keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Incomplete {
    /// No product to take a factor from.
    NoProduct,
    /// No quantity to multiply.
    NoQuantity,
    /// The product has no factor at all.
    NoFactor,
    /// The product has factors, but none for the day.
    NoFactorOnDay,
    /// The product's rule finds no published factor for the day and the region.
    NoChoice,
}

impl Incomplete {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::NoProduct, Self::NoQuantity, Self::NoFactor, Self::NoFactorOnDay, Self::NoChoice];

    /// The word that stands for it in records and answers.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoProduct => "no_product",
            Self::NoQuantity => "no_quantity",
            Self::NoFactor => "no_factor",
            Self::NoFactorOnDay => "no_factor_on_day",
            Self::NoChoice => "no_choice",
        }
    }

    /// The reason of that code.
    pub fn from_code(code: &str) -> Result<Self, UnknownReason> {
        Self::ALL.into_iter().find(|reason| reason.code() == code).ok_or(UnknownReason)
    }
}

/// A text that is the code of no reason why there is no CO2e.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a reason why there is no CO2e: no_product, no_quantity, no_factor, no_factor_on_day or no_choice")]
pub struct UnknownReason;

impl FromStr for Incomplete {
    type Err = UnknownReason;

    fn from_str(code: &str) -> Result<Self, UnknownReason> {
        Self::from_code(code)
    }
}

impl fmt::Display for Incomplete {
    /// A sentence for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoProduct => "No CO2e was supplied, and there is no product to compute it from.",
            Self::NoQuantity => "No CO2e was supplied, and there is no quantity to compute it from.",
            Self::NoFactor => "The product has no emission factor yet.",
            Self::NoFactorOnDay => "None of the product's emission factors holds on the day.",
            Self::NoChoice => "The product's rule found no published factor for the day and the org's region: the explanation says what was \
                 looked at, and a recalculation asks the rule again.",
        })
    }
}
