//! Published factors: permits, searches in an index of the sets there are, reads what was found.

mod chooser;
mod index;
mod index_cache;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{Digest, FactorQuery, FactorSet, FaultCode, Faults, Name};
use ports::clock::Clock;
use ports::factor_sets::{AddedSet, FactorKey, FactorSets, FactorSetsExt as _, InstalledSet, NewFactorSet};
use ports::inbound::{Beside, Error, FactorQuestion, FactorSetImports, FoundFactor, PublishedFactors, SetPrefix};
use ports::repo::{Listing, Page};
use ports::{Caller, Grant, Installation, Maintenance, Read, TenantId, demand, permit};
use uuid::Uuid;

use index_cache::IndexCache;

pub use chooser::Chooser;
pub(super) use chooser::{Choosing, region_of};

/// How often a search is made anew whose sets were removed meanwhile.
const ATTEMPTS: usize = 3;

/// Published factors of the sets that are kept there.
pub struct PublishedFactorService {
    sets: Arc<dyn FactorSets>,
    clock: Arc<dyn Clock>,
    index: Arc<IndexCache>,
}

impl PublishedFactorService {
    /// The factors of those sets.
    #[must_use]
    pub fn new(sets: Arc<dyn FactorSets>, clock: Arc<dyn Clock>) -> Self {
        Self { sets, clock, index: Arc::default() }
    }

    /// What chooses among the same factors, by the same index.
    #[must_use]
    pub fn chooser(&self) -> Chooser {
        Chooser { sets: Arc::clone(&self.sets), index: Arc::clone(&self.index) }
    }

    /// The only set that begins so.
    async fn named(&self, grant: &Grant<Read>, prefix: &SetPrefix) -> Result<Option<InstalledSet>, Error> {
        let sets = self.sets.list_sets(grant).await?;
        let mut named = sets.into_iter().filter(|installed| prefix.begins(installed.set.id));
        let first = named.next();
        Ok(first.filter(|_| named.next().is_none()))
    }

    /// The question that the domain answers, or everything that is wrong with it.
    fn query(question: FactorQuestion, sets: &[InstalledSet]) -> Result<FactorQuery, Error> {
        let FactorQuestion { words, set, region, unit, year, usage, mut faults } = question;
        let mut id = None;
        if let Some(prefix) = set {
            let named: Vec<Digest> = sets.iter().map(|one| one.set.id).filter(|id| prefix.begins(*id)).collect();
            match named.as_slice() {
                [only] => id = Some(*only),
                [] => faults.add_coded(FaultCode::Invalid, "set", format!("no set of factors has the id {prefix}")),
                many => {
                    let detail = format!("{} sets have ids that begin with {prefix}; give more of it", many.len());
                    faults.add_coded(FaultCode::Invalid, "set", detail);
                }
            }
        }
        faults.into_result().map_err(Error::Parameters)?;
        let query = FactorQuery::default().with_words(words.unwrap_or_default()).with_set(id).with_region(region);
        Ok(query.with_unit(unit).with_year(year).with_usage(usage))
    }

    /// What the operator reads with: sets are of no tenant.
    fn reading(grant: &Grant<Maintenance, Installation>) -> Grant<Read> {
        Grant::for_maintenance(TenantId::new(Uuid::nil()), grant.actor()).to_read()
    }
}

