//! The trees of scopes, organisation units and taxonomies.

pub(crate) mod catalog;
pub(crate) mod forest;
pub(crate) mod node;
pub(crate) mod scope_kind;
