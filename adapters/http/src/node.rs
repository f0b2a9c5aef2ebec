//! The three trees: scopes, orgs and taxonomies. They differ in their members only, so they are one kind of resource.

mod org;
mod scope;
mod taxonomy;

use actix_web::HttpResponse;
use domain::{Faults, Name, SyncId, TreeNode};
use files::{Json, Members, Reader};
use ports::Version;
use ports::inbound::{DraftedNode, Error, NodeDraft, NodeView, Nodes};
use ports::repo::{Listing, Page};
use serde::Serialize;

use crate::operation::Operation;
use crate::problem::Problem;
use crate::resource::{Asking, Resource, created};
use crate::service::Areas;

pub(crate) use org::Document as OrgDocument;
pub(crate) use scope::Document as ScopeDocument;
pub(crate) use taxonomy::Document as TaxonomyDocument;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    [scope::operations(), org::operations(), taxonomy::operations()].into_iter().flatten().collect()
}

/// A node of one tree as it is shown.
pub(crate) trait Node: Serialize {
    /// The kind of node.
    type Record: DraftedNode;

    /// The tree it stands in.
    fn tree(areas: &Areas) -> &dyn Nodes<Self::Record>;

    /// The node as it is shown.
    fn shown(view: NodeView<Self::Record>) -> Self;

    /// Reads the members that only this tree's nodes have.
    fn read(members: &mut Reader<'_>) -> Detail<Self>;
}

/// The members that only nodes of one tree have, as they are given.
pub(crate) type Detail<N> = <<N as Node>::Record as DraftedNode>::Detail;

impl<N: Node> Resource for N {
    type Id = <N::Record as TreeNode>::Id;
    type View = NodeView<N::Record>;
    type Draft = NodeDraft<Detail<N>>;

    fn of(view: Self::View) -> Self {
        N::shown(view)
    }

    fn identity(view: &Self::View) -> (Self::Id, Version) {
        (view.node.value.id(), view.node.version)
    }

    fn draft(json: &Json) -> Result<Self::Draft, Problem> {
        let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
        let mut draft = NodeDraft {
            name: members.text("name", Name::parse),
            sync_id: members.text("syncId", SyncId::parse),
            parent: members.reference("parent"),
            detail: N::read(&mut members),
            faults: Faults::new(),
        };
        members.read_only(&["uuid", "created", "updated"]);
        draft.faults = members.finish();
        Ok(draft)
    }

    async fn list(by: Asking<'_>, sync_id: Option<SyncId>, page: Page) -> Result<Listing<Self::View>, Error> {
        N::tree(by.areas).list_nodes(by.caller, sync_id, page).await
    }

    async fn get(by: Asking<'_>, id: Self::Id) -> Result<Self::View, Error> {
        N::tree(by.areas).get_node(by.caller, id).await
    }

    async fn add(by: Asking<'_>, draft: Self::Draft, collection: &str) -> Result<HttpResponse, Problem> {
        created::<Self>(collection, N::tree(by.areas).add_node(by.caller, draft).await?)
    }

    async fn update(
        by: Asking<'_>,
        id: Self::Id,
        seen: Option<Version>,
        draft: Self::Draft,
    ) -> Result<Self::View, Error> {
        N::tree(by.areas).update_node(by.caller, id, seen, draft).await
    }

    async fn remove(by: Asking<'_>, id: Self::Id, seen: Option<Version>) -> Result<(), Error> {
        N::tree(by.areas).remove_node(by.caller, id, seen).await
    }
}
