//! Factors as somebody published them: what a set is, and what one of its factors says with the rows it was read from.

pub(crate) mod factor;
pub(crate) mod origin;
pub(crate) mod region;
pub(crate) mod search;
pub(crate) mod set;
pub(crate) mod words;

use std::fmt;
use std::str::FromStr;

/// What the emissions of a published factor are in a company's inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PublishedUse {
    /// Direct emissions of what is burnt, driven or leaks: scope 1.
    Direct,
    /// Emissions where bought electricity, heat, steam or cooling is made: scope 2.
    PurchasedEnergy,
    /// Making and moving fuels, and the fuels of power stations (well-to-tank): scope 3, category 3.
    Upstream,
    /// What grids and heat networks lose on the way: scope 3, category 3.
    GridLoss,
    /// Anything else in the value chain: scope 3, in the category of what the company did.
    ValueChain,
    /// What no scope counts, such as CO2 from living matter and gases outside the Kyoto Protocol.
    OutsideScopes,
}

/// A text that names no use of a published factor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} names no use of a factor: direct, purchased-energy, upstream, grid-loss, value-chain and outside-scopes do"
)]
pub struct UnknownUse(
    /// What was read.
    pub String,
);

impl PublishedUse {
    /// Every use.
    pub const ALL: [Self; 6] =
        [Self::Direct, Self::PurchasedEnergy, Self::Upstream, Self::GridLoss, Self::ValueChain, Self::OutsideScopes];

    /// The word that stands for it in files and answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::PurchasedEnergy => "purchased-energy",
            Self::Upstream => "upstream",
            Self::GridLoss => "grid-loss",
            Self::ValueChain => "value-chain",
            Self::OutsideScopes => "outside-scopes",
        }
    }

    /// Whether its emissions are of scope 3, category 3 (fuel- and energy-related activities) for whoever burns the fuel
    /// or buys the energy.
    #[must_use]
    pub const fn is_before_use(self) -> bool {
        matches!(self, Self::Upstream | Self::GridLoss)
    }

    /// The use of that word.
    pub fn parse(text: &str) -> Result<Self, UnknownUse> {
        Self::ALL.into_iter().find(|found| found.as_str() == text).ok_or_else(|| UnknownUse(text.to_owned()))
    }
}

impl fmt::Display for PublishedUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for PublishedUse {
    type Err = UnknownUse;

    fn from_str(text: &str) -> Result<Self, UnknownUse> {
        Self::parse(text)
    }
}
