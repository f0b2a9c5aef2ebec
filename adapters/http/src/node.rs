//! The three trees: scopes, orgs and taxonomies. They differ in their members only, so they are one kind of resource.

mod org;
mod scope;
mod taxonomy;

use std::fmt::Display;
use std::marker::PhantomData;

use domain::{Faults, Name, SyncId, TreeNode};
use ports::inbound::{Done, DraftedNode, Error, NodeDraft, NodeView, Nodes, Once};
use ports::repo::{Listing, Page};
use ports::{Entity, Version};

use crate::answer_value::{REFERENCE, or_null, reference, text, text_or_null};
use crate::operation::Operation;
use crate::path::{PathId, Root};
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, shape};
use crate::schema::Kind;
use crate::service::Areas;
use crate::shape::{Member, Shape};

/// The operations on the three trees.
pub(crate) fn operations() -> Vec<Operation> {
    [resource::operations::<domain::Scope>(), resource::operations::<domain::Org>()]
        .into_iter()
        .flatten()
        .chain(resource::operations::<domain::Taxonomy>())
        .collect()
}

/// What a body says of a node of that kind.
type Draft<T> = NodeDraft<<T as DraftedNode>::Detail>;

/// The nodes of one tree.
pub(crate) trait Node: DraftedNode + Entity<SyncId = SyncId> {
    /// Of what they consist.
    const SHAPE: &'static Shape<NodeView<Self>, Draft<Self>>;
    /// What their operations are called.
    const LABELS: Labels;

    /// The tree they are in.
    fn tree(areas: &Areas) -> &dyn Nodes<Self>;
}

/// The members that the nodes of every tree have.
struct Members<T>(PhantomData<T>);

type NodeMember<T> = Member<NodeView<T>, Draft<T>>;

impl<T: DraftedNode + Entity<SyncId = SyncId>> Members<T> {
    const UUID: NodeMember<T> =
        NodeMember::<T>::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(TreeNode::id(&view.node.value)));
    const SYNC_ID: NodeMember<T> =
        NodeMember::<T>::new("syncId", Kind::Text(1, 255), "What another system calls it: unique.")
            .shown_or_null(|view| text_or_null(view.node.value.sync_id()))
            .optional(|draft, reader, name| draft.sync_id = reader.text(name, SyncId::parse));
    const NAME: NodeMember<T> = NodeMember::<T>::new("name", Kind::Text(1, 255), "What it is called.")
        .shown(|view| text(view.node.value.name()))
        .required(|draft, reader, name| draft.name = reader.text(name, Name::parse));
    const PARENT: NodeMember<T> =
        NodeMember::<T>::new("parent", Kind::Object(&REFERENCE), "The node above; null at the root.")
            .shown_or_null(|view| or_null(view.parent.as_ref(), reference))
            .optional(|draft, reader, name| draft.parent = reader.reference(name));
    const CREATED: NodeMember<T> =
        NodeMember::<T>::new("created", Kind::Time, "When it was added.").shown(|view| text(view.node.created));
    const UPDATED: NodeMember<T> =
        NodeMember::<T>::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.node.updated));
}

impl<N: Node> Resource for N {
    type In = Root;
    type At = PathId<<N as TreeNode>::Id>;
    type View = NodeView<N>;
    type Draft = Draft<N>;

    const LABELS: Labels = <N as Node>::LABELS;

    shape!(N::SHAPE);

    fn identity(view: &NodeView<N>) -> (impl Display, Version) {
        (TreeNode::id(&view.node.value), view.node.version)
    }

    fn blame(draft: &mut Draft<N>, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<NodeView<N>, Error> {
        N::tree(by.areas).get_node(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: Draft<N>,
        once: Option<Once<NodeView<N>>>,
    ) -> Result<Done<Added<NodeView<N>>>, Error> {
        Ok(N::tree(by.areas).add_node_once(by.caller, draft, once).await?.map(Added::from))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        N::tree(by.areas).remove_node(by.caller, id, seen).await
    }
}

impl<N: Node> Lists for N {
    fn columns() -> Vec<(&'static str, Kind)> {
        N::SHAPE.columns()
    }

    async fn list(by: Asking<'_>, _: Root, sync_id: Option<SyncId>, page: Page) -> Result<Listing<NodeView<N>>, Error> {
        N::tree(by.areas).list_nodes(by.caller, sync_id, page).await
    }
}

impl<N: Node> Changes for N {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: Draft<N>,
    ) -> Result<NodeView<N>, Error> {
        N::tree(by.areas).update_node(by.caller, id, seen, draft).await
    }
}
