//! Using a published factor: a product for it where one is asked for, and its copy.

use async_trait::async_trait;
use domain::{Factor, FactorId, FaultCode, Faults, Name, Product, ProductId, SyncId};
use ports::inbound::{Error, FactorDraft, FactorUse, FactorUses, UsedFactor, UsedFor, Written};
use ports::store::ReadTx;
use ports::{Caller, Stored, demand, permit};

use super::origin::Origins;
use super::{CatalogService, factor};
use crate::usecase::draft::refused;
use crate::usecase::recalculation;
use crate::usecase::resolve::{Resolver, all_factors};

#[async_trait]
impl FactorUses for CatalogService {
    async fn use_factor(&self, caller: &Caller, wanted: FactorUse) -> Result<UsedFactor, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let FactorUse { product, factor: draft } = wanted;
        let origins = self.origins(&grant, std::iter::once(&draft)).await?;
        let now = self.clock.now();
        let (id, new) = (FactorId::new(self.ids.next(now)), ProductId::new(self.ids.next(now)));
        // Counted before, so that no writer waits for it.
        let fills = {
            let mut tx = self.store.read(&grant.to_read()).await?;
            let product = resolve(tx.as_mut(), &product, new, &draft, &origins).await?;
            let factor = factor::build(id, &product, draft.clone(), &origins)?;
            recalculation::fills(tx.as_mut(), &product, factor.data()).await?
        };
        let mut tx = self.write(&grant, "use a published factor").await?;
        let is_new = matches!(product, UsedFor::New { .. });
        let product = resolve(tx.as_mut(), &product, new, &draft, &origins).await?;
        if is_new {
            tx.products_mut().add(product.clone()).await?;
        }
        let factor = factor::build(id, &product, draft, &origins)?;
        if let Some(known) = same(tx.as_mut(), &factor).await? {
            return Ok(UsedFactor { product, factor: known, written: Written::Nothing, fills });
        }
        let factor = factor::put(tx.as_mut(), factor).await?;
        tx.commit().await?;
        let written = if is_new { Written::Product } else { Written::Factor };
        Ok(UsedFactor { product, factor, written, fills })
    }
}

/// The product that the factor is for; a new one is not written yet.
async fn resolve(
    tx: &mut dyn ReadTx,
    wanted: &UsedFor,
    new: ProductId,
    draft: &FactorDraft,
    origins: &Origins,
) -> Result<Product, Error> {
    match wanted {
        UsedFor::Existing(reference) => match Resolver::default().product(tx, reference).await? {
            Ok(found) => Ok(found.product.clone()),
            Err(detail) => Err(Faults::one_coded(FaultCode::NotFound, "/product", detail).into()),
        },
        UsedFor::New { name, sync_id } => {
            let copied = origins.copied(draft.clone(), None)?;
            let Some(origin) = copied.origin.as_deref() else { return Err(refused(Ok(copied))) };
            let name = name.clone().unwrap_or_else(|| origin.factor.name.clone());
            free(tx, &name, sync_id.as_ref()).await?;
            Ok(Product::new(new, name, copied.unit).with_sync_id(sync_id.clone()))
        }
    }
}

/// Refuses a name that a product has already: another of that name could not be told from it.
async fn free(tx: &mut dyn ReadTx, name: &Name, sync_id: Option<&SyncId>) -> Result<(), Error> {
    let known = tx.products().names().await?;
    let there = known.into_iter().find(|(_, known)| known == name && sync_id.is_none());
    there.map_or(Ok(()), |(id, name)| {
        let detail = format!(
            "is new, and the product {id} is called {name:?} already, in whose factors the published one may come: leave out \
             --new, or give another name or a syncId",
            name = name.as_str()
        );
        Err(Faults::one_coded(FaultCode::Conflict, "/product", detail).into())
    })
}

/// The product's factor that says the very same, if it has one; its end may have been set by the one that follows it.
async fn same(tx: &mut dyn ReadTx, factor: &Factor) -> Result<Option<Stored<Factor>>, Error> {
    let says_the_same = |known: &&Factor| {
        let end = factor.data().valid_to;
        known.data().clone().with_valid_to(end) == *factor.data() && (known.data().valid_to == end || end.is_none())
    };
    let known = all_factors(tx, factor.product()).await?;
    match known.iter().find(says_the_same) {
        Some(known) => Ok(tx.factors().find(known.id()).await?),
        None => Ok(None),
    }
}
