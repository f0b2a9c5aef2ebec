//! Emission factors: how much a unit of a product emits, from which day on, and who published it.

use crate::amount::Intensity;
use crate::day::Day;
use crate::fault::Faults;
use crate::id::{FactorId, ProductId};
use crate::product::Product;
use crate::text::{Name, Source};
use crate::unit::Unit;

/// What a factor says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorData {
    /// The unit that the intensities are per.
    pub unit: Unit,
    /// Emissions before the use: of making, moving and supplying it. Negative is a removal.
    pub upstream: Option<Intensity>,
    /// Emissions of the use and after it. Negative is a removal.
    pub downstream: Option<Intensity>,
    /// The first day it holds.
    pub valid_from: Day,
    /// The first day it no longer holds; `None` while no end is known.
    pub valid_to: Option<Day>,
    /// Where it was published.
    pub source: Source,
    /// The set of global warming potentials behind it, such as `AR6`.
    pub gwp: Option<Name>,
}

/// A factor of a product: at least one intensity, over at least one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    id: FactorId,
    product: ProductId,
    terms: FactorData,
}

impl Factor {
    /// The factor of `product` with those terms, or everything that is wrong with them.
    pub fn new(id: FactorId, product: &Product, terms: FactorData) -> Result<Self, Faults> {
        let mut faults = check(&terms);
        if terms.unit.dimension() != product.unit.dimension() {
            let (own, its) = (terms.unit, product.unit);
            faults.add(
                "/unit",
                format!(
                    "{own} measures {}, but the product is counted in {its}, which measures {}",
                    own.dimension(),
                    its.dimension()
                ),
            );
        }
        faults.into_result().map(|()| Self { id, product: product.id, terms })
    }

    /// The factor that was stored so. Its unit was compared with the product's when it was made.
    pub fn from_stored(id: FactorId, product: ProductId, terms: FactorData) -> Result<Self, Faults> {
        check(&terms).into_result().map(|()| Self { id, product, terms })
    }

    /// Identifies it.
    #[must_use]
    pub const fn id(&self) -> FactorId {
        self.id
    }

    /// The product it is a factor of.
    #[must_use]
    pub const fn product(&self) -> ProductId {
        self.product
    }

    /// What it says.
    #[must_use]
    pub const fn terms(&self) -> &FactorData {
        &self.terms
    }

    /// Whether it holds on that day.
    #[must_use]
    pub fn valid_on(&self, day: Day) -> bool {
        self.terms.valid_from <= day && self.terms.valid_to.is_none_or(|end| day < end)
    }

    /// Whether some day lies in both.
    fn overlaps(&self, other: &Self) -> bool {
        let begins_before_end = |a: &FactorData, b: &FactorData| b.valid_to.is_none_or(|end| a.valid_from < end);
        begins_before_end(&self.terms, &other.terms) && begins_before_end(&other.terms, &self.terms)
    }
}

fn check(terms: &FactorData) -> Faults {
    let mut faults = Faults::new();
    if terms.upstream.is_none() && terms.downstream.is_none() {
        faults.add("/upstream", "is missing, and so is downstream: give at least one of them");
    }
    if terms.valid_to.is_some_and(|end| end <= terms.valid_from) {
        faults.add("/validTo", "must lie after validFrom: it is the first day on which the factor no longer holds");
    }
    faults
}

/// The factor that holds on that day. Factors of one product never overlap, so there is one at most.
#[must_use]
pub fn factor_on(factors: &[Factor], day: Day) -> Option<&Factor> {
    factors.iter().find(|factor| factor.valid_on(day))
}

/// A new factor would hold on days on which another one holds already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "overlaps factor {factor}, which holds from {from} {}; choose other dates, or delete that factor while it is unused",
    .to.map_or_else(|| "on".to_owned(), |to| format!("to {to} (exclusive)"))
)]
pub struct Overlap {
    /// The factor that holds already.
    pub factor: FactorId,
    /// Its first day.
    pub from: Day,
    /// The first day it no longer holds, if any.
    pub to: Option<Day>,
}

/// Puts a new factor beside a product's existing ones. Where it begins inside an open predecessor, that one is given
/// back closed on the day the new one begins; any other overlap is an error.
pub fn succeed(existing: &[Factor], new: &Factor) -> Result<Option<Factor>, Overlap> {
    let mut closed = None;
    for factor in existing.iter().filter(|factor| factor.product == new.product && factor.overlaps(new)) {
        if factor.terms.valid_to.is_some() || factor.terms.valid_from >= new.terms.valid_from {
            return Err(Overlap { factor: factor.id, from: factor.terms.valid_from, to: factor.terms.valid_to });
        }
        let mut predecessor = factor.clone();
        predecessor.terms.valid_to = Some(new.terms.valid_from);
        closed = Some(predecessor);
    }
    Ok(closed)
}
