//! The taxonomy tree: categories of activity, which have paths.

use domain::Slug;
use files::Reader;
use ports::inbound::{NodeView, Nodes, SlugDraft};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Node;
use crate::resource::resource;
use crate::service::Areas;
use crate::wire::{Reference, ReferenceDraft, Time};

/// A category of activity.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Taxonomy {
    /// Identifies it.
    uuid: Uuid,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// What it is called.
    name: String,
    /// Its part of the path.
    slug: String,
    /// The slugs from the root, joined by a slash.
    path: String,
    /// The category above.
    #[schema(required)]
    parent: Option<Reference>,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

/// A new category of activity.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct TaxonomyDraft {
    /// What it is called: 1 to 255 characters.
    name: String,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// Its part of the path; made from the name unless given.
    slug: Option<String>,
    /// The category above.
    parent: Option<ReferenceDraft>,
}

/// A change of a category of activity.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct TaxonomyChange {
    /// What it is called: 1 to 255 characters.
    name: Option<String>,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// Its part of the path.
    slug: Option<String>,
    /// The category above.
    parent: Option<ReferenceDraft>,
}

impl Node for Taxonomy {
    type Record = domain::Taxonomy;

    fn tree(areas: &Areas) -> &dyn Nodes<domain::Taxonomy> {
        areas.catalog.as_ref()
    }

    fn shown(view: NodeView<domain::Taxonomy>) -> Self {
        let node = view.node.value;
        let slug = node.slug.to_string();
        Self {
            uuid: node.id.uuid(),
            sync_id: node.sync_id.map(|id| id.to_string()),
            name: node.name.to_string(),
            path: view.path.unwrap_or_else(|| slug.clone()),
            slug,
            parent: view.parent.map(Reference::from),
            created: view.node.created.into(),
            updated: view.node.updated.into(),
        }
    }

    fn read(members: &mut Reader<'_>) -> SlugDraft {
        members.read_only(&["path"]);
        SlugDraft { slug: members.text("slug", Slug::parse) }
    }
}

resource! {
    Taxonomy, "The node", at "/v1/taxonomy" and "/v1/taxonomy/{uuid}", tagged "Taxonomies";
    /// Needs the permission catalog:read.
    reading;
    /// Needs the permission catalog:write.
    writing;

    /// The nodes of the tree, page by page.
    list list_taxonomies(Paging, BySyncId);
    /// Adds a node to the tree.
    create create_taxonomy(TaxonomyDraft) -> Taxonomy, "ETag";
    /// One node.
    get get_taxonomy;
    /// Changes a node: members that are left out stay, null clears.
    update update_taxonomy(TaxonomyChange);
    /// Removes a node that nothing refers to.
    remove remove_taxonomy;
}
