//! One factor of a set.

use crate::amount::Intensity;
use crate::gas::potential::GwpSet;
use crate::gas::split::{GasSplit, GasSplitError};
use crate::published::PublishedUse;
use crate::published::set::FactorSet;
use crate::setters::setters;
use crate::text::Name;
use crate::unit::Unit;

/// A row of a published file, as it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRow {
    /// Its number in the sheet or file, from 1.
    pub row: u32,
    /// Its cells with something in them, each below the header it stands under; a number of a workbook as the shortest
    /// decimal that is the same binary number.
    pub cells: Vec<(String, String)>,
}

/// A factor of a [`FactorSet`]: kg CO2e per unit, as its publisher gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublishedFactor {
    /// Where its figure stands, as a spreadsheet writes it: `Factors by Category!J13`, or `C13` in a file without sheets.
    /// Unique in the set.
    pub cell: Name,
    /// What it is a factor of.
    pub name: Name,
    /// The publisher's categories above the name, the widest first.
    pub path: Vec<Name>,
    /// The unit that the figures are per.
    pub unit: Unit,
    /// What its emissions are in an inventory.
    pub usage: PublishedUse,
    /// The CO2e that the source gives; `None` where it gives the gases alone.
    pub co2e: Option<Intensity>,
    /// The gases, where the source gives them.
    pub gases: Option<GasSplit>,
    /// Where it holds, such as `GB` or `US-RFCW`; `None` where the source does not say.
    pub region: Option<Name>,
    /// The rows it was read from.
    pub rows: Vec<SourceRow>,
}

setters! {
    PublishedFactor {
        with_path = path: Vec<Name>,
        with_co2e = co2e: Option<Intensity>,
        with_gases = gases: Option<GasSplit>,
        with_region = region: Option<Name>,
        with_rows = rows: Vec<SourceRow>,
    }
}

/// Why a published factor has no CO2e under a set of global warming potentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCo2eUnder {
    /// It has one figure of CO2e, which was computed under another set, or nobody says which.
    #[error("published as CO2e alone, {}: it cannot be read under {asked}", match .published {
        Some(set) => format!("under {set}"),
        None => "without saying under which set".to_owned(),
    })]
    NotSplit {
        /// The set it was published under.
        published: Option<GwpSet>,
        /// The set that was asked for.
        asked: GwpSet,
    },
    /// It has neither CO2e nor gases.
    #[error("published without a figure")]
    NoFigure,
    /// Its gases have no CO2e under the set.
    #[error(transparent)]
    Gases(#[from] GasSplitError),
}

impl PublishedFactor {
    /// A factor without a figure yet.
    #[must_use]
    pub const fn new(cell: Name, name: Name, unit: Unit, usage: PublishedUse) -> Self {
        Self { cell, name, path: Vec::new(), unit, usage, co2e: None, gases: None, region: None, rows: Vec::new() }
    }

    /// What the source says it comes to: its own CO2e, else that of its gases under the source's set.
    pub fn intensity(&self) -> Result<Intensity, NoCo2eUnder> {
        match (self.co2e, &self.gases) {
            (Some(co2e), _) => Ok(co2e),
            (None, Some(gases)) => self.counted(gases, gases.set()),
            (None, None) => Err(NoCo2eUnder::NoFigure),
        }
    }

    /// Its CO2e under `asked`, where it was published in `set`. What was published under that very set is taken as it is.
    pub fn intensity_under(&self, set: &FactorSet, asked: GwpSet) -> Result<Intensity, NoCo2eUnder> {
        let published = self.gases.as_ref().map(GasSplit::set).or(set.gwp);
        match &self.gases {
            _ if published == Some(asked) => self.intensity(),
            Some(gases) => self.counted(gases, asked),
            None if self.co2e.is_some() => Err(NoCo2eUnder::NotSplit { published, asked }),
            None => Err(NoCo2eUnder::NoFigure),
        }
    }

    /// What its gases come to: those of a scope, and for what no scope counts the others, which are all that it gives.
    fn counted(&self, gases: &GasSplit, under: GwpSet) -> Result<Intensity, NoCo2eUnder> {
        let co2e = gases.co2e(under)?;
        if self.usage != PublishedUse::OutsideScopes {
            return Ok(co2e.total);
        }
        let outside = co2e.biogenic.checked_add(co2e.outside_scopes).and_then(|sum| sum.checked_add(co2e.total));
        let last = gases.amounts().last().map_or(crate::gas::Gas::CO2, |(gas, _)| *gas);
        outside.ok_or(NoCo2eUnder::Gases(GasSplitError::TooLarge(last)))
    }
}
