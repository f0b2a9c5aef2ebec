//! Reading in a transaction: everything is looked up in one state.

use std::ops::Bound;
use std::sync::Arc;

use async_trait::async_trait;
use domain::footprint::{FootprintPlace, Verdict};
use domain::{
    Factor, Footprint, FootprintId, ModelId, Name, PeriodSpan, Product, ProductId, Slug, Taxonomy, TaxonomyId, TreeNode,
};
use ports::repo::{
    FactorReader, FootprintReader, Listing, PeriodReader, ProductReader, Query, Reader, Shown, ShownBatch,
    TaxonomyReader, TreeReader, Use, Valid, ValidBatch,
};
use ports::store::{ReadTx, StoreError};
use ports::{ChainHead, Stored};
use uuid::Uuid;

use crate::partner;
use crate::record::Record;
use crate::state::State;
use crate::tx::Tx;

/// Those of the records that the query asks for, in the order of lists.
pub(crate) fn matching<T: Record>(state: &State, query: &Query<T>) -> Vec<Stored<T>> {
    let wanted = |record: &T| {
        (query.parent.is_none() || record.parent() == query.parent)
            && (query.sync_id.is_none() || record.sync_id() == query.sync_id.as_ref())
    };
    let mut found: Vec<&Stored<T>> = T::table(state).iter().filter(|stored| wanted(&stored.value)).collect();
    found.sort_by_key(|stored| stored.value.order()); // stable, and the table is in the order of ids
    found.into_iter().cloned().collect()
}

#[async_trait]
impl<T: Record, W: Send> Reader<T> for Tx<W> {
    async fn find(&mut self, id: T::Id) -> Result<Option<Stored<T>>, StoreError> {
        Ok(T::table(&self.state).find(id.into()).map(|stored| stored.as_ref().clone()))
    }

    async fn find_all(&mut self, ids: &[T::Id]) -> Result<Vec<Stored<T>>, StoreError> {
        let mut ids: Vec<Uuid> = ids.iter().map(|id| (*id).into()).collect();
        ids.sort_unstable();
        ids.dedup();
        let table = T::table(&self.state);
        Ok(ids.into_iter().filter_map(|id| table.find(id)).map(|stored| stored.as_ref().clone()).collect())
    }

    async fn find_by_sync_id(&mut self, sync_id: &T::SyncId) -> Result<Option<Stored<T>>, StoreError> {
        Ok(T::table(&self.state).find_by_sync_id(sync_id).map(|stored| stored.as_ref().clone()))
    }

    async fn list(&mut self, query: &Query<T>) -> Result<Listing<Stored<T>>, StoreError> {
        let found = matching::<T>(&self.state, query);
        let count = found.len() as u64;
        let before = usize::try_from(query.page.offset()).unwrap_or(usize::MAX);
        let data = found.into_iter().skip(before).take(query.page.size as usize).collect();
        Ok(Listing { count, page: query.page, data })
    }

    async fn uses(&mut self, id: T::Id) -> Result<Vec<Use>, StoreError> {
        let is_there = T::table(&self.state).find(id.into()).is_some();
        Ok(if is_there { self.state.uses(T::KIND, id.into()) } else { Vec::new() })
    }
}

#[async_trait]
impl<W: Send> ReadTx for Tx<W> {
    async fn head(&mut self) -> Result<ChainHead, StoreError> {
        Ok(self.state.head)
    }

    ports::reader_accessors!();
}

#[async_trait]
impl<T: Record + TreeNode, W: Send> TreeReader<T> for Tx<W> {
    async fn all(&mut self) -> Result<Vec<Stored<T>>, StoreError> {
        Ok(T::table(&self.state).iter().cloned().collect())
    }
}

#[async_trait]
impl<W: Send> TaxonomyReader for Tx<W> {
    async fn find_by_slug(
        &mut self,
        parent: Option<TaxonomyId>,
        slug: &Slug,
    ) -> Result<Option<TaxonomyId>, StoreError> {
        let is_it = |taxonomy: &&Taxonomy| taxonomy.parent == parent && taxonomy.slug == *slug;
        let mut taxonomies = self.state.taxonomies.iter().map(|stored| &stored.value);
        Ok(taxonomies.find(is_it).map(|taxonomy| taxonomy.id))
    }
}

#[async_trait]
impl<W: Send> ProductReader for Tx<W> {
    async fn names(&mut self) -> Result<Vec<(ProductId, Name)>, StoreError> {
        Ok(self.state.products.iter().map(|stored| (stored.value.id, stored.value.name.clone())).collect())
    }

    async fn after(&mut self, after: Option<ProductId>, limit: u32) -> Result<Vec<Stored<Product>>, StoreError> {
        let products = self.state.products.iter().filter(|stored| after.is_none_or(|after| stored.value.id > after));
        let mut products: Vec<_> = products.collect();
        products.sort_by_key(|stored| stored.value.id);
        Ok(products.into_iter().take(limit as usize).cloned().collect())
    }
}

