//! Inputs of models.

use domain::{Co2e, Incomplete, Input, InputCalculation, Name, Quantity, Stage, SyncId, Unit};
use ports::RecordKind;
use ports::repo::Use;
use ports::store::StoreError;
use rusqlite::Connection;
use rusqlite::types::Value;
use uuid::Uuid;

use crate::reference::key_of;
use crate::row::{self, Columns, Damage};
use crate::table::Table;

impl Table for Input {
    const NAME: &'static str = "input";
    const FROM: &'static str = "input LEFT JOIN model ON model.key = input.model \
         LEFT JOIN product ON product.key = input.material LEFT JOIN factor ON factor.key = input.factor";
    const COLUMNS: &'static str = "model.id, input.sync_id, input.name, product.id, input.block, input.stage, \
         input.quantity, input.unit, input.position, input.co2e, factor.id, input.reason";
    const WRITTEN: &'static [&'static str] = &[
        "model", "sync_id", "name", "material", "block", "stage", "quantity", "unit", "position", "co2e", "factor",
        "reason",
    ];
    const ORDER: &'static str = "input.position, input.id";
    const PARENT: Option<&'static str> = Some("input.model = (SELECT key FROM model WHERE id = ?)");

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id = columns.record_id()?;
        let model = columns.id()?;
        let sync_id = columns.parse_optional(SyncId::parse)?;
        let name = columns.parse(Name::parse)?;
        let material = columns.id()?;
        let block = columns.id_optional()?;
        let stage = columns.parse_optional(Stage::parse)?;
        let quantity = columns.parse(Quantity::parse)?;
        let unit = columns.parse(Unit::parse)?;
        let order = columns.take()?;
        let (co2e, factor) = (columns.parse_optional(Co2e::parse)?, columns.id_optional()?);
        let reason = columns.parse_optional(Incomplete::from_code)?;
        let calculation = InputCalculation::from_parts(co2e, factor, reason);
        let calculation = calculation.map_err(|error| Damage(format!("co2e: {error}")))?;
        Ok(Self::new(id, model, name, material, quantity, unit)
            .with_sync_id(sync_id)
            .with_block(block)
            .with_stage(stage)
            .with_order(order)
            .with_calculation(calculation))
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        let factor =
            self.calculation.factor().map(|factor| key_of(conn, "factor", RecordKind::Factor, factor)).transpose()?;
        Ok(vec![
            Value::Integer(key_of(conn, "model", RecordKind::Model, self.model)?),
            row::text_or_null(self.sync_id.as_ref()),
            row::text(&self.name),
            Value::Integer(key_of(conn, "product", RecordKind::Product, self.material)?),
            self.block.map_or(Value::Null, row::id),
            row::text_or_null(self.stage),
            row::text(self.quantity),
            row::text(self.unit.code()),
            Value::Integer(self.order.into()),
            row::text_or_null(self.calculation.co2e()),
            row::integer_or_null(factor),
            row::text_or_null(self.calculation.reason().map(Incomplete::code)),
        ])
    }

    fn uses(_: &Connection, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}
