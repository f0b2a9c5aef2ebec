//! The content of an input.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::amount::{Co2e, Quantity};
use crate::id::InputId;
use crate::model::input::{Input, InputCalculation};
use crate::model::stage::Stage;
use crate::product::incomplete::Incomplete;
use crate::text::{Name, SyncId};
use crate::unit::Unit;

impl Canonical for Input {
    type Known = InputId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.text("model", self.model);
        to.optional("syncId", self.sync_id.as_ref());
        to.text("name", &self.name);
        to.text("material", self.material);
        to.optional("block", self.block);
        to.optional("stage", self.stage);
        to.text("quantity", self.quantity);
        to.text("unit", self.unit);
        to.integer("order", self.order);
        to.object("calculation", |to| {
            to.optional("co2e", self.calculation.co2e());
            to.optional("factor", self.calculation.factor());
            to.optional("incomplete", self.calculation.reason().map(Incomplete::code));
        });
    }

    fn read(id: InputId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let model = from.text("model", str::parse)?;
        let sync_id = from.optional("syncId", SyncId::parse)?;
        let name = from.text("name", Name::parse)?;
        let material = from.text("material", str::parse)?;
        let block = from.optional("block", str::parse)?;
        let stage = from.optional("stage", Stage::parse)?;
        let quantity = from.text("quantity", Quantity::parse)?;
        let unit = from.text("unit", Unit::parse)?;
        let order = from.integer("order")?;
        let calculation = from.object("calculation", |from| {
            let co2e = from.optional("co2e", Co2e::parse)?;
            let factor = from.optional("factor", str::parse)?;
            let reason = from.optional_word("incomplete", |code| Incomplete::from_code(code).ok())?;
            InputCalculation::from_parts(co2e, factor, reason)
                .map_err(|error| from.wrong(format_args!("is refused: {error}")))
        })?;
        Ok(Self { id, model, sync_id, name, material, block, stage, quantity, unit, order, calculation })
    }
}
