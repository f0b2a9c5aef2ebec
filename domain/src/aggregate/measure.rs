//! What is summed of activities: CO2e, and beside it only what somebody uses.

use std::fmt;

use crate::amount::Co2e;

macro_rules! measures {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $word:literal;)*) => {
        /// What a cell sums, each in kilograms: of CO2 equivalent, from code 33 on of the gas itself.
        ///
        /// A measure is stored by its code and written by its name; neither is ever given to another one. Codes from 16
        /// on are greenhouse gases one by one, each a part of [`Co2e`](Self::Co2e); from 33 on their masses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Measure { $($(#[$doc])* $name,)* }

        impl Measure {
            /// Every measure, in the order of the codes.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The number that stands for it in stored bytes.
            #[must_use]
            pub const fn code(self) -> u32 {
                match self { $(Self::$name => $code,)* }
            }

            /// The word for it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

measures! {
    /// All greenhouse gases in scopes 1 to 3, in scope 2 location-based.
    Co2e = 0, "co2e";
    /// Market-based less location-based; absent where both are the same.
    MarketDelta = 1, "market_delta";
    /// CO2 from living matter, which is beside [`Co2e`](Self::Co2e) and is no part of it.
    BiogenicCo2 = 2, "biogenic_co2";
    /// The part of [`Co2e`](Self::Co2e) that was estimated.
    Co2eEstimated = 3, "co2e_estimated";
    /// The part of [`Co2e`](Self::Co2e) that was calculated from a proxy.
    Co2eProxy = 4, "co2e_proxy";
    /// What of the market-based CO2e of scope 2 rests on certificates, contracts and rates of suppliers.
    MarketInstrument = 5, "market_instrument";
    /// What of it rests on a residual mix.
    MarketResidual = 6, "market_residual";
    /// The part of [`Co2e`](Self::Co2e) that was stated to be measured.
    Co2eMeasured = 7, "co2e_measured";
    /// Fossil CO2.
    Co2Fossil = 16, "co2_fossil";
    /// Methane of fossil origin.
    Ch4Fossil = 17, "ch4_fossil";
    /// Methane of other origin.
    Ch4NonFossil = 18, "ch4_non_fossil";
    /// Nitrous oxide.
    N2o = 19, "n2o";
    /// Hydrofluorocarbons.
    Hfcs = 20, "hfcs";
    /// Perfluorocarbons.
    Pfcs = 21, "pfcs";
    /// Sulfur hexafluoride.
    Sf6 = 22, "sf6";
    /// Nitrogen trifluoride.
    Nf3 = 23, "nf3";
    /// Methane whose origin is not told.
    Ch4 = 24, "ch4";
    /// The mass of methane of fossil origin.
    Ch4FossilMass = 33, "ch4_fossil_mass";
    /// The mass of methane of other origin.
    Ch4NonFossilMass = 34, "ch4_non_fossil_mass";
    /// The mass of nitrous oxide.
    N2oMass = 35, "n2o_mass";
    /// The mass of hydrofluorocarbons, whichever they are.
    HfcsMass = 36, "hfcs_mass";
    /// The mass of perfluorocarbons, whichever they are.
    PfcsMass = 37, "pfcs_mass";
    /// The mass of sulfur hexafluoride.
    Sf6Mass = 38, "sf6_mass";
    /// The mass of nitrogen trifluoride.
    Nf3Mass = 39, "nf3_mass";
    /// The mass of methane whose origin is not told.
    Ch4Mass = 40, "ch4_mass";
}

/// A code or a word that stands for no measure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no measure {0}")]
pub struct UnknownMeasure(
    /// The code or word.
    pub String,
);

impl Measure {
    /// The measure of that code.
    pub fn from_code(code: u32) -> Result<Self, UnknownMeasure> {
        let found = Self::ALL.iter().copied().find(|measure| measure.code() == code);
        found.ok_or_else(|| UnknownMeasure(code.to_string()))
    }

    /// The measure of that word.
    pub fn parse(word: &str) -> Result<Self, UnknownMeasure> {
        let found = Self::ALL.iter().copied().find(|measure| measure.as_str() == word);
        found.ok_or_else(|| UnknownMeasure(word.to_owned()))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Values by measure, in the order of the codes. [`Measure::Co2e`] is never one of them: it is in a place of its
/// own wherever there are others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ByMeasure<T>(Vec<(Measure, T)>);

/// What one activity has of measures other than CO2e. A measure that is absent adds nothing.
pub type Measures = ByMeasure<Co2e>;

/// Why values are not a [`ByMeasure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeasuresError {
    /// CO2e is one of them.
    #[error("co2e is none of the other measures")]
    Co2e,
    /// A measure appears twice.
    #[error("the measure {0} stands twice")]
    Twice(
        /// What the sums are of.
        Measure,
    ),
}

impl<T> ByMeasure<T> {
    /// The sums of no measure.
    pub const NONE: Self = Self(Vec::new());

    /// Those values, in any order.
    pub fn new(values: impl IntoIterator<Item = (Measure, T)>) -> Result<Self, MeasuresError> {
        let mut values: Vec<(Measure, T)> = values.into_iter().collect();
        values.sort_by_key(|(measure, _)| *measure);
        if values.first().is_some_and(|(measure, _)| *measure == Measure::Co2e) {
            return Err(MeasuresError::Co2e);
        }
        match values.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(MeasuresError::Twice(pair[0].0)),
            None => Ok(Self(values)),
        }
    }

    /// The value of a measure.
    #[must_use]
    pub fn get(&self, measure: Measure) -> Option<&T> {
        self.0.iter().find(|(other, _)| *other == measure).map(|(_, value)| value)
    }

    /// The measures with their values, by code.
    pub fn iter(&self) -> impl Iterator<Item = (Measure, &T)> {
        self.0.iter().map(|(measure, value)| (*measure, value))
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The value of a measure other than CO2e, to change; the default where there was none.
    pub(crate) fn entry(&mut self, measure: Measure) -> &mut T
    where
        T: Default,
    {
        let at = match self.0.binary_search_by_key(&measure, |(other, _)| *other) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (measure, T::default()));
                at
            }
        };
        &mut self.0[at].1
    }

    /// Leaves out the values for which `keep` is false.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|(_, value)| keep(value));
    }

    /// The measures with their values, to change.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

impl<T> Default for ByMeasure<T> {
    fn default() -> Self {
        Self::NONE
    }
}
