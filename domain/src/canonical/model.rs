//! The content of a model.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::amount::Quantity;
use crate::calendar::day::Day;
use crate::id::ModelId;
use crate::model::{Block, DeclaredAmount, Model};
use crate::text::{Name, SyncId};
use crate::unit::Unit;

impl Canonical for Model {
    type Known = ModelId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("syncId", self.sync_id.as_ref());
        to.text("name", &self.name);
        to.text("unit", self.unit);
        to.text("amount", self.amount);
        to.text("referenceDate", self.reference_date);
        to.objects("blocks", &self.blocks, write_block);
    }

    fn read(id: ModelId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            id,
            sync_id: from.optional("syncId", SyncId::parse)?,
            name: from.text("name", Name::parse)?,
            unit: from.text("unit", Unit::parse)?,
            amount: from.text("amount", declared_amount)?,
            reference_date: from.text("referenceDate", Day::parse)?,
            blocks: from.objects("blocks", read_block)?,
        })
    }
}

fn declared_amount(text: &str) -> Result<DeclaredAmount, String> {
    let quantity = Quantity::parse(text).map_err(|error| error.to_string())?;
    DeclaredAmount::new(quantity).map_err(|error| error.to_string())
}

fn write_block(block: &Block, to: &mut CanonicalWriter) {
    to.text("id", block.id);
    to.text("name", &block.name);
}

fn read_block(from: &mut CanonicalReader<'_>) -> Result<Block, CanonicalError> {
    Ok(Block { id: from.text("id", str::parse)?, name: from.text("name", Name::parse)? })
}
