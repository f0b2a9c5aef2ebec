//! The taxonomy tree: categories of activity, which have paths.

use domain::{Slug, Tree};
use ports::Permission;
use ports::inbound::{NodeDraft, NodeView};

use super::{CREATED, NAME, Node, NodeMember, PARENT, SYNC_ID, UPDATED, UUID};
use crate::resource::Labels;
use crate::schema::Kind;
use crate::shape::Shape;
use crate::show::text;

/// Taxonomies as a resource.
pub(super) struct Taxonomy;

fn slug(view: &NodeView) -> String {
    view.node.value.slug().map(Slug::to_string).unwrap_or_default()
}

static SHAPE: Shape<NodeView, NodeDraft> = Shape {
    name: "Taxonomy",
    doc: "A category of activity.",
    members: &[
        UUID,
        SYNC_ID.example(r#""heating""#),
        NAME.example(r#""Heating""#),
        NodeMember::new("slug", Kind::Text(1, 255), "Its part of the path; made from the name unless given.")
            .shown(|view| text(slug(view)))
            .optional(|draft, reader, name| draft.slug = reader.text(name, Slug::parse)),
        NodeMember::new("path", Kind::Text(1, 10_000), "The slugs from the root, joined by a slash.")
            .shown(|view| text(view.path.clone().unwrap_or_else(|| slug(view)))),
        PARENT,
        CREATED,
        UPDATED,
    ],
};

impl Node for Taxonomy {
    const TREE: Tree = Tree::Taxonomy;
    const SHAPE: &'static Shape<NodeView, NodeDraft> = &SHAPE;
    const LABELS: Labels = Labels {
        collection: "/v1/taxonomy",
        record: "/v1/taxonomy/{uuid}",
        one: "taxonomy",
        many: "taxonomies",
        tag: "Taxonomies",
        reads: Permission::CatalogRead,
        writes: Permission::CatalogWrite,
    };
}
