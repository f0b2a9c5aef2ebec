//! Footprints that are sought by words, status and validity.

use domain::Footprint;
use ports::inbound::{Error, FootprintSearch, FootprintView, Found};
use ports::repo::Valid;
use ports::store::ReadTx;
use ports::{Caller, Permission};

use super::{valid_view, view};

/// Footprints that are in memory at once while others are sought, of up to 1 MiB each.
const BATCH: u32 = 32;
/// So many footprints are looked at for one part of those that are found.
const MOST_LOOKED_AT: u64 = 20_000;

/// Reads on from the number that the search names until as many are found as it wants, none are left, or enough were looked at.
pub(super) async fn search(
    tx: &mut dyn ReadTx,
    caller: &Caller,
    search: &FootprintSearch,
) -> Result<Found<FootprintView, u64>, Error> {
    let sees_all = caller.check(Permission::FootprintReview).is_ok();
    let (most, mut after, mut data, mut looked_at) = (search.limit.max(1) as usize, search.after, Vec::new(), 0);
    let size = batch_size(search);
    loop {
        let (batch, end) = if sees_all {
            let batch = tx.footprints().above(after, size).await?;
            let end = batch.last().map(|last| last.value.number).filter(|_| batch.len() == size as usize);
            (batch, end)
        } else {
            let batch = tx.footprints().valid(Valid { after, until: u64::MAX, limit: size }).await?;
            (batch.records, batch.end)
        };
        for footprint in batch {
            looked_at += 1;
            if !fits(search, &footprint.value) {
                continue;
            }
            let found = if sees_all { view(footprint) } else { valid_view(footprint) };
            if search.is_valid.is_some_and(|is_valid| found.violations.is_empty() != is_valid) {
                continue;
            }
            // One more than is wanted shows that there are more.
            if data.len() == most {
                let end = data.last().map(|last: &FootprintView| last.footprint.value.number);
                return Ok(Found { data, end, looked_at });
            }
            data.push(found);
        }
        match end {
            None => return Ok(Found { data, end: None, looked_at }),
            Some(end) if looked_at >= MOST_LOOKED_AT => return Ok(Found { data, end: Some(end), looked_at }),
            Some(end) => after = end,
        }
    }
}

/// How many are read at once: where all are wanted, no more than one behind the last that is.
fn batch_size(search: &FootprintSearch) -> u32 {
    let wants_all = search.words.as_str().is_empty() && search.status.is_none() && search.is_valid.is_none();
    if wants_all { search.limit.max(1).saturating_add(1).min(BATCH) } else { BATCH }
}

fn fits(search: &FootprintSearch, footprint: &Footprint) -> bool {
    let fields = &footprint.fields;
    let (id, number) = (footprint.id.to_string(), footprint.number.to_string());
    let names = ["productNameCompany", "companyName", "productDescription"];
    let texts = names.map(|name| fields.text(name).unwrap_or_default());
    let ids = fields.texts("productIds").iter().map(String::as_str);
    search.status.as_ref().is_none_or(|status| footprint.status() == status)
        && search.words.are_in(texts.into_iter().chain(ids).chain([id.as_str(), number.as_str()]))
}
