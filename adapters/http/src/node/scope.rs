//! The scope tree: GHG scopes and the categories of scope 3.

use domain::ScopeKind;
use files::Reader;
use ports::inbound::{ClassDraft, Field, NodeView, Nodes};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Node;
use crate::resource::resource;
use crate::service::Areas;
use crate::wire::{Reference, ReferenceDraft, Time};

/// A GHG scope or a category of scope 3.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Scope {
    /// Identifies it.
    uuid: Uuid,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// What it is called.
    name: String,
    /// The node above.
    #[schema(required)]
    parent: Option<Reference>,
    /// scope1, scope2, scope3; biogenic, credit or outside for what is reported apart from the scopes.
    #[schema(example = "scope3")]
    kind: &'static str,
    /// The category of scope 3, 1 to 15.
    #[schema(required)]
    category: Option<u8>,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

/// A new node of the scope tree.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct ScopeDraft {
    /// What it is called: 1 to 255 characters.
    name: String,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The node above.
    parent: Option<ReferenceDraft>,
    /// scope1, scope2, scope3, biogenic, credit or outside; that of the node above, if there is one.
    #[schema(example = "scope3")]
    kind: String,
    /// Scope 3 only: 1 to 15.
    #[schema(minimum = 1, maximum = 15)]
    category: Option<u8>,
}

/// A change of a node of the scope tree.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct ScopeChange {
    /// What it is called: 1 to 255 characters.
    name: Option<String>,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The node above.
    parent: Option<ReferenceDraft>,
    /// scope1, scope2, scope3, biogenic, credit or outside; that of the node above, if there is one.
    kind: Option<String>,
    /// Scope 3 only: 1 to 15.
    #[schema(minimum = 1, maximum = 15)]
    category: Option<u8>,
}

impl Node for Scope {
    type Record = domain::Scope;

    fn tree(areas: &Areas) -> &dyn Nodes<domain::Scope> {
        areas.catalog.as_ref()
    }

    fn shown(view: NodeView<domain::Scope>) -> Self {
        let node = view.node.value;
        Self {
            uuid: node.id.uuid(),
            sync_id: node.sync_id.map(|id| id.to_string()),
            name: node.name.to_string(),
            parent: view.parent.map(Reference::from),
            kind: node.class.kind().as_str(),
            category: node.class.category(),
            created: view.node.created.into(),
            updated: view.node.updated.into(),
        }
    }

    fn read(members: &mut Reader<'_>) -> ClassDraft {
        let kind = members.text("kind", ScopeKind::parse);
        let category = match members.integer("category", 1..=15) {
            Field::Given(number) => u8::try_from(number).map_or(Field::Faulty, Field::Given),
            Field::Absent => Field::Absent,
            Field::Null => Field::Null,
            Field::Faulty => Field::Faulty,
        };
        ClassDraft { kind, category }
    }
}

resource! {
    Scope, "The node", at "/v1/scope" and "/v1/scope/{uuid}", tagged "Scopes";
    /// Needs the permission catalog:read.
    reading;
    /// Needs the permission catalog:write.
    writing;

    /// The nodes of the tree, page by page.
    list list_scopes(Paging, BySyncId);
    /// Adds a node to the tree.
    create create_scope(ScopeDraft) -> Scope, "ETag";
    /// One node.
    get get_scope;
    /// Changes a node: members that are left out stay, null clears.
    update update_scope(ScopeChange);
    /// Removes a node that nothing refers to.
    remove remove_scope;
}
