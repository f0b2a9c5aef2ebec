//! All that is kept of one tenant, as a value: cheap to clone, because clones share what neither has written since.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use domain::{
    Activity, Cell, Day, Digest, Factor, Footprint, Input, Model, Org, Product, Scope, SeriesKey, Switch, Taxonomy,
};
use ports::repo::{Place, Use};
use ports::{ChainHead, Change, ChangeItem, Entity, RecordKind, Stored};
use uuid::Uuid;

use crate::table::Table;

#[derive(Clone)]
pub(crate) struct State {
    pub(crate) head: ChainHead,
    pub(crate) activities: Arc<Table<Activity>>,
    pub(crate) scopes: Arc<Table<Scope>>,
    pub(crate) orgs: Arc<Table<Org>>,
    pub(crate) taxonomies: Arc<Table<Taxonomy>>,
    pub(crate) products: Arc<Table<Product>>,
    pub(crate) factors: Arc<Table<Factor>>,
    pub(crate) models: Arc<Table<Model>>,
    pub(crate) inputs: Arc<Table<Input>>,
    pub(crate) switches: Arc<Table<Switch>>,
    pub(crate) footprints: Arc<Table<Footprint>>,
    /// The activities in the order of their day.
    pub(crate) places: Arc<BTreeSet<Place>>,
    pub(crate) series: Arc<Series>,
    pub(crate) cells: Arc<BTreeMap<(Day, u32), Stamped>>,
    /// Change 1 first.
    pub(crate) changes: Arc<Vec<Arc<Written>>>,
    /// The highest number that a footprint ever had.
    pub(crate) footprint_number: u64,
}

/// A change with its items.
pub(crate) type Written = (Change, Vec<ChangeItem>);

/// A cell with the number of the change that last wrote it.
#[derive(Clone, Copy)]
pub(crate) struct Stamped {
    pub(crate) cell: Cell,
    pub(crate) number: u64,
}

/// Series by their index, and back.
#[derive(Clone, Default)]
pub(crate) struct Series {
    pub(crate) keys: Vec<SeriesKey>,
    indexes: HashMap<SeriesKey, u32>,
}

impl Series {
    /// The index of the series, a new one if it has none.
    pub(crate) fn index(&mut self, key: SeriesKey) -> u32 {
        let next = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        *self.indexes.entry(key).or_insert_with(|| {
            self.keys.push(key);
            next
        })
    }
}

impl State {
    /// A tenant without records.
    pub(crate) fn new(epoch: Uuid) -> Self {
        Self {
            head: ChainHead { number: 0, digest: Digest::ZERO, epoch, catalog: 0 },
            activities: Arc::default(),
            scopes: Arc::default(),
            orgs: Arc::default(),
            taxonomies: Arc::default(),
            products: Arc::default(),
            factors: Arc::default(),
            models: Arc::default(),
            inputs: Arc::default(),
            switches: Arc::default(),
            footprints: Arc::default(),
            places: Arc::default(),
            series: Arc::default(),
            cells: Arc::default(),
            changes: Arc::default(),
            footprint_number: 0,
        }
    }

    /// Whether there is such a record.
    pub(crate) fn contains(&self, kind: RecordKind, id: Uuid) -> bool {
        match kind {
            RecordKind::Activity => self.activities.find(id).is_some(),
            RecordKind::Scope => self.scopes.find(id).is_some(),
            RecordKind::Org => self.orgs.find(id).is_some(),
            RecordKind::Taxonomy => self.taxonomies.find(id).is_some(),
            RecordKind::Product => self.products.find(id).is_some(),
            RecordKind::Factor => self.factors.find(id).is_some(),
            RecordKind::Model => self.models.find(id).is_some(),
            RecordKind::Input => self.inputs.find(id).is_some(),
            RecordKind::Switch => self.switches.find(id).is_some(),
            RecordKind::Footprint => self.footprints.find(id).is_some(),
        }
    }

    /// What refers to the record, kind by kind. The inputs of a model are part of it and no uses.
    pub(crate) fn uses(&self, kind: RecordKind, id: Uuid) -> Vec<Use> {
        let mut counts: BTreeMap<RecordKind, u64> = BTreeMap::new();
        count(&self.activities, kind, id, &mut counts);
        count(&self.scopes, kind, id, &mut counts);
        count(&self.orgs, kind, id, &mut counts);
        count(&self.taxonomies, kind, id, &mut counts);
        count(&self.factors, kind, id, &mut counts);
        count(&self.switches, kind, id, &mut counts);
        if kind != RecordKind::Model {
            count(&self.inputs, kind, id, &mut counts);
        }
        if kind == RecordKind::Footprint {
            let number = self.footprints.find(id).map_or(0, |stored| stored.value.number);
            let succeeds = |other: &Footprint| other.id.uuid() != id && other.succeeds(number);
            let successors = self.footprints.iter().filter(|stored| succeeds(&stored.value)).count() as u64;
            counts.extend((successors > 0).then_some((kind, successors)));
        }
        counts.into_iter().map(|(kind, count)| Use { kind, count }).collect()
    }

    /// Books an activity in another way than before; what stays the same stamps no cell.
    pub(crate) fn post(&mut self, before: Option<&Activity>, after: Option<&Activity>, number: u64) {
        let booked = |activity: &Activity| (activity.series(), activity.posting());
        if before.map(booked) == after.map(booked) {
            return;
        }
        let series = Arc::make_mut(&mut self.series);
        let mut deltas: BTreeMap<(Day, u32), Cell> = BTreeMap::new();
        if let Some(activity) = after {
            let index = series.index(activity.series());
            for (day, cell) in activity.posting().cells() {
                *deltas.entry((day, index)).or_default() += cell;
            }
        }
        if let Some(activity) = before {
            let index = series.index(activity.series());
            for (day, cell) in activity.posting().cells() {
                *deltas.entry((day, index)).or_default() += -cell;
            }
        }
        let cells = Arc::make_mut(&mut self.cells);
        for (at, delta) in deltas.into_iter().filter(|(_, delta)| !delta.is_zero()) {
            let stamped = cells.entry(at).or_insert(Stamped { cell: Cell::ZERO, number });
            *stamped = Stamped { cell: stamped.cell + delta, number };
        }
    }
}

fn count<T: Entity>(table: &Table<T>, kind: RecordKind, id: Uuid, counts: &mut BTreeMap<RecordKind, u64>) {
    let refers = |stored: &&Stored<T>| stored.value.references().iter().any(|to| (to.kind, to.id) == (kind, id));
    let found = table.iter().filter(refers).count() as u64;
    counts.extend((found > 0).then_some((T::KIND, found)));
}
