//! References between records: which of them lead nowhere, and how many lead to one.

use std::collections::HashSet;

use ports::RecordKind;
use ports::repo::Use;
use ports::store::StoreError;
use sea_orm::sea_query::{Asterisk, Expr, ExprTrait as _};
use sea_orm::{DbBackend, EntityTrait, QuerySelect as _, QueryTrait as _, Select, Value};
use uuid::Uuid;

use crate::conn::{TenantConn, column, sql};
use crate::error::failed;
use crate::session::kind_code;

/// Those of the records that are there, found by one statement.
pub(crate) async fn present(
    conn: &mut TenantConn,
    records: &[(RecordKind, Uuid)],
) -> Result<HashSet<(RecordKind, Uuid)>, StoreError> {
    let (mut parts, mut values) = (Vec::new(), vec![Value::from(conn.tenant().uuid())]);
    for kind in RecordKind::ALL {
        let ids: Vec<Uuid> = records.iter().filter(|(of, _)| *of == kind).map(|(_, id)| *id).collect();
        if ids.is_empty() {
            continue;
        }
        values.push(ids.into());
        let (table, code, place) = (table_of(kind), kind_code(kind), values.len());
        parts.push(format!("SELECT {code}::smallint, id FROM {table} AND id = ANY (${place})"));
    }
    let mut there = HashSet::with_capacity(records.len());
    if parts.is_empty() {
        return Ok(there);
    }
    conn.each(sql(&parts.join(" UNION ALL "), values), |row| {
        let (code, id): (i16, Uuid) = (column(row, 0)?, column(row, 1)?);
        there.extend(RecordKind::ALL.into_iter().find(|kind| kind_code(*kind) == code).map(|kind| (kind, id)));
        Ok(())
    })
    .await?;
    Ok(there)
}

/// The first of the records that is not there.
pub(crate) async fn first_missing(
    conn: &mut TenantConn,
    records: &[(RecordKind, Uuid)],
) -> Result<Option<(RecordKind, Uuid)>, StoreError> {
    if records.is_empty() {
        return Ok(None);
    }
    let there = present(conn, records).await?;
    Ok(records.iter().copied().find(|record| !there.contains(record)))
}

/// How many rows there are.
pub(crate) async fn count<E: EntityTrait>(conn: &mut TenantConn, rows: Select<E>) -> Result<u64, StoreError> {
    let count = rows.select_only().expr(Expr::col(Asterisk).count());
    let count: Option<i64> = conn.value(count.build(DbBackend::Postgres)).await?;
    u64::try_from(count.unwrap_or_default()).map_err(|_| failed("a count is negative"))
}

/// Counts the records of each kind that refer to one: each statement takes the tenant and its identifier. Kinds without
/// any are left out.
pub(crate) async fn uses(
    conn: &mut TenantConn,
    id: Uuid,
    counts: &[(RecordKind, &str)],
) -> Result<Vec<Use>, StoreError> {
    let (tenant, mut uses) = (conn.tenant().uuid(), Vec::new());
    for (kind, statement) in counts {
        let count: Option<i64> = conn.value(sql(statement, [tenant.into(), id.into()])).await?;
        let count = u64::try_from(count.unwrap_or_default()).map_err(|_| failed("a count is negative"))?;
        if count > 0 {
            uses.push(Use { kind: *kind, count });
        }
    }
    Ok(uses)
}

/// Where the records of a kind stand, as far as the tenant's condition.
fn table_of(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Activity => "tonne.activity WHERE tenant_id = $1",
        RecordKind::Scope => "tonne.node WHERE tenant_id = $1 AND tree = 1",
        RecordKind::Org => "tonne.node WHERE tenant_id = $1 AND tree = 2",
        RecordKind::Taxonomy => "tonne.node WHERE tenant_id = $1 AND tree = 3",
        RecordKind::Product => "tonne.product WHERE tenant_id = $1",
        RecordKind::Factor => "tonne.factor WHERE tenant_id = $1",
        RecordKind::Model => "tonne.model WHERE tenant_id = $1",
        RecordKind::Input => "tonne.input WHERE tenant_id = $1",
        RecordKind::Switch => "tonne.switch WHERE tenant_id = $1",
        RecordKind::Footprint => "tonne.footprint WHERE tenant_id = $1",
    }
}
