//! Products that have words.

use domain::{Product, ProductId};
use ports::inbound::{Error, Found, ProductSearch, ProductView};
use ports::store::ReadTx;

/// Products that are read at once while others are sought.
pub(super) const BATCH: u32 = 500;

/// Reads on from the place that the search names until as many are found as it wants, enough were looked at, or none are left.
pub(super) async fn search(
    tx: &mut dyn ReadTx,
    search: &ProductSearch,
) -> Result<Found<ProductView, ProductId>, Error> {
    let (most, mut after, mut data, mut looked_at) = (search.limit.max(1) as usize, search.after, Vec::new(), 0);
    loop {
        let batch = tx.products().after(after, BATCH).await?;
        let is_last = batch.len() < BATCH as usize;
        for product in batch {
            // One more than is wanted shows that there are more.
            let fits = texts(&product.value);
            let fits = search.words.are_in(fits.iter().map(String::as_str));
            if looked_at >= u64::from(search.look_at.max(1)) || fits && data.len() == most {
                return Ok(Found { data, end: after, looked_at });
            }
            looked_at += 1;
            after = Some(product.value.id);
            if fits {
                data.push(ProductView { product });
            }
        }
        if is_last {
            return Ok(Found { data, end: None, looked_at });
        }
    }
}

/// What words are looked for in.
pub(super) fn texts(product: &Product) -> [String; 4] {
    let sync_id = product.sync_id.as_ref().map(ToString::to_string).unwrap_or_default();
    [product.name.to_string(), sync_id, product.unit.to_string(), product.id.to_string()]
}
