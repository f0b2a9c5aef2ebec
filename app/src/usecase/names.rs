//! The names of what records refer to.

use domain::{Activity, Catalog, NodeTree, ProductId, TreeNode};
use ports::Stored;
use ports::inbound::{ActivityView, Error, Named};
use ports::store::{HasRepository, ReadTx};

use super::tree::{IdOf, NodeKind};

use super::factors::Factors;

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
        incomplete: value.incomplete(factors.of(value)),
        outdated: value.is_outdated(factors.of(value)),
        activity,
    }
}

/// An activity with names read one by one.
pub(super) async fn read_activity(tx: &mut dyn ReadTx, activity: Stored<Activity>) -> Result<ActivityView, Error> {
    let value = &activity.value;
    let product = match value.product {
        Some(id) => tx.products().find(id).await?,
        None => None,
    };
    let mut factors = Factors::default();
    factors.read(tx, std::iter::once(value)).await?;
    Ok(ActivityView {
        product: product.map(|product| Named { id: product.value.id.uuid(), name: product.value.name }),
        scope: read::<domain::Scope>(tx, value.scope).await?,
        taxonomy: read::<domain::Taxonomy>(tx, value.taxonomy).await?,
        org: read::<domain::Org>(tx, value.org).await?,
        incomplete: value.incomplete(factors.of(value)),
        outdated: value.is_outdated(factors.of(value)),
        activity,
    })
}

async fn read<T: NodeKind>(tx: &mut dyn ReadTx, id: Option<IdOf<T>>) -> Result<Option<Named>, Error> {
    let Some(id) = id else { return Ok(None) };
    Ok(<T as HasRepository>::reader(tx).find(id).await?.map(|node| named(&node.value)))
}
