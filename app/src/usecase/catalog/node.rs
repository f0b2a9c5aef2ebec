//! From a draft to a node of a tree, and how nodes are shown.

use domain::{Catalog, Faults, Forest, MAX_LEVELS, Name, Node, NodeDetail, NodeId, Slug, TaxonomyId, Tree};
use ports::Stored;
use ports::inbound::{Error, Field, NodeDraft, NodeView, Reference};
use ports::store::ReadTx;

use super::scope::{self, Above, Given};
use crate::usecase::draft::{pointer, required};
use crate::usecase::names;
use crate::usecase::resolve::Resolver;

/// The node of that id in that tree, which must be there.
pub(super) async fn find(tx: &mut dyn ReadTx, tree: Tree, id: NodeId) -> Result<Stored<Node>, Error> {
    tx.nodes().find(id).await?.filter(|node| node.value.tree() == tree).ok_or(Error::NotFound)
}

/// A node that a draft makes.
pub(super) struct Built {
    /// The node itself.
    pub(super) node: Node,
    /// The nodes below it that change with it.
    pub(super) below: Vec<Stored<Node>>,
}

/// The node that a draft makes, of nothing or of `before`; or all that is wrong with it.
///
/// A taxonomy's slug is the one given; else, when it is new or `null` is given, one made from its name, with a number
/// where a sibling has it. Otherwise it stays, whatever the name becomes and wherever it moves, so that addresses that
/// others wrote down keep meaning what they meant; the store refuses it where a sibling has it.
pub(super) async fn build(
    tx: &mut dyn ReadTx,
    tree: Tree,
    id: NodeId,
    before: Option<&Node>,
    draft: NodeDraft,
) -> Result<Result<Built, Faults>, Error> {
    let NodeDraft { name, sync_id, parent, kind, category, slug, mut faults } = draft;
    let name = required(&mut faults, "/name", name, before.map(|b| b.name.clone()));
    let sync_id = sync_id.merge(before.and_then(|b| b.sync_id.clone()));
    let above = parent.given().map_or_else(|| "/parent".to_owned(), |reference| pointer("/parent", reference));
    let parent = self::parent(tx, &mut faults, tree, id, parent, before).await?;
    let mut below = Vec::new();
    let detail = match tree {
        Tree::Org => Some(NodeDetail::Org),
        Tree::Scope => {
            let known = before.and_then(Node::class);
            let parent = match parent {
                Some(parent) => tx.nodes().find(parent).await?,
                None => None,
            };
            let above = Above { class: parent.and_then(|parent| parent.value.class()), pointer: &above };
            let class = scope::class(&mut faults, Given { kind, category }, known, &above);
            if let (Some(known), Some(class)) = (known, class) {
                below = scope::below(tx, &mut faults, id, known, class).await?;
            }
            class.map(NodeDetail::Scope)
        }
        Tree::Taxonomy => match (slug, before.and_then(Node::slug), &name) {
            (Field::Given(slug), _, _) => Some(NodeDetail::Taxonomy(slug)),
            (Field::Absent, Some(slug), _) => Some(NodeDetail::Taxonomy(slug.clone())),
            (Field::Absent | Field::Null, _, Some(name)) => {
                Some(NodeDetail::Taxonomy(free_slug(tx, id, parent, name).await?))
            }
            (Field::Absent | Field::Null, _, None) | (Field::Faulty, _, _) => None,
        },
    };
    Ok(match (name, detail) {
        (Some(name), Some(detail)) if faults.is_empty() => {
            Ok(Built { node: Node { id, sync_id, name, parent, detail }, below })
        }
        (Some(_) | None, Some(_) | None) => Err(faults),
    })
}

