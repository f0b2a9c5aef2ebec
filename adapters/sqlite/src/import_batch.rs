//! Imports as batches that have a name: their canonical texts, with what they are looked up by.

use domain::{Canonical as _, Digest};
use ports::ImportId;
use ports::import_batch::ImportBatch;
use ports::repo::{Listing, Page};
use ports::store::StoreError;
use rusqlite::{Connection, Params, params};

use crate::error::StoreErr as _;
use crate::row;

fn query(conn: &Connection, conditions: &str, params: impl Params) -> Result<Vec<ImportBatch>, StoreError> {
    let sql = format!("SELECT content FROM import {conditions}");
    row::collect(conn, &sql, params, "import", |columns| columns.parse(|text| ImportBatch::from_canonical((), text)))
}

/// The import of that identifier.
pub(crate) fn find(conn: &Connection, id: ImportId) -> Result<Option<ImportBatch>, StoreError> {
    Ok(query(conn, "WHERE id = ?", [id.uuid()])?.pop())
}

/// One page of all imports, the newest first.
pub(crate) fn list(conn: &Connection, page: Page) -> Result<Listing<ImportBatch>, StoreError> {
    let count = conn
        .prepare_cached("SELECT count(*) FROM import")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .store_err()?;
    let offset = i64::try_from(page.offset()).unwrap_or(i64::MAX);
    let data = query(conn, "ORDER BY id DESC LIMIT ? OFFSET ?", params![page.size, offset])?;
    Ok(Listing { count, page, data })
}

/// The imports of files with that digest, the newest first.
pub(crate) fn with_hash(conn: &Connection, hash: Digest) -> Result<Vec<ImportBatch>, StoreError> {
    query(conn, "WHERE hash = ? ORDER BY id DESC", params![hash.as_bytes()])
}

/// The imports that are being undone, the newest first. In the text of another one a quote is escaped.
pub(crate) fn undoing(conn: &Connection) -> Result<Vec<ImportBatch>, StoreError> {
    query(conn, r#"WHERE instr(content, '"state":"undoing"') > 0 ORDER BY id DESC"#, [])
}

/// Stores an import, in place of what is stored under its identifier.
pub(crate) fn put(conn: &Connection, batch: &ImportBatch) -> Result<(), StoreError> {
    let sql = "INSERT INTO import (id, hash, content) VALUES (?1, ?2, ?3) \
               ON CONFLICT (id) DO UPDATE SET hash = ?2, content = ?3";
    let hash = batch.hash.map(|hash| hash.as_bytes().to_vec());
    conn.prepare_cached(sql)
        .and_then(|mut statement| statement.execute(params![batch.id.uuid(), hash, batch.canonical()]))
        .map(drop)
        .store_err()
}
