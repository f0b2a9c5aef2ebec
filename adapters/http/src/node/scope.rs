//! The scope tree: GHG scopes and the categories of scope 3.

use domain::{ScopeClass, ScopeKind, Tree};
use files::Json;
use ports::Permission;
use ports::inbound::{Field, NodeDraft, NodeView};

use super::{CREATED, NAME, Node, NodeMember, PARENT, SYNC_ID, UPDATED, UUID};
use crate::resource::Labels;
use crate::schema::Kind;
use crate::shape::Shape;
use crate::show::{number, or_null, text};

/// Scopes as a resource.
pub(super) struct Scope;

fn kinds() -> Vec<&'static str> {
    ScopeKind::ALL.iter().map(|kind| kind.as_str()).collect()
}

fn kind(text: &str) -> Result<ScopeKind, String> {
    ScopeKind::parse(text).ok_or_else(|| format!("must be one of: {}", kinds().join(", ")))
}

fn class(view: &NodeView) -> Option<ScopeClass> {
    view.node.value.class()
}

static SHAPE: Shape<NodeView, NodeDraft> = Shape {
    name: "Scope",
    doc: "A GHG scope, a category of scope 3, or what is reported beside the scopes.",
    members: &[
        UUID,
        SYNC_ID.example(r#""fleet""#),
        NAME.example(r#""Own vehicles""#),
        PARENT,
        NodeMember::new(
            "kind",
            Kind::Word(kinds),
            "Which scope it is in, or what is reported apart from the scopes; that of the node above, if there is one.",
        )
        .shown(|view| class(view).map_or(Json::Null, |class| text(class.kind().as_str())))
        .required(|draft, reader, name| draft.kind = reader.text(name, kind))
        .example(r#""scope1""#),
        NodeMember::new("category", Kind::Integer(1, 15), "The category of scope 3; nothing in other scopes.")
            .shown_or_null(|view| or_null(class(view).and_then(ScopeClass::category), number))
            .optional(|draft, reader, name| {
                draft.category = match reader.integer(name, 1..=15) {
                    Field::Given(number) => u8::try_from(number).map_or(Field::Faulty, Field::Given),
                    Field::Absent => Field::Absent,
                    Field::Null => Field::Null,
                    Field::Faulty => Field::Faulty,
                };
            }),
        CREATED,
        UPDATED,
    ],
};

impl Node for Scope {
    const TREE: Tree = Tree::Scope;
    const SHAPE: &'static Shape<NodeView, NodeDraft> = &SHAPE;
    const LABELS: Labels = Labels {
        collection: "/v1/scope",
        record: "/v1/scope/{uuid}",
        one: "scope",
        many: "scopes",
        tag: "Scopes",
        reads: Permission::CatalogRead,
        writes: Permission::CatalogWrite,
    };
}
