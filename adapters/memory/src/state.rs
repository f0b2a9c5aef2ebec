//! All data of one tenant, as a value: cheap to clone, because clones share what neither has written since.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use domain::footprint::{FootprintPlace, Verdict};
use domain::{
    Activity, ClosedPeriod, Digest, Exclusion, Factor, Footprint, FootprintId, Input, Model, Org, PackedCells, Partner,
    PartnerId, Product, Scope, SeriesKey, Sharing, Switch, Taxonomy,
};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::import_batch::ImportBatch;
use ports::ledger::{PackedItems, PackedLines, PartPlace, Parts};
use ports::repo::{Place, Use};
use ports::{ChainHead, Change, Entity, ImportId, RecordKind, Stored, Version};
use uuid::Uuid;

use crate::answers::Answers;
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
    pub(crate) closed_periods: Arc<Table<ClosedPeriod>>,
    pub(crate) exclusions: Arc<Table<Exclusion>>,
    pub(crate) partners: Arc<Table<Partner>>,
    pub(crate) sharings: Arc<Table<Sharing>>,
    /// The footprints in the order of the lists that partners read, each with its verdict.
    pub(crate) footprint_places: Arc<BTreeMap<FootprintPlace, (FootprintId, Arc<Verdict>)>>,
    /// The footprints that are shared with a partner, or `None` for every one, in the same order:
    /// [`FootprintPlace::START`] where there is no such footprint.
    pub(crate) shared_places: Arc<BTreeSet<(Option<PartnerId>, FootprintPlace, FootprintId)>>,
    /// The clients that partners name.
    pub(crate) partner_clients: Arc<BTreeSet<(Uuid, PartnerId)>>,
    /// The activities in the order of their day.
    pub(crate) places: Arc<BTreeSet<Place>>,
    pub(crate) series: Arc<Series>,
    /// In the order of their numbers, from change 1.
    pub(crate) changes: Arc<Vec<Change>>,
    pub(crate) items: Arc<Vec<(PartPlace, PackedItems)>>,
    pub(crate) postings: Arc<Vec<(PartPlace, PackedCells)>>,
    /// The lines that imports wrote activities from.
    pub(crate) lines: Arc<Vec<(PartPlace, PackedLines)>>,
    /// Every removal of a record, with the number of its change.
    pub(crate) removals: Arc<BTreeSet<(RecordKind, Uuid, u64)>>,
    /// The newest checkpoint: the number of its change, and its parts.
    pub(crate) checkpoint: Option<(u64, Arc<Vec<PackedCells>>)>,
    /// The highest number that a footprint ever had.
    pub(crate) footprint_number: u64,
    pub(crate) answers: Arc<Answers>,
    pub(crate) imports: Arc<BTreeMap<ImportId, ImportBatch>>,
    pub(crate) exchange: Arc<BTreeMap<(ExchangeKind, String), ExchangeRow>>,
}

/// Series by their index, and back.
#[derive(Clone, Default)]
pub(crate) struct Series {
    pub(crate) keys: Vec<SeriesKey>,
    indexes: HashMap<SeriesKey, u32>,
}

impl Series {
    /// The index of the series.
    pub(crate) fn find(&self, key: SeriesKey) -> Option<u32> {
        self.indexes.get(&key).copied()
    }

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
            closed_periods: Arc::default(),
            exclusions: Arc::default(),
            partners: Arc::default(),
            sharings: Arc::default(),
            footprint_places: Arc::default(),
            shared_places: Arc::default(),
            partner_clients: Arc::default(),
            places: Arc::default(),
            series: Arc::default(),
            changes: Arc::default(),
            items: Arc::default(),
            postings: Arc::default(),
            lines: Arc::default(),
            removals: Arc::default(),
            checkpoint: None,
            footprint_number: 0,
            answers: Arc::default(),
            imports: Arc::default(),
            exchange: Arc::default(),
        }
    }

    /// Whether there is such a record.
    pub(crate) fn contains(&self, kind: RecordKind, id: Uuid) -> bool {
        self.version_of(kind, id).is_some()
    }

    /// What refers to the record, kind by kind. The inputs of a model are part of it and no uses.
    pub(crate) fn uses(&self, kind: RecordKind, id: Uuid) -> Vec<Use> {
        let mut counts: BTreeMap<RecordKind, u64> = BTreeMap::new();
        if kind == RecordKind::Activity {
            // Nothing refers to activities.
            return Vec::new();
        }
        count(&self.activities, kind, id, &mut counts);
        count(&self.scopes, kind, id, &mut counts);
        count(&self.orgs, kind, id, &mut counts);
        count(&self.taxonomies, kind, id, &mut counts);
        count(&self.factors, kind, id, &mut counts);
        count(&self.switches, kind, id, &mut counts);
        count(&self.closed_periods, kind, id, &mut counts);
        count(&self.exclusions, kind, id, &mut counts);
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

    /// The index of the series, a new one if it has none.
    pub(crate) fn series_of(&mut self, key: SeriesKey) -> u32 {
        self.series.find(key).unwrap_or_else(|| Arc::make_mut(&mut self.series).index(key))
    }

    /// Appends parts of a change.
    pub(crate) fn append(&mut self, parts: Parts) {
        let Parts { items, postings, lines, removals } = parts;
        Arc::make_mut(&mut self.items).extend(items);
        if !postings.is_empty() {
            Arc::make_mut(&mut self.postings).extend(postings);
        }
        if !lines.is_empty() {
            Arc::make_mut(&mut self.lines).extend(lines);
        }
        if !removals.is_empty() {
            let removals = removals.into_iter().map(|removal| (removal.kind, removal.id, removal.change));
            Arc::make_mut(&mut self.removals).extend(removals);
        }
    }

    /// The version of a record.
    pub(crate) fn version_of(&self, kind: RecordKind, id: Uuid) -> Option<Version> {
        fn of<T: Entity>(table: &Table<T>, id: Uuid) -> Option<Version> {
            table.find(id).map(|stored| stored.version)
        }
        match kind {
            RecordKind::Activity => of(&self.activities, id),
            RecordKind::Scope => of(&self.scopes, id),
            RecordKind::Org => of(&self.orgs, id),
            RecordKind::Taxonomy => of(&self.taxonomies, id),
            RecordKind::Product => of(&self.products, id),
            RecordKind::Factor => of(&self.factors, id),
            RecordKind::Model => of(&self.models, id),
            RecordKind::Input => of(&self.inputs, id),
            RecordKind::Switch => of(&self.switches, id),
            RecordKind::Footprint => of(&self.footprints, id),
            RecordKind::ClosedPeriod => of(&self.closed_periods, id),
            RecordKind::Exclusion => of(&self.exclusions, id),
            RecordKind::Partner => of(&self.partners, id),
            RecordKind::Sharing => of(&self.sharings, id),
        }
    }
}

fn count<T: Entity>(table: &Table<T>, kind: RecordKind, id: Uuid, counts: &mut BTreeMap<RecordKind, u64>) {
    let refers = |stored: &&Stored<T>| stored.value.references().iter().any(|to| (to.kind, to.id) == (kind, id));
    let found = table.iter().filter(refers).count() as u64;
    counts.extend((found > 0).then_some((T::KIND, found)));
}
