//! Whether a published factor's emissions belong where an activity counts.

use crate::product::factor::Factor;
use crate::published::PublishedUse;
use crate::tree::scope_kind::ScopeKind;

/// The emissions of a published factor would be counted where they must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "its factor's emissions are outside the scopes, and {}: give a node of kind biogenic or outside",
    .0.map_or_else(|| "the activity has no scope, where they would count".to_owned(), |kind| format!("a node of kind {kind} would count them in it"))
)]
pub struct CountedNowhere(
    /// The kind of the activity's node; `None` where it has none.
    pub Option<ScopeKind>,
);

/// The emissions of a published factor count in another scope than they are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is a node of kind {kind}, and the factor's emissions are of {usage}, before the use: they are of scope 3, category 3 \
     (fuel- and energy-related activities), and count in {kind} here"
)]
#[non_exhaustive]
pub struct Misplaced {
    /// The kind of the activity's node.
    pub kind: ScopeKind,
    /// What the emissions are.
    pub usage: PublishedUse,
}

impl Factor {
    /// What its published emissions are; `None` where somebody wrote it.
    #[must_use]
    pub fn usage(&self) -> Option<PublishedUse> {
        self.data().origin.as_deref().map(|origin| origin.factor.usage)
    }

    /// Whether an activity in a node of that kind may be computed with it, and what is to be said of that. Emissions
    /// outside the scopes count nowhere but in nodes of kind `biogenic` and `outside`; those before the use of a fuel or a
    /// current in scope 1 or 2 are most likely a mistake.
    pub fn check_place(&self, kind: Option<ScopeKind>) -> Result<Option<Misplaced>, CountedNowhere> {
        match (self.usage(), kind) {
            (Some(PublishedUse::OutsideScopes), Some(ScopeKind::Biogenic | ScopeKind::Outside)) => Ok(None),
            (Some(PublishedUse::OutsideScopes), _) => Err(CountedNowhere(kind)),
            (Some(usage), Some(kind @ (ScopeKind::Scope1 | ScopeKind::Scope2))) if usage.is_before_use() => {
                Ok(Some(Misplaced { kind, usage }))
            }
            (Some(_) | None, _) => Ok(None),
        }
    }
}
