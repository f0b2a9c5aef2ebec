//! The store: how its transactions begin.

use std::sync::Arc;

use async_trait::async_trait;
use ports::load::Load;
use ports::store::{Intent, ReadTx, Store, StoreError, Verification, WriteTx};
use ports::{Grant, TenantId};

use crate::conn::sql;
use crate::database::Database;
use crate::head::{self, Lock};
use crate::session::{Origin, Session};
use crate::tx::{Snapshot, Turn, Tx};
use crate::{load, verify};

/// The tables of tenants' records, a tenant's children before what they refer to.
const TABLES: [&str; 16] = [
    "cell",
    "activity_use",
    "activity",
    "series",
    "switch_source",
    "switch",
    "input",
    "block",
    "model",
    "factor",
    "product",
    "node",
    "footprint",
    "change_item",
    "change",
    "head",
];

/// The records of all tenants, in one database.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    database: Arc<Database>,
}

impl PostgresStore {
    /// The store in that database.
    #[must_use]
    pub const fn new(database: Arc<Database>) -> Self {
        Self { database }
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn read(&self, grant: &Grant) -> Result<Box<dyn ReadTx>, StoreError> {
        let mut conn = self.database.read(grant.tenant()).await?;
        // The first statement fixes the snapshot.
        let head = head::read(&mut conn, Lock::Free).await?;
        Ok(Box::new(Tx::new(Snapshot::new(conn, head.head))))
    }

    async fn write(&self, grant: &Grant, intent: Intent) -> Result<Box<dyn WriteTx>, StoreError> {
        let mut conn = self.database.write(grant.tenant()).await?;
        let origin = Origin { at: intent.at, actor: grant.actor().to_owned(), cause: intent.cause };
        let session = Session::open(&mut conn, origin).await?;
        Ok(Box::new(Tx::new(Turn::new(conn, session, self.database.bulk()))))
    }

    async fn prepare(&self, tenant: TenantId) -> Result<(), StoreError> {
        let mut conn = self.database.write(tenant).await?;
        head::make(&mut conn, self.database.options().ids.random()).await?;
        conn.commit().await
    }

    async fn load(&self, grant: &Grant) -> Result<Box<dyn Load>, StoreError> {
        load::open(&self.database, grant.tenant()).await
    }

    async fn remove(&self, tenant: TenantId, number: u64) -> Result<(), StoreError> {
        let mut conn = self.database.write(tenant).await?;
        // From here on others that write wait; then they find no head.
        let found = head::find(&mut conn, Lock::Taken).await?;
        if found.is_some_and(|row| row.head.number != number) {
            return Err(StoreError::Stale);
        }
        // Many rows take longer to delete than any other statement may run.
        conn.lift_limit().await?;
        for table in TABLES {
            let text = format!("DELETE FROM tonne.{table} WHERE tenant_id = $1");
            conn.execute(sql(&text, [tenant.uuid().into()])).await?;
        }
        conn.commit().await
    }

    async fn verify(&self, grant: &Grant) -> Result<Verification, StoreError> {
        verify::tenant(&self.database, grant.tenant()).await
    }
}
