//! References between records: which of them lead nowhere, and how many lead to one.

use std::collections::HashSet;

use ports::repo::Use;
use ports::store::StoreError;
use ports::{RecordKind, Refers, Version};
use sea_orm::sea_query::{Asterisk, Expr, ExprTrait as _};
use sea_orm::{DbBackend, EntityTrait, QuerySelect as _, QueryTrait as _, Select, Value};
use uuid::Uuid;

use crate::conn::{TenantConn, column, sql};
use crate::error::failed;
use crate::row;

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
        let (table, code, place) = (table_of(kind), kind.code(), values.len());
        parts.push(format!("SELECT {code}::smallint, id FROM {table} AND id = ANY (${place})"));
    }
    let mut there = HashSet::with_capacity(records.len());
    if parts.is_empty() {
        return Ok(there);
    }
    conn.each(sql(&parts.join(" UNION ALL "), values), |row| {
        let (code, id): (i16, Uuid) = (column(row, 0)?, column(row, 1)?);
        there.extend(row::kind(code).map(|kind| (kind, id)));
        Ok(())
    })
    .await?;
    Ok(there)
}

/// The first of the references that leads nowhere.
pub(crate) async fn first_missing(conn: &mut TenantConn, references: &[Refers]) -> Result<Option<Refers>, StoreError> {
    if references.is_empty() {
        return Ok(None);
    }
    let records: Vec<(RecordKind, Uuid)> = references.iter().map(|to| (to.kind, to.id)).collect();
    let there = present(conn, &records).await?;
    Ok(references.iter().copied().find(|to| !there.contains(&(to.kind, to.id))))
}

/// The version of a record, if it is there.
pub(crate) async fn version(conn: &mut TenantConn, kind: RecordKind, id: Uuid) -> Result<Option<Version>, StoreError> {
    let text = format!("SELECT version FROM {} AND id = $2", table_of(kind));
    let statement = sql(&text, [conn.tenant().uuid().into(), id.into()]);
    let version: Option<i64> = conn.value(statement).await?;
    let read = |version| u64::try_from(version).map(Version).map_err(|_| failed("a version is negative"));
    version.map(read).transpose()
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

/// The statement that counts the activities that refer to a record of that kind.
pub(crate) fn activities(kind: RecordKind) -> String {
    let code = kind.code();
    format!("SELECT activities FROM tonne.activity_use WHERE tenant_id = $1 AND kind = {code} AND id = $2")
}

/// Where the records of a kind stand, as far as the tenant's condition.
fn table_of(kind: RecordKind) -> String {
    format!("tonne.{kind} WHERE tenant_id = $1")
}
