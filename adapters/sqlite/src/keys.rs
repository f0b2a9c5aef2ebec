//! The integer keys of what activities refer to, looked up once each.

use std::collections::HashMap;
use std::hash::Hash;

use domain::{Activity, FactorId, ProductId, SeriesKey};
use ports::store::StoreError;
use ports::{ChainHead, RecordKind};
use rusqlite::Connection;

use crate::reference::key_of;
use crate::series;

/// From so many keys on, those of the changes before are forgotten.
const MANY: usize = 100_000;

/// The integer keys of what an activity refers to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keys {
    pub(crate) series: u32,
    pub(crate) product: Option<i64>,
    pub(crate) factor: Option<i64>,
}

/// The keys that were looked up for the activities of one change, and of those before it up to a head.
#[derive(Debug, Default)]
pub(crate) struct KnownKeys {
    /// The head behind which they hold.
    head: Option<ChainHead>,
    series: HashMap<SeriesKey, u32>,
    products: HashMap<ProductId, i64>,
    factors: HashMap<FactorId, i64>,
}

impl KnownKeys {
    /// Those that hold behind that head: none, where another one wrote in between or a change was undone.
    pub(crate) fn behind(self, head: ChainHead) -> Self {
        if self.head == Some(head) && self.series.len() + self.products.len() + self.factors.len() < MANY {
            self
        } else {
            Self::default()
        }
    }

    /// They hold behind that head, whose change they were looked up in.
    pub(crate) const fn at(mut self, head: ChainHead) -> Self {
        self.head = Some(head);
        self
    }

    /// Forgets all: a record was removed, or what was written is undone.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The keys of what the activity refers to. A series that is not there is made. `Conflict::Missing` where another
    /// record is not there.
    pub(crate) fn of(&mut self, conn: &Connection, activity: &Activity) -> Result<Keys, StoreError> {
        let product = |id| key_of(conn, "product", RecordKind::Product, id);
        let factor = |id| key_of(conn, "factor", RecordKind::Factor, id);
        if let Some(market) = &activity.stated.market {
            known(&mut self.factors, market.factor, factor)?;
        }
        Ok(Keys {
            series: self.series(conn, activity.series())?,
            product: activity.product.map(|id| known(&mut self.products, id, product)).transpose()?,
            factor: activity.calculation.factor().map(|id| known(&mut self.factors, id, factor)).transpose()?,
        })
    }

    /// The index of a series, made where it is not there.
    pub(crate) fn series(&mut self, conn: &Connection, key: SeriesKey) -> Result<u32, StoreError> {
        known(&mut self.series, key, |key| series::index_of(conn, key))
    }
}

fn known<K: Copy + Eq + Hash, V: Copy>(
    map: &mut HashMap<K, V>,
    key: K,
    look_up: impl FnOnce(K) -> Result<V, StoreError>,
) -> Result<V, StoreError> {
    if let Some(value) = map.get(&key) {
        return Ok(*value);
    }
    let value = look_up(key)?;
    map.insert(key, value);
    Ok(value)
}
