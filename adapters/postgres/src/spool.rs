//! The spool of staged imports, in tables: the entry in one, the chunks of its parts in another. Every node sees the same.

use std::sync::Arc;

use async_trait::async_trait;
use ports::spool::{Added, Spool, SpoolEntry, SpoolPart};
use ports::store::StoreError;
use ports::{Grant, Read, StagedId, Write};
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use crate::conn::{TenantConn, sql};
use crate::database::Database;
use crate::head::{self, Lock};
use crate::row;

/// The spool in a database.
#[derive(Clone, Debug)]
pub struct PostgresSpool {
    database: Arc<Database>,
}

#[derive(FromQueryResult)]
struct Columns {
    id: Uuid,
    version: i64,
    content: String,
}

impl Columns {
    fn read(self) -> Result<SpoolEntry, StoreError> {
        let Self { id, version, content } = self;
        let damaged =
            |_| StoreError::Corrupt { subject: format!("staged {id}"), detail: "version: is none".to_owned() };
        Ok(SpoolEntry { id: StagedId::new(id), version: u64::try_from(version).map_err(damaged)?, content })
    }
}

impl PostgresSpool {
    /// The spool in that database.
    #[must_use]
    pub const fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// A transaction beside the tenant's writers, with which it shares no row.
    async fn write(&self, grant: &Grant<Write>) -> Result<TenantConn, StoreError> {
        self.database.write_aside(grant.tenant()).await
    }
}

#[async_trait]
impl Spool for PostgresSpool {
    async fn list(&self, grant: &Grant<Read>) -> Result<Vec<SpoolEntry>, StoreError> {
        let mut conn = self.database.read(grant.tenant()).await?;
        let text = "SELECT id, version, content FROM tonne.staged WHERE tenant_id = $1 ORDER BY id DESC";
        let found: Vec<Columns> = conn.all(sql(text, [grant.tenant().uuid().into()])).await?;
        found.into_iter().map(Columns::read).collect()
    }

    async fn find(&self, grant: &Grant<Read>, id: StagedId) -> Result<Option<SpoolEntry>, StoreError> {
        let mut conn = self.database.read(grant.tenant()).await?;
        let text = "SELECT id, version, content FROM tonne.staged WHERE tenant_id = $1 AND id = $2";
        let found: Option<Columns> = conn.one(sql(text, [grant.tenant().uuid().into(), id.uuid().into()])).await?;
        found.map(Columns::read).transpose()
    }

    async fn add(&self, grant: &Grant<Write>, id: StagedId, content: &str, most: usize) -> Result<Added, StoreError> {
        // In the tenant's turn, so that two nodes do not both count one too few.
        let mut conn = self.database.write(grant.tenant()).await?;
        head::read(&mut conn, Lock::Write).await?;
        let tenant = grant.tenant().uuid();
        let count: Option<i64> =
            conn.value(sql("SELECT count(*) FROM tonne.staged WHERE tenant_id = $1", [tenant.into()])).await?;
        if count.and_then(|count| usize::try_from(count).ok()).is_none_or(|count| count >= most) {
            conn.end().await?;
            return Ok(Added::Full);
        }
        let text = "INSERT INTO tonne.staged (tenant_id, id, version, content) VALUES ($1, $2, 1, $3)";
        conn.execute(sql(text, [tenant.into(), id.uuid().into(), content.into()])).await?;
        conn.commit().await?;
        Ok(Added::Added)
    }

    async fn update(&self, grant: &Grant<Write>, id: StagedId, seen: u64, content: &str) -> Result<u64, StoreError> {
        let mut conn = self.write(grant).await?;
        let text = "UPDATE tonne.staged SET version = version + 1, content = $4 \
                    WHERE tenant_id = $1 AND id = $2 AND version = $3";
        let values: [Value; 4] = [grant.tenant().uuid().into(), id.uuid().into(), row::integer(seen)?, content.into()];
        if conn.execute(sql(text, values)).await? == 0 {
            conn.end().await?;
            return Err(StoreError::Stale);
        }
        conn.commit().await?;
        Ok(seen + 1)
    }

    async fn put_chunk(
        &self,
        grant: &Grant<Write>,
        id: StagedId,
        part: SpoolPart,
        number: u32,
        bytes: Vec<u8>,
    ) -> Result<(), StoreError> {
        let mut conn = self.write(grant).await?;
        let text = "INSERT INTO tonne.staged_chunk (tenant_id, staged, part, number, bytes) \
                    SELECT tenant_id, id, $3, $4, $5 FROM tonne.staged WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE \
                    ON CONFLICT (tenant_id, staged, part, number) DO UPDATE SET bytes = excluded.bytes";
        let values: [Value; 5] =
            [grant.tenant().uuid().into(), id.uuid().into(), part.as_str().into(), place(number)?, bytes.into()];
        if conn.execute(sql(text, values)).await? == 0 {
            conn.end().await?;
            return Err(StoreError::Stale);
        }
        conn.commit().await
    }

    async fn chunk(
        &self,
        grant: &Grant<Read>,
        id: StagedId,
        part: SpoolPart,
        number: u32,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let mut conn = self.database.read(grant.tenant()).await?;
        let text = "SELECT bytes FROM tonne.staged_chunk \
                    WHERE tenant_id = $1 AND staged = $2 AND part = $3 AND number = $4";
        let values: [Value; 4] = [grant.tenant().uuid().into(), id.uuid().into(), part.as_str().into(), place(number)?];
        conn.value(sql(text, values)).await
    }

    async fn clear(&self, grant: &Grant<Write>, id: StagedId, part: SpoolPart) -> Result<(), StoreError> {
        let mut conn = self.write(grant).await?;
        let text = "DELETE FROM tonne.staged_chunk WHERE tenant_id = $1 AND staged = $2 AND part = $3";
        let values: [Value; 3] = [grant.tenant().uuid().into(), id.uuid().into(), part.as_str().into()];
        conn.execute(sql(text, values)).await?;
        conn.commit().await
    }

    async fn remove(&self, grant: &Grant<Write>, id: StagedId) -> Result<(), StoreError> {
        let mut conn = self.write(grant).await?;
        let text = "DELETE FROM tonne.staged WHERE tenant_id = $1 AND id = $2";
        conn.execute(sql(text, [grant.tenant().uuid().into(), id.uuid().into()])).await?;
        conn.commit().await
    }
}

/// The number of a chunk as it is stored.
fn place(number: u32) -> Result<Value, StoreError> {
    i32::try_from(number).map(Value::from).map_err(|error| StoreError::Failed(Box::new(error)))
}
