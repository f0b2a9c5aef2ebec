//! Greenhouse gases, one by one: what a gas is reported as, and how strongly it warms.

pub(crate) mod emitted;
pub(crate) mod potential;
pub(crate) mod row;
pub(crate) mod split;
mod table;

use std::fmt;
use std::str::FromStr;

use crate::gas::potential::GwpSet;
use crate::gas::row::GasRow;
use crate::gas::table::{Entry, GASES};

/// A greenhouse gas, ordered as [`Gas::all`] lists them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gas(u8);

/// A text that names no greenhouse gas.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no greenhouse gas; write it as CO2, CH4, N2O, HFC-134a, CF4 or SF6 are written")]
pub struct UnknownGas(
    /// What was read.
    pub String,
);

impl Gas {
    /// Carbon dioxide of fossil origin.
    pub const CO2: Self = Self(0);
    /// Carbon dioxide from living matter.
    pub const CO2_BIOGENIC: Self = Self(1);
    /// Methane whose origin is not told.
    pub const CH4: Self = Self(2);
    /// Methane of fossil origin.
    pub const CH4_FOSSIL: Self = Self(3);
    /// Methane of other origin.
    pub const CH4_NON_FOSSIL: Self = Self(4);
    /// Nitrous oxide.
    pub const N2O: Self = Self(5);

    /// Every gas: carbon dioxide, methane and nitrous oxide first, those outside the scopes last.
    pub fn all() -> impl Iterator<Item = Self> {
        (0_u8..).take(GASES.len()).map(Self)
    }

    /// Reads a gas by its name, its formula or another of its names. Case, spaces, hyphens and underscores do not count:
    /// sources write `HFC-134a`, `HFC134a` and `HFC 134A`.
    pub fn parse(text: &str) -> Result<Self, UnknownGas> {
        let wanted = folded(text);
        let names = |gas: &Self| {
            let entry = gas.entry();
            std::iter::once(entry.name).chain(entry.aliases.iter().copied()).any(|name| folded(name) == wanted)
        };
        Self::all().find(names).ok_or_else(|| UnknownGas(text.to_owned()))
    }

    const fn entry(self) -> &'static Entry {
        &GASES[self.0 as usize]
    }

    /// Its name, such as `CH4` or `HFC-134a`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// What it is reported as. `None` for what the Kyoto Protocol does not count, such as CFCs, HCFCs and halons: it stands
    /// beside the scopes, in no total.
    #[must_use]
    pub const fn row(self) -> Option<GasRow> {
        self.entry().row
    }

    /// Whether it adds up to the CO2e of a scope.
    #[must_use]
    pub const fn is_in_scopes(self) -> bool {
        matches!(self.row(), Some(row) if row.is_in_scopes())
    }

    /// Its global warming potential over 100 years in hundredths of that of CO2; `None` where the set has none.
    pub(crate) const fn hundredths(self, set: GwpSet) -> Option<u32> {
        match self.entry().hundredths[set.column()] {
            table::NONE => None,
            value => Some(value),
        }
    }
}

/// The text without what differs between the spellings of a name.
fn folded(text: &str) -> String {
    let counts = |c: &char| !matches!(c, ' ' | '-' | '_');
    text.chars().filter(counts).map(|c| c.to_ascii_lowercase()).collect()
}

impl fmt::Display for Gas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Gas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gas({})", self.name())
    }
}

impl FromStr for Gas {
    type Err = UnknownGas;

    fn from_str(text: &str) -> Result<Self, UnknownGas> {
        Self::parse(text)
    }
}
