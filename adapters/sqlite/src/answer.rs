//! First answers to requests that may be sent again.

use domain::Timestamp;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey, StoredAnswer, outdated_before};
use ports::repo::SWEPT;
use ports::store::{Conflict, StoreError};
use rusqlite::{Connection, params};

use crate::error::StoreErr as _;
use crate::row;

/// The first answer to the request of that key, if it is not outdated at that moment.
pub(crate) fn find(conn: &Connection, key: RequestKey, now: Timestamp) -> Result<Option<StoredAnswer>, StoreError> {
    let sql = "SELECT content, status, location, etag, body FROM answer WHERE key = ? AND at > ?";
    let key = key.digest();
    let params = params![key.as_bytes(), outdated_before(now).millis()];
    let mut found = row::collect(conn, sql, params, "answer", |columns| {
        let content = columns.digest()?;
        let (status, location, etag, body) = (columns.take()?, columns.take()?, columns.take()?, columns.take()?);
        Ok(StoredAnswer { content, answer: FirstAnswer { status, location, etag, body } })
    })?;
    Ok(found.pop())
}

/// Stores a first answer at that moment, and removes outdated ones.
pub(crate) fn add(
    conn: &Connection,
    at: Timestamp,
    request: KeyedRequest,
    answer: &FirstAnswer,
) -> Result<(), StoreError> {
    let (key, outdated) = (request.key.digest(), outdated_before(at).millis());
    let FirstAnswer { status, location, etag, body } = answer;
    let put = "INSERT INTO answer (key, content, at, status, location, etag, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
               ON CONFLICT (key) DO UPDATE SET content = ?2, at = ?3, status = ?4, location = ?5, etag = ?6, body = ?7 \
               WHERE answer.at <= ?8";
    let values = params![
        key.as_bytes(),
        request.content.as_bytes(),
        at.millis(),
        status,
        location.as_deref(),
        etag.as_deref(),
        body.as_slice(),
        outdated
    ];
    if execute(conn, put, values)? == 0 {
        return Err(StoreError::Conflict(Conflict::Repeated));
    }
    sweep(conn, at, SWEPT).map(drop)
}

/// How many answers are outdated.
pub(crate) fn count_outdated(conn: &Connection, now: Timestamp) -> Result<u64, StoreError> {
    let sql = "SELECT count(*) FROM answer WHERE at <= ?";
    conn.query_row(sql, [outdated_before(now).millis()], |row| row.get(0)).store_err()
}

/// Removes outdated answers, at most so many, and gives how many.
pub(crate) fn sweep(conn: &Connection, now: Timestamp, most: u32) -> Result<u64, StoreError> {
    let sweep = "DELETE FROM answer WHERE key IN (SELECT key FROM answer WHERE at <= ? ORDER BY at LIMIT ?)";
    execute(conn, sweep, params![outdated_before(now).millis(), most]).map(|removed| removed as u64)
}

fn execute(conn: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<usize, StoreError> {
    conn.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).store_err()
}
