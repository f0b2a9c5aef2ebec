//! The org tree: organisation units.

use domain::Org;
use ports::Permission;
use ports::inbound::{NodeView, Nodes};

use super::{Draft, Members, Node};
use crate::resource::Labels;
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
