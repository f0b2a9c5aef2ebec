//! What the trees need besides: all nodes at once, and taxonomies by their slug.

use async_trait::async_trait;
use domain::{Slug, Taxonomy, TaxonomyId, TreeNode};

use super::Reader;
use crate::store::StoreError;
use crate::{Entity, Stored};

/// Reads the nodes of one tree.
#[async_trait]
pub trait TreeReader<T: Entity + TreeNode>: Reader<T> {
    /// All nodes of the tree, in no order.
    async fn all(&mut self) -> Result<Vec<Stored<T>>, StoreError>;
}

/// What can be read of taxonomies beside what all trees have.
#[async_trait]
pub trait TaxonomyReader: TreeReader<Taxonomy> {
    /// The taxonomy with that slug below that parent, or at the root, if there is one.
    async fn find_by_slug(&mut self, parent: Option<TaxonomyId>, slug: &Slug)
    -> Result<Option<TaxonomyId>, StoreError>;
}
