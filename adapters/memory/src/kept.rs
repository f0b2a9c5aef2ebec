//! What is particular to each kind of record: its table, its order in lists, what it refers to, what it may not double.

use std::sync::Arc;

use domain::{Activity, Factor, Footprint, Input, Model, Node, Product, Switch, Tree};
use ports::repo::Place;
use ports::store::Conflict;
use ports::{Entity, RecordKind};
use uuid::Uuid;

use crate::state::State;
use crate::table::Table;

pub(crate) trait Kept: Entity {
    /// Its table.
    fn table(state: &State) -> &Table<Self>;

    /// Its table, to write.
    fn table_mut(state: &mut State) -> &mut Table<Self>;

    /// The records it refers to.
    fn references(&self) -> Vec<(RecordKind, Uuid)> {
        Vec::new()
    }

    /// Its place in lists; those of one place follow each other by id.
    fn place(&self) -> i128 {
        0
    }

    /// The product or model it belongs to.
    fn parent(&self) -> Option<Uuid> {
        None
    }

    /// What it gets when it is added.
    fn completed(self, _state: &State) -> Self {
        self
    }

    /// Whether it doubles something of another record beside id and syncId.
    fn doubled(&self, _state: &State) -> Option<Conflict> {
        None
    }

    /// Lets the rest of the state follow a write of change `number`.
    fn settle(_state: &mut State, _before: Option<&Self>, _after: Option<&Self>, _number: u64) {}
}

impl Kept for Activity {
    fn table(state: &State) -> &Table<Self> {
        &state.activities
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        Arc::make_mut(&mut state.activities)
    }

    fn references(&self) -> Vec<(RecordKind, Uuid)> {
        let nodes = [
            self.scope.map(|id| (RecordKind::Scope, id.uuid())),
            self.org.map(|id| (RecordKind::Org, id.uuid())),
            self.taxonomy.map(|id| (RecordKind::Taxonomy, id.uuid())),
        ];
        let product = self.product.map(|id| (RecordKind::Product, id.uuid()));
        let factor = self.calculation.factor().map(|id| (RecordKind::Factor, id.uuid()));
        nodes.into_iter().chain([product, factor]).flatten().collect()
    }

    fn settle(state: &mut State, before: Option<&Self>, after: Option<&Self>, number: u64) {
        let places = Arc::make_mut(&mut state.places);
        if let Some(activity) = before {
            places.remove(&Place::of(activity));
        }
        places.extend(after.map(Place::of));
        state.post(before, after, number);
    }
}

impl Kept for Node {
    fn table(state: &State) -> &Table<Self> {
        &state.nodes
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        Arc::make_mut(&mut state.nodes)
    }

    fn references(&self) -> Vec<(RecordKind, Uuid)> {
        self.parent.map(|id| (self.kind(), id.uuid())).into_iter().collect()
    }

    fn doubled(&self, state: &State) -> Option<Conflict> {
        let slug = self.slug()?;
        let is_double = |other: &Self| {
            other.tree() == Tree::Taxonomy
                && other.id != self.id
                && other.parent == self.parent
                && other.slug() == Some(slug)
        };
        let holder = state.nodes.iter().find(|stored| is_double(&stored.value))?;
        Some(Conflict::Slug { holder: holder.value.id.uuid() })
    }
}

impl Kept for Product {
    fn table(state: &State) -> &Table<Self> {
        &state.products
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        Arc::make_mut(&mut state.products)
    }
}

impl Kept for Factor {
    fn table(state: &State) -> &Table<Self> {
        &state.factors
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        Arc::make_mut(&mut state.factors)
    }

    fn references(&self) -> Vec<(RecordKind, Uuid)> {
        let corrected = self.corrects().map(|id| (RecordKind::Factor, id.uuid()));
        [(RecordKind::Product, self.product().uuid())].into_iter().chain(corrected).collect()
    }

    fn place(&self) -> i128 {
        self.terms().valid_from.number().into()
    }

    fn parent(&self) -> Option<Uuid> {
        Some(self.product().uuid())
    }
}

impl Kept for Model {
    fn table(state: &State) -> &Table<Self> {
        &state.models
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        Arc::make_mut(&mut state.models)
    }
}

impl Kept for Input {
    fn table(state: &State) -> &Table<Self> {
        &state.inputs
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        Arc::make_mut(&mut state.inputs)
    }

    fn references(&self) -> Vec<(RecordKind, Uuid)> {
        let needed = [(RecordKind::Model, self.model.uuid()), (RecordKind::Product, self.material.uuid())];
        needed.into_iter().chain(self.factor.map(|id| (RecordKind::Factor, id.uuid()))).collect()
    }

    fn place(&self) -> i128 {
        self.order.into()
    }

    fn parent(&self) -> Option<Uuid> {
        Some(self.model.uuid())
    }
}

impl Kept for Switch {
    fn table(state: &State) -> &Table<Self> {
        &state.switches
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        Arc::make_mut(&mut state.switches)
    }

    fn references(&self) -> Vec<(RecordKind, Uuid)> {
        self.sources.iter().map(|id| (RecordKind::Model, id.uuid())).collect()
    }
}

impl Kept for Footprint {
    fn table(state: &State) -> &Table<Self> {
        &state.footprints
    }

    fn table_mut(state: &mut State) -> &mut Table<Self> {
        Arc::make_mut(&mut state.footprints)
    }

    fn place(&self) -> i128 {
        self.number.into()
    }

    fn completed(self, state: &State) -> Self {
        if self.number == 0 { Self { number: state.footprint_number + 1, ..self } } else { self }
    }

    fn doubled(&self, state: &State) -> Option<Conflict> {
        let is_double = |other: &Self| other.number == self.number && other.id != self.id;
        let holder = state.footprints.iter().find(|stored| is_double(&stored.value))?;
        Some(Conflict::Exists(holder.value.id.uuid()))
    }

    fn settle(state: &mut State, _before: Option<&Self>, after: Option<&Self>, _number: u64) {
        if let Some(footprint) = after {
            state.footprint_number = state.footprint_number.max(footprint.number);
        }
    }
}
