//! Products that have words.

use domain::{Product, ProductId};
use ports::inbound::{Error, Found, ProductSearch, ProductView};
use ports::store::ReadTx;

/// Products that are read at once while others are sought.
const BATCH: u32 = 500;

/// Reads on from the place that the search names until as many are found as it wants, or none are left.
pub(super) async fn search(
    tx: &mut dyn ReadTx,
    search: &ProductSearch,
) -> Result<Found<ProductView, ProductId>, Error> {
    let (most, mut after, mut data) = (search.limit.max(1) as usize, search.after, Vec::new());
    loop {
        let batch = tx.products().after(after, BATCH).await?;
        let is_last = batch.len() < BATCH as usize;
        after = batch.last().map(|last| last.value.id);
        for product in batch {
            if !has(search, &product.value) {
                continue;
            }
            // One more than is wanted shows that there are more.
            if data.len() == most {
                return Ok(Found { end: data.last().map(|last: &ProductView| last.product.value.id), data });
            }
            data.push(ProductView { product });
        }
        if is_last {
            return Ok(Found { data, end: None });
        }
    }
}

fn has(search: &ProductSearch, product: &Product) -> bool {
    let (unit, id) = (product.unit.to_string(), product.id.to_string());
    let sync_id = product.sync_id.as_ref().map(ToString::to_string).unwrap_or_default();
    search.words.are_in([product.name.as_str(), &sync_id, &unit, &id])
}
