//! The three trees: scopes, orgs and taxonomies. They differ in their members only, so they are one kind of resource.

mod org;
mod scope;
mod taxonomy;

use actix_web::HttpResponse;
use domain::{Name, NodeId, SyncId, Tree};
use files::{Json, Members, Reader};
use ports::Version;
use ports::inbound::{Error, NodeDraft, NodeView};
use ports::repo::{Listing, Page};
use serde::Serialize;

use crate::operation::Operation;
use crate::problem::Problem;
use crate::resource::{Asking, Resource, created};

pub(crate) use org::Document as OrgDocument;
pub(crate) use scope::Document as ScopeDocument;
pub(crate) use taxonomy::Document as TaxonomyDocument;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    [scope::operations(), org::operations(), taxonomy::operations()].into_iter().flatten().collect()
}

/// A node of one tree as it is shown.
pub(crate) trait Node: Serialize {
    /// The tree it stands in.
    const TREE: Tree;

    /// The node as it is shown.
    fn shown(view: NodeView) -> Self;

    /// Reads the members that only this tree's nodes have.
    fn read(_members: &mut Reader<'_>, _draft: &mut NodeDraft) {}
}

impl<N: Node> Resource for N {
    type Id = NodeId;
    type View = NodeView;
    type Draft = NodeDraft;

    fn of(view: NodeView) -> Self {
        N::shown(view)
    }

    fn identity(view: &NodeView) -> (NodeId, Version) {
        (view.node.value.id, view.node.version)
    }

    fn draft(json: &Json) -> Result<NodeDraft, Problem> {
        let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
        let mut draft = NodeDraft {
            name: members.text("name", Name::parse),
            sync_id: members.text("syncId", SyncId::parse),
            parent: members.reference("parent"),
            ..NodeDraft::default()
        };
        N::read(&mut members, &mut draft);
        members.read_only(&["uuid", "created", "updated"]);
        draft.faults = members.finish();
        Ok(draft)
    }

    async fn list(by: Asking<'_>, sync_id: Option<SyncId>, page: Page) -> Result<Listing<NodeView>, Error> {
        by.areas.catalog.list_nodes(by.caller, N::TREE, sync_id, page).await
    }

    async fn get(by: Asking<'_>, id: NodeId) -> Result<NodeView, Error> {
        by.areas.catalog.get_node(by.caller, N::TREE, id).await
    }

    async fn add(by: Asking<'_>, draft: NodeDraft, collection: &str) -> Result<HttpResponse, Problem> {
        created::<Self>(collection, by.areas.catalog.add_node(by.caller, N::TREE, draft).await?)
    }

    async fn update(by: Asking<'_>, id: NodeId, seen: Option<Version>, draft: NodeDraft) -> Result<NodeView, Error> {
        by.areas.catalog.update_node(by.caller, N::TREE, id, seen, draft).await
    }

    async fn remove(by: Asking<'_>, id: NodeId, seen: Option<Version>) -> Result<(), Error> {
        by.areas.catalog.remove_node(by.caller, N::TREE, id, seen).await
    }
}
