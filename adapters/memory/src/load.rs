//! Filling an empty tenant: a state beside the newest one, which takes its place when the load is finished.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{PackedCells, SeriesKey};
use ports::import_batch::ImportBatch;
use ports::ledger::{PackedItems, PackedLines, PartPlace, Parts, Removal};
use ports::load::{AnyRecord, Load, LoadEnd};
use ports::store::{Conflict, StoreError};
use ports::{ChainHead, Change, Stored};
use uuid::Uuid;

use crate::record::Record;
use crate::state::State;
use crate::tenant::Tenant;
use crate::write::check;
use crate::writer_queue::Turn;

/// A load under way.
pub(crate) struct Loading {
    tenant: Arc<Tenant>,
    /// Held until the load ends.
    turn: Turn,
    state: State,
    epoch: Uuid,
    series: HashSet<SeriesKey>,
}

impl Loading {
    /// Begins on a tenant whose turn it is, unless it has a history.
    pub(crate) fn begin(tenant: Arc<Tenant>, turn: Turn, state: State, epoch: Uuid) -> Result<Self, StoreError> {
        if state.head.number > 0 || !state.series.keys.is_empty() {
            return Err(StoreError::Conflict(Conflict::NotEmpty));
        }
        Ok(Self { tenant, turn, state, epoch, series: HashSet::new() })
    }

    fn put<T: Record>(&mut self, stored: Stored<T>) -> Result<(), StoreError> {
        let id = stored.value.id().into();
        if T::table(&self.state).find(id).is_some() {
            return Err(StoreError::Conflict(Conflict::Exists(id)));
        }
        check(&self.state, &stored.value).map_err(StoreError::Conflict)?;
        T::settle(&mut self.state, None, Some(&stored.value));
        T::table_mut(&mut self.state).put(stored);
        Ok(())
    }
}

#[async_trait]
impl Load for Loading {
    async fn series(&mut self, series: Vec<SeriesKey>) -> Result<(), StoreError> {
        for key in series {
            if !self.series.insert(key) {
                return Err(StoreError::Failed(format!("the series {key:?} stands twice").into()));
            }
            Arc::make_mut(&mut self.state.series).index(key);
        }
        Ok(())
    }

    async fn records(&mut self, records: Vec<AnyRecord>) -> Result<(), StoreError> {
        for record in records {
            match record {
                AnyRecord::Scope(stored) => self.put(stored)?,
                AnyRecord::Org(stored) => self.put(stored)?,
                AnyRecord::Taxonomy(stored) => self.put(stored)?,
                AnyRecord::Product(stored) => self.put(stored)?,
                AnyRecord::Factor(stored) => self.put(stored)?,
                AnyRecord::Model(stored) => self.put(stored)?,
                AnyRecord::Input(stored) => self.put(stored)?,
                AnyRecord::Switch(stored) => self.put(stored)?,
                AnyRecord::Footprint(stored) => self.put(stored)?,
                AnyRecord::ClosedPeriod(stored) => self.put(stored)?,
                AnyRecord::Exclusion(stored) => self.put(stored)?,
                AnyRecord::Partner(stored) => self.put(stored)?,
                AnyRecord::Sharing(stored) => self.put(stored)?,
                AnyRecord::Activity(stored) => {
                    let (id, series) = (stored.value.id, stored.value.series());
                    self.put(stored)?;
                    let lost = || StoreError::Failed(format!("the series of activity {id} was not loaded").into());
                    self.state.series.find(series).ok_or_else(lost)?;
                }
            }
        }
        Ok(())
    }

    async fn changes(&mut self, changes: Vec<Change>) -> Result<(), StoreError> {
        let kept = Arc::make_mut(&mut self.state.changes);
        for change in changes {
            if change.number != kept.len() as u64 + 1 {
                return Err(StoreError::Failed(format!("change {} does not come next", change.number).into()));
            }
            kept.push(change);
        }
        Ok(())
    }

    async fn items(&mut self, items: Vec<(PartPlace, PackedItems)>) -> Result<(), StoreError> {
        let mut parts = Parts::default();
        for (place, part) in &items {
            for item in part.items() {
                let item = item.map_err(|error| StoreError::Failed(Box::new(error)))?;
                parts.removals.extend(Removal::of(&item, place.change));
            }
        }
        self.state.append(Parts { items, ..parts });
        Ok(())
    }

    async fn postings(&mut self, postings: Vec<(PartPlace, PackedCells)>) -> Result<(), StoreError> {
        self.state.append(Parts { postings, ..Parts::default() });
        Ok(())
    }

    async fn lines(&mut self, lines: Vec<(PartPlace, PackedLines)>) -> Result<(), StoreError> {
        self.state.append(Parts { lines, ..Parts::default() });
        Ok(())
    }

    async fn imports(&mut self, imports: Vec<ImportBatch>) -> Result<(), StoreError> {
        Arc::make_mut(&mut self.state.imports).extend(imports.into_iter().map(|import| (import.id, import)));
        Ok(())
    }

    async fn finish(self: Box<Self>, end: LoadEnd) -> Result<ChainHead, StoreError> {
        let Self { tenant, turn, mut state, epoch, .. } = *self;
        let LoadEnd { number, digest, catalog, footprints } = end;
        state.head = ChainHead { number, digest, epoch, catalog };
        state.footprint_number = footprints;
        let head = state.head;
        tenant.publish(state);
        drop(turn);
        Ok(head)
    }
}