#[async_trait]
impl<W: Send> PeriodReader for Tx<W> {
    async fn closed(&mut self) -> Result<Vec<PeriodSpan>, StoreError> {
        Ok(self.state.closed_periods.iter().filter_map(|stored| stored.value.span()).collect())
    }
}

#[async_trait]
impl<W: Send> FactorReader for Tx<W> {
    async fn of_products(&mut self, products: &[ProductId]) -> Result<Vec<Stored<Factor>>, StoreError> {
        let of_one = |stored: &&Stored<Factor>| products.contains(&stored.value.product());
        Ok(self.state.factors.iter().filter(of_one).cloned().collect())
    }
}

#[async_trait]
impl<W: Send> FootprintReader for Tx<W> {
    async fn above(&mut self, number: u64, limit: u32) -> Result<Vec<Stored<Footprint>>, StoreError> {
        let mut above: Vec<_> = self.state.footprints.iter().filter(|stored| stored.value.number > number).collect();
        above.sort_by_key(|stored| stored.value.number);
        Ok(above.into_iter().take(limit as usize).cloned().collect())
    }

    async fn valid(&mut self, asked: Valid) -> Result<ValidBatch, StoreError> {
        let places = self.state.footprint_places.iter();
        let is_asked = |place: &FootprintPlace| place.number > asked.after && place.number <= asked.until;
        let valid = places.filter(|(place, (_, verdict))| is_asked(place) && verdict.is_valid);
        let mut found: Vec<_> = valid.map(|(place, (id, _))| (place.number, *id)).collect();
        found.sort_unstable();
        let more = found.len() > asked.limit.max(1) as usize;
        found.truncate(asked.limit.max(1) as usize);
        let end = found.last().filter(|_| more).map(|(number, _)| *number);
        let record = |(_, id): &(u64, FootprintId)| self.state.footprints.find(id.uuid()).cloned();
        Ok(ValidBatch { records: found.iter().filter_map(record).map(|stored| stored.as_ref().clone()).collect(), end })
    }

    async fn of_model(&mut self, model: ModelId) -> Result<Option<Stored<Footprint>>, StoreError> {
        let is_of = |footprint: &Footprint| footprint.from_model.as_ref().is_some_and(|made| made.model == model);
        let made = self.state.footprints.iter().filter(|stored| is_of(&stored.value));
        Ok(made.max_by_key(|stored| stored.value.number).cloned())
    }

    async fn shown(&mut self, asked: Shown) -> Result<ShownBatch, StoreError> {
        let limit = usize::try_from(asked.limit.max(1)).unwrap_or(usize::MAX);
        let has_product = |id: FootprintId| {
            let Some(asked) = &asked.products else { return true };
            let found = self.state.footprints.find(id.uuid());
            found.is_some_and(|stored| stored.value.product_keys().iter().any(|key| asked.contains(key)))
        };
        let is_shown =
            |verdict: &Verdict, place: &FootprintPlace| place.number <= asked.until && verdict.is_shown(asked.edition);
        let is_asked = |place: &FootprintPlace, (id, verdict): &(FootprintId, Arc<Verdict>)| {
            is_shown(verdict, place) && has_product(*id)
        };
        let (ids, end): (Vec<FootprintId>, _) = if let Some(partner) = asked.partner {
            let mut opened = partner::opened(&self.state, partner, asked.after, limit.saturating_add(1));
            let more = opened.len() > limit;
            opened.truncate(limit);
            let end = opened.last().filter(|_| more).map(|(place, _)| *place);
            opened.retain(|(place, _)| {
                self.state.footprint_places.get(place).is_some_and(|footprint| is_asked(place, footprint))
            });
            (opened.into_iter().map(|(_, id)| id).collect(), end)
        } else {
            let first = asked.after.map_or(Bound::Unbounded, Bound::Excluded);
            let places = self.state.footprint_places.range((first, Bound::Unbounded));
            let mut found = places.filter(|(place, footprint)| is_asked(place, footprint));
            let batch: Vec<_> = found.by_ref().take(limit).collect();
            let end = found.next().and(batch.last()).map(|(place, _)| **place);
            (batch.into_iter().map(|(_, (id, _))| *id).collect(), end)
        };
        let records = ids.iter().filter_map(|id| self.state.footprints.find(id.uuid()));
        Ok(ShownBatch { records: records.map(|stored| stored.as_ref().clone()).collect(), end })
    }

    async fn verdict(&mut self, id: FootprintId) -> Result<Option<Verdict>, StoreError> {
        let found = self.state.footprints.find(id.uuid()).map(|stored| FootprintPlace::of(&stored.value));
        let verdict = found.and_then(|place| self.state.footprint_places.get(&place));
        Ok(verdict.map(|(_, verdict)| verdict.as_ref().clone()))
    }

    async fn numbered(&mut self, numbers: &[u64]) -> Result<Vec<(u64, FootprintId)>, StoreError> {
        let all = self.state.footprint_places.iter();
        let asked = all.filter(|(place, _)| numbers.contains(&place.number));
        Ok(asked.map(|(place, (id, _))| (place.number, *id)).collect())
    }

    async fn highest_number(&mut self) -> Result<u64, StoreError> {
        Ok(self.state.footprint_number)
    }
}
