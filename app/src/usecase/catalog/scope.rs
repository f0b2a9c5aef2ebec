//! What a node of the scope tree stands for, so that it goes with the node above and with those below.

use std::collections::HashSet;

use domain::{Catalog, Faults, Node, NodeDetail, NodeId, OutOfPlace, ScopeClass, ScopeId, ScopeKind};
use ports::Stored;
use ports::inbound::{Error, Field};
use ports::store::ReadTx;

use crate::usecase::draft::required;

/// Kind and category as they were given.
pub(super) struct Given {
    pub(super) kind: Field<ScopeKind>,
    pub(super) category: Field<u8>,
}

/// The node above a node.
pub(super) struct Above<'a> {
    /// Its class; `None` for a root.
    pub(super) class: Option<ScopeClass>,
    /// Where in the input it is named.
    pub(super) pointer: &'a str,
}

/// The class that was given, or that the node had before. Without a category of its own a node of scope 3 takes that of
/// the node above.
pub(super) fn class(
    faults: &mut Faults,
    given: Given,
    before: Option<ScopeClass>,
    above: &Above<'_>,
) -> Option<ScopeClass> {
    let Given { kind, category } = given;
    let names_kind = kind.given().is_some();
    // `null` clears what there was; of a new node it says no more than leaving it out.
    let names_category = category.given().is_some() || (category == Field::Null && before.is_some());
    let kind = required(faults, "/kind", kind, before.map(ScopeClass::kind))?;
    let own = category.merge(before.and_then(ScopeClass::category));
    let inherited = above.class.filter(|_| kind == ScopeKind::Scope3).and_then(ScopeClass::category);
    let category = if names_category { own } else { own.or(inherited) };
    let class = faults.check("/category", ScopeClass::new(kind, category))?;
    let Err(error) = above.class.map_or(Ok(()), |above| class.check_below(above)) else { return Some(class) };
    match error {
        OutOfPlace::Kind(_) if names_kind => faults.add("/kind", error.to_string()),
        OutOfPlace::Category(_) if names_category => faults.add("/category", error.to_string()),
        OutOfPlace::Kind(its) => {
            let detail = format!("is of kind {its}, and this node of kind {kind}; give the kind with it");
            faults.add(above.pointer, detail);
        }
        OutOfPlace::Category(its) => {
            let detail = format!("has the category {its}, and this node another; give the category with it");
            faults.add(above.pointer, detail);
        }
    }
    None
}

/// The nodes below a node that becomes `class`, as they then are: they take its kind, and its category in place of the
/// one that it had. One of another category stands in the way.
pub(super) async fn below(
    tx: &mut dyn ReadTx,
    faults: &mut Faults,
    id: NodeId,
    before: ScopeClass,
    class: ScopeClass,
) -> Result<Vec<Stored<Node>>, Error> {
    if before == class {
        return Ok(Vec::new());
    }
    let nodes = tx.ledger().all_nodes().await?;
    let catalog = Catalog::new(nodes.iter().map(|node| node.value.clone()).collect(), []);
    let subtree: HashSet<ScopeId> = catalog.scopes().subtree(ScopeId::from(id)).into_iter().collect();
    let is_below = |node: &Stored<Node>| node.value.id != id && subtree.contains(&ScopeId::from(node.value.id));
    let mut changed = Vec::new();
    for mut node in nodes.into_iter().filter(is_below) {
        let Some(own) = node.value.class().filter(|own| *own != class) else { continue };
        let keeps_its_own =
            own.kind() == class.kind() && own.category().is_some() && own.category() != before.category();
        if keeps_its_own {
            let (name, number) = (node.value.name.as_str(), own.category().unwrap_or_default());
            let detail =
                format!("{name:?} ({}) below it has the category {number}; change or move that first", node.value.id);
            faults.add("/category", detail);
            continue;
        }
        node.value.detail = NodeDetail::Scope(class);
        changed.push(node);
    }
    Ok(changed)
}