/// The node above: found in the same tree, neither the node itself nor below it, and not too deep.
async fn parent(
    tx: &mut dyn ReadTx,
    faults: &mut Faults,
    tree: Tree,
    id: NodeId,
    field: Field<Reference>,
    before: Option<&Node>,
) -> Result<Option<NodeId>, Error> {
    let known = before.and_then(|before| before.parent);
    let reference = match field {
        Field::Given(reference) => reference,
        Field::Null => return Ok(None),
        Field::Absent | Field::Faulty => return Ok(known),
    };
    let parent = match Resolver::default().node(tx, tree, &reference).await? {
        Ok(parent) => parent,
        Err(detail) => {
            faults.add(pointer("/parent", &reference), detail);
            return Ok(known);
        }
    };
    if known != Some(parent) {
        let levels = above(tx, Some(parent)).await?;
        if levels.iter().any(|node| node.id == id) {
            let detail = if id == parent { "is the node itself" } else { "stands below the node" };
            faults.add(pointer("/parent", &reference), format!("{detail}, so it cannot be above it"));
        } else {
            let deepest = levels.len() + if before.is_some() { height(tx, id).await? } else { 1 };
            if deepest > MAX_LEVELS {
                let detail = format!("would make {deepest} levels; a tree has at most {MAX_LEVELS}");
                faults.add(pointer("/parent", &reference), detail);
            }
        }
    }
    Ok(Some(parent))
}

/// The node and those above it, upwards; nothing for none.
async fn above(tx: &mut dyn ReadTx, id: Option<NodeId>) -> Result<Vec<Node>, Error> {
    let (mut nodes, mut next): (Vec<Node>, _) = (Vec::new(), id);
    while let Some(id) = next {
        // Whatever was stored, this ends.
        let is_new = nodes.iter().all(|node| node.id != id);
        let Some(node) = tx.nodes().find(id).await?.filter(|_| is_new) else { break };
        next = node.value.parent;
        nodes.push(node.value);
    }
    Ok(nodes)
}

/// How many levels the node and all below it take.
async fn height(tx: &mut dyn ReadTx, id: NodeId) -> Result<usize, Error> {
    let nodes = tx.ledger().all_nodes().await?;
    Ok(Forest::new(nodes.iter().map(|node| (node.value.id, node.value.parent))).height(id))
}

/// The slug made from a name, with a number where another node below the same parent has it.
async fn free_slug(tx: &mut dyn ReadTx, id: NodeId, parent: Option<NodeId>, name: &Name) -> Result<Slug, Error> {
    let made = Slug::from_name(name);
    let mut slug = made.clone();
    for number in 2..=u32::MAX {
        let holder = tx.ledger().taxonomy_with_slug(parent, &slug).await?;
        if holder.is_none_or(|holder| holder == id) {
            break;
        }
        slug = made.numbered(number);
    }
    Ok(slug)
}

/// A node with the names around it.
pub(super) async fn view(tx: &mut dyn ReadTx, node: Stored<Node>) -> Result<NodeView, Error> {
    let (parent, path) = match (node.value.slug(), node.value.parent) {
        (Some(slug), parent) => {
            let above = above(tx, parent).await?;
            let slugs = above.iter().rev().filter_map(Node::slug).chain([slug]).map(Slug::as_str);
            let path = slugs.collect::<Vec<_>>().join("/");
            (above.into_iter().next(), Some(path))
        }
        (None, Some(parent)) => (tx.nodes().find(parent).await?.map(|parent| parent.value), None),
        (None, None) => (None, None),
    };
    Ok(NodeView { parent: parent.as_ref().map(names::of_node), path, node })
}

/// Nodes of one tree with the names around them.
pub(super) async fn views(tx: &mut dyn ReadTx, tree: Tree, nodes: Vec<Stored<Node>>) -> Result<Vec<NodeView>, Error> {
    let catalog = match tree {
        Tree::Taxonomy => catalog(tx).await?,
        Tree::Scope | Tree::Org => {
            let parents: Vec<NodeId> = nodes.iter().filter_map(|node| node.value.parent).collect();
            let parents = tx.nodes().find_all(&parents).await?;
            Catalog::new(parents.into_iter().map(|node| node.value).collect(), [])
        }
    };
    let view = |node: Stored<Node>| NodeView {
        parent: node.value.parent.and_then(|parent| names::node(&catalog, parent)),
        path: (tree == Tree::Taxonomy).then(|| catalog.path(TaxonomyId::from(node.value.id))),
        node,
    };
    Ok(nodes.into_iter().map(view).collect())
}

async fn catalog(tx: &mut dyn ReadTx) -> Result<Catalog, Error> {
    Ok(Catalog::new(tx.ledger().all_nodes().await?.into_iter().map(|node| node.value).collect(), []))
}
