//! Rows of the exchange with partners.

use domain::{PartnerId, Timestamp};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::repo::{Listing, Page};
use ports::store::StoreError;
use sea_orm::{Statement, Value};
use uuid::Uuid;

use crate::conn::{TenantConn, column, sql};
use crate::row;
use crate::session::Session;

async fn query(conn: &mut TenantConn, statement: Statement) -> Result<Vec<ExchangeRow>, StoreError> {
    let mut found = Vec::new();
    conn.each(statement, |columns| {
        let (id, kind): (String, String) = (column(columns, 0)?, column(columns, 1)?);
        let damaged = |detail: String| StoreError::Corrupt { subject: format!("exchange {kind} {id}"), detail };
        let moment = |column: &str, millis: i64| {
            Timestamp::from_millis(millis).ok_or_else(|| damaged(format!("{column}: {millis} is no time")))
        };
        let (partner, at, due): (Uuid, i64, Option<i64>) =
            (column(columns, 2)?, column(columns, 3)?, column(columns, 4)?);
        found.push(ExchangeRow {
            kind: ExchangeKind::parse(&kind).ok_or_else(|| damaged("kind: is none".to_owned()))?,
            partner: PartnerId::new(partner),
            at: moment("at", at)?,
            due: due.map(|due| moment("due", due)).transpose()?,
            content: column(columns, 5)?,
            id,
        });
        Ok(())
    })
    .await?;
    Ok(found)
}

/// The row of that kind and id.
pub(crate) async fn find(
    conn: &mut TenantConn,
    kind: ExchangeKind,
    id: &str,
) -> Result<Option<ExchangeRow>, StoreError> {
    let text = "SELECT id, kind, partner, at, due, content FROM tonne.exchange \
                WHERE tenant_id = $1 AND kind = $2 AND id = $3";
    let values: [Value; 3] = [conn.tenant().uuid().into(), kind.as_str().into(), id.into()];
    Ok(query(conn, sql(text, values)).await?.pop())
}

/// One page of a partner's rows of a kind, the newest first.
pub(crate) async fn list(
    conn: &mut TenantConn,
    kind: ExchangeKind,
    partner: PartnerId,
    page: Page,
) -> Result<Listing<ExchangeRow>, StoreError> {
    let tenant = conn.tenant().uuid();
    let text = "SELECT count(*) FROM tonne.exchange WHERE tenant_id = $1 AND kind = $2 AND partner = $3";
    let values: [Value; 3] = [tenant.into(), kind.as_str().into(), partner.uuid().into()];
    let count: Option<i64> = conn.value(sql(text, values)).await?;
    let text = "SELECT id, kind, partner, at, due, content FROM tonne.exchange \
                WHERE tenant_id = $1 AND kind = $2 AND partner = $3 ORDER BY at DESC, id DESC LIMIT $4 OFFSET $5";
    let values: [Value; 5] = [
        tenant.into(),
        kind.as_str().into(),
        partner.uuid().into(),
        i64::from(page.size).into(),
        row::integer(page.offset())?,
    ];
    let data = query(conn, sql(text, values)).await?;
    Ok(Listing { count: count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default(), page, data })
}

