//! Factors that have words, of whatever product.

use domain::{Factor, Product};
use ports::Stored;
use ports::inbound::{Error, FactorPlace, FactorSearch, Found, ProductFactor};
use ports::repo::{Page, Query};
use ports::store::ReadTx;

use super::search::{BATCH, texts};

/// Factors of a product that are read at once: a part.
const PART: u32 = 50;
/// Reading factors of a product takes as long as looking at so many products, which are read many at once.
const READ_COUNTS: u64 = 20;

/// Reads on from the place that the search names until so many are found as are enough, enough were looked at, or none are left.
/// Words that are the id of a factor find that one.
pub(super) async fn search(
    tx: &mut dyn ReadTx,
    search: &FactorSearch,
) -> Result<Found<ProductFactor, FactorPlace>, Error> {
    if let Some(id) = search.words.factor()
        && let Some(factor) = tx.factors().find(id).await?
        && let Some(product) = tx.products().find(factor.value.product()).await?
    {
        return Ok(Found {
            data: vec![ProductFactor { product: product.value.name, factor }],
            end: None,
            looked_at: 1,
        });
    }
    let mut finding = Finding { search, data: Vec::new(), looked_at: 0 };
    let mut after = search.after.map(|place| place.product);
    if let Some(FactorPlace { product: id, parts }) = search.after.filter(|place| place.parts > 0)
        && let Some(product) = tx.products().find(id).await?
        && let Some(left) = finding.parts(tx, &product.value, parts).await?
    {
        return Ok(finding.found(Some(FactorPlace { product: id, parts: left })));
    }
    loop {
        let batch = tx.products().after(after, BATCH).await?;
        let is_last = batch.len() < BATCH as usize;
        for product in batch {
            let product = product.value;
            if finding.is_enough() {
                return Ok(finding.found(after.map(|product| FactorPlace { product, parts: 0 })));
            }
            finding.looked_at += 1;
            after = Some(product.id);
            if !search.words.any_is_in(texts(&product).iter().map(String::as_str)) {
                continue;
            }
            finding.looked_at += READ_COUNTS;
            let count = tx.factors().list(&Query::of(product.id, Page { number: 1, size: 1 })).await?.count;
            let parts = u32::try_from(count.div_ceil(u64::from(PART))).unwrap_or(u32::MAX);
            if let Some(parts) = finding.parts(tx, &product, parts).await? {
                return Ok(finding.found(Some(FactorPlace { product: product.id, parts })));
            }
        }
        if is_last {
            return Ok(finding.found(None));
        }
    }
}

/// What was found so far.
struct Finding<'a> {
    search: &'a FactorSearch,
    data: Vec<ProductFactor>,
    looked_at: u64,
}

impl Finding<'_> {
    fn is_enough(&self) -> bool {
        self.data.len() >= self.search.limit.max(1) as usize || self.looked_at >= u64::from(self.search.look_at.max(1))
    }

    /// Looks at the first so many parts of a product's factors, the last of them first; those that are left where it was enough.
    async fn parts(&mut self, tx: &mut dyn ReadTx, product: &Product, parts: u32) -> Result<Option<u32>, Error> {
        let of_product = texts(product);
        for number in (1..=parts).rev() {
            let listing = tx.factors().list(&Query::of(product.id, Page { number, size: PART })).await?;
            self.looked_at += READ_COUNTS + listing.data.len() as u64;
            for factor in listing.data.into_iter().rev() {
                let own = own_texts(&factor);
                if self.search.words.are_in(of_product.iter().chain(&own).map(String::as_str)) {
                    self.data.push(ProductFactor { product: product.name.clone(), factor });
                }
            }
            if self.is_enough() && number > 1 {
                return Ok(Some(number - 1));
            }
        }
        Ok(None)
    }

    fn found(self, end: Option<FactorPlace>) -> Found<ProductFactor, FactorPlace> {
        Found { data: self.data, end, looked_at: self.looked_at }
    }
}

fn own_texts(factor: &Stored<Factor>) -> [String; 5] {
    let data = factor.value.data();
    let end = data.valid_to.map(|day| day.to_string()).unwrap_or_default();
    let id = factor.value.id().to_string();
    [data.source.to_string(), data.valid_from.to_string(), end, data.unit.to_string(), id]
}