#[async_trait]
impl PublishedFactors for PublishedFactorService {
    async fn list_factor_sets(&self, caller: &Caller) -> Result<Vec<InstalledSet>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut sets = self.sets.list_sets(&grant).await?;
        sets.sort_by(|a, b| FactorQuery::order_of_set(&b.set).cmp(&FactorQuery::order_of_set(&a.set)));
        Ok(sets)
    }

    async fn search_factors(
        &self,
        caller: &Caller,
        question: FactorQuestion,
        page: Page,
    ) -> Result<Listing<FoundFactor>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut attempt = 1;
        loop {
            let sets = self.sets.list_sets(&grant).await?;
            let query = Self::query(question.clone(), &sets)?;
            let index = self.index.of(self.sets.as_ref(), &grant, &sets).await?;
            let found = index.search(&query, page.offset(), page.size);
            let factors = self.sets.find_factors(&grant, &found.keys).await?;
            // A set that was removed since the index was read leaves gaps: then there is another list of sets.
            if factors.len() < found.keys.len() {
                if attempt == ATTEMPTS {
                    return Err(Error::Busy("sets of factors were removed faster than they were read".into()));
                }
                attempt += 1;
                continue;
            }
            let mut factors: BTreeMap<FactorKey, _> = factors.into_iter().collect();
            let of = |id: Digest| sets.iter().find(|installed| installed.set.id == id).cloned();
            let data = found
                .keys
                .iter()
                .filter_map(|key| Some(FoundFactor { installed: of(key.set)?, factor: factors.remove(key)? }));
            return Ok(Listing { count: found.count, page, data: data.collect() });
        }
    }

    async fn get_published_factor(&self, caller: &Caller, set: &SetPrefix, cell: &Name) -> Result<FoundFactor, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let installed = self.named(&grant, set).await?.ok_or(Error::NotFound)?;
        let key = FactorKey { set: installed.set.id, cell: cell.clone() };
        let factor = self.sets.find(&grant, &key).await?.ok_or(Error::NotFound)?;
        Ok(FoundFactor { installed, factor })
    }
}

#[async_trait]
impl FactorSetImports for PublishedFactorService {
    async fn preview_factor_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: &NewFactorSet,
        beside: Beside,
    ) -> Result<AddedSet, Error> {
        check_beside(set.set(), &self.sets.list_sets(&Self::reading(grant)).await?, beside)?;
        let read = set.installed(self.clock.now(), grant.actor());
        let there = self.sets.find_set(&Self::reading(grant), set.set().id).await?;
        Ok(there.map_or(AddedSet::New(read.clone()), |there| AddedSet::found(there, &read)))
    }

    async fn add_factor_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: NewFactorSet,
        beside: Beside,
    ) -> Result<AddedSet, Error> {
        check_beside(set.set(), &self.sets.list_sets(&Self::reading(grant)).await?, beside)?;
        Ok(self.sets.add_set(grant, set).await?)
    }

    async fn remove_factor_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: &SetPrefix,
    ) -> Result<InstalledSet, Error> {
        let named = self.named(&Self::reading(grant), set).await?.ok_or(Error::NotFound)?;
        self.sets.remove_set(grant, named.set.id).await?.ok_or(Error::NotFound)
    }
}

/// Refuses a set that is said to correct one that is not there or of another table, and one of an edition that is there
/// already, unless it may stand beside that. A set that is there itself is nothing new.
fn check_beside(set: &FactorSet, sets: &[InstalledSet], beside: Beside) -> Result<(), Error> {
    let known = || sets.iter().map(|installed| &installed.set);
    if known().any(|known| known.id == set.id) {
        return Ok(());
    }
    if let Some(corrects) = set.corrects {
        return match known().find(|known| known.id == corrects) {
            Some(known) if (&known.publisher, &known.title) == (&set.publisher, &set.title) => Ok(()),
            Some(known) => {
                let detail = format!(
                    "is {}, {}, and the file is {}, {}: it corrects no set of another table",
                    known.publisher, known.title, set.publisher, set.title
                );
                Err(Faults::one_coded(FaultCode::Mismatch, "corrects", detail).into())
            }
            None => {
                Err(Faults::one_coded(FaultCode::NotFound, "corrects", format!("there is no set {corrects}")).into())
            }
        };
    }
    match known().find(|known| known.is_edition_of(set)) {
        Some(known) if beside == Beside::Refused => {
            let detail = format!(
                "{}, {}, {} is there already, from another file ({}, set {}): --corrects {:.12} says that this file corrects that \
                 one, --beside keeps both",
                known.publisher,
                known.title,
                known.edition,
                known.file,
                known.id,
                known.id.to_string()
            );
            Err(Error::Conflict { pointer: "/edition".to_owned(), detail })
        }
        Some(_) | None => Ok(()),
    }
}