/// Up to `limit` partners with a row that is due, and when their first one is. The index is entered once for each partner: it
/// is not read past the rows of those that wait.
pub(crate) async fn due_partners(
    conn: &mut TenantConn,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<(PartnerId, Timestamp)>, StoreError> {
    let text = "WITH RECURSIVE one (partner) AS ( \
                    (SELECT partner FROM tonne.exchange WHERE tenant_id = $1 AND due IS NOT NULL \
                     ORDER BY partner LIMIT 1) \
                    UNION ALL SELECT (SELECT next.partner FROM tonne.exchange next \
                        WHERE next.tenant_id = $1 AND next.due IS NOT NULL AND next.partner > one.partner \
                        ORDER BY next.partner LIMIT 1) \
                    FROM one WHERE one.partner IS NOT NULL) \
                SELECT one.partner, first.due FROM one CROSS JOIN LATERAL ( \
                    SELECT due FROM tonne.exchange WHERE tenant_id = $1 AND partner = one.partner AND due <= $2 \
                    ORDER BY due LIMIT 1) first \
                ORDER BY first.due, one.partner LIMIT $3";
    let values: [Value; 3] = [conn.tenant().uuid().into(), now.millis().into(), i64::from(limit).into()];
    let mut found = Vec::new();
    conn.each(sql(text, values), |columns| {
        let (partner, due): (Uuid, i64) = (column(columns, 0)?, column(columns, 1)?);
        let due = Timestamp::from_millis(due).ok_or_else(|| StoreError::Corrupt {
            subject: format!("exchange of partner {partner}"),
            detail: format!("due: {due} is no time"),
        })?;
        found.push((PartnerId::new(partner), due));
        Ok(())
    })
    .await?;
    Ok(found)
}

/// Up to `limit` rows of a partner that are due, the one that is due longest first.
pub(crate) async fn due(
    conn: &mut TenantConn,
    partner: PartnerId,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<ExchangeRow>, StoreError> {
    let text = "SELECT id, kind, partner, at, due, content FROM tonne.exchange \
                WHERE tenant_id = $1 AND partner = $2 AND due <= $3 ORDER BY due, id LIMIT $4";
    let values: [Value; 4] =
        [conn.tenant().uuid().into(), partner.uuid().into(), now.millis().into(), i64::from(limit).into()];
    query(conn, sql(text, values)).await
}

/// How many rows of a partner are due at some time.
pub(crate) async fn waiting(conn: &mut TenantConn, partner: PartnerId) -> Result<u64, StoreError> {
    let text = "SELECT count(*) FROM tonne.exchange WHERE tenant_id = $1 AND partner = $2 AND due IS NOT NULL";
    let values: [Value; 2] = [conn.tenant().uuid().into(), partner.uuid().into()];
    let count: Option<i64> = conn.value(sql(text, values)).await?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
}

/// Stores a row, in place of what is stored under its kind and id.
pub(crate) async fn put(conn: &mut TenantConn, session: &mut Session, stored: &ExchangeRow) -> Result<(), StoreError> {
    let ExchangeRow { kind, id, partner, at, due, content } = stored;
    let text = "INSERT INTO tonne.exchange (tenant_id, kind, id, partner, at, due, content) \
                VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tenant_id, kind, id) DO UPDATE \
                SET partner = excluded.partner, at = excluded.at, due = excluded.due, content = excluded.content";
    let values: [Value; 7] = [
        conn.tenant().uuid().into(),
        kind.as_str().into(),
        id.as_str().into(),
        partner.uuid().into(),
        at.millis().into(),
        due.map(Timestamp::millis).into(),
        content.as_str().into(),
    ];
    conn.execute(sql(text, values)).await?;
    session.writes_beside = true;
    Ok(())
}

/// Removes the row of that kind and id.
pub(crate) async fn remove(
    conn: &mut TenantConn,
    session: &mut Session,
    kind: ExchangeKind,
    id: &str,
) -> Result<(), StoreError> {
    let text = "DELETE FROM tonne.exchange WHERE tenant_id = $1 AND kind = $2 AND id = $3";
    let values: [Value; 3] = [conn.tenant().uuid().into(), kind.as_str().into(), id.into()];
    conn.execute(sql(text, values)).await?;
    session.writes_beside = true;
    Ok(())
}

/// Removes up to `limit` rows of a kind that are older and not due, and gives how many.
pub(crate) async fn remove_before(
    conn: &mut TenantConn,
    session: &mut Session,
    kind: ExchangeKind,
    before: Timestamp,
    limit: u32,
) -> Result<u64, StoreError> {
    let text = "DELETE FROM tonne.exchange WHERE tenant_id = $1 AND kind = $2 AND id = ANY (ARRAY (\
                SELECT id FROM tonne.exchange WHERE tenant_id = $1 AND kind = $2 AND due IS NULL AND at < $3 \
                ORDER BY at, id LIMIT $4))";
    let values: [Value; 4] =
        [conn.tenant().uuid().into(), kind.as_str().into(), before.millis().into(), i64::from(limit).into()];
    let removed = conn.execute(sql(text, values)).await?;
    session.writes_beside = true;
    Ok(removed)
}

/// Removes every row about a partner.
pub(crate) async fn remove_partner(
    conn: &mut TenantConn,
    session: &mut Session,
    partner: PartnerId,
) -> Result<(), StoreError> {
    let text = "DELETE FROM tonne.exchange WHERE tenant_id = $1 AND partner = $2";
    let values: [Value; 2] = [conn.tenant().uuid().into(), partner.uuid().into()];
    conn.execute(sql(text, values)).await?;
    session.writes_beside = true;
    Ok(())
}
