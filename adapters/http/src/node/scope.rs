//! The scope tree: GHG scopes and the categories of scope 3.

use domain::{Scope, ScopeKind};
use ports::Permission;
use ports::inbound::{Field, NodeView, Nodes};

use super::{Draft, Members, Node, NodeMember};
use crate::answer_value::{number, or_null, text};
use crate::resource::Labels;
use crate::schema::Kind;
use crate::service::Areas;
use crate::shape::Shape;

type Common = Members<Scope>;

fn kinds() -> Vec<&'static str> {
    ScopeKind::ALL.iter().map(|kind| kind.as_str()).collect()
}

static SHAPE: Shape<NodeView<Scope>, Draft<Scope>> = Shape {
    name: "Scope",
    doc: "A GHG scope, a category of scope 3, or what is reported beside the scopes.",
    members: &[
        Common::UUID,
        Common::SYNC_ID.example(r#""fleet""#),
        Common::NAME.example(r#""Own vehicles""#),
        Common::PARENT,
        NodeMember::<Scope>::new(
            "kind",
            Kind::Word(kinds),
            "Which scope it is in, or what is reported apart from the scopes; that of the node above, if there is one.",
        )
        .shown(|view| text(view.node.value.class.kind().as_str()))
        .required(|draft, reader, name| draft.detail.kind = reader.text(name, ScopeKind::parse))
        .example(r#""scope1""#),
        NodeMember::<Scope>::new("category", Kind::Integer(1, 15), "The category of scope 3; nothing in other scopes.")
            .shown_or_null(|view| or_null(view.node.value.class.category(), number))
            .optional(|draft, reader, name| {
                draft.detail.category = match reader.integer(name, 1..=15) {
                    Field::Given(number) => u8::try_from(number).map_or(Field::Faulty, Field::Given),
                    Field::Absent => Field::Absent,
                    Field::Null => Field::Null,
                    Field::Faulty => Field::Faulty,
                };
            }),
        Common::CREATED,
        Common::UPDATED,
    ],
};

impl Node for Scope {
    const SHAPE: &'static Shape<NodeView<Scope>, Draft<Scope>> = &SHAPE;
    const LABELS: Labels = Labels {
        collection: "/v1/scope",
        record: "/v1/scope/{uuid}",
        one: "scope",
        many: "scopes",
        tag: "Scopes",
        reads: Permission::CatalogRead,
        writes: Permission::CatalogWrite,
    };

    fn tree(areas: &Areas) -> &dyn Nodes<Scope> {
        areas.catalog.as_ref()
    }
}
