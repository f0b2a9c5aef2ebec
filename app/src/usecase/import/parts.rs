//! Which changes an import made, and their items part by part.

use ports::ChangeItem;
use ports::import_batch::ImportBatch;
use ports::inbound::Error;
use ports::ledger::PartPlace;
use ports::repo::LedgerReader;
use ports::store::StoreError;

/// How many parts of a change are taken back at a time.
pub(in crate::usecase) const PARTS_AT_ONCE: u32 = 2;

/// How many changes are looked at at once.
const CHANGES: u32 = 1_000;
/// How many parts are counted at once.
const PARTS: u32 = 16;

/// The numbers of the changes that the import made, in order.
pub(super) async fn changes_of(
    ledger: &mut (dyn LedgerReader + '_),
    batch: &ImportBatch,
) -> Result<Vec<u64>, StoreError> {
    let Some((first, last)) = batch.changes else { return Ok(Vec::new()) };
    let (cause, mut numbers, mut after) = (batch.cause(), Vec::new(), first.saturating_sub(1));
    loop {
        let changes = ledger.changes_since(after, CHANGES).await?;
        let Some(newest) = changes.last().map(|change| change.number) else { return Ok(numbers) };
        let own = changes.iter().filter(|change| change.number <= last && change.cause == cause);
        numbers.extend(own.map(|change| change.number));
        if newest >= last {
            return Ok(numbers);
        }
        after = newest;
    }
}

/// How many parts the items of a change have.
pub(in crate::usecase) async fn count_parts(
    ledger: &mut (dyn LedgerReader + '_),
    change: u64,
) -> Result<u32, StoreError> {
    let mut count = 0;
    loop {
        let parts = ledger.items_since(behind(change, count), PARTS).await?;
        let own = parts.iter().filter(|(place, _)| place.change == change).count();
        count += u32::try_from(own).unwrap_or(u32::MAX);
        if own < PARTS as usize {
            return Ok(count);
        }
    }
}

/// The items of up to `limit` parts of a change from that part on, and how many parts those are.
pub(in crate::usecase) async fn items_of(
    ledger: &mut (dyn LedgerReader + '_),
    change: u64,
    from: u32,
    limit: u32,
) -> Result<(Vec<ChangeItem>, u32), Error> {
    let parts = ledger.items_since(behind(change, from), limit).await?;
    let (mut items, mut count) = (Vec::new(), 0);
    for (_, part) in parts.iter().filter(|(place, _)| place.change == change) {
        count += 1;
        for item in part.items() {
            let damaged =
                |error| StoreError::Corrupt { subject: format!("change {change}"), detail: format!("{error}") };
            items.push(item.map_err(damaged)?);
        }
    }
    Ok((items, count))
}

/// The place behind the first `parts` parts of a change.
const fn behind(change: u64, parts: u32) -> PartPlace {
    match parts.checked_sub(1) {
        Some(part) => PartPlace { change, part },
        None => PartPlace::behind(change.saturating_sub(1)),
    }
}
