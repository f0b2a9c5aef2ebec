//! Tables that grow with what counts no more.

use domain::Timestamp;
use ports::directory::Tenant;
use ports::store::{Store, StoreError};
use ports::{Grant, Maintenance};

use super::Finding;

/// So many outdated records say that nobody removes them: the service does every hour.
const MANY: u64 = 1_000;

/// Looks for records of a tenant that have run out and were not removed.
pub async fn look(
    store: &dyn Store,
    tenant: &Tenant,
    grant: &Grant<Maintenance>,
    now: Timestamp,
) -> Result<Option<Finding>, StoreError> {
    let outdated = store.read(&grant.to_read()).await?.answers().count_outdated(now).await?;
    if outdated < MANY {
        return Ok(None);
    }
    let place = format!("company {}, table answer", tenant.slug);
    let what = format!("{outdated} answers to requests with an Idempotency-Key are older than a day and still there");
    let mend = "start the service: it removes them at its start and every hour; its log says why it could not";
    Ok(Some(Finding::warning("growth", place, what, mend)))
}
