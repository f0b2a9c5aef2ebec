//! Writing the cells of a tenant at one revision as a checkpoint.
//!
//! One transaction writes all parts: it takes neither a writer's turn nor a lock that a writer waits for, is seen by nobody
//! before it ends, and leaves nothing where it is broken off. It keeps the head from being removed, so that no tenant that
//! comes later under the same identifier finds a checkpoint that is not its own.

use domain::PackedCells;
use ports::ledger::CheckpointCells;
use ports::store::StoreError;
use ports::{Revision, TenantId};

use crate::conn::{TenantConn, sql};
use crate::database::Database;
use crate::error::{failed, is_taken};
use crate::head::{self, Lock};
use crate::{ledger, row};

/// Writes a checkpoint unless there is one of that change or a later one, and removes earlier ones.
pub(crate) async fn write(
    database: &Database,
    tenant: TenantId,
    revision: Revision,
    cells: &dyn CheckpointCells,
) -> Result<(), StoreError> {
    let mut conn = database.write_aside(tenant).await?;
    let head = head::read(&mut conn, Lock::Keep).await?.head;
    if head.epoch != revision.epoch || head.number < revision.number {
        return Err(StoreError::Stale);
    }
    let newest = ledger::checkpoint(&mut conn).await?;
    if revision.number == 0 || newest.is_some_and(|newest| newest.number >= revision.number) {
        return Ok(());
    }
    match write_parts(&mut conn, revision.number, cells).await {
        Ok(()) => conn.end().await,
        // Another wrote the same one meanwhile.
        Err(error) if is_taken(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn write_parts(conn: &mut TenantConn, number: u64, cells: &dyn CheckpointCells) -> Result<(), StoreError> {
    let tenant = conn.tenant().uuid();
    let text = "INSERT INTO tonne.checkpoint (tenant_id, number, part, cells, last) VALUES ($1, $2, $3, $4, $5)";
    let (mut parts, mut place) = (cells.parts(), 0_i32);
    loop {
        let part = parts.next();
        let is_last = part.is_none();
        let part = part.transpose()?.map(PackedCells::into_bytes).unwrap_or_default();
        let values = [tenant.into(), row::integer(number)?, place.into(), part.into(), is_last.into()];
        conn.execute(sql(text, values)).await?;
        if is_last {
            break;
        }
        place += 1;
    }
    let number = i64::try_from(number).map_err(|_| failed("the number of a change is out of range"))?;
    let text = "DELETE FROM tonne.checkpoint WHERE tenant_id = $1 AND number < $2";
    conn.execute(sql(text, [tenant.into(), number.into()])).await.map(drop)
}
