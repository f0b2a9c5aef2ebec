//! Where a company's factor was copied from.

use crate::amount::Intensity;
use crate::gas::potential::GwpSet;
use crate::gas::split::GasSplit;
use crate::published::PublishedUse;
use crate::published::factor::{NoCo2eUnder, PublishedFactor};
use crate::published::set::FactorSet;
use crate::text::Source;

/// The published factor that a company's factor is a copy of, with all that is known of its set: whoever has the copy
/// needs neither the installation's sets nor the publisher's file to say where its figures are from.
///
/// Under which set of global warming potentials it was read is the factor's own `gwp`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactorOrigin {
    /// The edition it is of.
    pub set: FactorSet,
    /// The factor as it was published.
    pub factor: PublishedFactor,
}

/// Something that keeps a published factor from being a company's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotUsable {
    /// It has no CO2e under the set of global warming potentials.
    #[error(transparent)]
    NoCo2e(#[from] NoCo2eUnder),
}

impl FactorOrigin {
    /// That factor of that set.
    #[must_use]
    pub const fn new(set: FactorSet, factor: PublishedFactor) -> Self {
        Self { set, factor }
    }

    /// The set of global warming potentials behind the figures as they were published, where it is known.
    #[must_use]
    pub fn published_under(&self) -> Option<GwpSet> {
        self.factor.gases.as_ref().map(GasSplit::set).or(self.set.gwp)
    }

    /// What it says of where it was published: publisher, title, edition and cell, without the first of them where all
    /// are longer than such a text may be.
    #[must_use]
    pub fn source(&self) -> Source {
        Source::of_names(&[&self.set.publisher, &self.set.title, &self.set.edition, &self.factor.cell])
    }

    /// Its CO2e under `gwp`; as it was published, where that is `None`.
    pub fn intensity(&self, gwp: Option<GwpSet>) -> Result<Intensity, NoCo2eUnder> {
        match gwp.or_else(|| self.published_under()) {
            Some(gwp) => self.factor.intensity_under(&self.set, gwp),
            None => self.factor.intensity(),
        }
    }

    /// The upstream and the downstream part of a product's factor that is copied from it.
    ///
    /// What is emitted before a fuel or a current is used (well-to-tank, grid losses) is the upstream part, of a product
    /// of its own for activities of scope 3, category 3; anything else the downstream part. What no scope counts is so too,
    /// of a product of its own for activities in nodes of kind `biogenic` and `outside`.
    pub fn parts(&self, gwp: Option<GwpSet>) -> Result<(Option<Intensity>, Option<Intensity>), NotUsable> {
        let intensity = self.intensity(gwp)?;
        match self.factor.usage {
            PublishedUse::Upstream | PublishedUse::GridLoss => Ok((Some(intensity), None)),
            PublishedUse::Direct
            | PublishedUse::PurchasedEnergy
            | PublishedUse::ValueChain
            | PublishedUse::OutsideScopes => Ok((None, Some(intensity))),
        }
    }
}
