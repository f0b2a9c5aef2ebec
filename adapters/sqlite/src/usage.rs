//! How many activities refer to each record, counted as they are written.

use std::collections::BTreeMap;

use domain::Activity;
use ports::store::StoreError;
use ports::{Entity as _, RecordKind};
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::error::StoreErr as _;

/// By how much counts change.
#[derive(Debug, Default)]
pub(crate) struct Usage(BTreeMap<(RecordKind, Uuid), i64>);

impl Usage {
    /// Counts what an activity refers to once more.
    pub(crate) fn add(&mut self, activity: &Activity) {
        self.count(activity, 1);
    }

    /// Counts what an activity referred to once less.
    pub(crate) fn take(&mut self, activity: &Activity) {
        self.count(activity, -1);
    }

    fn count(&mut self, activity: &Activity, by: i64) {
        for reference in activity.references() {
            *self.0.entry((reference.kind, reference.id)).or_default() += by;
        }
    }

    /// Counts what others counted.
    pub(crate) fn merge(&mut self, others: &Self) {
        for (of, count) in &others.0 {
            *self.0.entry(*of).or_default() += count;
        }
    }

    /// The counts that are not zero.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (RecordKind, Uuid, i64)> {
        self.0.iter().filter(|(_, count)| **count != 0).map(|((kind, id), count)| (*kind, *id, *count))
    }

    /// Writes the changes, and has none afterwards.
    pub(crate) fn write(&mut self, conn: &Connection) -> Result<(), StoreError> {
        let changes = std::mem::take(self);
        if changes.0.is_empty() {
            return Ok(());
        }
        let mut change = conn
            .prepare_cached(
                "INSERT INTO activity_use (kind, id, activities) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (kind, id) DO UPDATE SET activities = activities + ?3",
            )
            .store_err()?;
        for (kind, id, count) in changes.counts() {
            change.execute(params![kind.code(), id, count]).store_err()?;
        }
        Ok(())
    }
}
