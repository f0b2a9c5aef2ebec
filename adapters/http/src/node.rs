//! The three trees: scopes, orgs and taxonomies. They differ in their members only, so they are one kind of resource.

mod org;
mod scope;
mod taxonomy;

use std::fmt::Display;

use domain::{Faults, Name, NodeId, SyncId, Tree};
use ports::Version;
use ports::inbound::{Error, NodeDraft, NodeView};
use ports::repo::{Listing, Page};

use crate::operation::Operation;
use crate::path::{PathId, Root};
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, shape};
use crate::schema::Kind;
use crate::shape::{Member, Shape};
use crate::show::{REFERENCE, or_null, reference, text, text_or_null};

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    [resource::operations::<scope::Scope>(), resource::operations::<org::Org>()]
        .into_iter()
        .flatten()
        .chain(resource::operations::<taxonomy::Taxonomy>())
        .collect()
}

/// The nodes of one tree.
pub(crate) trait Node: 'static {
    /// The tree they stand in.
    const TREE: Tree;
    /// Of what they consist.
    const SHAPE: &'static Shape<NodeView, NodeDraft>;
    /// What their operations are called.
    const LABELS: Labels;
}

/// A member that the nodes of every tree have.
type NodeMember = Member<NodeView, NodeDraft>;

const UUID: NodeMember = NodeMember::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.node.value.id));
const SYNC_ID: NodeMember = NodeMember::new("syncId", Kind::Text(1, 255), "What another system calls it: unique.")
    .shown_or_null(|view| text_or_null(view.node.value.sync_id.as_ref()))
    .optional(|draft, reader, name| draft.sync_id = reader.text(name, SyncId::parse));
const NAME: NodeMember = NodeMember::new("name", Kind::Text(1, 255), "What it is called.")
    .shown(|view| text(&view.node.value.name))
    .required(|draft, reader, name| draft.name = reader.text(name, Name::parse));
const PARENT: NodeMember = NodeMember::new("parent", Kind::Object(&REFERENCE), "The node above; null at the root.")
    .shown_or_null(|view| or_null(view.parent.as_ref(), reference))
    .optional(|draft, reader, name| draft.parent = reader.reference(name));
const CREATED: NodeMember =
    NodeMember::new("created", Kind::Time, "When it was added.").shown(|view| text(view.node.created));
const UPDATED: NodeMember =
    NodeMember::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.node.updated));

impl<N: Node> Resource for N {
    type In = Root;
    type At = PathId<NodeId>;
    type View = NodeView;
    type Draft = NodeDraft;

    const LABELS: Labels = N::LABELS;

    shape!(N::SHAPE);

    fn identity(view: &NodeView) -> (impl Display, Version) {
        (view.node.value.id, view.node.version)
    }

    fn blame(draft: &mut NodeDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<NodeView, Error> {
        by.areas.catalog.get_node(by.caller, N::TREE, id).await
    }

    async fn add(by: Asking<'_>, _: Root, draft: NodeDraft) -> Result<Added<NodeView>, Error> {
        Ok(by.areas.catalog.add_node(by.caller, N::TREE, draft).await?.into())
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.catalog.remove_node(by.caller, N::TREE, id, seen).await
    }
}

impl<N: Node> Lists for N {
    async fn list(by: Asking<'_>, _: Root, sync_id: Option<SyncId>, page: Page) -> Result<Listing<NodeView>, Error> {
        by.areas.catalog.list_nodes(by.caller, N::TREE, sync_id, page).await
    }
}

impl<N: Node> Changes for N {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: NodeDraft,
    ) -> Result<NodeView, Error> {
        by.areas.catalog.update_node(by.caller, N::TREE, id, seen, draft).await
    }
}
