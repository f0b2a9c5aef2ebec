//! The names of what records refer to.

use domain::{Activity, Catalog, Node, NodeId, ProductId};
use ports::Stored;
use ports::inbound::{ActivityView, Error, Named};
use ports::store::ReadTx;

use super::factors::Factors;

/// A node's id and name.
pub(super) fn node(catalog: &Catalog, id: impl Into<NodeId>) -> Option<Named> {
    let id = id.into();
    catalog.node(id).map(of_node)
}

/// A node's id and name.
pub(super) fn of_node(node: &Node) -> Named {
    Named { id: node.id.uuid(), name: node.name.clone() }
}

/// An activity with names from a catalog.
pub(super) fn activity(catalog: &Catalog, factors: &Factors, activity: Stored<Activity>) -> ActivityView {
    let value = &activity.value;
    let product = |id: ProductId| catalog.product(id).map(|name| Named { id: id.uuid(), name: name.clone() });
    ActivityView {
        product: value.product.and_then(product),
        scope: value.scope.and_then(|id| node(catalog, id)),
        taxonomy: value.taxonomy.and_then(|id| node(catalog, id)),
        org: value.org.and_then(|id| node(catalog, id)),
        incomplete: value.incomplete(factors.of(value)),
        outdated: value.is_outdated(factors.of(value)),
        activity,
    }
}

/// An activity with names read one by one.
pub(super) async fn read_activity(tx: &mut dyn ReadTx, activity: Stored<Activity>) -> Result<ActivityView, Error> {
    let value = &activity.value;
    let ids: Vec<NodeId> =
        [value.scope.map(NodeId::from), value.taxonomy.map(NodeId::from), value.org.map(NodeId::from)]
            .into_iter()
            .flatten()
            .collect();
    let nodes = tx.nodes().find_all(&ids).await?;
    let product = match value.product {
        Some(id) => tx.products().find(id).await?,
        None => None,
    };
    let mut factors = Factors::default();
    factors.read(tx, std::iter::once(value)).await?;
    let node =
        |id: Option<NodeId>| nodes.iter().find(|node| Some(node.value.id) == id).map(|node| of_node(&node.value));
    Ok(ActivityView {
        product: product.map(|product| Named { id: product.value.id.uuid(), name: product.value.name }),
        scope: node(value.scope.map(NodeId::from)),
        taxonomy: node(value.taxonomy.map(NodeId::from)),
        org: node(value.org.map(NodeId::from)),
        incomplete: value.incomplete(factors.of(value)),
        outdated: value.is_outdated(factors.of(value)),
        activity,
    })
}
