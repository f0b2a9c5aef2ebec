//! Rows through a temporary table, which may take several lots of them before it is dropped.

use ports::store::StoreError;

use super::{MANY, Rows, Target};
use crate::conn::TenantConn;
use crate::database::Bulk;

/// Where the rows of one table come in, lot by lot. An open transaction has one at a time.
#[derive(Debug)]
pub(crate) struct Intake {
    bulk: Bulk,
    is_made: bool,
}

impl Intake {
    /// Nothing has come in yet.
    pub(crate) const fn new(bulk: Bulk) -> Self {
        Self { bulk, is_made: false }
    }

    /// Writes rows of the table. A failure breaks the transaction, unless it is caught by a savepoint that was set
    /// before the first of them.
    pub(crate) async fn take(&mut self, conn: &mut TenantConn, mut rows: Rows) -> Result<(), StoreError> {
        if rows.count < MANY || self.bulk == Bulk::Rows {
            return rows.insert_values(conn).await;
        }
        if self.is_made {
            // The table is of this transaction, so this only shortens its file.
            conn.batch("TRUNCATE pg_temp.incoming").await?;
        } else {
            make(conn, rows.target).await?;
            self.is_made = true;
        }
        rows.end();
        let (Target { table, end, .. }, names) = (rows.target, rows.target.names());
        conn.copy(&format!("COPY pg_temp.incoming ({names}) FROM STDIN (FORMAT binary)"), &rows.data).await?;
        let all = format!("tenant_id, {names}");
        conn.batch(&format!("INSERT INTO {table} ({all}) SELECT {all} FROM pg_temp.incoming {end}")).await
    }

    /// Drops the temporary table.
    pub(crate) async fn close(self, conn: &mut TenantConn) -> Result<(), StoreError> {
        if self.is_made { conn.batch("DROP TABLE pg_temp.incoming").await } else { Ok(()) }
    }
}

/// Makes the temporary table just like the other: rows pass from one to the other as they are, without being taken
/// apart, cast and put together again.
async fn make(conn: &mut TenantConn, Target { table, .. }: &Target) -> Result<(), StoreError> {
    let tenant = conn.tenant();
    let text = format!(
        "CREATE TEMPORARY TABLE incoming (LIKE {table}) ON COMMIT DROP; \
         ALTER TABLE pg_temp.incoming ALTER COLUMN tenant_id SET DEFAULT '{tenant}'"
    );
    conn.batch(&text).await
}
