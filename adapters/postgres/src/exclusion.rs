//! Exclusions: their content is in one column, in canonical form, with the nodes that they name beside it.

use async_trait::async_trait;
use domain::{Canonical as _, Exclusion, ExclusionId, OrgId, ScopeId};
use ports::repo::Use;
use ports::store::StoreError;
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::Stamp;
use crate::entity::exclusion::{Column, Entity, Model};
use crate::row::{self, Damage};
use crate::table::Table;

#[async_trait]
impl Table for Exclusion {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = None;

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        let id = ExclusionId::new(row.id);
        let exclusion = row::parse("content", &row.content, |text| Self::from_canonical(id, text))?;
        if exclusion.scope().map(ScopeId::uuid) != row.scope {
            return Err(row::damage("scope", "is not that of the content"));
        }
        if exclusion.org.map(OrgId::uuid) == row.org {
            Ok(exclusion)
        } else {
            Err(row::damage("org", "is not that of the content"))
        }
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        let (scope, org, content) = (self.scope().map(ScopeId::uuid), self.org.map(OrgId::uuid), self.canonical());
        Ok(Model { tenant_id, id, scope, org, content, created, updated, version, digest })
    }

    async fn uses(_: &mut TenantConn, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}
