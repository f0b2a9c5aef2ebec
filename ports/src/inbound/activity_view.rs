//! An activity as callers see it.

use domain::{Activity, IncompleteToday, SyncId};

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
    /// Whether its CO2e is outdated ([`Activity::outdated`](domain::Activity::outdated)).
    pub outdated: bool,
    /// Where its nodes are, where many activities are read at once.
    pub paths: NodePaths,
    /// What is to be said of it to whoever wrote it now, such as that its factor's emissions are of another scope: none of an
    /// activity that is read.
    pub warnings: Vec<String>,
}

/// What finds an activity's nodes in another installation, for rows that it imports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodePaths {
    /// The scope.
    pub scope: NodePlace,
    /// The taxonomy.
    pub taxonomy: NodePlace,
    /// The org.
    pub org: NodePlace,
}

/// What finds a node where its uuid is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodePlace {
    /// Its syncId, where it has one.
    pub sync_id: Option<SyncId>,
    /// From the root down to it: names with ` / ` between them, of a taxonomy slugs with `/`. `None` where there is no node.
    pub path: Option<String>,
}
