//! Products that references lead to, with their factors.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{Factor, Product, ProductId, SyncId};
use ports::RecordKind;
use ports::inbound::{Error, Reference, Shown};
use ports::repo::{Page, Query};
use ports::store::ReadTx;

use super::{Found, Resolver, one_of};

/// The most factors of a product that are looked at; a product has one per edition of its source.
const FACTORS: u32 = 1_000;

/// A product with its factors.
#[derive(Clone, Debug)]
pub(in crate::usecase) struct ProductWithFactors {
    pub(in crate::usecase) product: Product,
    pub(in crate::usecase) factors: Vec<Factor>,
}

impl Resolver {
    /// The product that the reference names.
    pub(in crate::usecase) async fn product(
        &mut self,
        tx: &mut dyn ReadTx,
        reference: &Reference,
    ) -> Result<Found<Arc<ProductWithFactors>>, Error> {
        let found = if let Some(found) = self.products.get(reference) {
            found.clone()
        } else {
            let found = self.find_product(tx, reference).await?;
            self.products.insert(reference.clone(), found.clone());
            found
        };
        match found {
            Ok(id) => {
                Ok(self.product_with_factors(tx, id).await?.ok_or_else(|| format!("the product {id} was removed")))
            }
            Err(detail) => Ok(Err(detail)),
        }
    }

    async fn find_product(&mut self, tx: &mut dyn ReadTx, reference: &Reference) -> Result<Found<ProductId>, Error> {
        let missing = |what: String| format!("there is no product with {what}; GET /v1/product lists those there are");
        Ok(match reference {
            Reference::Id(id) => {
                let product = tx.products().find(ProductId::new(*id)).await?;
                product.map(|product| product.value.id).ok_or_else(|| missing(format!("the uuid {id}")))
            }
            Reference::SyncId(sync_id) => {
                let product = tx.products().find_by_sync_id(sync_id).await?;
                product.map(|product| product.value.id).ok_or_else(|| missing(format!("the syncId {sync_id}")))
            }
            Reference::Word(word) => self.product_of_word(tx, word).await?,
            Reference::Shown(shown) => self.product_of_shown(tx, shown).await?,
            Reference::Path(_) => Err("is a path; products are not made on the way".to_owned()),
        })
    }

    async fn product_of_word(&mut self, tx: &mut dyn ReadTx, word: &str) -> Result<Found<ProductId>, Error> {
        if let Ok(id) = domain::parse_uuid(word)
            && let Some(product) = tx.products().find(ProductId::new(id)).await?
        {
            return Ok(Ok(product.value.id));
        }
        if let Ok(sync_id) = SyncId::parse(word)
            && let Some(product) = tx.products().find_by_sync_id(&sync_id).await?
        {
            return Ok(Ok(product.value.id));
        }
        if self.product_words.is_none() {
            self.product_words = Some(read_product_words(tx).await?);
        }
        Ok(one_of(self.product_words.as_ref().and_then(|words| words.get(word)), RecordKind::Product, word))
    }

    /// What an answer shows: by its uuid, else its syncId; by its name where it shows no syncId.
    async fn product_of_shown(&mut self, tx: &mut dyn ReadTx, shown: &Shown) -> Result<Found<ProductId>, Error> {
        let Shown { id, sync_id, path, name } = shown;
        if let Some(found) = tx.products().find(ProductId::new(*id)).await? {
            return Ok(Ok(found.value.id));
        }
        if let Some(sync_id) = sync_id
            && let Some(found) = tx.products().find_by_sync_id(sync_id).await?
        {
            return Ok(Ok(found.value.id));
        }
        // No tree has products, so a path is a name.
        match (path, sync_id, name) {
            (Some(word), _, _) | (None, None, Some(word)) => self.product_of_word(tx, word).await,
            (None, Some(sync_id), _) => {
                Ok(Err(format!("there is no product with the syncId {sync_id}; GET /v1/product lists those there are")))
            }
            (None, None, None) => Ok(Err(format!("there is no product with the uuid {id}"))),
        }
    }

    /// A product with its factors; `None` when it is not there.
    pub(in crate::usecase) async fn product_with_factors(
        &mut self,
        tx: &mut dyn ReadTx,
        id: ProductId,
    ) -> Result<Option<Arc<ProductWithFactors>>, Error> {
        if let Some(known) = self.with_factors.get(&id) {
            return Ok(Some(Arc::clone(known)));
        }
        let Some(product) = tx.products().find(id).await? else { return Ok(None) };
        let found = Arc::new(ProductWithFactors { product: product.value, factors: all_factors(tx, id).await? });
        self.with_factors.insert(id, Arc::clone(&found));
        Ok(Some(found))
    }
}

/// All factors of a product, by the day they are valid from.
pub(in crate::usecase) async fn all_factors(tx: &mut dyn ReadTx, product: ProductId) -> Result<Vec<Factor>, Error> {
    let mut factors = Vec::new();
    for number in 1.. {
        let page = Page { number, size: FACTORS };
        let listing = tx.factors().list(&Query::of(product, page)).await?;
        factors.extend(listing.data.into_iter().map(|factor| factor.value));
        if factors.len() as u64 >= listing.count {
            break;
        }
    }
    Ok(factors)
}

async fn read_product_words(tx: &mut dyn ReadTx) -> Result<HashMap<String, Vec<ProductId>>, Error> {
    let mut words: HashMap<String, Vec<ProductId>> = HashMap::new();
    for (id, name) in tx.products().names().await? {
        words.entry(name.as_str().to_owned()).or_default().push(id);
    }
    Ok(words)
}
