//! Partners: their content is in one column, in canonical form.

use async_trait::async_trait;
use domain::{Canonical as _, Partner, PartnerId};
use ports::repo::Use;
use ports::store::StoreError;
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::Stamp;
use crate::entity::partner::{Column, Entity, Model};
use crate::row::{self, Damage};
use crate::table::Table;

#[async_trait]
impl Table for Partner {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = None;

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        row::parse("content", &row.content, |text| Self::from_canonical(PartnerId::new(row.id), text))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(Model { tenant_id, id, content: self.canonical(), created, updated, version, digest })
    }

    async fn uses(_: &mut TenantConn, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}
