//! Forgetting what is done of the exchange.

use domain::Timestamp;
use ports::clock::Clock;
use ports::exchange::ExchangeKind;
use ports::inbound::Error;
use ports::repo::{Page, Query};
use ports::store::Store;
use ports::{TenantId, demand, permit};

use super::outbox::system;
use crate::usecase::draft::begin;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// How many days rows are kept that nothing is left to do for.
const KEPT: [(ExchangeKind, i64); 4] = [
    (ExchangeKind::Taken, 30),
    (ExchangeKind::Delivery, 30),
    (ExchangeKind::Request, 366),
    (ExchangeKind::Footprint, 366),
];
/// How many rows go in one transaction.
const AT_ONCE: u32 = 500;

/// Removes what was done long before that moment, which is certainly past; gives how much.
pub(crate) async fn sweep(
    store: &dyn Store,
    clock: &dyn Clock,
    tenant: TenantId,
    past: Timestamp,
) -> Result<u64, Error> {
    let grant = permit(&system(tenant), demand::EVENT_SEND)?;
    let first = Query::all(Page { number: 1, size: 1 });
    if store.read(&grant.to_read()).await?.partners().list(&first).await?.count == 0 {
        return Ok(0);
    }
    let mut removed = 0;
    for (kind, days) in KEPT {
        let Some(before) = Timestamp::from_millis(past.millis().saturating_sub(days * DAY_MS)) else { continue };
        loop {
            let mut tx = begin(store, clock, &grant, "sweep").await?;
            let gone = tx.exchange_mut().remove_before(kind, before, AT_ONCE).await?;
            if gone > 0 {
                tx.commit().await?;
            }
            removed += gone;
            if gone < u64::from(AT_ONCE) {
                break;
            }
        }
    }
    Ok(removed)
}
