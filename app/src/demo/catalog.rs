//! Writing the three trees of the demo, node by node, where they are not there yet.

use domain::{Faults, Name, Org, Scope, SyncId, Taxonomy};
use ports::Caller;
use ports::inbound::{Catalog, ClassDraft, DraftedNode, Error, Field, NodeDraft, Nodes, RegionDraft, SlugDraft};
use uuid::Uuid;

use super::company::{ORGS, REGION, ROOT, SCOPES, TAXONOMIES};
use super::{DemoError, ONE, UseCases, node_text, parse};

/// Refuses a store that holds records of somebody else: what is made up must not be mixed with what is real.
pub(super) async fn refuse_others(use_cases: UseCases<'_>, caller: &Caller) -> Result<(), DemoError> {
    if find::<Org, _>(use_cases.catalog, caller, ROOT).await?.is_some() {
        return Ok(());
    }
    let mut held = Nodes::<Scope>::list_nodes(use_cases.catalog, caller, None, ONE).await?.count;
    held += Nodes::<Org>::list_nodes(use_cases.catalog, caller, None, ONE).await?.count;
    held += Nodes::<Taxonomy>::list_nodes(use_cases.catalog, caller, None, ONE).await?.count;
    held += use_cases.catalog.list_products(caller, None, ONE).await?.count;
    held += use_cases.models.list(caller, None, ONE).await?.count;
    held += use_cases.switches.list(caller, None, ONE).await?.count;
    held += use_cases.footprints.list(caller, ONE).await?.count;
    held += use_cases.activities.report(caller, ports::inbound::ReportQuery::default()).await?.count;
    if held == 0 { Ok(()) } else { Err(DemoError::Occupied) }
}

/// Fills in the trees and gives scope 3, an org and a taxonomy.
pub(super) async fn fill(catalog: &dyn Catalog, caller: &Caller) -> Result<(Uuid, Uuid, Uuid), Error> {
    // The root org comes first: it says whose store this is.
    for org in &ORGS {
        // Those below have the region of the root.
        let region = if org.code == ROOT { parse::field(Name::parse, REGION)? } else { Field::Absent };
        let draft = draft::<Org>(org.code, org.parent, org.name, RegionDraft { region })?;
        put::<Org, _>(catalog, caller, org.code, draft).await?;
    }
    for scope in &SCOPES {
        let class = ClassDraft { kind: Field::Given(scope.kind), category: Field::of(scope.category) };
        let draft = draft::<Scope>(scope.code, scope.parent, scope.name, class)?;
        put::<Scope, _>(catalog, caller, scope.code, draft).await?;
    }
    for taxonomy in &TAXONOMIES {
        let draft = draft::<Taxonomy>(taxonomy.code, taxonomy.parent, taxonomy.name, SlugDraft::default())?;
        put::<Taxonomy, _>(catalog, caller, taxonomy.code, draft).await?;
    }
    let scope = find::<Scope, _>(catalog, caller, "3").await?.ok_or(Error::NotFound)?;
    let org = find::<Org, _>(catalog, caller, "retail").await?.ok_or(Error::NotFound)?;
    let taxonomy = find::<Taxonomy, _>(catalog, caller, "energy").await?.ok_or(Error::NotFound)?;
    Ok((scope, org, taxonomy))
}

fn draft<T: DraftedNode>(
    code: &str,
    parent: &str,
    name: &str,
    detail: T::Detail,
) -> Result<NodeDraft<T::Detail>, Error> {
    let parent = if parent.is_empty() { Field::Absent } else { parse::reference(&node_text(T::TREE, parent))? };
    let sync_id = parse::field(SyncId::parse, &node_text(T::TREE, code))?;
    Ok(NodeDraft { name: parse::field(Name::parse, name)?, sync_id, parent, detail, faults: Faults::new() })
}

async fn put<T: DraftedNode, N: Nodes<T> + ?Sized>(
    nodes: &N,
    caller: &Caller,
    code: &str,
    draft: NodeDraft<T::Detail>,
) -> Result<(), Error> {
    if find(nodes, caller, code).await?.is_none() {
        nodes.add_node(caller, draft).await?;
    }
    Ok(())
}

async fn find<T: DraftedNode, N: Nodes<T> + ?Sized>(
    nodes: &N,
    caller: &Caller,
    code: &str,
) -> Result<Option<Uuid>, Error> {
    let sync_id = parse::text(SyncId::parse, &node_text(T::TREE, code))?;
    let listing = nodes.list_nodes(caller, Some(sync_id), ONE).await?;
    Ok(listing.data.first().map(|view| view.node.value.id().into()))
}
