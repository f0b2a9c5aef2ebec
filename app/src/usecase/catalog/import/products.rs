//! Products and their factors.

use domain::{Factor, FactorId, FaultCode, Product, ProductId, SyncId};
use ports::RecordKind;
use ports::inbound::{Existing, Placed, ProductDraft, ProductFactorDraft};

use super::super::{factor, product};
use super::{Error, Faults, Import, Put, conflict};
use crate::usecase::draft::required;
use crate::usecase::resolve::{Resolver, all_factors};

impl Import {
    pub(super) async fn products(&mut self, drafts: Vec<Placed<ProductDraft>>) -> Result<(), Error> {
        for Placed { place, mut draft } in drafts {
            let sync_id = self.sync_id_of(RecordKind::Product, &draft.sync_id, &mut draft.faults);
            let put = self.product(sync_id.as_ref(), draft).await?;
            self.note(RecordKind::Product, sync_id.as_ref(), place, put);
        }
        Ok(())
    }

    async fn product(&mut self, sync_id: Option<&SyncId>, draft: ProductDraft) -> Result<Result<Put, Faults>, Error> {
        let before = match sync_id {
            Some(sync_id) => self.tx.products().find_by_sync_id(sync_id).await?,
            None => None,
        };
        if before.is_some() && self.existing == Existing::Keep {
            return Ok(Ok(Put::Unchanged));
        }
        let known = before.as_ref().map(|before| &before.value);
        let id = known.map_or_else(|| ProductId::new(self.ids.next(self.now)), |known| known.id);
        let product = match product::build(self.tx.as_mut(), id, known, draft).await? {
            Ok(product) => product,
            Err(faults) => return Ok(Err(faults)),
        };
        let written = match before {
            None => self.tx.products_mut().add(product).await.map(|_| Put::Created),
            Some(before) if before.value == product => Ok(Put::Unchanged),
            Some(before) => self.tx.products_mut().update(product, before.version).await.map(|_| Put::Updated),
        };
        Ok(match written {
            Ok(put) => Ok(put),
            Err(error) => Err(conflict(error)?),
        })
    }

    /// Those of earlier days first, so that each closes the one before it.
    pub(super) async fn factors(&mut self, mut drafts: Vec<Placed<ProductFactorDraft>>) -> Result<(), Error> {
        drafts.sort_by_key(|placed| placed.draft.factor.valid_from.given().copied());
        let mut resolver = Resolver::default();
        for Placed { place, draft } in drafts {
            let put = self.factor(&mut resolver, draft).await?;
            self.note(RecordKind::Factor, None, place, put);
        }
        Ok(())
    }

    async fn factor(
        &mut self,
        resolver: &mut Resolver,
        draft: ProductFactorDraft,
    ) -> Result<Result<Put, Faults>, Error> {
        let ProductFactorDraft { product, factor: mut draft } = draft;
        if self.is_to_a_faulty_one(RecordKind::Product, &product) {
            return Ok(Err(draft.faults));
        }
        let Some(reference) = required(&mut draft.faults, "/product", product, None) else {
            return Ok(Err(draft.faults));
        };
        let product: Product = match resolver.product(self.tx.as_mut(), &reference).await? {
            Ok(found) => found.product.clone(),
            Err(detail) => {
                draft.faults.add_coded(FaultCode::NotFound, "/product", detail);
                return Ok(Err(draft.faults));
            }
        };
        let open = draft.valid_to.is_missing();
        let factor = match factor::build(FactorId::new(self.ids.next(self.now)), &product, draft) {
            Ok(factor) => factor,
            Err(faults) => return Ok(Err(faults)),
        };
        let known = all_factors(self.tx.as_mut(), product.id).await?;
        let from = factor.data().valid_from;
        let of_that_day: Vec<&Factor> = known.iter().filter(|known| known.data().valid_from == from).collect();
        if of_that_day.iter().any(|known| says_the_same(known, &factor, open)) {
            return Ok(Ok(Put::Unchanged));
        }
        if !of_that_day.is_empty() {
            if self.existing == Existing::Keep {
                return Ok(Ok(Put::Unchanged));
            }
            let detail = format!(
                "is that of a factor of {:?} with other figures, which is not edited: one from a later day follows it, or \
                 POST /v1/product/:uuid/factor/:uuid/correction puts another in its place",
                product.name.as_str()
            );
            return Ok(Err(Faults::one("/validFrom", detail)));
        }
        match factor::put(self.tx.as_mut(), factor).await {
            Ok(_) => Ok(Ok(Put::Created)),
            Err(Error::Conflict { pointer, detail }) => Ok(Err(Faults::one(pointer, detail))),
            Err(error) => Err(error),
        }
    }
}

/// Whether a factor that is there says what another one says. One whose end is open was closed by its successor.
fn says_the_same(known: &Factor, factor: &Factor, open: bool) -> bool {
    let (mut known, factor) = (known.data().clone(), factor.data());
    if open {
        known.valid_to = factor.valid_to;
    }
    known == *factor
}
