//! Explanations: how a figure comes about, step by step with every exact number, so that it can be computed anew from
//! the explanation alone.

pub(crate) mod composition;
pub(crate) mod exact;
pub(crate) mod multiplication;
pub(crate) mod record;

use std::fmt;

use crate::activity::{Market, Measured, Stated};
use crate::aggregate::measure::Measures;
use crate::amount::{Co2e, Intensity};
use crate::calendar::day::Day;
use crate::gas::emitted::{EmittedGas, GasFactor};
use crate::id::{ActivityId, FactorId, InputId, ProductId};
use crate::product::calculation::CalculationError;
use crate::product::factor::Factor;
use crate::product::incomplete::Incomplete;
use crate::text::Source;
use multiplication::Multiplication;

/// How the CO2e of an activity or of an input of a model comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The record whose figure it is.
    pub of: Explained,
    /// The day whose factor counts: an activity's first, the reference date of an input's model.
    pub day: Day,
    /// How much there was.
    pub measured: Option<Measured>,
    /// What it was an amount of.
    pub product: Option<ProductId>,
    /// The factor that parts were computed from.
    pub factor: Option<CitedFactor>,
    /// The parts that are added.
    pub terms: Vec<(Part, Term)>,
    /// The gases that the factor knows, and what the quantity emits of each; empty where it knows none.
    pub gases: Vec<(GasFactor, EmittedGas)>,
    /// What was stated of other measures.
    pub stated: Stated,
    /// What counts in the market: the factor, and what it makes of the quantity.
    pub market: Option<ExplainedMarket>,
    /// Why nothing is known of it, as its record says.
    pub reason: Option<Incomplete>,
    /// The figures that are stored.
    pub stored: Figures,
}

/// A record that has a CO2e.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explained {
    /// An activity.
    Activity(ActivityId),
    /// An input of a model.
    Input(InputId),
}

/// A part of a CO2e that comes about by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Before the use.
    Upstream,
    /// In the use and after it.
    Downstream,
    /// Both in one multiplication, with the sum of the factor's intensities: so it is for inputs of models.
    Both,
}

/// Where a part comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// It was given with the record, and replaces what would be computed.
    Supplied(Co2e),
    /// It was computed.
    Computed(Multiplication),
    /// It was neither given, nor is there anything to compute it from.
    Absent,
}

/// How a market-based figure comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedMarket {
    /// What it rests on.
    pub market: Market,
    /// Where the factor was published.
    pub source: Source,
    /// One for each part of the factor; they are added.
    pub terms: Vec<Multiplication>,
}

/// A factor as an explanation cites it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedFactor {
    /// The factor.
    pub factor: Factor,
    /// The factor that stands in its place since it was found to be wrong.
    pub corrected_by: Option<FactorId>,
}

/// The figures of a record, in kg: its parts in the order of its terms, and their sum. `None` is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The parts.
    pub parts: Vec<Option<Co2e>>,
    /// What they add up to; `None` when no part is known.
    pub co2e: Option<Co2e>,
    /// What it has of other measures: gases, and biogenic CO2.
    pub measures: Measures,
}

/// Why a stored figure cannot come about as its record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unexplained {
    /// The record names a factor that is not there.
    #[error("was computed from factor {0}, which is not there")]
    NoFactor(FactorId),
    /// The record names a factor of another product.
    #[error("was computed from factor {0}, which is none of its product")]
    OtherProduct(FactorId),
    /// There is a factor and no quantity.
    #[error("was computed from factor {0} without a quantity")]
    NoQuantity(FactorId),
    /// The reason why there is no CO2e does not fit the record.
    #[error("has no CO2e because of {}, which does not fit what it has", .0.code())]
    Reason(Incomplete),
    /// What the record has cannot be multiplied.
    #[error("cannot be computed: {0}")]
    Calculation(#[from] CalculationError),
}

impl Part {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Upstream => "upstream",
            Self::Downstream => "downstream",
            Self::Both => "both",
        }
    }

    /// The part of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Upstream, Self::Downstream, Self::Both].into_iter().find(|part| part.word() == word)
    }
}

