//! An activity as callers see it.

use domain::{Activity, IncompleteToday};

use super::Named;
use crate::Stored;

/// An activity with the names of what it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityView {
    /// The activity as it is stored.
    pub activity: Stored<Activity>,
    /// The product that was consumed.
    pub product: Option<Named>,
    /// The node of the scope tree.
    pub scope: Option<Named>,
    /// The category of activity.
    pub taxonomy: Option<Named>,
    /// The node of the org tree.
    pub org: Option<Named>,
    /// Why it has no CO2e, by the factors of today.
    pub incomplete: Option<IncompleteToday>,
    /// Whether its CO2e was computed from a factor that was corrected since.
    pub outdated: bool,
}
