//! What is particular to each kind of record in memory: its table, what it may not double, what follows its writes.

use std::sync::Arc;

use domain::footprint::{FootprintPlace, Verdict};
use domain::{
    Activity, ClosedPeriod, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Posting, Product, Scope,
    SeriesKey, Sharing, Switch, Taxonomy,
};
use ports::Entity;
use ports::repo::Place;
use ports::store::Conflict;

use crate::partner;
use crate::state::State;
use crate::table::Table;

/// A kind of record of the store in memory.
pub(crate) trait Record: Entity {
    fn table(state: &State) -> &Table<Self>;

    /// Its table, to write.
    fn table_mut(state: &mut State) -> &mut Table<Self>;

    /// What it gets when it is added.
    fn completed(self, _state: &State) -> Self {
        self
    }

    /// Whether it doubles something of another record beside id and syncId.
    fn doubled(&self, _state: &State) -> Option<Conflict> {
        None
    }

    /// What it posts, in which series.
    fn posting(&self) -> Option<(SeriesKey, Posting)> {
        None
    }

    /// Lets the rest of the state follow a write.
    fn settle(_state: &mut State, _before: Option<&Self>, _after: Option<&Self>) {}
}

/// Implements [`Record`] by the table's name, with what else the kind needs.
macro_rules! records {
    ($($kind:ty, $table:ident { $($more:tt)* })*) => {$(
        impl Record for $kind {
            fn table(state: &State) -> &Table<Self> {
                &state.$table
            }

            fn table_mut(state: &mut State) -> &mut Table<Self> {
                Arc::make_mut(&mut state.$table)
            }

            $($more)*
        }
    )*};
}

records! {
    Scope, scopes {}
    Org, orgs {}
    Product, products {}
    Factor, factors {}
    Model, models {}
    Input, inputs {}
    Switch, switches {}
    ClosedPeriod, closed_periods {}
    Exclusion, exclusions {}

    Activity, activities {
        fn posting(&self) -> Option<(SeriesKey, Posting)> {
            Some((self.series(), self.posting()))
        }

        fn settle(state: &mut State, before: Option<&Self>, after: Option<&Self>) {
            let places = Arc::make_mut(&mut state.places);
            if let Some(activity) = before {
                places.remove(&Place::of(activity));
            }
            places.extend(after.map(Place::of));
        }
    }

    Taxonomy, taxonomies {
        fn doubled(&self, state: &State) -> Option<Conflict> {
            let is_double =
                |other: &Self| other.id != self.id && other.parent == self.parent && other.slug == self.slug;
            let holder = state.taxonomies.iter().find(|stored| is_double(&stored.value))?;
            Some(Conflict::Slug { holder: holder.value.id.uuid() })
        }
    }

    Partner, partners {
        fn settle(state: &mut State, before: Option<&Self>, after: Option<&Self>) {
            partner::settle_clients(state, before, after);
        }
    }

    Sharing, sharings {
        fn settle(state: &mut State, before: Option<&Self>, after: Option<&Self>) {
            partner::settle_shared(state, before, after);
        }
    }

    Footprint, footprints {
        fn completed(self, state: &State) -> Self {
            if self.number == 0 { self.with_number(state.footprint_number + 1) } else { self }
        }

        fn doubled(&self, state: &State) -> Option<Conflict> {
            let is_double = |other: &Self| other.number == self.number && other.id != self.id;
            let holder = state.footprints.iter().find(|stored| is_double(&stored.value))?;
            Some(Conflict::Exists(holder.value.id.uuid()))
        }

        fn settle(state: &mut State, before: Option<&Self>, after: Option<&Self>) {
            partner::settle_places(state, before, after);
            let places = Arc::make_mut(&mut state.footprint_places);
            if let Some(footprint) = before {
                places.remove(&FootprintPlace::of(footprint));
            }
            if let Some(footprint) = after {
                let verdict = Arc::new(Verdict::of(footprint));
                places.insert(FootprintPlace::of(footprint), (footprint.id, verdict));
                state.footprint_number = state.footprint_number.max(footprint.number);
            }
        }
    }
}