impl Term {
    /// What it comes to by what is written in it.
    #[must_use]
    pub fn co2e(&self) -> Option<Co2e> {
        match self {
            Self::Supplied(co2e) => Some(*co2e),
            Self::Computed(multiplication) => Some(multiplication.co2e),
            Self::Absent => None,
        }
    }
}

impl CitedFactor {
    /// The intensity of that part, as the factor has it.
    #[must_use]
    pub fn intensity(&self, part: Part) -> Option<Intensity> {
        let data = self.factor.data();
        match part {
            Part::Upstream => data.upstream,
            Part::Downstream => data.downstream,
            Part::Both => data.upstream.unwrap_or_default().checked_add(data.downstream.unwrap_or_default()),
        }
    }
}

impl Figures {
    /// The figures of those parts; `None` where their sum has more than 20 integer digits.
    #[must_use]
    pub fn of(parts: Vec<Option<Co2e>>) -> Option<Self> {
        let mut co2e = None;
        for part in parts.iter().flatten() {
            co2e = Some(co2e.unwrap_or(Co2e::ZERO).checked_add(*part)?);
        }
        Some(Self { parts, co2e, measures: Measures::NONE })
    }
}

impl fmt::Display for Figures {
    /// The sum and, of several parts, each of them; then the other measures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = |co2e: &Option<Co2e>| co2e.map_or_else(|| "none".to_owned(), |co2e| co2e.to_string());
        f.write_str(&known(&self.co2e))?;
        if self.parts.len() > 1 {
            let parts: Vec<String> = self.parts.iter().map(known).collect();
            write!(f, " ({})", parts.join(" + "))?;
        }
        for (measure, amount) in self.measures.iter() {
            write!(f, ", {measure} {amount}")?;
        }
        Ok(())
    }
}

impl Explanation {
    /// An explanation of which nothing is written yet but whose it is and the day.
    #[must_use]
    pub fn as_written(of: Explained, day: Day) -> Self {
        Self {
            of,
            day,
            measured: None,
            product: None,
            factor: None,
            terms: Vec::new(),
            gases: Vec::new(),
            stated: Stated::NONE,
            market: None,
            reason: None,
            stored: Figures::default(),
        }
    }

    /// The figures computed anew from what stands in the explanation and nothing else: supplied parts as they were given,
    /// each other one by its multiplication, rounded once, and their sum. `None` beyond 20 integer digits.
    #[must_use]
    pub fn replay(&self) -> Option<Figures> {
        let mut parts = Vec::with_capacity(self.terms.len());
        for (_, term) in &self.terms {
            parts.push(match term {
                Term::Supplied(co2e) => Some(*co2e),
                Term::Computed(multiplication) => Some(multiplication.replay()?),
                Term::Absent => None,
            });
        }
        let figures = Figures::of(parts)?;
        Some(Figures { measures: self.replay_measures(figures.co2e)?, ..figures })
    }

    /// The other measures computed anew: of each gas what quantity, unit and the factor's gas come to, and what was stated.
    fn replay_measures(&self, located: Option<Co2e>) -> Option<Measures> {
        let gases: Vec<GasFactor> = self.gases.iter().map(|(factor, _)| *factor).collect();
        let emitted = match (self.measured, &self.factor) {
            (Some(measured), Some(cited)) => EmittedGas::of(measured, cited.factor.data().unit, &gases).ok()?,
            (None, _) | (_, None) => Vec::new(),
        };
        let mut in_market = None;
        for term in self.market.iter().flat_map(|market| &market.terms) {
            in_market = Some(in_market.unwrap_or(Co2e::ZERO).checked_add(term.replay()?)?);
        }
        self.stated.measures(&emitted, (located, in_market)).ok()
    }

    /// Whether the stored figures are those that it comes to, digit for digit.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.replay().is_some_and(|figures| figures == self.stored)
    }
}
