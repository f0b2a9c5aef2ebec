//! Nodes of the three trees of a tenant: scopes, orgs and taxonomies. Each tree has a type of its own, whose identifiers
//! do not convert into those of another tree.

use std::fmt;
use std::hash::Hash;

use uuid::Uuid;

use crate::id::{OrgId, ScopeId, TaxonomyId};
use crate::setters::setters;
use crate::text::{Name, Slug, SyncId};
use crate::tree::scope_kind::ScopeClass;

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

/// What the nodes of the three trees have in common.
///
/// An identifier of one tree is none of another:
///
/// ```compile_fail,E0308
/// # use tonne_domain::{OrgId, Scope, ScopeId};
/// fn is_at(scope: &Scope, org: OrgId) -> bool {
///     scope.id == org
/// }
/// ```
///
/// ```compile_fail,E0277
/// # use tonne_domain::{OrgId, ScopeId};
/// fn org_of(scope: ScopeId) -> OrgId {
///     scope.into()
/// }
/// ```
pub trait TreeNode: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The tree that they make up.
    const TREE: Tree;

    /// Identifies a node of this tree.
    type Id: Copy + fmt::Debug + fmt::Display + Ord + Hash + Send + Sync + From<Uuid> + Into<Uuid>;

    /// The node's identifier, unique within the tenant.
    fn id(&self) -> Self::Id;

    /// What it is called; not unique.
    fn name(&self) -> &Name;

    /// The node above it; `None` for a root.
    fn parent(&self) -> Option<Self::Id>;
}

/// A node of the scope tree: a GHG scope, a category of scope 3, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scope {
    /// Unique within the tenant.
    pub id: ScopeId,
    /// What another system calls it; unique among scopes.
    pub sync_id: Option<SyncId>,
    /// What it is called; not unique.
    pub name: Name,
    /// The scope above it; `None` for a root.
    pub parent: Option<ScopeId>,
    /// Which totals its activities count in.
    pub class: ScopeClass,
}

setters! {
    Scope {
        with_id = id: ScopeId,
        with_sync_id = sync_id: Option<SyncId>,
        with_name = name: Name,
        with_parent = parent: Option<ScopeId>,
        with_class = class: ScopeClass,
    }
}

/// A node of the org tree: an organisation unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Org {
    /// Unique within the tenant.
    pub id: OrgId,
    /// What another system calls it; unique among orgs.
    pub sync_id: Option<SyncId>,
    /// What it is called; not unique.
    pub name: Name,
    /// The org above it; `None` for a root.
    pub parent: Option<OrgId>,
    /// Where it is, such as `GB` or `US-RFCW`, for the factors of its activities; `None` where that is said by the org
    /// above it.
    pub region: Option<Name>,
}

setters! {
    Org {
        with_id = id: OrgId,
        with_sync_id = sync_id: Option<SyncId>,
        with_name = name: Name,
        with_parent = parent: Option<OrgId>,
        with_region = region: Option<Name>,
    }
}

/// A node of the taxonomy tree: a category of activity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Taxonomy {
    /// Unique within the tenant.
    pub id: TaxonomyId,
    /// What another system calls it; unique among taxonomies.
    pub sync_id: Option<SyncId>,
    /// What it is called; not unique.
    pub name: Name,
    /// The taxonomy above it; `None` for a root.
    pub parent: Option<TaxonomyId>,
    /// Its part of the path; unique among those below the same parent.
    pub slug: Slug,
}

setters! {
    Taxonomy {
        with_id = id: TaxonomyId,
        with_sync_id = sync_id: Option<SyncId>,
        with_name = name: Name,
        with_parent = parent: Option<TaxonomyId>,
        with_slug = slug: Slug,
    }
}

impl Scope {
    /// A root that no other system calls anything.
    #[must_use]
    pub const fn new(id: ScopeId, name: Name, class: ScopeClass) -> Self {
        Self { id, sync_id: None, name, parent: None, class }
    }
}

impl Org {
    /// A root that no other system calls anything.
    #[must_use]
    pub const fn new(id: OrgId, name: Name) -> Self {
        Self { id, sync_id: None, name, parent: None, region: None }
    }
}

impl Taxonomy {
    /// A root that no other system calls anything.
    #[must_use]
    pub const fn new(id: TaxonomyId, name: Name, slug: Slug) -> Self {
        Self { id, sync_id: None, name, parent: None, slug }
    }
}

macro_rules! tree_nodes {
    ($($node:ident, $id:ident;)*) => {$(
        impl TreeNode for $node {
            const TREE: Tree = Tree::$node;

            type Id = $id;

            fn id(&self) -> $id {
                self.id
            }

            fn name(&self) -> &Name {
                &self.name
            }

            fn parent(&self) -> Option<$id> {
                self.parent
            }
        }
    )*};
}

tree_nodes! {
    Scope, ScopeId;
    Org, OrgId;
    Taxonomy, TaxonomyId;
}
