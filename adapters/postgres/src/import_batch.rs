//! Imports as batches that have a name: their canonical texts, with what they are looked up by.

use domain::{Canonical as _, Digest};
use ports::ImportId;
use ports::import_batch::ImportBatch;
use ports::repo::{Listing, Page};
use ports::store::StoreError;
use sea_orm::{Statement, Value};
use uuid::Uuid;

use crate::conn::{TenantConn, column, sql};
use crate::row;
use crate::session::Session;

async fn query(conn: &mut TenantConn, statement: Statement) -> Result<Vec<ImportBatch>, StoreError> {
    let mut found = Vec::new();
    conn.each(statement, |columns| {
        let (id, content): (Uuid, String) = (column(columns, 0)?, column(columns, 1)?);
        let damaged = |error: domain::CanonicalError| StoreError::Corrupt {
            subject: format!("import {id}"),
            detail: format!("content: {error}"),
        };
        found.push(ImportBatch::from_canonical((), &content).map_err(damaged)?);
        Ok(())
    })
    .await?;
    Ok(found)
}

/// The import of that identifier.
pub(crate) async fn find(conn: &mut TenantConn, id: ImportId) -> Result<Option<ImportBatch>, StoreError> {
    let text = "SELECT id, content FROM tonne.import WHERE tenant_id = $1 AND id = $2";
    let values: [Value; 2] = [conn.tenant().uuid().into(), id.uuid().into()];
    Ok(query(conn, sql(text, values)).await?.pop())
}

/// One page of all imports, the newest first.
pub(crate) async fn list(conn: &mut TenantConn, page: Page) -> Result<Listing<ImportBatch>, StoreError> {
    let tenant = conn.tenant().uuid();
    let count: Option<i64> =
        conn.value(sql("SELECT count(*) FROM tonne.import WHERE tenant_id = $1", [tenant.into()])).await?;
    let text = "SELECT id, content FROM tonne.import WHERE tenant_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3";
    let values: [Value; 3] = [tenant.into(), i64::from(page.size).into(), row::integer(page.offset())?];
    let data = query(conn, sql(text, values)).await?;
    Ok(Listing { count: count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default(), page, data })
}

/// The imports of files with that digest, the newest first.
pub(crate) async fn with_hash(conn: &mut TenantConn, hash: Digest) -> Result<Vec<ImportBatch>, StoreError> {
    let text = "SELECT id, content FROM tonne.import WHERE tenant_id = $1 AND hash = $2 ORDER BY id DESC";
    let values: [Value; 2] = [conn.tenant().uuid().into(), row::bytes(hash)];
    query(conn, sql(text, values)).await
}

/// The imports that are being undone, the newest first. In the text of another one a quote is escaped.
pub(crate) async fn undoing(conn: &mut TenantConn) -> Result<Vec<ImportBatch>, StoreError> {
    let text = r#"SELECT id, content FROM tonne.import
        WHERE tenant_id = $1 AND strpos(content, '"state":"undoing"') > 0 ORDER BY id DESC"#;
    let values: [Value; 1] = [conn.tenant().uuid().into()];
    query(conn, sql(text, values)).await
}

/// Stores an import in a transaction, in place of what is stored under its identifier.
pub(crate) async fn put(conn: &mut TenantConn, session: &mut Session, batch: &ImportBatch) -> Result<(), StoreError> {
    insert(conn, batch).await?;
    session.writes_beside = true;
    Ok(())
}

/// Stores an import, in place of what is stored under its identifier.
pub(crate) async fn insert(conn: &mut TenantConn, batch: &ImportBatch) -> Result<(), StoreError> {
    let text = "INSERT INTO tonne.import (tenant_id, id, hash, content) VALUES ($1, $2, $3, $4) \
                ON CONFLICT (tenant_id, id) DO UPDATE SET hash = excluded.hash, content = excluded.content";
    let hash: Option<Vec<u8>> = batch.hash.map(|hash| hash.as_bytes().to_vec());
    let values: [Value; 4] =
        [conn.tenant().uuid().into(), batch.id.uuid().into(), hash.into(), batch.canonical().into()];
    conn.execute(sql(text, values)).await.map(drop)
}
