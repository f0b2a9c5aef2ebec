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
pub(super) async fn look(
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

#[cfg(test)]
mod tests {
    use memory::MemoryStore;
    use ports::contract::sample::{self, SampleIds};
    use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};

    use super::super::Severity;
    use super::*;

    const DAYS: i64 = 24 * 60 * 60;

    /// What is found so many seconds after that many answers were stored.
    async fn found(answers: u64, seconds: i64) -> Option<Finding> {
        let (store, tenant) = (MemoryStore::new(SampleIds::shared()), sample::tenant(1, "acme"));
        let grant = Grant::for_maintenance(tenant.id, "test");
        store.prepare(&grant).await.unwrap();
        let mut tx = store.write(&grant.to_write(), sample::intent()).await.unwrap();
        for number in 0..answers {
            let key = RequestKey::new("key:1", "POST /v1/activity", &number.to_string());
            let answer = FirstAnswer { status: 201, location: None, etag: None, body: Vec::new() };
            tx.answers_mut().add(KeyedRequest::new(key, "", b"{}"), answer).await.unwrap();
        }
        tx.commit().await.unwrap();
        look(&store, &tenant, &grant, sample::at(seconds)).await.unwrap()
    }

    #[tokio::test]
    async fn a_thousand_answers_that_nobody_removed_are_found_with_what_removes_them() {
        let Finding { severity, check, place, what, mend } = found(1_000, 3 * DAYS).await.unwrap();
        assert_eq!((severity, check, place.as_str()), (Severity::Warning, "growth", "company acme, table answer"));
        assert_eq!(what, "1000 answers to requests with an Idempotency-Key are older than three days and still there");
        assert!(mend.starts_with("let the service run for two days"), "{mend}");
    }

    #[tokio::test]
    async fn fewer_answers_and_younger_ones_are_no_finding() {
        assert_eq!(found(999, 3 * DAYS).await, None);
        assert_eq!(found(1_000, 3 * DAYS - 1).await, None);
    }
}
