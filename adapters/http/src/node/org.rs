//! The org tree: organisation units.

use domain::{Name, Org};
use ports::Permission;
use ports::inbound::{NodeView, Nodes};

use super::{Draft, Members, Node, NodeMember};
use crate::answer_value::text_or_null;
use crate::resource::Labels;
use crate::schema::Kind;
use crate::service::Areas;
use crate::shape::Shape;

type Common = Members<Org>;

static SHAPE: Shape<NodeView<Org>, Draft<Org>> = Shape {
    name: "Org",
    doc: "An organisation unit.",
    members: &[
        Common::UUID,
        Common::SYNC_ID.example(r#""north""#),
        Common::NAME.example(r#""North""#),
        Common::PARENT,
        NodeMember::<Org>::new(
            "region",
            Kind::Text(1, 255),
            "Where it is, such as `GB` or `US-RFCW`, for rules that choose factors; null where the org above says it.",
        )
        .shown_or_null(|view| text_or_null(view.node.value.region.as_ref()))
        .optional(|draft, reader, name| draft.detail.region = reader.text(name, Name::parse))
        .example(r#""GB""#),
        Common::CREATED,
        Common::UPDATED,
    ],
};

impl Node for Org {
    const SHAPE: &'static Shape<NodeView<Org>, Draft<Org>> = &SHAPE;
    const LABELS: Labels = Labels {
        collection: "/v1/org",
        record: "/v1/org/{uuid}",
        one: "org",
        many: "orgs",
        tag: "Orgs",
        reads: Permission::CatalogRead,
        writes: Permission::CatalogWrite,
    };

    fn tree(areas: &Areas) -> &dyn Nodes<Org> {
        areas.catalog.as_ref()
    }
}
