//! Inputs of models.

use async_trait::async_trait;
use domain::{
    BlockId, Co2e, FactorId, Incomplete, Input, InputCalculation, InputId, ModelId, Name, ProductId, Quantity, Stage,
    SyncId, Unit,
};
use ports::repo::Use;
use ports::store::StoreError;
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::Stamp;
use crate::entity::input::{Column, Entity, Model};
use crate::row::{self, Damage};
use crate::table::Table;

#[async_trait]
impl Table for Input {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Position, Column::Id];
    const SYNC_ID: Option<Column> = Some(Column::SyncId);
    const PARENT: Option<Column> = Some(Column::Model);

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        let reason = Incomplete::from_code;
        Ok(Self::new(
            InputId::new(row.id),
            ModelId::new(row.model),
            row::parse("name", &row.name, Name::parse)?,
            ProductId::new(row.material),
            Quantity::new(row::decimal("quantity", &row.quantity)?),
            row::parse("unit", &row.unit, Unit::parse)?,
        )
        .with_sync_id(row::parse_optional("sync_id", row.sync_id.as_deref(), SyncId::parse)?)
        .with_block(row.block.map(BlockId::new))
        .with_stage(row::parse_optional("stage", row.stage.as_deref(), Stage::parse)?)
        .with_order(i32::try_from(row.position).map_err(|error| row::damage("position", error))?)
        .with_calculation(
            InputCalculation::from_parts(
                row::decimal_optional("co2e", row.co2e.as_ref())?.map(Co2e::new),
                row.factor.map(FactorId::new),
                row::parse_optional("reason", row.reason.as_deref(), reason)?,
            )
            .map_err(|error| row::damage("co2e", error))?,
        ))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(Model {
            tenant_id,
            id,
            model: self.model.uuid(),
            sync_id: self.sync_id.as_ref().map(SyncId::to_string),
            name: self.name.to_string(),
            material: self.material.uuid(),
            block: self.block.map(BlockId::uuid),
            stage: self.stage.map(|stage| stage.to_string()),
            quantity: self.quantity.decimal().into(),
            unit: self.unit.code().to_owned(),
            position: self.order.into(),
            co2e: self.calculation.co2e().map(|amount| amount.decimal().into()),
            factor: self.calculation.factor().map(FactorId::uuid),
            reason: self.calculation.reason().map(|reason| reason.code().to_owned()),
            created,
            updated,
            version,
            digest,
        })
    }

    async fn uses(_: &mut TenantConn, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}
