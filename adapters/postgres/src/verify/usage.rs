//! The counts of the activities that refer to a record, against a recount.

use ports::RecordKind;
use ports::store::{Finding, StoreError, Verification};
use uuid::Uuid;

use crate::conn::{TenantConn, column, sql};
use crate::row;

/// Where the count that is stored is not that of the activities. What has no row is in no use.
const WRONG: &str = "SELECT kind, id, coalesce(stored.activities, 0), coalesce(counted.activities, 0) \
    FROM (SELECT kind, id, activities FROM tonne.activity_use WHERE tenant_id = $1) AS stored \
    FULL JOIN (SELECT 4::smallint AS kind, product AS id, count(*) AS activities FROM tonne.activity \
    WHERE tenant_id = $1 AND product IS NOT NULL GROUP BY product \
    UNION ALL SELECT node.kind, node.id, sum(counted.activities)::bigint FROM \
    (SELECT series, count(*) AS activities FROM tonne.activity WHERE tenant_id = $1 GROUP BY series) AS counted \
    JOIN tonne.series ON series.tenant_id = $1 AND series.key = counted.series, \
    LATERAL (VALUES (1::smallint, scope), (2::smallint, org), (3::smallint, taxonomy)) AS node (kind, id) \
    WHERE node.id <> '00000000-0000-0000-0000-000000000000' GROUP BY node.kind, node.id \
    UNION ALL SELECT 5::smallint, factor, count(*) FROM (SELECT factor FROM tonne.activity WHERE tenant_id = $1 \
    UNION ALL SELECT substring(stated FROM $2)::uuid FROM tonne.activity WHERE tenant_id = $1 AND stated IS NOT NULL) \
    AS used WHERE factor IS NOT NULL GROUP BY factor) AS counted USING (kind, id) \
    WHERE coalesce(stored.activities, 0) <> coalesce(counted.activities, 0) ORDER BY kind, id";

/// The factor that counts in the market, in the canonical text of what an activity states. Within a text its quotes would
/// stand behind backslashes.
const MARKET_FACTOR: &str =
    "\"market\":\\{\"basis\":\"[A-Za-z]+\",\"factor\":\"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\"";

/// Recounts the activities of each node, product and factor.
pub(super) async fn check(conn: &mut TenantConn, report: &mut Verification) -> Result<(), StoreError> {
    let tenant = conn.tenant().uuid();
    conn.each(sql(WRONG, [tenant.into(), MARKET_FACTOR.into()]), |row| {
        let (kind, id): (i16, Uuid) = (column(row, 0)?, column(row, 1)?);
        let (stored, counted): (i64, i64) = (column(row, 2)?, column(row, 3)?);
        let kind = row::kind(kind).map_or("record", RecordKind::as_str);
        report.findings.push(Finding::uses(kind, id, stored, counted));
        Ok(())
    })
    .await
}
