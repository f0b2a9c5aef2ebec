//! What a node of the scope tree stands for, so that it goes with the node above and with those below.

use domain::{Faults, NodeTree, OutOfPlace, Scope, ScopeClass, ScopeId, ScopeKind};
use ports::Stored;
use ports::inbound::{ClassDraft, Error, Field};
use ports::store::ReadTx;

use crate::usecase::draft::required;

/// The node above a node.
pub(in crate::usecase) struct Above<'a> {
    /// Its class; `None` for a root.
    pub(in crate::usecase) class: Option<ScopeClass>,
    /// Where in the input it is named.
    pub(in crate::usecase) pointer: &'a str,
}

/// The class that was given, or that the node had before. Without a kind a new node takes that of the node above; without a
/// category of its own a node of scope 3 takes that of the node above.
pub(in crate::usecase) fn class(
    faults: &mut Faults,
    given: ClassDraft,
    before: Option<ScopeClass>,
    above: &Above<'_>,
) -> Option<ScopeClass> {
    let ClassDraft { kind, category } = given;
    let names_kind = kind.given().is_some();
    // `null` clears what there was; of a new node it says no more than leaving it out.
    let names_category = category.given().is_some() || (category == Field::Null && before.is_some());
    let kind = required(faults, "/kind", kind, before.or(above.class).map(ScopeClass::kind))?;
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
pub(in crate::usecase) async fn below(
    tx: &mut dyn ReadTx,
    faults: &mut Faults,
    id: ScopeId,
    before: ScopeClass,
    class: ScopeClass,
) -> Result<Vec<Stored<Scope>>, Error> {
    if before == class {
        return Ok(Vec::new());
    }
    let scopes = tx.scopes().all().await?;
    let subtree = NodeTree::new(scopes.iter().map(|scope| scope.value.clone()).collect()).forest().subtree(id);
    let is_below = |scope: &Stored<Scope>| scope.value.id != id && subtree.contains(&scope.value.id);
    let mut changed = Vec::new();
    for mut scope in scopes.into_iter().filter(is_below) {
        let own = scope.value.class;
        if own == class {
            continue;
        }
        let keeps_its_own =
            own.kind() == class.kind() && own.category().is_some() && own.category() != before.category();
        if keeps_its_own {
            let (name, number) = (scope.value.name.as_str(), own.category().unwrap_or_default());
            let detail =
                format!("{name:?} ({}) below it has the category {number}; change or move that first", scope.value.id);
            faults.add("/category", detail);
            continue;
        }
        scope.value.class = class;
        changed.push(scope);
    }
    Ok(changed)
}
