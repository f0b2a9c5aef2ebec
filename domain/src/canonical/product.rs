//! The content of a product.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::id::ProductId;
use crate::product::Product;
use crate::product::rule::FactorRule;
use crate::text::{Name, SyncId};
use crate::unit::Unit;

impl Canonical for Product {
    type Known = ProductId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("syncId", self.sync_id.as_ref());
        to.text("name", &self.name);
        to.text("unit", self.unit);
        to.optional_object("rule", self.rule.as_ref(), FactorRule::write);
    }

    fn read(id: ProductId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            id,
            sync_id: from.optional("syncId", SyncId::parse)?,
            name: from.text("name", Name::parse)?,
            unit: from.text("unit", Unit::parse)?,
            rule: from.optional_object("rule", |from| FactorRule::read((), from))?,
        })
    }
}
