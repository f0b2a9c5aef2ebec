//! Emission factors: how much a unit of a product emits, from which day on, and who published it.

use std::sync::Arc;

use uuid::{Builder, Uuid};

use crate::amount::Intensity;
use crate::calendar::day::{Day, Period};
use crate::canonical::Canonical as _;
use crate::gas::potential::GwpSet;
use crate::id::{FactorId, ProductId};
use crate::product::Product;
use crate::product::rule::choice::Choice;
use crate::product::supplier::SupplierFootprint;
use crate::published::origin::{FactorOrigin, NotUsable};
use crate::setters::setters;
use crate::text::Source;
use crate::unit::{DimensionMismatch, Unit};

/// What a factor is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FactorBasis {
    /// The CO2e of activities; in scope 2 the location-based one.
    #[default]
    Location,
    /// The market-based CO2e in scope 2 of activities that name no instrument.
    ResidualMix,
}

/// A text that is the word of no basis of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be location or residualMix")]
pub struct UnknownFactorBasis;

impl FactorBasis {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Location => "location",
            Self::ResidualMix => "residualMix",
        }
    }

    /// The basis of that word.
    pub fn parse(word: &str) -> Result<Self, UnknownFactorBasis> {
        [Self::Location, Self::ResidualMix].into_iter().find(|basis| basis.word() == word).ok_or(UnknownFactorBasis)
    }
}

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
    /// What it is for.
    pub basis: FactorBasis,
    /// The published factor it is a copy of, which says its unit, parts and source; `None` where somebody wrote them.
    pub origin: Option<Arc<FactorOrigin>>,
    /// Why the product's rule chose it; `None` where somebody gave it to the product.
    pub choice: Option<Arc<Choice>>,
    /// The supplier's footprint that it was made of; `None` where it was made of none.
    pub supplier: Option<Arc<SupplierFootprint>>,
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
        with_basis = basis: FactorBasis,
        with_origin = origin: Option<Arc<FactorOrigin>>,
        with_choice = choice: Option<Arc<Choice>>,
        with_supplier = supplier: Option<Arc<SupplierFootprint>>,
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
        let basis = FactorBasis::Location;
        Self {
            unit,
            upstream: None,
            downstream: None,
            valid_from,
            valid_to: None,
            source,
            gwp: None,
            basis,
            origin: None,
            choice: None,
            supplier: None,
        }
    }

    /// A copy of a published factor, read under `gwp` (`None`: as it was published), that holds on the days of its set.
    pub fn copied(origin: FactorOrigin, gwp: Option<GwpSet>) -> Result<Self, NotUsable> {
        let (upstream, downstream) = origin.parts(gwp)?;
        Ok(Self {
            unit: origin.factor.unit,
            upstream,
            downstream,
            valid_from: origin.set.valid_from,
            valid_to: origin.set.valid_to,
            source: origin.source(),
            gwp: gwp.or_else(|| origin.published_under()),
            basis: FactorBasis::Location,
            origin: Some(Arc::new(origin)),
            choice: None,
            supplier: None,
        })
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
    /// It was chosen among published factors and is a copy of none.
    #[error("chosen by a rule, and a copy of no published factor")]
    ChosenOfNone,
    /// What it is a copy of cannot be a factor.
    #[error("the published factor cannot be used: {0}")]
    NotUsable(#[from] NotUsable),
    /// It says something else than what it is a copy of.
    #[error("its {0} is not what the published factor that it is a copy of says")]
    NotAsPublished(
        /// What differs.
        &'static str,
    ),
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

    /// The factor that replaces a wrong one: over the same days and for the same, whatever `data` says of that.
    pub fn correction(id: FactorId, product: &Product, wrong: &Self, data: FactorData) -> Result<Self, FactorError> {
        let FactorData { valid_from, valid_to, basis, .. } = wrong.data;
        let factor = Self::new(id, product, FactorData { valid_from, valid_to, basis, ..data })?;
        Ok(Self { corrects: Some(wrong.id), ..factor })
    }

    /// The factor that the product's rule chose. Its identifier is made of what it says: the same choice is the same factor,
    /// wherever and however often it is made.
    pub fn chosen(product: &Product, data: FactorData) -> Result<Self, FactorError> {
        let factor = Self::new(FactorId::new(Uuid::nil()), product, data)?;
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&factor.digest().as_bytes()[..16]);
        Ok(Self { id: FactorId::new(Builder::from_custom_bytes(bytes).into_uuid()), ..factor })
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

    /// Whether the product's rule chose it. Such a factor is that of the activities it was chosen for and of no others,
    /// and several of them may hold on a day.
    #[must_use]
    pub const fn is_chosen(&self) -> bool {
        self.data.choice.is_some()
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

/// What keeps that data from being a copy of a published factor; empty where nothing does.
fn not_as_published(origin: &FactorOrigin, data: &FactorData) -> Vec<FactorFault> {
    let (upstream, downstream) = match origin.parts(data.gwp) {
        Ok(parts) => parts,
        Err(error) => return vec![error.into()],
    };
    let known_gwp = data.gwp.is_some() || origin.published_under().is_none();
    let same = [
        ("unit", data.unit == origin.factor.unit),
        ("upstream part", data.upstream == upstream),
        ("downstream part", data.downstream == downstream),
        ("source", data.source == origin.source()),
        ("set of global warming potentials", known_gwp),
    ];
    same.into_iter().filter(|(_, same)| !same).map(|(member, _)| FactorFault::NotAsPublished(member)).collect()
}

fn check(data: &FactorData) -> Vec<FactorFault> {
    let no_intensity = data.upstream.is_none() && data.downstream.is_none();
    let no_day = data.valid_to.is_some_and(|end| end <= data.valid_from);
    let found = [
        (no_intensity, FactorFault::NoIntensity),
        (no_day, FactorFault::NoDay),
        (data.choice.is_some() && data.origin.is_none(), FactorFault::ChosenOfNone),
    ];
    let not_as_published = data.origin.iter().flat_map(|origin| not_as_published(origin, data));
    found.into_iter().filter(|(wrong, _)| *wrong).map(|(_, fault)| fault).chain(not_as_published).collect()
}

/// The factor that holds on that day, of all those of a product but for residual mixes. Those that were corrected and those
/// that its rule chose do not count, and the others never overlap, so there is one at most.
#[must_use]
pub fn factor_on(factors: &[Factor], day: Day) -> Option<&Factor> {
    of_basis_on(factors, FactorBasis::Location, day)
}

/// The residual mix that holds on that day, of all those of a product.
#[must_use]
pub fn residual_mix_on(factors: &[Factor], day: Day) -> Option<&Factor> {
    of_basis_on(factors, FactorBasis::ResidualMix, day)
}

/// The factor of that basis that holds on that day, of all those of a product.
pub(crate) fn of_basis_on(factors: &[Factor], basis: FactorBasis, day: Day) -> Option<&Factor> {
    let holds = |factor: &&Factor| factor.data.basis == basis && factor.valid_on(day) && !factor.is_chosen();
    factors.iter().find(|factor| holds(factor) && corrected_by(factors, factor.id).is_none())
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
/// back closed on the day the new one begins, with those that it corrects; any other overlap is an error. Factors that a
/// rule chose are beside all others.
pub fn add_successor(existing: &[Factor], new: &Factor) -> Result<Vec<Factor>, Overlap> {
    let mut closed = Vec::new();
    let is_beside = |factor: &&Factor| {
        let is_written = !factor.is_chosen() && !new.is_chosen();
        factor.product == new.product && factor.data.basis == new.data.basis && is_written
    };
    for factor in existing.iter().filter(is_beside).filter(|factor| factor.overlaps(new)) {
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
