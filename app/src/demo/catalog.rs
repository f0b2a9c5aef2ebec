//! Writing the three trees of the demo, node by node, where they are not there yet.

use domain::{Name, SyncId, Tree};
use ports::Caller;
use ports::inbound::{Catalog, Error, Field, NodeDraft};
use uuid::Uuid;

use super::company::{ORGS, ROOT, SCOPES, TAXONOMIES};
use super::{Books, DemoError, ONE, node_text, read};

/// Refuses a store that holds records of somebody else: what is made up must not be mixed with what is real.
pub(super) async fn refuse_others(books: Books<'_>, caller: &Caller) -> Result<(), DemoError> {
    if find(books.catalog, caller, Tree::Org, ROOT).await?.is_some() {
        return Ok(());
    }
    let mut held = 0;
    for tree in [Tree::Scope, Tree::Org, Tree::Taxonomy] {
        held += books.catalog.list_nodes(caller, tree, None, ONE).await?.count;
    }
    held += books.catalog.list_products(caller, None, ONE).await?.count;
    held += books.models.list(caller, None, ONE).await?.count;
    held += books.switches.list(caller, None, ONE).await?.count;
    held += books.footprints.list(caller, ONE).await?.count;
    held += books.activities.report(caller, ports::inbound::ReportQuery::default()).await?.count;
    if held == 0 { Ok(()) } else { Err(DemoError::Occupied) }
}

/// Fills in the trees and gives scope 3, an org and a taxonomy.
pub(super) async fn fill(catalog: &dyn Catalog, caller: &Caller) -> Result<(Uuid, Uuid, Uuid), Error> {
    // The root org comes first: it says whose store this is.
    for org in &ORGS {
        let draft = draft(Tree::Org, org.code, org.parent, org.name)?;
        put(catalog, caller, Tree::Org, org.code, draft).await?;
    }
    for scope in &SCOPES {
        let draft = draft(Tree::Scope, scope.code, scope.parent, scope.name)?;
        let draft = NodeDraft { kind: Field::Given(scope.kind), category: Field::of(scope.category), ..draft };
        put(catalog, caller, Tree::Scope, scope.code, draft).await?;
    }
    for taxonomy in &TAXONOMIES {
        let draft = draft(Tree::Taxonomy, taxonomy.code, taxonomy.parent, taxonomy.name)?;
        put(catalog, caller, Tree::Taxonomy, taxonomy.code, draft).await?;
    }
    let find = async |tree, code| find(catalog, caller, tree, code).await?.ok_or(Error::NotFound);
    Ok((find(Tree::Scope, "3").await?, find(Tree::Org, "retail").await?, find(Tree::Taxonomy, "energy").await?))
}

fn draft(tree: Tree, code: &str, parent: &str, name: &str) -> Result<NodeDraft, Error> {
    let parent = if parent.is_empty() { Field::Absent } else { read::reference(&node_text(tree, parent))? };
    let sync_id = read::field(SyncId::parse, &node_text(tree, code))?;
    Ok(NodeDraft { name: read::field(Name::parse, name)?, sync_id, parent, ..NodeDraft::default() })
}

async fn put(catalog: &dyn Catalog, caller: &Caller, tree: Tree, code: &str, draft: NodeDraft) -> Result<(), Error> {
    if find(catalog, caller, tree, code).await?.is_none() {
        catalog.add_node(caller, tree, draft).await?;
    }
    Ok(())
}

async fn find(catalog: &dyn Catalog, caller: &Caller, tree: Tree, code: &str) -> Result<Option<Uuid>, Error> {
    let sync_id = read::text(SyncId::parse, &node_text(tree, code))?;
    let listing = catalog.list_nodes(caller, tree, Some(sync_id), ONE).await?;
    Ok(listing.data.first().map(|view| view.node.value.id.uuid()))
}
