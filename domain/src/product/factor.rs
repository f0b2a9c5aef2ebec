//! Emission factors: how much a unit of a product emits, from which day on, and who published it.

use crate::amount::Intensity;
use crate::calendar::day::{Day, Period};
use crate::gas::potential::GwpSet;
use crate::id::{FactorId, ProductId};
use crate::product::Product;
use crate::setters::setters;
use crate::text::Source;
use crate::unit::{DimensionMismatch, Unit};

/// What a factor says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactorData {
    /// The unit that the intensities are per.
    pub unit: Unit,
    /// Emissions before the use: of making, moving and supplying it. Negative is a removal.
    pub upstream: Option<Intensity>,
    /// Emissions of the use and after it. Negative is a removal.
    pub downstream: Option<Intensity>,
    /// The first day it holds.
    pub valid_from: Day,
    /// The day after its last; `None` while no end is known.
    pub valid_to: Option<Day>,
    /// Where it was published.
    pub source: Source,
    /// The set of global warming potentials behind it.
    pub gwp: Option<GwpSet>,
}

setters! {
    FactorData {
        with_unit = unit: Unit,
        with_upstream = upstream: Option<Intensity>,
        with_downstream = downstream: Option<Intensity>,
        with_valid_from = valid_from: Day,
        with_valid_to = valid_to: Option<Day>,
        with_source = source: Source,
        with_gwp = gwp: Option<GwpSet>,
    }
}

impl FactorData {
    /// The days it holds on.
    #[must_use]
    pub fn period(&self) -> Period {
        // An end that does not lie behind the start is a fault of the factor.
        Period::new(Some(self.valid_from), self.valid_to.map(Day::previous)).unwrap_or_default()
    }

    /// What is per that unit and holds from that day on, with no intensity yet.
    #[must_use]
    pub const fn new(unit: Unit, valid_from: Day, source: Source) -> Self {
        Self { unit, upstream: None, downstream: None, valid_from, valid_to: None, source, gwp: None }
    }
}

/// A factor of a product: at least one intensity, over at least one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    id: FactorId,
    product: ProductId,
    data: FactorData,
    corrects: Option<FactorId>,
}

/// Something that is wrong with a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactorFault {
    /// It has neither an upstream nor a downstream intensity.
    #[error("neither an upstream nor a downstream intensity: give at least one of them")]
    NoIntensity,
    /// It would hold on no day.
    #[error("an end that does not lie after the start: it is the day after the factor's last")]
    NoDay,
    /// Its unit measures something else than its product's.
    #[error(transparent)]
    Dimension(#[from] DimensionMismatch),
}

/// Everything that is wrong with a factor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(FactorFault::to_string).collect::<Vec<_>>().join("; "))]
pub struct FactorError(
    /// What is wrong; never empty.
    pub Vec<FactorFault>,
);

impl Factor {
    /// The factor of `product` with that data, or everything that is wrong with it.
    pub fn new(id: FactorId, product: &Product, data: FactorData) -> Result<Self, FactorError> {
        let mut faults = check(&data);
        faults.extend(data.unit.check(product.unit).err().map(FactorFault::from));
        if faults.is_empty() {
            Ok(Self { id, product: product.id, data, corrects: None })
        } else {
            Err(FactorError(faults))
        }
    }

    /// The factor that replaces a wrong one: over the same days, whatever `data` says of them.
    pub fn correction(id: FactorId, product: &Product, wrong: &Self, data: FactorData) -> Result<Self, FactorError> {
        let FactorData { valid_from, valid_to, .. } = wrong.data;
        let factor = Self::new(id, product, FactorData { valid_from, valid_to, ..data })?;
        Ok(Self { corrects: Some(wrong.id), ..factor })
    }

    /// The factor that was stored so. Its unit was compared with the product's when it was made.
    pub fn from_stored(
        id: FactorId,
        product: ProductId,
        data: FactorData,
        corrects: Option<FactorId>,
    ) -> Result<Self, FactorError> {
        let faults = check(&data);
        if faults.is_empty() { Ok(Self { id, product, data, corrects }) } else { Err(FactorError(faults)) }
    }

    /// Unique within the tenant.
    #[must_use]
    pub const fn id(&self) -> FactorId {
        self.id
    }

    /// The product it is a factor of.
    #[must_use]
    pub const fn product(&self) -> ProductId {
        self.product
    }

    /// What the factor was made from.
    #[must_use]
    pub const fn data(&self) -> &FactorData {
        &self.data
    }

    /// The wrong factor that it replaces.
    #[must_use]
    pub const fn corrects(&self) -> Option<FactorId> {
        self.corrects
    }

    /// Whether that day is one of its days.
    #[must_use]
    pub fn valid_on(&self, day: Day) -> bool {
        self.data.valid_from <= day && self.data.valid_to.is_none_or(|end| day < end)
    }

    /// Whether some day lies in both.
    fn overlaps(&self, other: &Self) -> bool {
        let begins_before_end = |a: &FactorData, b: &FactorData| b.valid_to.is_none_or(|end| a.valid_from < end);
        begins_before_end(&self.data, &other.data) && begins_before_end(&other.data, &self.data)
    }
}

fn check(data: &FactorData) -> Vec<FactorFault> {
    let no_intensity = data.upstream.is_none() && data.downstream.is_none();
    let no_day = data.valid_to.is_some_and(|end| end <= data.valid_from);
    let found = [(no_intensity, FactorFault::NoIntensity), (no_day, FactorFault::NoDay)];
    found.into_iter().filter(|(wrong, _)| *wrong).map(|(_, fault)| fault).collect()
}

/// The factor that holds on that day, of all those of a product. One that was corrected does not count, and the others
/// never overlap, so there is one at most.
#[must_use]
pub fn factor_on(factors: &[Factor], day: Day) -> Option<&Factor> {
    factors.iter().find(|factor| factor.valid_on(day) && corrected_by(factors, factor.id).is_none())
}

/// The factor that replaces that one, if it was corrected.
#[must_use]
pub fn corrected_by(factors: &[Factor], id: FactorId) -> Option<&Factor> {
    factors.iter().find(|factor| factor.corrects == Some(id))
}

/// A new factor would hold on days on which another one holds already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an overlap with factor {factor}, which holds from {from} {}; choose other dates, or delete that factor while it is unused",
    .to.map_or_else(|| "on".to_owned(), |to| format!("to {to} (exclusive)"))
)]
#[non_exhaustive]
pub struct Overlap {
    /// The factor that holds already.
    pub factor: FactorId,
    /// The first day on which the factor is valid.
    pub from: Day,
    /// The day after its last, if any.
    pub to: Option<Day>,
}

/// Puts a new factor beside a product's existing ones. Where it begins inside an open predecessor, that one is given
/// back closed on the day the new one begins, with those that it corrects; any other overlap is an error.
pub fn add_successor(existing: &[Factor], new: &Factor) -> Result<Vec<Factor>, Overlap> {
    let mut closed = Vec::new();
    for factor in existing.iter().filter(|factor| factor.product == new.product && factor.overlaps(new)) {
        if factor.data.valid_to.is_some() || factor.data.valid_from >= new.data.valid_from {
            if corrected_by(existing, factor.id).is_some() {
                continue;
            }
            return Err(Overlap { factor: factor.id, from: factor.data.valid_from, to: factor.data.valid_to });
        }
        let mut predecessor = factor.clone();
        predecessor.data.valid_to = Some(new.data.valid_from);
        closed.push(predecessor);
    }
    Ok(closed)
}
