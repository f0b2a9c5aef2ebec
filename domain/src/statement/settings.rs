//! What a company states of itself, and nothing computes.

use std::fmt;
use std::str::FromStr;

use crate::setters::setters;
use crate::text::{Description, Name};

/// How a company consolidates the emissions of what it owns and runs (GHG Protocol Corporate Standard, chapter 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consolidation {
    /// By its share of the equity of each operation.
    EquityShare,
    /// All of the operations that it controls financially.
    FinancialControl,
    /// All of the operations that it controls operationally.
    OperationalControl,
}

/// A text that is the word of no approach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be equityShare, financialControl or operationalControl")]
pub struct UnknownConsolidation;

impl Consolidation {
    /// Every approach.
    pub const ALL: [Self; 3] = [Self::EquityShare, Self::FinancialControl, Self::OperationalControl];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::EquityShare => "equityShare",
            Self::FinancialControl => "financialControl",
            Self::OperationalControl => "operationalControl",
        }
    }

    /// Its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EquityShare => "equity share",
            Self::FinancialControl => "financial control",
            Self::OperationalControl => "operational control",
        }
    }

    /// The approach of that word.
    pub fn parse(word: &str) -> Result<Self, UnknownConsolidation> {
        Self::ALL.into_iter().find(|one| one.word() == word).ok_or(UnknownConsolidation)
    }
}

impl fmt::Display for Consolidation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Consolidation {
    type Err = UnknownConsolidation;

    fn from_str(word: &str) -> Result<Self, UnknownConsolidation> {
        Self::parse(word)
    }
}

/// What a company states for its inventory statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatementSettings {
    /// How it consolidates; `None` is not stated.
    pub consolidation: Option<Consolidation>,
    /// The name of the company that reports; `None` is the name that it has here.
    pub company: Option<Name>,
    /// Which operations are inside the inventory, in its own words; `None` is not stated.
    pub boundary: Option<Description>,
}

setters! {
    StatementSettings {
        with_consolidation = consolidation: Option<Consolidation>,
        with_company = company: Option<Name>,
        with_boundary = boundary: Option<Description>,
    }
}

impl StatementSettings {
    /// Whether nothing is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
