//! The org tree: organisation units.

use domain::Tree;
use ports::Permission;
use ports::inbound::{NodeDraft, NodeView};

use super::{CREATED, NAME, Node, PARENT, SYNC_ID, UPDATED, UUID};
use crate::resource::Labels;
use crate::shape::Shape;

/// Orgs as a resource.
pub(super) struct Org;

static SHAPE: Shape<NodeView, NodeDraft> = Shape {
    name: "Org",
    doc: "An organisation unit.",
    members: &[UUID, SYNC_ID.example(r#""north""#), NAME.example(r#""North""#), PARENT, CREATED, UPDATED],
};

impl Node for Org {
    const TREE: Tree = Tree::Org;
    const SHAPE: &'static Shape<NodeView, NodeDraft> = &SHAPE;
    const LABELS: Labels = Labels {
        collection: "/v1/org",
        record: "/v1/org/{uuid}",
        one: "org",
        many: "orgs",
        tag: "Orgs",
        reads: Permission::CatalogRead,
        writes: Permission::CatalogWrite,
    };
}
