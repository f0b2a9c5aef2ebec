//! Switches, with their sources in a table beside.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{ImageAddress, ModelId, Name, Sources, Switch, SwitchId, SyncId, Unit};
use ports::repo::Use;
use ports::store::StoreError;
use sea_orm::{ColumnTrait as _, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QueryTrait as _};
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::switch::{Column, Entity, Model};
use crate::entity::{Stamp, switch_source};
use crate::error::failed;
use crate::row::{self, Damage};
use crate::session::Session;
use crate::table::Table;

#[async_trait]
impl Table for Switch {
    type Orm = Entity;
    /// The sources of each switch, in order.
    type Parts = HashMap<Uuid, Vec<ModelId>>;

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = Some(Column::SyncId);

    async fn parts(conn: &mut TenantConn, rows: &[Model]) -> Result<Self::Parts, StoreError> {
        let mut parts = Self::Parts::new();
        if rows.is_empty() {
            return Ok(parts);
        }
        let select = switch_source::Entity::find()
            .filter(switch_source::Column::TenantId.eq(conn.tenant().uuid()))
            .filter(switch_source::Column::Switch.eq_any(rows.iter().map(|row| row.id)))
            .order_by_asc(switch_source::Column::Switch)
            .order_by_asc(switch_source::Column::Ordinal);
        for source in conn.all::<switch_source::Model>(select.build(DbBackend::Postgres)).await? {
            parts.entry(source.switch).or_default().push(ModelId::new(source.model));
        }
        Ok(parts)
    }

    fn decode(row: Model, parts: &mut Self::Parts) -> Result<Self, Damage> {
        Ok(Self::new(SwitchId::new(row.id), row::parse("name", &row.name, Name::parse)?)
            .with_sync_id(row::parse_optional("sync_id", row.sync_id.as_deref(), SyncId::parse)?)
            .with_unit(row::parse_optional("unit", row.unit.as_deref(), Unit::parse)?)
            .with_image(row::parse_optional("image", row.image.as_deref(), ImageAddress::parse)?)
            .with_sources(
                Sources::new(parts.remove(&row.id).unwrap_or_default())
                    .map_err(|error| row::damage("sources", error))?,
            ))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(Model {
            tenant_id,
            id,
            sync_id: self.sync_id.as_ref().map(SyncId::to_string),
            name: self.name.to_string(),
            unit: self.unit.map(|unit| unit.code().to_owned()),
            image: self.image.as_ref().map(ImageAddress::to_string),
            created,
            updated,
            version,
            digest,
        })
    }

    async fn uses(_: &mut TenantConn, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }

    async fn write_parts(&self, conn: &mut TenantConn) -> Result<(), StoreError> {
        remove_sources(conn, self.id.uuid()).await?;
        if self.sources.as_slice().is_empty() {
            return Ok(());
        }
        let tenant = conn.tenant().uuid();
        let mut rows = Vec::with_capacity(self.sources.as_slice().len());
        for (model, ordinal) in self.sources.as_slice().iter().zip(0_usize..) {
            rows.push(switch_source::ActiveModel::from(switch_source::Model {
                tenant_id: tenant,
                switch: self.id.uuid(),
                ordinal: i32::try_from(ordinal).map_err(|_| failed("a switch has too many sources"))?,
                model: model.uuid(),
            }));
        }
        conn.execute(switch_source::Entity::insert_many(rows).build(DbBackend::Postgres)).await.map(drop)
    }

    async fn remove_parts(conn: &mut TenantConn, _: &mut Session, id: Uuid) -> Result<(), StoreError> {
        remove_sources(conn, id).await
    }
}

async fn remove_sources(conn: &mut TenantConn, switch: Uuid) -> Result<(), StoreError> {
    let rows = switch_source::Entity::delete_many()
        .filter(switch_source::Column::TenantId.eq(conn.tenant().uuid()))
        .filter(switch_source::Column::Switch.eq(switch));
    conn.execute(rows.build(DbBackend::Postgres)).await.map(drop)
}
