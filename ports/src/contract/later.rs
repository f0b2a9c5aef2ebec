//! What a later version of Tonne might keep: made-up optional members, to try that what was written before stays valid.

use crate::entity::{Entity, NoParent, Refers};
use crate::record::RecordKind;
use domain::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Name, Product, ProductId, SyncId};

/// A text that got one more member, at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Later<T> {
    /// What there was before.
    pub value: T,
    /// The member that came.
    pub note: Option<Name>,
}

impl<T: Canonical> Canonical for Later<T> {
    type Known = T::Known;

    fn write(&self, to: &mut CanonicalWriter) {
        self.value.write(to);
        to.optional("note", self.note.as_ref());
    }

    fn read(known: T::Known, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self { value: T::read(known, from)?, note: from.optional("note", Name::parse)? })
    }
}

/// A product that has a colour.
#[derive(Clone, Debug, PartialEq)]
pub struct LaterProduct {
    /// What a product had before.
    pub product: Product,
    /// The member that came.
    pub colour: Option<Name>,
}

impl Canonical for LaterProduct {
    type Known = ProductId;

    fn write(&self, to: &mut CanonicalWriter) {
        self.product.write(to);
        to.optional("colour", self.colour.as_ref());
    }

    fn read(id: ProductId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self { product: Product::read(id, from)?, colour: from.optional("colour", Name::parse)? })
    }
}

impl Entity for LaterProduct {
    const KIND: RecordKind = RecordKind::Product;

    type Id = ProductId;
    type SyncId = SyncId;
    type Parent = NoParent;
    type Order = ();

    fn id(&self) -> ProductId {
        self.product.id
    }

    fn sync_id(&self) -> Option<&SyncId> {
        self.product.sync_id.as_ref()
    }

    fn parent(&self) -> Option<NoParent> {
        None
    }

    fn order(&self) {}

    fn references(&self) -> Vec<Refers> {
        Vec::new()
    }
}
