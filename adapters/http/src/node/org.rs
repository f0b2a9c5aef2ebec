//! The org tree: organisation units.

use files::Reader;
use ports::inbound::{NodeView, Nodes};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Node;
use crate::resource::resource;
use crate::service::Areas;
use crate::wire::{Reference, ReferenceDraft, Time};

/// An organisation unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Org {
    /// Identifies it.
    uuid: Uuid,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// What it is called.
    name: String,
    /// The unit above.
    #[schema(required)]
    parent: Option<Reference>,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

/// A new organisation unit.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct OrgDraft {
    /// What it is called: 1 to 255 characters.
    name: String,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The unit above.
    parent: Option<ReferenceDraft>,
}

/// A change of an organisation unit.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct OrgChange {
    /// What it is called: 1 to 255 characters.
    name: Option<String>,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The unit above.
    parent: Option<ReferenceDraft>,
}

impl Node for Org {
    type Record = domain::Org;

    fn tree(areas: &Areas) -> &dyn Nodes<domain::Org> {
        areas.catalog.as_ref()
    }

    fn read(_: &mut Reader<'_>) {}

    fn shown(view: NodeView<domain::Org>) -> Self {
        let node = view.node.value;
        Self {
            uuid: node.id.uuid(),
            sync_id: node.sync_id.map(|id| id.to_string()),
            name: node.name.to_string(),
            parent: view.parent.map(Reference::from),
            created: view.node.created.into(),
            updated: view.node.updated.into(),
        }
    }
}

resource! {
    Org, "The node", at "/v1/org" and "/v1/org/{uuid}", tagged "Orgs";
    /// Needs the permission catalog:read.
    reading;
    /// Needs the permission catalog:write.
    writing;

    /// The nodes of the tree, page by page.
    list list_orgs(Paging, BySyncId);
    /// Adds a node to the tree.
    create create_org(OrgDraft) -> Org, "ETag";
    /// One node.
    get get_org;
    /// Changes a node: members that are left out stay, null clears.
    update update_org(OrgChange);
    /// Removes a node that nothing refers to.
    remove remove_org;
}
