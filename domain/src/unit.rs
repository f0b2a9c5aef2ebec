//! Units of measurement: what they measure, and the exact ratio between two that measure the same.

mod currency;
mod parse;
mod ratio;
mod suggest;
mod table;

use std::fmt;
use std::str::FromStr;

pub use parse::UnitError;
pub use ratio::Ratio;

use crate::amount::Quantity;
use crate::amount::decimal::Decimal;
use crate::amount::round;
use currency::CURRENCIES;
use table::{Entry, UNITS};

/// A unit of measurement, or an ISO 4217 currency.
///
/// Units are ordered as [`Unit::all`] lists them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit(u16);

/// What a unit measures. Units convert into each other within one dimension only: a litre becomes a kilogram through
/// a density that somebody declared, never through a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// Mass; base kg.
    Mass,
    /// Energy; base MJ. That of a fuel without saying which calorific value it is counted by, too.
    Energy,
    /// Energy of a fuel by its gross (higher) calorific value; base MJ. It becomes net energy only through a property of
    /// the fuel that somebody declared.
    FuelEnergyGross,
    /// Energy of a fuel by its net (lower) calorific value; base MJ.
    FuelEnergyNet,
    /// Volume, whatever fills it and at whatever pressure; base m3.
    Volume,
    /// Volume of gas at the reference conditions of whoever counted it; base scf. It becomes a volume or an energy only through
    /// a property of the gas that somebody declared.
    StandardGasVolume,
    /// Length and distance; base km.
    Length,
    /// Area; base m2.
    Area,
    /// Duration; base h.
    Time,
    /// Rooms times nights, of a stay in a hotel; base `room_night`.
    Accommodation,
    /// Hours that somebody works, in full-time equivalents; base `fte_h`. An hour of time is none: ten people work ten in one.
    WorkingTime,
    /// Number of items; base piece.
    Count,
    /// Mass times distance; base tkm.
    FreightTransport,
    /// Persons times distance; base pkm.
    PassengerTransport,
    /// Vehicles times distance; base vkm.
    VehicleTransport,
    /// Money of one currency; the unit is the currency. An exchange rate is no ratio of units.
    Money(Currency),
}

/// An ISO 4217 currency, as a dimension of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(u16);

/// Two units that measure different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{unit} measures {}, which cannot be counted in {expected}: that measures {}", .unit.dimension(), .expected.dimension())]
pub struct DimensionMismatch {
    /// The unit that was given.
    pub unit: Unit,
    /// A unit of what should be measured.
    pub expected: Unit,
}

impl Currency {
    /// The three-letter code of ISO 4217.
    #[must_use]
    pub fn code(self) -> &'static str {
        CURRENCIES[usize::from(self.0)].0
    }
}

impl fmt::Display for Currency {
    /// Writes the three-letter code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Dimension {
    /// Its name in one word; that of all currencies is `money`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mass => "mass",
            Self::Energy => "energy",
            Self::FuelEnergyGross => "fuel-energy-gross",
            Self::FuelEnergyNet => "fuel-energy-net",
            Self::Volume => "volume",
            Self::StandardGasVolume => "standard-gas-volume",
            Self::Length => "length",
            Self::Area => "area",
            Self::Time => "time",
            Self::Accommodation => "accommodation",
            Self::WorkingTime => "working-time",
            Self::Count => "count",
            Self::FreightTransport => "freight-transport",
            Self::PassengerTransport => "passenger-transport",
            Self::VehicleTransport => "vehicle-transport",
            Self::Money(_) => "money",
        }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What describes a unit.
enum Description {
    Table(&'static Entry),
    Money(Currency),
}

impl Unit {
    /// Reads a canonical code, a UN/ECE Recommendation 20 code or an unambiguous alias, such as `kWh`, `KWH` or
    /// `kilowatt hour`. Case counts. A word that means several units is refused, with the codes to choose from.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        parse::parse(text)
    }

