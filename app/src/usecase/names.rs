//! The names of what records refer to.

use std::collections::HashMap;

use domain::{Activity, Catalog, MAX_LEVELS, NodeTree, Org, ProductId, Scope, Taxonomy, TreeNode};
use ports::inbound::{ActivityView, Error, Named, NodePaths, NodePlace};
use ports::store::{HasRepository, ReadTx};
use ports::{RecordKind, Stored};
use uuid::Uuid;

use super::factors::Factors;
use super::lookups::Lookups;
use super::tree::{IdOf, NodeKind};

/// A node's id and name.
pub(super) fn named<T: TreeNode>(node: &T) -> Named {
    Named { id: node.id().into(), name: node.name().clone() }
}

/// The id and name of a node of that tree.
pub(super) fn node<T: TreeNode>(tree: &NodeTree<T>, id: IdOf<T>) -> Option<Named> {
    tree.find(id).map(named)
}

/// An activity with names from a catalog.
pub(super) fn activity(catalog: &Catalog, factors: &Factors, activity: Stored<Activity>) -> ActivityView {
    let value = &activity.value;
    let product = |id: ProductId| catalog.products.get(&id).map(|name| Named { id: id.uuid(), name: name.clone() });
    ActivityView {
        product: value.product.and_then(product),
        scope: value.scope.and_then(|id| node(&catalog.scopes, id)),
        taxonomy: value.taxonomy.and_then(|id| node(&catalog.taxonomies, id)),
        org: value.org.and_then(|id| node(&catalog.orgs, id)),
        incomplete: value.incomplete(factors.product(value), factors.of(value)),
        outdated: factors.outdated(value).is_some(),
        paths: NodePaths {
            scope: value.scope.and_then(|id| place(&catalog.scopes, id)).unwrap_or_default(),
            taxonomy: value.taxonomy.and_then(|id| place(&catalog.taxonomies, id)).unwrap_or_default(),
            org: value.org.and_then(|id| place(&catalog.orgs, id)).unwrap_or_default(),
        },
        warnings: Vec::new(),
        activity,
    }
}

/// A node's syncId and, from the root down to it, the slugs of a taxonomy, else the names.
fn place<T: NodeKind>(tree: &NodeTree<T>, id: IdOf<T>) -> Option<NodePlace> {
    let node = tree.find(id)?;
    let between = if node.slug().is_some() { "/" } else { " / " };
    let own = |node: &T| node.slug().map_or_else(|| node.name().to_string(), ToString::to_string);
    let mut names: Vec<String> = tree.forest().ancestors(id).filter_map(|id| tree.find(id)).map(own).collect();
    names.reverse();
    names.push(own(node));
    Some(NodePlace { sync_id: node.sync_id().cloned(), path: Some(names.join(between)) })
}

/// From the root down to a node, the slugs of a taxonomy, else the names.
pub(super) fn path<T: NodeKind>(tree: &NodeTree<T>, id: IdOf<T>) -> Option<String> {
    place(tree, id)?.path
}

/// A node and the names from its root down to it, looked up one by one; `None` where there is none.
pub(super) async fn with_path<T: NodeKind>(
    tx: &mut dyn ReadTx,
    id: Option<IdOf<T>>,
) -> Result<Option<(Named, String)>, Error> {
    let (mut found, mut names, mut next) = (None, Vec::new(), id);
    while let Some(id) = next.filter(|_| names.len() < MAX_LEVELS) {
        let Some(node) = <T as HasRepository>::reader(tx).find(id).await? else { break };
        next = TreeNode::parent(&node.value);
        names.push(node.value.name().to_string());
        found.get_or_insert_with(|| named(&node.value));
    }
    names.reverse();
    Ok(found.map(|found| (found, names.join(" / "))))
}

/// An activity with names that were looked up before; `None` where one of them was not.
pub(super) fn known_activity(lookups: &Lookups, activity: Stored<Activity>) -> Option<ActivityView> {
    let value = &activity.value;
    let Lookups { factors, names, .. } = lookups;
    if !factors.know(value) {
        return None;
    }
    let known = |kind, id: Option<Uuid>| id.map_or(Some(None), |id| names.get(&(kind, id)).cloned());
    Some(ActivityView {
        product: known(RecordKind::Product, value.product.map(Into::into))?,
        scope: known(RecordKind::Scope, value.scope.map(Into::into))?,
        taxonomy: known(RecordKind::Taxonomy, value.taxonomy.map(Into::into))?,
        org: known(RecordKind::Org, value.org.map(Into::into))?,
        incomplete: value.incomplete(factors.product(value), factors.of(value)),
        outdated: factors.outdated(value).is_some(),
        paths: NodePaths::default(),
        warnings: Vec::new(),
        activity,
    })
}

/// An activity with names that are looked up one by one, where they are not known yet.
pub(super) async fn read_activity(
    tx: &mut dyn ReadTx,
    lookups: &mut Lookups,
    activity: Stored<Activity>,
) -> Result<ActivityView, Error> {
    let value = &activity.value;
    let Lookups { factors, names, .. } = lookups;
    factors.read(tx, std::iter::once(value)).await?;
    Ok(ActivityView {
        product: product(tx, names, value.product).await?,
        scope: read::<Scope>(tx, names, value.scope).await?,
        taxonomy: read::<Taxonomy>(tx, names, value.taxonomy).await?,
        org: read::<Org>(tx, names, value.org).await?,
        incomplete: value.incomplete(factors.product(value), factors.of(value)),
        outdated: factors.outdated(value).is_some(),
        paths: NodePaths::default(),
        warnings: Vec::new(),
        activity,
    })
}

type Names = HashMap<(RecordKind, Uuid), Option<Named>>;

async fn product(tx: &mut dyn ReadTx, names: &mut Names, id: Option<ProductId>) -> Result<Option<Named>, Error> {
    let Some(id) = id else { return Ok(None) };
    let key = (RecordKind::Product, id.uuid());
    if let Some(known) = names.get(&key) {
        return Ok(known.clone());
    }
    let product = tx.products().find(id).await?;
    let named = product.map(|product| Named { id: id.uuid(), name: product.value.name });
    names.insert(key, named.clone());
    Ok(named)
}

async fn read<T: NodeKind>(
    tx: &mut dyn ReadTx,
    names: &mut Names,
    id: Option<IdOf<T>>,
) -> Result<Option<Named>, Error> {
    let Some(id) = id else { return Ok(None) };
    let key = (T::KIND, id.into());
    if let Some(known) = names.get(&key) {
        return Ok(known.clone());
    }
    let found = <T as HasRepository>::reader(tx).find(id).await?.map(|found| named(&found.value));
    names.insert(key, found.clone());
    Ok(found)
}
