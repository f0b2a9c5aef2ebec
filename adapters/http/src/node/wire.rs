//! Nodes as they are written and shown.

use domain::{Name, ScopeKind, Slug, SyncId, Tree};
use files::{Json, Members, Reader};
use ports::inbound::{Field, NodeDraft, NodeView};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::problem::Problem;
use crate::wire::{Reference, ReferenceDraft, Time};

/// A node as it is shown.
pub(crate) trait Shown: Serialize {
    /// The node's form.
    fn of(view: NodeView) -> Self;
}

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
    /// scope1, scope2, scope3, or outside for what belongs to no scope.
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

impl Shown for Scope {
    fn of(view: NodeView) -> Self {
        let class = view.node.value.class();
        let node = view.node.value;
        Self {
            uuid: node.id.uuid(),
            sync_id: node.sync_id.map(|id| id.to_string()),
            name: node.name.to_string(),
            parent: view.parent.map(Reference::from),
            kind: class.map_or("", |class| class.kind().as_str()),
            category: class.and_then(domain::ScopeClass::category),
            created: view.node.created.into(),
            updated: view.node.updated.into(),
        }
    }
}

impl Shown for Org {
    fn of(view: NodeView) -> Self {
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

impl Shown for Taxonomy {
    fn of(view: NodeView) -> Self {
        let slug = view.node.value.slug().map(Slug::to_string).unwrap_or_default();
        let node = view.node.value;
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
}

macro_rules! bodies {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(ToSchema)]
        #[serde(rename_all = "camelCase")]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "describes the body")]
        pub(crate) struct $name { $($(#[$field_doc])* $field: $kind,)* }
    )*};
}

bodies! {
    /// A new node of the scope tree.
    ScopeDraft {
        /// What it is called: 1 to 255 characters.
        name: String,
        /// What another system calls it: unique.
        sync_id: Option<String>,
        /// The node above.
        parent: Option<ReferenceDraft>,
        /// scope1, scope2, scope3 or outside.
        #[schema(example = "scope3")]
        kind: String,
        /// Scope 3 only: 1 to 15.
        #[schema(minimum = 1, maximum = 15)]
        category: Option<u8>,
    }
    /// A change of a node of the scope tree.
    ScopeChange {
        /// What it is called: 1 to 255 characters.
        name: Option<String>,
        /// What another system calls it: unique.
        sync_id: Option<String>,
        /// The node above.
        parent: Option<ReferenceDraft>,
        /// scope1, scope2, scope3 or outside.
        kind: Option<String>,
        /// Scope 3 only: 1 to 15.
        #[schema(minimum = 1, maximum = 15)]
        category: Option<u8>,
    }
    /// A new organisation unit.
    OrgDraft {
        /// What it is called: 1 to 255 characters.
        name: String,
        /// What another system calls it: unique.
        sync_id: Option<String>,
        /// The unit above.
        parent: Option<ReferenceDraft>,
    }
    /// A change of an organisation unit.
    OrgChange {
        /// What it is called: 1 to 255 characters.
        name: Option<String>,
        /// What another system calls it: unique.
        sync_id: Option<String>,
        /// The unit above.
        parent: Option<ReferenceDraft>,
    }
    /// A new category of activity.
    TaxonomyDraft {
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
    TaxonomyChange {
        /// What it is called: 1 to 255 characters.
        name: Option<String>,
        /// What another system calls it: unique.
        sync_id: Option<String>,
        /// Its part of the path.
        slug: Option<String>,
        /// The category above.
        parent: Option<ReferenceDraft>,
    }
}

/// What a body says of a node of the tree; a body that is no object is a problem at once.
pub(super) fn draft(json: &Json, tree: Tree) -> Result<NodeDraft, Problem> {
    let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
    let mut draft = NodeDraft {
        name: members.text("name", Name::parse),
        sync_id: members.text("syncId", SyncId::parse),
        parent: members.reference("parent"),
        ..NodeDraft::default()
    };
    match tree {
        Tree::Scope => {
            draft.kind =
                members.text("kind", |text| ScopeKind::parse(text).ok_or("must be scope1, scope2, scope3 or outside"));
            draft.category = match members.integer("category", 1..=15) {
                Field::Given(number) => u8::try_from(number).map_or(Field::Faulty, Field::Given),
                Field::Absent => Field::Absent,
                Field::Null => Field::Null,
                Field::Faulty => Field::Faulty,
            };
        }
        Tree::Taxonomy => {
            draft.slug = members.text("slug", Slug::parse);
            members.read_only(&["path"]);
        }
        Tree::Org => {}
    }
    members.read_only(&["uuid", "created", "updated"]);
    draft.faults = members.finish();
    Ok(draft)
}
