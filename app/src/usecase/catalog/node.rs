//! From a draft to a node of a tree, and how nodes are shown.

use domain::{FaultCode, Faults, Forest, MAX_LEVELS, NodeTree, Slug};
use ports::Stored;
use ports::inbound::{Error, Field, NodeDraft, NodeView, Reference};
use ports::store::ReadTx;

use crate::usecase::draft::{pointer, required};
use crate::usecase::names::named;
use crate::usecase::resolve::{Referred, Resolver};
use crate::usecase::tree::{Built, Common, IdOf, NodeKind};

/// The node of that id, which must be there.
pub(super) async fn find<T: NodeKind>(tx: &mut dyn ReadTx, id: IdOf<T>) -> Result<Stored<T>, Error> {
    T::reader(tx).find(id).await?.ok_or(Error::NotFound)
}

/// The node that a draft makes, of nothing or of `before`; or all that is wrong with it.
pub(super) async fn build<T: Referred>(
    tx: &mut dyn ReadTx,
    id: IdOf<T>,
    before: Option<&T>,
    draft: NodeDraft<T::Detail>,
) -> Result<Result<Built<T>, Faults>, Error> {
    let NodeDraft { name, sync_id, parent, detail, mut faults } = draft;
    let name = required(&mut faults, "/name", name, before.map(|before| before.name().clone()));
    let sync_id = sync_id.merge(before.and_then(|before| before.sync_id().cloned()));
    let above = parent.given().map_or_else(|| "/parent".to_owned(), |reference| pointer("/parent", reference));
    let parent = self::parent(tx, &mut faults, id, parent, before).await?;
    let common = Common { id, sync_id, name, parent, above };
    let built = T::build(tx, common, before, detail, &mut faults).await?;
    Ok(built.filter(|_| faults.is_empty()).ok_or(faults))
}

/// The node above: neither the node itself nor below it, and not too deep.
async fn parent<T: Referred>(
    tx: &mut dyn ReadTx,
    faults: &mut Faults,
    id: IdOf<T>,
    field: Field<Reference>,
    before: Option<&T>,
) -> Result<Option<IdOf<T>>, Error> {
    let known = before.and_then(above_it);
    let reference = match field {
        Field::Given(reference) => reference,
        Field::Null => return Ok(None),
        Field::Absent | Field::Faulty => return Ok(known),
    };
    let parent = match Resolver::default().node::<T>(tx, &reference).await? {
        Ok(parent) => parent,
        Err(detail) => {
            faults.add_coded(FaultCode::NotFound, pointer("/parent", &reference), detail);
            return Ok(known);
        }
    };
    if known != Some(parent) {
        let levels = above::<T>(tx, Some(parent)).await?;
        if levels.iter().any(|node| it(node) == id) {
            let detail = if id == parent { "is the node itself" } else { "stands below the node" };
            faults.add_coded(
                FaultCode::Mismatch,
                pointer("/parent", &reference),
                format!("{detail}, so it cannot be above it"),
            );
        } else {
            let deepest = levels.len() + if before.is_some() { height::<T>(tx, id).await? } else { 1 };
            if deepest > MAX_LEVELS {
                let detail = format!("would make {deepest} levels; a tree has at most {MAX_LEVELS}");
                faults.add_coded(FaultCode::TooMuch, pointer("/parent", &reference), detail);
            }
        }
    }
    Ok(Some(parent))
}

fn it<T: NodeKind>(node: &T) -> IdOf<T> {
    domain::TreeNode::id(node)
}

/// The identifier of the node above it.
fn above_it<T: NodeKind>(node: &T) -> Option<IdOf<T>> {
    domain::TreeNode::parent(node)
}

/// The node and those above it, upwards; nothing for none.
async fn above<T: NodeKind>(tx: &mut dyn ReadTx, id: Option<IdOf<T>>) -> Result<Vec<T>, Error> {
    let (mut nodes, mut next): (Vec<T>, _) = (Vec::new(), id);
    while let Some(id) = next {
        // Whatever was stored, this ends.
        let is_new = nodes.iter().all(|node| it(node) != id);
        let Some(node) = T::reader(tx).find(id).await?.filter(|_| is_new) else { break };
        next = above_it(&node.value);
        nodes.push(node.value);
    }
    Ok(nodes)
}

/// How many levels the node and all below it take.
async fn height<T: NodeKind>(tx: &mut dyn ReadTx, id: IdOf<T>) -> Result<usize, Error> {
    let nodes = T::tree(tx).all().await?;
    Ok(Forest::new(nodes.iter().map(|node| (it(&node.value), above_it(&node.value)))).height(id))
}

/// A node with the names around it.
pub(super) async fn view<T: NodeKind>(tx: &mut dyn ReadTx, node: Stored<T>) -> Result<NodeView<T>, Error> {
    let (parent, path) = match (node.value.slug(), above_it(&node.value)) {
        (Some(slug), parent) => {
            let above = above::<T>(tx, parent).await?;
            let slugs = above.iter().rev().filter_map(T::slug).chain([slug]).map(Slug::as_str);
            let path = slugs.collect::<Vec<_>>().join("/");
            (above.into_iter().next(), Some(path))
        }
        (None, Some(parent)) => (T::reader(tx).find(parent).await?.map(|parent| parent.value), None),
        (None, None) => (None, None),
    };
    Ok(NodeView { parent: parent.as_ref().map(named), path, node })
}

/// Nodes of one tree with the names around them.
pub(super) async fn views<T: NodeKind>(tx: &mut dyn ReadTx, nodes: Vec<Stored<T>>) -> Result<Vec<NodeView<T>>, Error> {
    let parents: Vec<IdOf<T>> = nodes.iter().filter_map(|node| above_it(&node.value)).collect();
    let parents = NodeTree::new(T::reader(tx).find_all(&parents).await?.into_iter().map(|node| node.value).collect());
    let paths = if nodes.iter().any(|node| node.value.slug().is_some()) {
        let all = T::tree(tx).all().await?.into_iter().map(|node| node.value).collect();
        T::paths(NodeTree::new(all))
    } else {
        None
    };
    let view = |node: Stored<T>| NodeView {
        parent: above_it(&node.value).and_then(|parent| parents.find(parent)).map(named),
        path: paths.as_ref().map(|path| path(it(&node.value))),
        node,
    };
    Ok(nodes.into_iter().map(view).collect())
}
