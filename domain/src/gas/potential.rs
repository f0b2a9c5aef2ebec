//! The published sets of global warming potentials over 100 years.

use std::fmt;
use std::str::FromStr;

use crate::amount::decimal::{Decimal, FRACTION_DIGITS};
use crate::gas::Gas;

/// A set of global warming potentials over 100 years: how many kilograms of CO2 warm as one kilogram of a gas does.
///
/// Figures under different sets are never added up as they are: [`GasSplit`](crate::GasSplit) converts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GwpSet {
    /// The IPCC's Fourth Assessment Report (2007).
    Ar4,
    /// The IPCC's Fifth Assessment Report (2013), without carbon-cycle feedback.
    Ar5,
    /// The same with carbon-cycle feedback, which few programmes use.
    Ar5Feedback,
    /// The IPCC's Sixth Assessment Report (2021), Working Group I, Table 7.SM.7.
    Ar6,
    /// The same in the GHG Protocol's table of August 2024, which has another value for SF6.
    Ar6GhgProtocol,
}

/// A text that names no set of global warming potentials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no set of global warming potentials: AR4, AR5, AR5-feedback, AR6 and AR6-GHGP do")]
pub struct UnknownGwpSet(
    /// What was read.
    pub String,
);

impl GwpSet {
    /// Every set, the oldest first.
    pub const ALL: [Self; 5] = [Self::Ar4, Self::Ar5, Self::Ar5Feedback, Self::Ar6, Self::Ar6GhgProtocol];

    /// The name that stands for it, such as `AR5`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ar4 => "AR4",
            Self::Ar5 => "AR5",
            Self::Ar5Feedback => "AR5-feedback",
            Self::Ar6 => "AR6",
            Self::Ar6GhgProtocol => "AR6-GHGP",
        }
    }

    /// Where its values were published.
    #[must_use]
    pub const fn citation(self) -> &'static str {
        match self {
            Self::Ar4 => {
                "IPCC, Fourth Assessment Report (2007), as in GHG Protocol, Global Warming Potential Values (February 2016)"
            }
            Self::Ar5 => {
                "IPCC, Fifth Assessment Report (2013), WGI Table 8.A.1, as in GHG Protocol, Global Warming Potential Values (February 2016)"
            }
            Self::Ar5Feedback => {
                "IPCC, Fifth Assessment Report (2013), WGI Tables 8.7 and 8.SM.16, with carbon-cycle feedback"
            }
            Self::Ar6 => "IPCC, Sixth Assessment Report (2021), WGI Tables 7.15 and 7.SM.7",
            Self::Ar6GhgProtocol => {
                "IPCC, Sixth Assessment Report (2021), as in GHG Protocol, IPCC Global Warming Potential Values (August 2024)"
            }
        }
    }

    /// Reads the name of a set; its case does not count.
    pub fn parse(text: &str) -> Result<Self, UnknownGwpSet> {
        let found = Self::ALL.into_iter().find(|set| set.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownGwpSet(text.to_owned()))
    }

    /// Where its values stand in the table of gases.
    pub(crate) const fn column(self) -> usize {
        self as usize
    }

    /// How many kilograms of CO2 warm as one kilogram of that gas does; `None` where the set has no value for it.
    #[must_use]
    pub fn potential(self, gas: Gas) -> Option<Decimal> {
        const HUNDREDTH: i128 = 10_i128.pow(FRACTION_DIGITS - 2);
        gas.hundredths(self).and_then(|hundredths| Decimal::from_scaled(i128::from(hundredths) * HUNDREDTH))
    }
}

impl fmt::Display for GwpSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for GwpSet {
    type Err = UnknownGwpSet;

    fn from_str(text: &str) -> Result<Self, UnknownGwpSet> {
        Self::parse(text)
    }
}
