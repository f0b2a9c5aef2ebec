//! Tables that grow with what counts no more.

use domain::Timestamp;
use ports::directory::Tenant;
use ports::store::{Store, StoreError};
use ports::{Grant, Maintenance};

use super::Finding;

/// So many outdated records say that nobody removes them.
const MANY: u64 = 1_000;
/// How long they may lie: the service removes what was outdated at a moment that is certainly past, which is two days ago at
/// most while it runs.
const LYING_MS: i64 = 2 * 24 * 60 * 60 * 1_000;

/// Looks for records of a tenant that have run out and were not removed.
pub async fn look(
    store: &dyn Store,
    tenant: &Tenant,
    grant: &Grant<Maintenance>,
    now: Timestamp,
) -> Result<Option<Finding>, StoreError> {
    let Some(since) = Timestamp::from_millis(now.millis() - LYING_MS) else { return Ok(None) };
    let outdated = store.read(&grant.to_read()).await?.answers().count_outdated(since).await?;
    if outdated < MANY {
        return Ok(None);
    }
    let place = format!("company {}, table answer", tenant.slug);
    let what =
        format!("{outdated} answers to requests with an Idempotency-Key are older than three days and still there");
    let mend = "let the service run for two days: it removes them when it is certain of the time; its log says why it could not";
    Ok(Some(Finding::warning("growth", place, what, mend)))
}
