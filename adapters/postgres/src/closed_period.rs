//! Closed periods: their content is in one column, in canonical form, with the org beside it.

use async_trait::async_trait;
use domain::{Canonical as _, ClosedPeriod, ClosedPeriodId, OrgId};
use ports::repo::Use;
use ports::store::StoreError;
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::Stamp;
use crate::entity::closed_period::{Column, Entity, Model};
use crate::row::{self, Damage};
use crate::table::Table;

#[async_trait]
impl Table for ClosedPeriod {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = None;

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        let id = ClosedPeriodId::new(row.id);
        let period = row::parse("content", &row.content, |text| Self::from_canonical(id, text))?;
        if period.org.map(OrgId::uuid) == row.org {
            Ok(period)
        } else {
            Err(row::damage("org", "is not that of the content"))
        }
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        let (org, content) = (self.org.map(OrgId::uuid), self.canonical());
        Ok(Model { tenant_id, id, org, content, created, updated, version, digest })
    }

    async fn uses(_: &mut TenantConn, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}
