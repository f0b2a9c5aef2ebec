//! Rows of the exchange with partners.

use domain::{PartnerId, Timestamp};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::repo::{Listing, Page};
use ports::store::StoreError;
use rusqlite::{Connection, Params, params};

use crate::error::StoreErr as _;

fn query(conn: &Connection, conditions: &str, params: impl Params) -> Result<Vec<ExchangeRow>, StoreError> {
    let sql = format!("SELECT id, kind, partner, at, due, content FROM exchange {conditions}");
    let mut statement = conn.prepare_cached(&sql).store_err()?;
    let mut rows = statement.query(params).store_err()?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().store_err()? {
        let (id, kind): (String, String) = (row.get(0).store_err()?, row.get(1).store_err()?);
        let damaged = |detail: String| StoreError::Corrupt { subject: format!("exchange {kind} {id}"), detail };
        let moment = |column: &str, millis: i64| {
            Timestamp::from_millis(millis).ok_or_else(|| damaged(format!("{column}: {millis} is no time")))
        };
        let due: Option<i64> = row.get(4).store_err()?;
        found.push(ExchangeRow {
            kind: ExchangeKind::parse(&kind).ok_or_else(|| damaged("kind: is none".to_owned()))?,
            partner: PartnerId::new(row.get(2).store_err()?),
            at: moment("at", row.get(3).store_err()?)?,
            due: due.map(|due| moment("due", due)).transpose()?,
            content: row.get(5).store_err()?,
            id,
        });
    }
    Ok(found)
}

/// The row of that kind and id.
pub(crate) fn find(conn: &Connection, kind: ExchangeKind, id: &str) -> Result<Option<ExchangeRow>, StoreError> {
    Ok(query(conn, "WHERE kind = ? AND id = ?", params![kind.as_str(), id])?.pop())
}

/// One page of a partner's rows of a kind, the newest first.
pub(crate) fn list(
    conn: &Connection,
    kind: ExchangeKind,
    partner: PartnerId,
    page: Page,
) -> Result<Listing<ExchangeRow>, StoreError> {
    let count = conn
        .prepare_cached("SELECT count(*) FROM exchange WHERE kind = ? AND partner = ?")
        .and_then(|mut statement| statement.query_row(params![kind.as_str(), partner.uuid()], |row| row.get(0)))
        .store_err()?;
    let offset = i64::try_from(page.offset()).unwrap_or(i64::MAX);
    let conditions = "WHERE kind = ? AND partner = ? ORDER BY at DESC, id DESC LIMIT ? OFFSET ?";
    let data = query(conn, conditions, params![kind.as_str(), partner.uuid(), page.size, offset])?;
    Ok(Listing { count, page, data })
}

/// Up to `limit` partners with a row that is due, and when their first one is. The index is entered once for each partner: it
/// is not read past the rows of those that wait.
pub(crate) fn due_partners(
    conn: &Connection,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<(PartnerId, Timestamp)>, StoreError> {
    let sql = "WITH RECURSIVE one (partner) AS ( \
                   SELECT min(partner) FROM exchange WHERE due IS NOT NULL \
                   UNION ALL SELECT (SELECT min(partner) FROM exchange WHERE due IS NOT NULL AND partner > one.partner) \
                   FROM one WHERE partner IS NOT NULL), \
               first (partner, due) AS ( \
                   SELECT partner, (SELECT min(due) FROM exchange WHERE due IS NOT NULL AND partner = one.partner) \
                   FROM one WHERE partner IS NOT NULL) \
               SELECT partner, due FROM first WHERE due <= ? ORDER BY due, partner LIMIT ?";
    let mut statement = conn.prepare_cached(sql).store_err()?;
    let mut rows = statement.query(params![now.millis(), limit]).store_err()?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().store_err()? {
        let (partner, due) = (PartnerId::new(row.get(0).store_err()?), row.get(1).store_err()?);
        let due = Timestamp::from_millis(due).ok_or_else(|| StoreError::Corrupt {
            subject: format!("exchange of partner {partner}"),
            detail: format!("due: {due} is no time"),
        })?;
        found.push((partner, due));
    }
    Ok(found)
}

/// Up to `limit` rows of a partner that are due, the one that is due longest first.
pub(crate) fn due(
    conn: &Connection,
    partner: PartnerId,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<ExchangeRow>, StoreError> {
    let conditions = "WHERE partner = ? AND due <= ? ORDER BY due, id LIMIT ?";
    query(conn, conditions, params![partner.uuid(), now.millis(), limit])
}

/// How many rows of a partner are due at some time.
pub(crate) fn waiting(conn: &Connection, partner: PartnerId) -> Result<u64, StoreError> {
    conn.prepare_cached("SELECT count(*) FROM exchange WHERE partner = ? AND due IS NOT NULL")
        .and_then(|mut statement| statement.query_row([partner.uuid()], |row| row.get(0)))
        .store_err()
}

/// Stores a row, in place of what is stored under its kind and id.
pub(crate) fn put(conn: &Connection, stored: &ExchangeRow) -> Result<(), StoreError> {
    let ExchangeRow { kind, id, partner, at, due, content } = stored;
    let sql = "INSERT INTO exchange (kind, id, partner, at, due, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
               ON CONFLICT (kind, id) DO UPDATE SET partner = ?3, at = ?4, due = ?5, content = ?6";
    let due = due.map(Timestamp::millis);
    conn.prepare_cached(sql)
        .and_then(|mut one| one.execute(params![kind.as_str(), id, partner.uuid(), at.millis(), due, content]))
        .map(drop)
        .store_err()
}

/// Removes the row of that kind and id.
pub(crate) fn remove(conn: &Connection, kind: ExchangeKind, id: &str) -> Result<(), StoreError> {
    conn.prepare_cached("DELETE FROM exchange WHERE kind = ? AND id = ?")
        .and_then(|mut statement| statement.execute(params![kind.as_str(), id]))
        .map(drop)
        .store_err()
}

/// Removes up to `limit` rows of a kind that are older and not due, and gives how many.
pub(crate) fn remove_before(
    conn: &Connection,
    kind: ExchangeKind,
    before: Timestamp,
    limit: u32,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM exchange WHERE kind = ?1 AND id IN (SELECT id FROM exchange \
               WHERE kind = ?1 AND due IS NULL AND at < ?2 ORDER BY at, id LIMIT ?3)";
    let removed = conn
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute(params![kind.as_str(), before.millis(), limit]))
        .store_err()?;
    Ok(removed as u64)
}

/// Removes every row about a partner.
pub(crate) fn remove_partner(conn: &Connection, partner: PartnerId) -> Result<(), StoreError> {
    conn.prepare_cached("DELETE FROM exchange WHERE partner = ?")
        .and_then(|mut statement| statement.execute([partner.uuid()]))
        .map(drop)
        .store_err()
}
