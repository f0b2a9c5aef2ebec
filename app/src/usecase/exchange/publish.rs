//! Events that tell partners of footprints that are new to them or have changed.

use domain::footprint::Edition;
use domain::{FootprintId, Partner, SharedWith, Sharing, Timestamp};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::id_source::Ids;
use ports::inbound::Error;
use ports::repo::{Page, Query};
use ports::store::WriteTx;

use super::stored::{Delivery, State, What, edition, read};

/// The most footprints of an event.
const MOST: usize = 500;
/// How long an event waits for more footprints, in milliseconds.
const GATHERED_MS: i64 = 3_000;
/// How many of the newest events are looked at for one that waits.
const NEWEST: u32 = 10;
/// Partners are read in pages of this size.
const PAGE_SIZE: u32 = 1_000;

/// Stores, in the transaction that writes the footprints, what tells of them those partners that may read them and can be
/// called; where the sharing alone changed, those that could not read them by the one `before`. Events that wait for a partner
/// take more footprints up. Whether there is anything to send.
pub(crate) async fn publish(
    tx: &mut dyn WriteTx,
    ids: &dyn Ids,
    now: Timestamp,
    footprints: &[FootprintId],
    before: Option<&Sharing>,
) -> Result<bool, Error> {
    let mut is_any = false;
    for footprint in footprints {
        for partner in readers(tx, *footprint).await? {
            if before.is_some_and(|before| before.opens_to(partner.id)) {
                continue;
            }
            let verdict = tx.footprints().verdict(*footprint).await?;
            if partner.client_id.is_some() && verdict.is_some_and(|verdict| verdict.is_shown(partner.pact)) {
                tell(tx, ids, now, &partner, *footprint).await?;
                is_any = true;
            }
        }
    }
    Ok(is_any)
}

/// The partners that may read a footprint.
async fn readers(tx: &mut dyn WriteTx, footprint: FootprintId) -> Result<Vec<Partner>, Error> {
    let Some(sharing) = tx.sharings().find(footprint).await? else { return Ok(Vec::new()) };
    match sharing.value.with {
        SharedWith::Partners(partners) => {
            let partners: Vec<_> = partners.into_iter().collect();
            Ok(tx.partners().find_all(&partners).await?.into_iter().map(|stored| stored.value).collect())
        }
        SharedWith::All => {
            let mut all = Vec::new();
            for number in 1.. {
                let page = tx.partners().list(&Query::all(Page { number, size: PAGE_SIZE })).await?.data;
                let is_last = page.len() < PAGE_SIZE as usize;
                all.extend(page.into_iter().map(|stored| stored.value));
                if is_last {
                    break;
                }
            }
            Ok(all)
        }
    }
}

/// Adds the footprint to an event for the partner that was not sent yet, or to a new one.
async fn tell(
    tx: &mut dyn WriteTx,
    ids: &dyn Ids,
    now: Timestamp,
    partner: &Partner,
    footprint: FootprintId,
) -> Result<(), Error> {
    let newest = tx.exchange().list(ExchangeKind::Delivery, partner.id, Page { number: 1, size: NEWEST }).await?.data;
    for row in newest {
        // One that cannot be read takes nothing up, and hinders no write of footprints.
        let Ok(delivery) = read::<Delivery>(&row) else { continue };
        if let Some(more) = with(&delivery, partner.pact, footprint) {
            if more != delivery {
                let ExchangeRow { id, partner, at, due, .. } = row;
                tx.exchange_mut().put(more.row(id, partner, at, due)?).await?;
            }
            return Ok(());
        }
    }
    let delivery = Delivery::new(partner.pact, What::Published { footprints: vec![footprint.uuid()] });
    let due = Timestamp::from_millis(now.millis().saturating_add(GATHERED_MS));
    let row = delivery.row(ids.random().to_string(), partner.id, now, due)?;
    Ok(tx.exchange_mut().put(row).await?)
}

/// The same event with one more footprint, if it takes one: it is of that kind and edition, has room, and was never sent.
fn with(delivery: &Delivery, pact: Edition, footprint: FootprintId) -> Option<Delivery> {
    let What::Published { footprints } = &delivery.what else { return None };
    if delivery.state != State::Waiting || delivery.attempts > 0 || edition(delivery.edition) != pact {
        return None;
    }
    if footprints.contains(&footprint.uuid()) {
        return Some(delivery.clone());
    }
    if footprints.len() >= MOST {
        return None;
    }
    let footprints = footprints.iter().copied().chain([footprint.uuid()]).collect();
    Some(Delivery { what: What::Published { footprints }, ..delivery.clone() })
}
