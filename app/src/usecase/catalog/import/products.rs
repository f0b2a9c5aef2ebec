//! Products and their factors.

use domain::{Factor, FactorBasis, FactorId, FaultCode, Product, ProductId, SyncId, corrected_by};
use ports::RecordKind;
use ports::inbound::{Existing, FactorDraft, Field, KnownAs, Placed, ProductDraft, ProductFactorDraft};

use super::super::origin::of_columns;
use super::super::{factor, product};
use super::known::{Known, ProductNames};
use super::{Error, Faults, Import, Put, conflict};
use crate::usecase::draft::required;
use crate::usecase::resolve::{Resolver, all_factors};

impl Import {
    pub(super) async fn products(&mut self, drafts: Vec<Placed<ProductDraft>>) -> Result<(), Error> {
        let mut names = None;
        for Placed { place, known_as, mut draft } in drafts {
            let is_known_otherwise = known_as.id.is_some() && draft.sync_id.is_missing();
            let sync_id = if is_known_otherwise {
                None
            } else {
                self.sync_id_of(RecordKind::Product, &draft.sync_id, &mut draft.faults)
            };
            let put = self.product((sync_id.as_ref(), &known_as), draft, &mut names).await?;
            self.note(RecordKind::Product, sync_id.as_ref(), place, put);
        }
        Ok(())
    }

    async fn product(
        &mut self,
        (sync_id, known_as): (Option<&SyncId>, &KnownAs),
        mut draft: ProductDraft,
        names: &mut Option<ProductNames>,
    ) -> Result<Result<Put, Faults>, Error> {
        let before = match self.known_product(sync_id, known_as, &draft, names).await? {
            Known::New => None,
            Known::Itself(found) => Some(found),
            Known::Alike(found) => {
                draft.sync_id = Field::Absent;
                Some(found)
            }
            Known::Several(count) => {
                let detail = format!("is that of {count} products; give the one that is meant a syncId");
                draft.faults.add("/name", detail);
                return Ok(Err(draft.faults));
            }
        };
        if let Some(before) = &before
            && self.existing == Existing::Keep
        {
            self.remember(known_as, before.value.id.into());
            return Ok(Ok(Put::Unchanged));
        }
        let known = before.as_ref().map(|before| &before.value);
        let id = known.map_or_else(|| ProductId::new(self.ids.next(self.now)), |known| known.id);
        let product = match product::build(self.tx.as_mut(), id, known, draft).await? {
            Ok(product) => product,
            Err(faults) => return Ok(Err(faults)),
        };
        self.remember(known_as, id.into());
        if let (None, Some(names)) = (&before, names.as_mut()) {
            names.entry(product.name.clone()).or_default().push(id);
        }
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
        drafts.sort_by_key(|placed| self.origins.first_day(&placed.draft.factor));
        let mut resolver = Resolver::default();
        for Placed { place, known_as, draft } in drafts {
            let put = self.factor(&mut resolver, draft, &known_as).await?;
            self.note(RecordKind::Factor, None, place, put);
        }
        Ok(())
    }

    async fn factor(
        &mut self,
        resolver: &mut Resolver,
        draft: ProductFactorDraft,
        known_as: &KnownAs,
    ) -> Result<Result<Put, Faults>, Error> {
        let ProductFactorDraft { mut product, factor: mut draft } = draft;
        self.settle(&mut product);
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
        let is_own = known_as.id.is_some();
        let again = (self.existing == Existing::Correct).then(|| draft.clone());
        let factor = match self.built(&product, draft, is_own) {
            Ok(factor) => factor,
            Err(faults) => return Ok(Err(of_columns(faults))),
        };
        let known = all_factors(self.tx.as_mut(), product.id).await?;
        let from = factor.data().valid_from;
        let is_beside = |known: &&Factor| {
            known.data().valid_from == from && known.data().basis == factor.data().basis && !known.is_chosen()
        };
        let of_that_day: Vec<&Factor> = known.iter().filter(is_beside).collect();
        let in_force = of_that_day.iter().find(|factor| corrected_by(&known, factor.id()).is_none());
        if let (Some(draft), Some(wrong)) = (again, in_force) {
            if says_the_same(wrong, &factor, open, is_own) {
                return Ok(Ok(Put::Unchanged));
            }
            let corrected = factor::build_correction(factor.id(), &product, wrong, draft, &self.origins);
            return Ok(match corrected {
                Ok(factor) => match factor::put_correction(self.tx.as_mut(), factor, wrong.id()).await {
                    Ok(_) => Ok(Put::Created),
                    Err(Error::Invalid(faults)) => Err(of_columns(faults)),
                    Err(error) => return Err(error),
                },
                Err(faults) => Err(of_columns(faults)),
            });
        }
        if of_that_day.iter().any(|known| says_the_same(known, &factor, open, is_own)) {
            return Ok(Ok(Put::Unchanged));
        }
        if !of_that_day.is_empty() {
            if self.existing == Existing::Keep {
                return Ok(Ok(Put::Unchanged));
            }
            let detail = format!(
                "is that of a factor of {:?} with other figures, which is not edited: one from a later day follows it; a \
                 correction takes its place: `tonne import catalog --correct`, or POST \
                 /v1/product/:uuid/factor/:uuid/correction",
                product.name.as_str()
            );
            return Ok(Err(Faults::one("/validFrom", detail)));
        }
        match factor::put(self.tx.as_mut(), factor).await {
            Ok(factor) => {
                let data = factor.value.data();
                // A residual mix completes none.
                if data.basis == FactorBasis::Location {
                    self.new_days.entry(product.id).or_default().push(data.period());
                }
                Ok(Ok(Put::Created))
            }
            Err(Error::Invalid(faults)) => Ok(Err(of_columns(faults))),
            Err(Error::Conflict { pointer, detail }) => Ok(Err(Faults::one(pointer, detail))),
            Err(error) => Err(error),
        }
    }
}

impl Import {
    /// The factor of a draft. What an export says of a factor is whole: it is a copy of a published one where that is in this
    /// installation and says the same, else it stands alone.
    fn built(&self, product: &Product, mut draft: FactorDraft, is_own: bool) -> Result<Factor, Faults> {
        let id = FactorId::new(self.ids.next(self.now));
        if !is_own {
            return factor::build(id, product, draft, &self.origins);
        }
        let published = std::mem::take(&mut draft.published);
        let copy = FactorDraft {
            gwp: draft.gwp.clone(),
            basis: draft.basis.clone(),
            valid_from: draft.valid_from.clone(),
            valid_to: draft.valid_to.clone(),
            published: published.clone(),
            // It holds on those days already.
            other_days: Field::Given(true),
            ..FactorDraft::default()
        };
        let alone = factor::build(id, product, draft, &self.origins)?;
        if published.is_missing() {
            return Ok(alone);
        }
        let copy = factor::build(id, product, copy, &self.origins);
        Ok(copy.ok().filter(|copy| says_the_same(copy, &alone, false, true)).unwrap_or(alone))
    }
}

/// Whether a factor that is there says what another one says. One whose end is open was closed by its successor;
/// of what an export says the figures count, not what they are a copy of.
fn says_the_same(known: &Factor, factor: &Factor, open: bool, is_own: bool) -> bool {
    let (mut known, factor) = (known.data().clone(), factor.data());
    if is_own {
        known.origin.clone_from(&factor.origin);
    }
    if open {
        known.valid_to = factor.valid_to;
    }
    known == *factor
}
