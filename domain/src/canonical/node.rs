//! The content of a node of one of the trees.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::node::{Node, NodeDetail, NodeId};
use crate::scope_kind::{ScopeClass, ScopeKind};
use crate::text::{Name, Slug, SyncId};

impl Canonical for Node {
    type Known = NodeId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("syncId", self.sync_id.as_ref());
        to.text("name", &self.name);
        to.optional("parent", self.parent);
        to.optional("slug", self.slug());
        to.optional_object("class", self.class(), write_class);
    }

    fn read(id: NodeId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let sync_id = from.optional("syncId", SyncId::parse)?;
        let name = from.text("name", Name::parse)?;
        let parent = from.optional("parent", str::parse)?;
        let slug = from.optional("slug", Slug::parse)?;
        let class = from.optional_object("class", read_class)?;
        let detail = match (slug, class) {
            (None, None) => NodeDetail::Org,
            (Some(slug), None) => NodeDetail::Taxonomy(slug),
            (None, Some(class)) => NodeDetail::Scope(class),
            (Some(_), Some(_)) => return Err(from.wrong("has a slug and a class, and so is of two trees")),
        };
        Ok(Self { id, sync_id, name, parent, detail })
    }
}

fn write_class(class: ScopeClass, to: &mut CanonicalWriter) {
    to.text("kind", class.kind().as_str());
    to.optional_integer("category", class.category());
}

fn read_class(from: &mut CanonicalReader<'_>) -> Result<ScopeClass, CanonicalError> {
    let kind = from.word("kind", ScopeKind::parse)?;
    let category = from.optional_integer("category")?;
    ScopeClass::new(kind, category).map_err(|error| from.wrong(error))
}
