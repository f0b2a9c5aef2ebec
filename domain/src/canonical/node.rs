//! The content of the nodes of the three trees.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::id::{OrgId, ScopeId, TaxonomyId};
use crate::text::{Name, Slug, SyncId};
use crate::tree::node::{Org, Scope, Taxonomy};
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

impl Canonical for Scope {
    type Known = ScopeId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("syncId", self.sync_id.as_ref());
        to.text("name", &self.name);
        to.optional("parent", self.parent);
        to.object("class", |to| write_class(self.class, to));
    }

    fn read(id: ScopeId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            id,
            sync_id: from.optional("syncId", SyncId::parse)?,
            name: from.text("name", Name::parse)?,
            parent: from.optional("parent", str::parse)?,
            class: from.object("class", read_class)?,
        })
    }
}

impl Canonical for Org {
    type Known = OrgId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("syncId", self.sync_id.as_ref());
        to.text("name", &self.name);
        to.optional("parent", self.parent);
        to.optional("region", self.region.as_ref());
    }

    fn read(id: OrgId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            id,
            sync_id: from.optional("syncId", SyncId::parse)?,
            name: from.text("name", Name::parse)?,
            parent: from.optional("parent", str::parse)?,
            region: from.optional("region", Name::parse)?,
        })
    }
}

impl Canonical for Taxonomy {
    type Known = TaxonomyId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("syncId", self.sync_id.as_ref());
        to.text("name", &self.name);
        to.optional("parent", self.parent);
        to.text("slug", &self.slug);
    }

    fn read(id: TaxonomyId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            id,
            sync_id: from.optional("syncId", SyncId::parse)?,
            name: from.text("name", Name::parse)?,
            parent: from.optional("parent", str::parse)?,
            slug: from.text("slug", Slug::parse)?,
        })
    }
}

fn write_class(class: ScopeClass, to: &mut CanonicalWriter) {
    to.text("kind", class.kind().as_str());
    to.optional_integer("category", class.category());
}

fn read_class(from: &mut CanonicalReader<'_>) -> Result<ScopeClass, CanonicalError> {
    let kind = from.word("kind", |word| ScopeKind::parse(word).ok())?;
    let category = from.optional_integer("category")?;
    ScopeClass::new(kind, category).map_err(|error| from.wrong(format_args!("is refused: {error}")))
}
