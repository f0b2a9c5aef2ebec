//! Nodes of the three trees of a tenant: scopes, orgs and taxonomies.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::id::{IdError, OrgId, ScopeId, TaxonomyId, parse_uuid};
use crate::scope_kind::ScopeClass;
use crate::text::{Name, Slug, SyncId};

/// One of the three trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tree {
    /// GHG scopes, with the scope 3 categories below.
    Scope,
    /// Organisation units.
    Org,
    /// Categories of activity.
    Taxonomy,
}

impl Tree {
    /// The word for it, in lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Org => "org",
            Self::Taxonomy => "taxonomy",
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Identifies a node of any of the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(Uuid);

impl NodeId {
    /// The UUID.
    #[must_use]
    pub const fn uuid(self) -> Uuid {
        self.0
    }
}

impl From<Uuid> for NodeId {
    fn from(uuid: Uuid) -> Self {
        Self(uuid)
    }
}

impl From<NodeId> for Uuid {
    fn from(id: NodeId) -> Self {
        id.0
    }
}

impl FromStr for NodeId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        parse_uuid(text).map(Self)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}

macro_rules! node_ids {
    ($($name:ident)*) => {$(
        impl From<$name> for NodeId {
            fn from(id: $name) -> Self {
                Self(id.uuid())
            }
        }

        impl From<NodeId> for $name {
            fn from(id: NodeId) -> Self {
                Self::new(id.0)
            }
        }
    )*};
}

node_ids! { ScopeId OrgId TaxonomyId }

/// What a node has besides its place and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeDetail {
    /// A node of the scope tree: which totals its activities count in.
    Scope(ScopeClass),
    /// An organisation unit.
    Org,
    /// A category of activity: its part of the path.
    Taxonomy(Slug),
}

/// A node of one of the trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Identifies it.
    pub id: NodeId,
    /// What another system calls it; unique in its tree.
    pub sync_id: Option<SyncId>,
    /// What it is called; not unique.
    pub name: Name,
    /// The node above it in the same tree; `None` for a root.
    pub parent: Option<NodeId>,
    /// What it has besides, which also says whose tree it is in.
    pub detail: NodeDetail,
}

impl Node {
    /// The tree it is in.
    #[must_use]
    pub const fn tree(&self) -> Tree {
        match self.detail {
            NodeDetail::Scope(_) => Tree::Scope,
            NodeDetail::Org => Tree::Org,
            NodeDetail::Taxonomy(_) => Tree::Taxonomy,
        }
    }

    /// Its part of the path, for a taxonomy node.
    #[must_use]
    pub const fn slug(&self) -> Option<&Slug> {
        match &self.detail {
            NodeDetail::Taxonomy(slug) => Some(slug),
            NodeDetail::Scope(_) | NodeDetail::Org => None,
        }
    }

    /// Its class, for a scope node.
    #[must_use]
    pub const fn class(&self) -> Option<ScopeClass> {
        match &self.detail {
            NodeDetail::Scope(class) => Some(*class),
            NodeDetail::Org | NodeDetail::Taxonomy(_) => None,
        }
    }
}
