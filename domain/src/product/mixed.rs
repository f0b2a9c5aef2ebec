//! Which published factors may stand in one product.

use crate::id::FactorId;
use crate::product::factor::{Factor, corrected_by};
use crate::published::PublishedUse;

/// A published factor would stand in a product whose factors are of another part of the inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.told())]
#[non_exhaustive]
pub struct MixedUse {
    /// The factor of the product that is of another part.
    pub factor: FactorId,
    /// What the emissions of the published one are.
    pub usage: PublishedUse,
    /// What those of the other one are; `None` where somebody wrote it.
    pub beside: Option<PublishedUse>,
}

impl MixedUse {
    fn told(&self) -> String {
        let Self { factor, usage, beside } = self;
        let (of, beside) = match usage {
            PublishedUse::OutsideScopes => ("no scope", "has emissions of one"),
            _ if *beside == Some(PublishedUse::OutsideScopes) => ("a scope", "has emissions outside the scopes"),
            _ if usage.is_before_use() => ("scope 3, category 3", "has emissions of the use"),
            PublishedUse::Direct
            | PublishedUse::PurchasedEnergy
            | PublishedUse::Upstream
            | PublishedUse::GridLoss
            | PublishedUse::ValueChain => ("the use itself", "has emissions before the use alone"),
        };
        format!(
            "a published factor of kind {usage} is of {of}, and the product's factor {factor} {beside}: their activities \
             are of different scopes; use it in a product of its own"
        )
    }
}

/// Refuses a published factor of scope 3, category 3 (well-to-tank, grid losses) in a product that has a factor with
/// emissions of the use, and the other way round, and so what no scope counts beside what one does: the upstream part of a factor follows the scope of its activity, and
/// these are activities of two scopes. A factor that was corrected does not count; one that somebody wrote in full may
/// have both parts.
pub fn check_use(existing: &[Factor], new: &Factor) -> Result<(), MixedUse> {
    let Some(origin) = new.data().origin.as_deref() else { return Ok(()) };
    let usage = origin.factor.usage;
    let is_of_another = |factor: &&Factor| {
        let is_outside = |usage: Option<PublishedUse>| usage == Some(PublishedUse::OutsideScopes);
        factor.product() == new.product()
            && (factor.data().downstream.is_some() == usage.is_before_use()
                || is_outside(factor.usage()) != is_outside(Some(usage)))
            && !factor.is_chosen()
            && corrected_by(existing, factor.id()).is_none()
    };
    existing
        .iter()
        .find(is_of_another)
        .map_or(Ok(()), |factor| Err(MixedUse { factor: factor.id(), usage, beside: factor.usage() }))
}
