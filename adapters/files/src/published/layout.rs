//! The layouts that are known, and which of them a file has.

use std::fmt;

use super::sheet::Sheet;
use super::{Origin, PublishedFile, epa, plain, supply_chain, uk};
use crate::error::FileError;

/// A layout of published factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PublishedLayout {
    /// The flat file of the UK Government's GHG conversion factors.
    UkFlatFile,
    /// The Emission Factors Hub of the US EPA.
    EpaHub,
    /// The supply-chain factors of the US EPA.
    UsSupplyChain,
    /// The plain table of ours.
    Plain,
}

impl PublishedLayout {
    /// Every layout.
    pub const ALL: [Self; 4] = [Self::UkFlatFile, Self::EpaHub, Self::UsSupplyChain, Self::Plain];

    /// What it is called, and the header it is known by.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::UkFlatFile => {
                "the UK Government's GHG conversion factors, flat file (columns Scope, Level 1, UOM, GHG/Unit, GHG Conversion Factor and a year)"
            }
            Self::EpaHub => {
                "the US EPA's Emission Factors Hub (a sheet with that title, Emission Factors for Greenhouse Gas Inventories, and numbered tables)"
            }
            Self::UsSupplyChain => {
                "the US EPA's supply-chain factors (columns NAICS Code, GHG, Unit, Supply Chain Emission Factors with Margins)"
            }
            Self::Plain => "a table of Tonne's own (columns name, unit, use, publisher, edition, licence, validFrom)",
        }
    }
}

impl fmt::Display for PublishedLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.describe())
    }
}

/// Reads the sheets by the layout whose header one of them has.
pub(super) fn read(sheets: &[Sheet], origin: Origin) -> Result<PublishedFile, FileError> {
    if let Some(found) = uk::find(sheets)? {
        return uk::read(&found, sheets, origin);
    }
    if let Some(found) = epa::find(sheets) {
        return epa::read(&found, origin);
    }
    if let Some(found) = supply_chain::find(sheets)? {
        return supply_chain::read(&found, origin);
    }
    if let Some(found) = plain::find(sheets)? {
        return plain::read(found, &origin);
    }
    Err(unknown())
}

fn unknown() -> FileError {
    let known = PublishedLayout::ALL.map(PublishedLayout::describe).join("; ");
    FileError::Published(format!("has no header of a layout that is known. Known are: {known}"))
}
