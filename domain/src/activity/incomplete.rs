//! Why an activity has no CO2e today, which need not be what its record says.

use std::fmt;

use crate::product::incomplete::Incomplete;

/// Why an activity has no CO2e, by the factors of the moment at which it is read. No record keeps it: an [`Incomplete`],
/// which one does, cannot say that a factor came later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IncompleteToday {
    /// It could not be computed today either.
    Missing(Incomplete),
    /// The product has a factor for the day, which came after the calculation.
    FactorCameLater,
}

impl IncompleteToday {
    /// A word for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Missing(reason) => reason.code(),
            Self::FactorCameLater => "factor_came_later",
        }
    }
}

impl fmt::Display for IncompleteToday {
    /// A sentence for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(reason) => reason.fmt(f),
            Self::FactorCameLater => f.pad(
                "A factor of the product that came later holds on the day: recalculate, or write the record again.",
            ),
        }
    }
}
