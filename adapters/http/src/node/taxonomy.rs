//! The taxonomy tree: categories of activity, which have paths.

use domain::{Slug, Taxonomy};
use ports::Permission;
use ports::inbound::{NodeView, Nodes};

use super::{Draft, Members, Node, NodeMember};
use crate::answer_value::text;
use crate::resource::Labels;
use crate::schema::Kind;
use crate::service::Areas;
use crate::shape::Shape;

type Common = Members<Taxonomy>;

static SHAPE: Shape<NodeView<Taxonomy>, Draft<Taxonomy>> = Shape {
    name: "Taxonomy",
    doc: "A category of activity.",
    members: &[
        Common::UUID,
        Common::SYNC_ID.example(r#""heating""#),
        Common::NAME.example(r#""Heating""#),
        NodeMember::<Taxonomy>::new(
            "slug",
            Kind::Text(1, 255),
            "Its part of the path; made from the name unless given.",
        )
        .shown(|view| text(&view.node.value.slug))
        .optional(|draft, reader, name| draft.detail.slug = reader.text(name, Slug::parse)),
        NodeMember::<Taxonomy>::new("path", Kind::Text(1, 10_000), "The slugs from the root, joined by a slash.")
            .shown(|view| view.path.as_ref().map_or_else(|| text(&view.node.value.slug), text)),
        Common::PARENT,
        Common::CREATED,
        Common::UPDATED,
    ],
};

impl Node for Taxonomy {
    const SHAPE: &'static Shape<NodeView<Taxonomy>, Draft<Taxonomy>> = &SHAPE;
    const LABELS: Labels = Labels {
        collection: "/v1/taxonomy",
        record: "/v1/taxonomy/{uuid}",
        one: "taxonomy",
        many: "taxonomies",
        tag: "Taxonomies",
        reads: Permission::CatalogRead,
        writes: Permission::CatalogWrite,
    };

    fn tree(areas: &Areas) -> &dyn Nodes<Taxonomy> {
        areas.catalog.as_ref()
    }
}