    /// What a word may mean that is the code of one unit here and is used for others elsewhere, such as `gal`: for each meaning a
    /// code that means nothing else, and its name in words. Empty for words that mean one unit, and for those that
    /// [`parse`](Self::parse) refuses itself. Whoever reads tables of others asks; case, blanks and dots make no difference.
    #[must_use]
    pub fn meanings(word: &str) -> &'static [(&'static str, &'static str)] {
        parse::meanings(word)
    }

    /// Every unit: the table in its order, then the currencies by code.
    pub fn all() -> impl Iterator<Item = Self> {
        (0_u16..).take(UNITS.len() + CURRENCIES.len()).map(Self)
    }

    fn description(self) -> Description {
        match UNITS.get(usize::from(self.0)) {
            Some(entry) => Description::Table(entry),
            None => Description::Money(Currency(self.0 - table::COUNT)),
        }
    }

    const fn of_currency(index: u16) -> Self {
        Self(table::COUNT + index)
    }

    /// The canonical code, as answers spell the unit.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self.description() {
            Description::Table(entry) => entry.code,
            Description::Money(currency) => currency.code(),
        }
    }

    /// The name in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.description() {
            Description::Table(entry) => entry.name,
            Description::Money(currency) => CURRENCIES[usize::from(currency.0)].1,
        }
    }

    /// The symbol to print behind a number; a currency's is its code.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self.description() {
            Description::Table(entry) => entry.symbol,
            Description::Money(currency) => currency.code(),
        }
    }

    /// The code of UN/ECE Recommendation 20; `None` where it has none, as for currencies.
    #[must_use]
    pub fn rec20(self) -> Option<&'static str> {
        match self.description() {
            Description::Table(entry) => entry.rec20,
            Description::Money(_) => None,
        }
    }

    /// What the unit measures.
    #[must_use]
    pub fn dimension(self) -> Dimension {
        match self.description() {
            Description::Table(entry) => entry.dimension,
            Description::Money(currency) => Dimension::Money(currency),
        }
    }

    /// The unit that [`to_base`](Self::to_base) counts in: the one of the same dimension of which one is one.
    #[must_use]
    pub fn base(self) -> Self {
        let dimension = self.dimension();
        (0..table::COUNT)
            .map(Self)
            .find(|unit| unit.dimension() == dimension && unit.to_base() == Ratio::ONE)
            .unwrap_or(self)
    }

    /// How many base units one of this unit is: exact, with a finite decimal expansion.
    #[must_use]
    pub fn to_base(self) -> Ratio {
        match self.description() {
            Description::Table(entry) => Ratio::reduced(entry.factor.0, entry.factor.1),
            Description::Money(_) => Ratio::ONE,
        }
    }

    /// An error where this unit measures something else than `expected` does.
    pub fn check(self, expected: Self) -> Result<(), DimensionMismatch> {
        if self.dimension() == expected.dimension() { Ok(()) } else { Err(DimensionMismatch { unit: self, expected }) }
    }

    /// How many `other` one of this unit is; `None` across dimensions.
    #[must_use]
    pub fn ratio_to(self, other: Self) -> Option<Ratio> {
        if self == other {
            return Some(Ratio::ONE);
        }
        if self.dimension() != other.dimension() {
            return None;
        }
        self.to_base().over(other.to_base())
    }
}

/// The quantity counted in `to` instead of `from`, rounded half to even once at the 18th fractional digit. `None`
/// across dimensions and beyond 20 integer digits.
#[must_use]
pub fn convert(quantity: Quantity, from: Unit, to: Unit) -> Option<Quantity> {
    let ratio = from.ratio_to(to)?;
    round::quotient(&[quantity.decimal().scaled(), ratio.numerator()], &[ratio.denominator()])
        .and_then(Decimal::from_wide)
        .map(Quantity::new)
}

impl fmt::Display for Unit {
    /// Writes the canonical code, such as `kWh`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl fmt::Debug for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unit({})", self.code())
    }
}

impl FromStr for Unit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        Self::parse(text)
    }
}
