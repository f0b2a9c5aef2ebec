//! Sets of published factors, beside the directory.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use async_trait::async_trait;
use domain::{Digest, Name, PublishedFactor};
use ports::factor_sets::{AddedSet, FactorKey, FactorRow, FactorSets, InstalledSet, NewFactorSet, read_factor};
use ports::store::StoreError;
use ports::{Grant, Installation, Maintenance, Read};

use super::MemoryDirectory;

/// Sets by the digest of their file.
pub(super) type Sets = BTreeMap<Digest, KeptSet>;

/// A set with its factors by cell.
pub(super) struct KeptSet {
    pub(super) installed: InstalledSet,
    pub(super) rows: BTreeMap<Name, FactorRow>,
}

#[async_trait]
impl FactorSets for MemoryDirectory {
    async fn list_sets(&self, _: &Grant<Read>) -> Result<Vec<InstalledSet>, StoreError> {
        Ok(self.state().sets.values().map(|kept| kept.installed.clone()).collect())
    }

    async fn find_set(&self, _: &Grant<Read>, id: Digest) -> Result<Option<InstalledSet>, StoreError> {
        Ok(self.state().sets.get(&id).map(|kept| kept.installed.clone()))
    }

    async fn find_factors(
        &self,
        _: &Grant<Read>,
        keys: &[FactorKey],
    ) -> Result<Vec<(FactorKey, PublishedFactor)>, StoreError> {
        let (state, keys) = (self.state(), keys.iter().collect::<BTreeSet<_>>());
        let row = |key: &FactorKey| state.sets.get(&key.set)?.rows.get(&key.cell);
        let found = keys.into_iter().filter_map(|key| Some((key, row(key)?)));
        found.map(|(key, row)| Ok((key.clone(), read_factor(key, &row.text, row.digest)?))).collect()
    }

    async fn factors_behind(
        &self,
        _: &Grant<Read>,
        set: Digest,
        behind: Option<&Name>,
        limit: usize,
    ) -> Result<Vec<PublishedFactor>, StoreError> {
        let state = self.state();
        let Some(kept) = state.sets.get(&set) else { return Ok(Vec::new()) };
        let rows = kept.rows.range((behind.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded));
        let read = |(cell, row): (&Name, &FactorRow)| {
            read_factor(&FactorKey { set, cell: cell.clone() }, &row.text, row.digest)
        };
        rows.take(limit).map(read).collect()
    }

    async fn add_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: NewFactorSet,
    ) -> Result<AddedSet, StoreError> {
        let (mut state, now) = (self.state(), self.clock.now());
        let installed = set.installed(now, grant.actor());
        if let Some(kept) = state.sets.get(&set.set().id) {
            return Ok(AddedSet::found(kept.installed.clone(), &installed));
        }
        let mut draft = state.begin(now, grant.actor(), "add factor set");
        draft.added(&installed);
        let rows = set.rows().iter().map(|row| (row.cell.clone(), row.clone())).collect();
        state.sets.insert(set.set().id, KeptSet { installed: installed.clone(), rows });
        state.end(draft);
        Ok(AddedSet::New(installed))
    }

    async fn remove_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        id: Digest,
    ) -> Result<Option<InstalledSet>, StoreError> {
        let mut state = self.state();
        let mut draft = state.begin(self.clock.now(), grant.actor(), "remove factor set");
        let Some(KeptSet { installed, .. }) = state.sets.remove(&id) else { return Ok(None) };
        draft.removed(&installed);
        state.end(draft);
        Ok(Some(installed))
    }
}
