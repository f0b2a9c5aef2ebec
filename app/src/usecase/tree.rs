//! The three kinds of nodes: what the use cases do with each of them in its own way.

use async_trait::async_trait;
use domain::{Catalog, Faults, NodeTree, Org, Scope, Slug, SyncId, Taxonomy, TaxonomyId, TreeNode};
use ports::inbound::{ClassDraft, DraftedNode, Error, Field, RegionDraft, SlugDraft};
use ports::repo::TreeReader;
use ports::store::{HasRepository, ReadTx};
use ports::{Entity, Stored};

use super::catalog::scope::{self, Above};

/// Identifies a node of the tree of `T`.
pub type IdOf<T> = <T as TreeNode>::Id;

/// The members that the nodes of all trees have, as a draft leaves them.
#[derive(Debug)]
pub struct Common<T: TreeNode> {
    /// Unique within the tree.
    pub id: IdOf<T>,
    /// What another system calls it.
    pub sync_id: Option<SyncId>,
    /// What it is called; `None` when the draft is faulty there.
    pub name: Option<domain::Name>,
    /// The node above it.
    pub parent: Option<IdOf<T>>,
    /// Where in the input the node above is named.
    pub above: String,
}

/// A node that a draft makes.
#[derive(Debug)]
pub struct Built<T> {
    /// The node as it is stored.
    pub node: T,
    /// The nodes below it that change with it.
    pub below: Vec<Stored<T>>,
}

impl<T> Built<T> {
    const fn alone(node: T) -> Self {
        Self { node, below: Vec::new() }
    }
}

/// A kind of node.
#[async_trait]
pub trait NodeKind: DraftedNode + HasRepository + Entity<Id = IdOf<Self>, SyncId = SyncId> {
    /// The reader of the node's tree.
    fn tree(tx: &mut dyn ReadTx) -> &mut dyn TreeReader<Self>;

    /// The node that a draft makes of nothing or of `before`, `None` when it is faulty.
    async fn build(
        tx: &mut dyn ReadTx,
        common: Common<Self>,
        before: Option<&Self>,
        detail: Self::Detail,
        faults: &mut Faults,
    ) -> Result<Option<Built<Self>>, Error>;

    /// Its part of the path, where nodes of the tree have one.
    fn slug(&self) -> Option<&Slug> {
        None
    }

    /// The slugs from the root down to each node, joined by `/`, where nodes of the tree have one.
    #[must_use]
    fn paths(_: NodeTree<Self>) -> Option<Box<dyn Fn(IdOf<Self>) -> String + Send>> {
        None
    }
}

#[async_trait]
impl NodeKind for Scope {
    fn tree(tx: &mut dyn ReadTx) -> &mut dyn TreeReader<Self> {
        tx.scopes()
    }

    async fn build(
        tx: &mut dyn ReadTx,
        common: Common<Self>,
        before: Option<&Self>,
        detail: ClassDraft,
        faults: &mut Faults,
    ) -> Result<Option<Built<Self>>, Error> {
        let Common { id, sync_id, name, parent, above } = common;
        let known = before.map(|before| before.class);
        let above = match parent {
            Some(parent) => Above { class: tx.scopes().find(parent).await?.map(|it| it.value.class), pointer: &above },
            None => Above { class: None, pointer: &above },
        };
        let Some(class) = scope::class(faults, detail, known, &above) else { return Ok(None) };
        let below = match known {
            Some(known) => scope::below(tx, faults, id, known, class).await?,
            None => Vec::new(),
        };
        Ok(name.map(|name| Built { node: Self::new(id, name, class).with_sync_id(sync_id).with_parent(parent), below }))
    }
}

#[async_trait]
impl NodeKind for Org {
    fn tree(tx: &mut dyn ReadTx) -> &mut dyn TreeReader<Self> {
        tx.orgs()
    }

    async fn build(
        _: &mut dyn ReadTx,
        common: Common<Self>,
        before: Option<&Self>,
        detail: RegionDraft,
        _: &mut Faults,
    ) -> Result<Option<Built<Self>>, Error> {
        let Common { id, sync_id, name, parent, above: _ } = common;
        let region = detail.region.merge(before.and_then(|before| before.region.clone()));
        let org = |name| Self::new(id, name).with_sync_id(sync_id).with_parent(parent).with_region(region);
        Ok(name.map(|name| Built::alone(org(name))))
    }
}

#[async_trait]
impl NodeKind for Taxonomy {
    fn tree(tx: &mut dyn ReadTx) -> &mut dyn TreeReader<Self> {
        tx.taxonomies()
    }

    /// The slug is the one given; else, when the taxonomy is new or `null` is given, one made from its name, with a number
    /// where a sibling has it. Otherwise it stays, whatever the name becomes and wherever it moves, so that addresses that
    /// others wrote down keep meaning what they meant; the store refuses it where a sibling has it.
    async fn build(
        tx: &mut dyn ReadTx,
        common: Common<Self>,
        before: Option<&Self>,
        detail: SlugDraft,
        _: &mut Faults,
    ) -> Result<Option<Built<Self>>, Error> {
        let Common { id, sync_id, name, parent, above: _ } = common;
        let Some(name) = name else { return Ok(None) };
        let slug = match (detail.slug, before) {
            (Field::Given(slug), _) => slug,
            (Field::Absent, Some(before)) => before.slug.clone(),
            (Field::Absent | Field::Null, _) => free_slug(tx, id, parent, &name).await?,
            (Field::Faulty, _) => return Ok(None),
        };
        Ok(Some(Built::alone(Self::new(id, name, slug).with_sync_id(sync_id).with_parent(parent))))
    }

    fn slug(&self) -> Option<&Slug> {
        Some(&self.slug)
    }

    fn paths(taxonomies: NodeTree<Self>) -> Option<Box<dyn Fn(TaxonomyId) -> String + Send>> {
        let catalog = Catalog { taxonomies, ..Catalog::default() };
        Some(Box::new(move |id| catalog.path(id)))
    }
}

/// The slug made from a name, with a number where another taxonomy below the same parent has it.
async fn free_slug(
    tx: &mut dyn ReadTx,
    id: TaxonomyId,
    parent: Option<TaxonomyId>,
    name: &domain::Name,
) -> Result<Slug, Error> {
    let made = Slug::from_name(name);
    let mut slug = made.clone();
    for number in 2..=u32::MAX {
        let holder = tx.taxonomies().find_by_slug(parent, &slug).await?;
        if holder.is_none_or(|holder| holder == id) {
            break;
        }
        slug = made.numbered(number);
    }
    Ok(slug)
}
