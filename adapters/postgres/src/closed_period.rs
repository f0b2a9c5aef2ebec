//! Closed periods: their content is in one column, in canonical form, with the org and what they are closed for beside
//! it.

use async_trait::async_trait;
use domain::{Canonical as _, ClosedPeriod, ClosedPeriodId, OrgId, PeriodSpan};
use ports::repo::Use;
use ports::store::StoreError;
use uuid::Uuid;

use sea_orm::{ColumnTrait as _, DbBackend, QueryFilter as _, QueryOrder as _, QuerySelect as _, QueryTrait as _};

use crate::conn::{TenantConn, column};
use crate::entity::Stamp;
use crate::entity::closed_period::{Column, Entity, Model};
use crate::row::{self, Damage};
use crate::table::{self, Table};

#[async_trait]
impl Table for ClosedPeriod {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = None;

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        let id = ClosedPeriodId::new(row.id);
        let period = row::parse("content", &row.content, |text| Self::from_canonical(id, text))?;
        if period.org.map(OrgId::uuid) != row.org {
            return Err(row::damage("org", "is not that of the content"));
        }
        let span = row.span.map(|text| row::parse("span", &text, |text| PeriodSpan::from_canonical(id, text)));
        if period.span() == span.transpose()? {
            Ok(period)
        } else {
            Err(row::damage("span", "is not that of the content"))
        }
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        let (org, span) = (self.org.map(OrgId::uuid), self.span().map(|span| span.canonical()));
        Ok(Model { tenant_id, id, org, span, content: self.canonical(), created, updated, version, digest })
    }

    async fn uses(_: &mut TenantConn, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}

/// What the periods are closed for that were not opened again.
pub(crate) async fn closed(conn: &mut TenantConn) -> Result<Vec<PeriodSpan>, StoreError> {
    let select = table::select::<ClosedPeriod>(conn).filter(Column::Span.is_not_null()).order_by_asc(Column::Id);
    let select = select.select_only().columns([Column::Id, Column::Span]);
    let mut spans = Vec::new();
    conn.each(select.build(DbBackend::Postgres), |row| {
        let (id, span): (Uuid, String) = (column(row, 0)?, column(row, 1)?);
        let damaged = |Damage(detail)| StoreError::Corrupt { subject: format!("period {id}"), detail };
        let parse = |text: &str| PeriodSpan::from_canonical(ClosedPeriodId::new(id), text);
        spans.push(row::parse("span", &span, parse).map_err(damaged)?);
        Ok(())
    })
    .await?;
    Ok(spans)
}
