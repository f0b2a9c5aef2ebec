//! First answers to requests that may be sent again.

use domain::Timestamp;
use ports::repeat::{ANSWER_MS, FirstAnswer, KeyedRequest, RequestKey, StoredAnswer, outdated_before};
use ports::repo::SWEPT;
use ports::store::{Conflict, StoreError};
use sea_orm::{FromQueryResult, Value};
use time::OffsetDateTime;

use crate::conn::{Conn, TenantConn, sql};
use crate::error::failed;
use crate::row::{self, Damage, damage};
use crate::session::Session;

#[derive(FromQueryResult)]
struct Columns {
    content: Vec<u8>,
    status: i32,
    location: Option<String>,
    etag: Option<String>,
    body: Vec<u8>,
}

impl Columns {
    fn read(self) -> Result<StoredAnswer, Damage> {
        let Self { content, status, location, etag, body } = self;
        let content = row::digest("content", &content)?;
        let status = u16::try_from(status).map_err(|_| damage("status", format!("{status} is no status")))?;
        Ok(StoredAnswer { content, answer: FirstAnswer { status, location, etag, body } })
    }
}

#[derive(FromQueryResult)]
struct Past {
    at: OffsetDateTime,
}

/// The moment before which answers were stored that count no more: a day ago by the clock of the node that says `now` and
/// by that of the database. A node whose clock is ahead would carry out again what was done, and remove the answers of others.
pub(crate) async fn outdated(conn: &mut Conn, now: Timestamp) -> Result<Timestamp, StoreError> {
    let text =
        format!("SELECT least($1, date_trunc('milliseconds', now()) - interval '{ANSWER_MS} milliseconds') AS at");
    let found: Option<Past> = conn.one(sql(&text, [row::at(outdated_before(now))])).await?;
    let past = found.ok_or_else(|| failed("the database does not say what time it is"))?;
    let damaged = |Damage(detail)| StoreError::Corrupt { subject: "the clock".to_owned(), detail };
    row::timestamp("at", past.at).map_err(damaged)
}

/// The first answer to the request of that key, if it is not outdated at that moment.
pub(crate) async fn find(
    conn: &mut TenantConn,
    key: RequestKey,
    now: Timestamp,
) -> Result<Option<StoredAnswer>, StoreError> {
    let text = "SELECT content, status, location, etag, body FROM tonne.answer \
                WHERE tenant_id = $1 AND key = $2 AND at > $3";
    let outdated = outdated(conn, now).await?;
    let values = [conn.tenant().uuid().into(), row::bytes(key.digest()), row::at(outdated)];
    let found: Option<Columns> = conn.one(sql(text, values)).await?;
    let damaged = |Damage(detail)| StoreError::Corrupt { subject: format!("answer {}", key.digest()), detail };
    found.map(|columns| columns.read().map_err(damaged)).transpose()
}

/// Stores a first answer at the transaction's time, or the database's where that is later: one of a node whose clock is behind
/// is not outdated for the others. Removes outdated ones.
pub(crate) async fn add(
    conn: &mut TenantConn,
    session: &mut Session,
    request: KeyedRequest,
    answer: FirstAnswer,
) -> Result<(), StoreError> {
    let (tenant, outdated) = (conn.tenant().uuid(), outdated(conn, session.at()).await?);
    let FirstAnswer { status, location, etag, body } = answer;
    let put = "INSERT INTO tonne.answer (tenant_id, key, content, at, status, location, etag, body) \
               VALUES ($1, $2, $3, greatest($4, date_trunc('milliseconds', now())), $5, $6, $7, $8) ON CONFLICT (tenant_id, key) DO UPDATE \
               SET content = excluded.content, at = excluded.at, status = excluded.status, \
               location = excluded.location, etag = excluded.etag, body = excluded.body WHERE answer.at <= $9";
    let values: [Value; 9] = [
        tenant.into(),
        row::bytes(request.key.digest()),
        row::bytes(request.content),
        row::at(session.at()),
        i32::from(status).into(),
        location.into(),
        etag.into(),
        body.into(),
        row::at(outdated),
    ];
    if conn.execute(sql(put, values)).await? == 0 {
        return Err(StoreError::Conflict(Conflict::Repeated));
    }
    session.writes_beside = true;
    remove(conn, outdated, SWEPT).await.map(drop)
}

/// How many answers of a tenant are outdated.
pub(crate) async fn count_outdated(conn: &mut TenantConn, now: Timestamp) -> Result<u64, StoreError> {
    let outdated = outdated(conn, now).await?;
    let text = "SELECT count(*) FROM tonne.answer WHERE tenant_id = $1 AND at <= $2";
    let values: [Value; 2] = [conn.tenant().uuid().into(), row::at(outdated)];
    let found: Option<i64> = conn.value(sql(text, values)).await?;
    Ok(found.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
}

/// Removes outdated answers of a tenant, at most so many, and gives how many.
pub(crate) async fn sweep(conn: &mut TenantConn, now: Timestamp, most: u32) -> Result<u64, StoreError> {
    let outdated = outdated(conn, now).await?;
    remove(conn, outdated, most).await
}

async fn remove(conn: &mut TenantConn, outdated: Timestamp, most: u32) -> Result<u64, StoreError> {
    let sweep = "DELETE FROM tonne.answer WHERE tenant_id = $1 AND key IN \
                 (SELECT key FROM tonne.answer WHERE tenant_id = $1 AND at <= $2 ORDER BY at LIMIT $3)";
    let values: [Value; 3] = [conn.tenant().uuid().into(), row::at(outdated), i64::from(most).into()];
    conn.execute(sql(sweep, values)).await
}
