//! Models, with their blocks in a table beside.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{Block, BlockId, DeclaredAmount, Input, Model, ModelId, Name, Quantity, SyncId, Unit};
use ports::RecordKind;
use ports::repo::Use;
use ports::store::StoreError;
use sea_orm::{ColumnTrait as _, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QueryTrait as _};
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::model::{Column, Entity, Model as Row};
use crate::entity::{Stamp, block, input};
use crate::error::failed;
use crate::reference;
use crate::row::{self, Damage};
use crate::session::Session;
use crate::table::{self, Table};

#[async_trait]
impl Table for Model {
    type Orm = Entity;
    /// The blocks of each model, in order.
    type Parts = HashMap<Uuid, Vec<block::Model>>;

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = Some(Column::SyncId);

    async fn parts(conn: &mut TenantConn, rows: &[Row]) -> Result<Self::Parts, StoreError> {
        let mut parts = Self::Parts::new();
        if rows.is_empty() {
            return Ok(parts);
        }
        let select = block::Entity::find()
            .filter(block::Column::TenantId.eq(conn.tenant().uuid()))
            .filter(block::Column::Model.eq_any(rows.iter().map(|row| row.id)))
            .order_by_asc(block::Column::Model)
            .order_by_asc(block::Column::Ordinal);
        for block in conn.all::<block::Model>(select.build(DbBackend::Postgres)).await? {
            parts.entry(block.model).or_default().push(block);
        }
        Ok(parts)
    }

    fn decode(row: Row, parts: &mut Self::Parts) -> Result<Self, Damage> {
        let amount = Quantity::new(row::decimal("amount", &row.amount)?);
        let blocks = parts.remove(&row.id).unwrap_or_default().into_iter();
        let block = |block: block::Model| {
            Ok(Block { id: BlockId::new(block.id), name: row::parse("block.name", &block.name, Name::parse)? })
        };
        Ok(Self::new(
            ModelId::new(row.id),
            row::parse("name", &row.name, Name::parse)?,
            row::parse("unit", &row.unit, Unit::parse)?,
            row::day("reference_date", row.reference_date)?,
        )
        .with_sync_id(row::parse_optional("sync_id", row.sync_id.as_deref(), SyncId::parse)?)
        .with_amount(DeclaredAmount::new(amount).map_err(|error| row::damage("amount", error))?)
        .with_blocks(blocks.map(block).collect::<Result<_, Damage>>()?))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Row, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(Row {
            tenant_id,
            id,
            sync_id: self.sync_id.as_ref().map(SyncId::to_string),
            name: self.name.to_string(),
            unit: self.unit.code().to_owned(),
            amount: self.amount.quantity().decimal().into(),
            reference_date: self.reference_date.date(),
            created,
            updated,
            version,
            digest,
        })
    }

    async fn uses(conn: &mut TenantConn, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let switches = "SELECT count(DISTINCT switch) FROM tonne.switch_source WHERE tenant_id = $1 AND model = $2";
        reference::uses(conn, id, &[(RecordKind::Switch, switches)]).await
    }

    async fn write_parts(&self, conn: &mut TenantConn) -> Result<(), StoreError> {
        remove_blocks(conn, self.id.uuid()).await?;
        if self.blocks.is_empty() {
            return Ok(());
        }
        let tenant = conn.tenant().uuid();
        let mut rows = Vec::with_capacity(self.blocks.len());
        for (block, ordinal) in self.blocks.iter().zip(0_usize..) {
            rows.push(block::ActiveModel::from(block::Model {
                tenant_id: tenant,
                model: self.id.uuid(),
                ordinal: i32::try_from(ordinal).map_err(|_| failed("a model has too many blocks"))?,
                id: block.id.uuid(),
                name: block.name.to_string(),
            }));
        }
        conn.execute(block::Entity::insert_many(rows).build(DbBackend::Postgres)).await.map(drop)
    }

    async fn remove_parts(conn: &mut TenantConn, session: &mut Session, id: Uuid) -> Result<(), StoreError> {
        remove_blocks(conn, id).await?;
        let inputs = table::select::<Input>(conn)
            .filter(input::Column::Model.eq(id))
            .order_by_asc(input::Column::Position)
            .order_by_asc(input::Column::Id);
        let inputs = table::query::<Input>(conn, inputs).await?;
        table::erase_all(conn, session, &inputs).await
    }
}

async fn remove_blocks(conn: &mut TenantConn, model: Uuid) -> Result<(), StoreError> {
    let rows = block::Entity::delete_many()
        .filter(block::Column::TenantId.eq(conn.tenant().uuid()))
        .filter(block::Column::Model.eq(model));
    conn.execute(rows.build(DbBackend::Postgres)).await.map(drop)
}
