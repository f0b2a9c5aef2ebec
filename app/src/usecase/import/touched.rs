//! The activities that rows are about, as the rows before leave them.

use std::collections::HashMap;

use domain::{Activity, ActivityId, SyncId};
use ports::inbound::{ActivityDraft, Error, RowDraft};
use ports::repo::ActivityWrite;
use ports::store::ReadTx;
use ports::{Stored, Version};

use super::built::RowWrite;

/// The activities of rows, found by syncId and by identifier.
#[derive(Debug, Default)]
pub(super) struct Touched {
    by_id: HashMap<ActivityId, Touch>,
    /// Which activity has a syncId; `None` when a row took it away.
    by_sync_id: HashMap<SyncId, Option<ActivityId>>,
}

#[derive(Debug)]
struct Touch {
    activity: Activity,
    /// The version in the store; `None` for one that this import adds.
    version: Option<Version>,
    /// Its place among the writes, once a row changed it.
    write: Option<usize>,
}

impl Touched {
    /// Adds the activities of the rows that are in the store and were not touched yet.
    pub(super) async fn find(&mut self, tx: &mut dyn ReadTx, rows: &[RowDraft]) -> Result<(), Error> {
        let (mut sync_ids, mut ids) = (Vec::new(), Vec::new());
        for RowDraft { draft, .. } in rows {
            match (draft.sync_id.given(), draft.read_back.id) {
                (Some(sync_id), _) if !self.by_sync_id.contains_key(sync_id) => sync_ids.push(sync_id.clone()),
                (None, Some(id)) if !self.by_id.contains_key(&id) => ids.push(id),
                (Some(_) | None, _) => {}
            }
        }
        let mut stored = tx.activities().with_sync_ids(&sync_ids).await?;
        stored.extend(tx.activities().find_all(&ids).await?);
        for Stored { value: activity, version, .. } in stored {
            if !self.by_id.contains_key(&activity.id) {
                self.lay(Touch { activity, version: Some(version), write: None });
            }
        }
        Ok(())
    }

    /// The activity that a row is about: that of its syncId; without one, that which it was read from.
    pub(super) fn about(&self, draft: &ActivityDraft) -> Option<&Activity> {
        let id = match draft.sync_id.given() {
            Some(sync_id) => self.by_sync_id.get(sync_id).copied().flatten(),
            None => draft.read_back.id,
        };
        self.by_id.get(&id?).map(|touch| &touch.activity)
    }

    /// Notes what is to be written of an activity that no later row is about.
    pub(super) fn put(&self, line: u64, activity: Activity, writes: &mut Vec<RowWrite>) {
        let version = self.by_id.get(&activity.id).and_then(|before| before.version);
        writes.push(RowWrite {
            line,
            write: match version {
                Some(version) => ActivityWrite::Update(activity, version),
                None => ActivityWrite::Add(activity),
            },
        });
    }

    /// Takes what a row makes of an activity, and notes what is to be written. A later row about the same activity takes
    /// the place of the earlier one.
    pub(super) fn put_and_keep(&mut self, line: u64, activity: Activity, writes: &mut Vec<RowWrite>) {
        let before = self.by_id.get(&activity.id);
        let (version, place) = before.map_or((None, None), |before| (before.version, before.write));
        let write = match version {
            Some(version) => ActivityWrite::Update(activity.clone(), version),
            None => ActivityWrite::Add(activity.clone()),
        };
        let write = RowWrite { line, write };
        let place = place.unwrap_or(writes.len());
        match writes.get_mut(place) {
            Some(earlier) => *earlier = write,
            None => writes.push(write),
        }
        self.lay(Touch { activity, version, write: Some(place) });
    }

    /// Forgets the places of writes, for a further call.
    pub(super) fn without_writes(mut self) -> Self {
        self.by_id.values_mut().for_each(|touch| touch.write = None);
        self
    }

    fn lay(&mut self, touch: Touch) {
        let (id, sync_id) = (touch.activity.id, touch.activity.sync_id.clone());
        let before = self.by_id.insert(id, touch).and_then(|before| before.activity.sync_id);
        if let Some(before) = before {
            self.by_sync_id.insert(before, None);
        }
        if let Some(sync_id) = sync_id {
            self.by_sync_id.insert(sync_id, Some(id));
        }
    }
}
