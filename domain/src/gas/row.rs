//! What gases are reported as by the GHG Protocol's Corporate Standard: the rows of reports by gas, with methane by its origin.

use crate::aggregate::measure::Measure;

/// What a gas is reported as, and what a row by gas is about. The CO2e of all rows adds up to that of all activities, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GasRow {
    /// Fossil CO2.
    Co2,
    /// Methane of fossil origin.
    Ch4Fossil,
    /// Methane of other origin.
    Ch4NonFossil,
    /// Methane whose origin is not told.
    Ch4,
    /// Nitrous oxide.
    N2o,
    /// Hydrofluorocarbons.
    Hfcs,
    /// Perfluorocarbons.
    Pfcs,
    /// Sulfur hexafluoride.
    Sf6,
    /// Nitrogen trifluoride.
    Nf3,
    /// CO2e of which no gas is known: supplied, computed from a factor without gases, or what a source's own total has more
    /// or less than its gases.
    Unspecified,
    /// CO2 from living matter, which is no CO2e.
    BiogenicCo2,
}

impl GasRow {
    /// Every row, in the order that reports have them.
    pub const ALL: [Self; 11] = [
        Self::Co2,
        Self::Ch4Fossil,
        Self::Ch4NonFossil,
        Self::Ch4,
        Self::N2o,
        Self::Hfcs,
        Self::Pfcs,
        Self::Sf6,
        Self::Nf3,
        Self::Unspecified,
        Self::BiogenicCo2,
    ];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Co2 => "CO2",
            Self::Ch4Fossil => "CH4_fossil",
            Self::Ch4NonFossil => "CH4_non_fossil",
            Self::Ch4 => "CH4",
            Self::N2o => "N2O",
            Self::Hfcs => "HFCs",
            Self::Pfcs => "PFCs",
            Self::Sf6 => "SF6",
            Self::Nf3 => "NF3",
            Self::Unspecified => "unspecified",
            Self::BiogenicCo2 => "CO2_biogenic",
        }
    }

    /// What people call it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ch4Fossil => "CH4, fossil",
            Self::Ch4NonFossil => "CH4, non-fossil",
            Self::Ch4 => "CH4, origin not told",
            Self::Unspecified => "Unspecified",
            Self::BiogenicCo2 => "CO2, biogenic",
            Self::Co2 | Self::N2o | Self::Hfcs | Self::Pfcs | Self::Sf6 | Self::Nf3 => self.word(),
        }
    }

    /// The row of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|row| row.word() == word)
    }

    /// Whether it adds up to the CO2e of a scope.
    #[must_use]
    pub const fn is_in_scopes(self) -> bool {
        !matches!(self, Self::BiogenicCo2)
    }

    /// The measures of its CO2e and of its mass, which are one for CO2; `None` where it is what the others leave.
    pub(crate) const fn measures(self) -> Option<(Measure, Measure)> {
        Some(match self {
            Self::Co2 => (Measure::Co2Fossil, Measure::Co2Fossil),
            Self::Ch4Fossil => (Measure::Ch4Fossil, Measure::Ch4FossilMass),
            Self::Ch4NonFossil => (Measure::Ch4NonFossil, Measure::Ch4NonFossilMass),
            Self::Ch4 => (Measure::Ch4, Measure::Ch4Mass),
            Self::N2o => (Measure::N2o, Measure::N2oMass),
            Self::Hfcs => (Measure::Hfcs, Measure::HfcsMass),
            Self::Pfcs => (Measure::Pfcs, Measure::PfcsMass),
            Self::Sf6 => (Measure::Sf6, Measure::Sf6Mass),
            Self::Nf3 => (Measure::Nf3, Measure::Nf3Mass),
            Self::Unspecified => return None,
            Self::BiogenicCo2 => (Measure::BiogenicCo2, Measure::BiogenicCo2),
        })
    }
}
