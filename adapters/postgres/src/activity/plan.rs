//! What a batch of writes comes to, found out before anything is written: each write in its turn, on what the ones
//! before it left.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::{Activity, SeriesKey, SyncId, Timestamp};
use ports::repo::ActivityWrite;
use ports::store::{Conflict, StoreError};
use ports::{Entity as _, RecordKind, Refers, Stored, Version};
use uuid::Uuid;

/// What is known of the store's records before a batch.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The records that writes refer to, as far as they are there.
    pub(super) present: Arc<HashSet<(RecordKind, Uuid)>>,
    /// The activities that are to be replaced, as far as they are there.
    pub(super) replaced: HashMap<Uuid, Stored<Activity>>,
    /// Those ids of new activities that are taken.
    pub(super) taken: HashSet<Uuid>,
    /// Who holds the syncIds of the batch, as far as somebody does.
    pub(super) holders: HashMap<String, Uuid>,
}

/// What a write replaces.
#[derive(Clone, Copy, Debug)]
pub(super) enum Before {
    /// What the store had.
    Stored,
    /// What an earlier write of the batch left, by its place.
    Earlier(usize),
}

/// What was found out about a write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// When the activity was added.
    created: Timestamp,
    /// What the write replaces.
    before: Option<Before>,
    /// Whether no later write of the batch replaces it.
    stays: bool,
}

/// A batch that nothing stands in the way of.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) batch: Vec<ActivityWrite>,
    /// What was found out about each.
    pub(super) steps: Vec<Step>,
    /// What is known of the store's records.
    pub(super) known: Arc<Known>,
    /// The moment that the activities get.
    pub(super) updated: Timestamp,
    /// The version that they get.
    pub(super) version: Version,
}

/// One write of a batch.
#[derive(Debug)]
pub(super) struct Write {
    /// The activity as it will be stored.
    pub(super) stored: Stored<Activity>,
    /// The version that is replaced; `None` for a new activity.
    pub(super) before: Option<Stored<Activity>>,
    /// Whether no later write of the batch replaces it.
    pub(super) stays: bool,
}

impl Plan {
    /// The ids of what the store had and is replaced.
    pub(super) fn replaced(&self) -> impl Iterator<Item = Uuid> {
        let is_stored = |step: &Step| matches!(step.before, Some(Before::Stored));
        let replaced = self.batch.iter().zip(&self.steps).filter(move |(_, step)| is_stored(step));
        replaced.map(|(put, _)| activity(put).id.into())
    }

    /// The series of what is written, and of what it replaces, in order; some more than once.
    pub(super) fn series(&self) -> impl Iterator<Item = SeriesKey> {
        let before = self.replaced().filter_map(|id| self.known.replaced.get(&id)).map(|stored| &stored.value);
        self.batch.iter().map(activity).chain(before).map(Activity::series)
    }

    /// The write at that place; `None` behind the last.
    pub(super) fn write(&self, at: usize) -> Option<Write> {
        let (stored, step) = self.stored(at)?;
        let before = match step.before {
            None => None,
            Some(Before::Stored) => self.known.replaced.get(&stored.value.id.into()).cloned(),
            Some(Before::Earlier(at)) => self.stored(at).map(|(stored, _)| stored),
        };
        Some(Write { stored, before, stays: step.stays })
    }

    fn stored(&self, at: usize) -> Option<(Stored<Activity>, Step)> {
        let (put, step) = self.batch.get(at).zip(self.steps.get(at))?;
        let value = activity(put).clone();
        let (updated, version) = (self.updated, self.version);
        Some((Stored { value, created: step.created, updated, version }, *step))
    }
}

/// What a write puts.
pub(super) const fn activity(put: &ActivityWrite) -> &Activity {
    match put {
        ActivityWrite::Add(activity) | ActivityWrite::Update(activity, _) => activity,
    }
}

/// Goes through a batch in order; the first write that something stands in the way of is the error.
pub(super) fn check(
    batch: &[ActivityWrite],
    known: &Known,
    at: Timestamp,
    version: Version,
) -> Result<Vec<Step>, StoreError> {
    let steps = Vec::with_capacity(batch.len());
    let mut walk = Walk { batch, known, at, version, steps, latest: HashMap::new(), holders: HashMap::new() };
    for (at, put) in batch.iter().enumerate() {
        let step = walk.step(at, put)?;
        walk.steps.push(step);
    }
    Ok(walk.steps)
}

struct Walk<'w> {
    batch: &'w [ActivityWrite],
    known: &'w Known,
    /// The moment that the activities get.
    at: Timestamp,
    /// The version that they get.
    version: Version,
    steps: Vec<Step>,
    /// The place of the latest write of each activity.
    latest: HashMap<Uuid, usize>,
    /// Who holds a syncId, as far as the batch changed it.
    holders: HashMap<&'w SyncId, Option<Uuid>>,
}

impl<'w> Walk<'w> {
    fn step(&mut self, at: usize, put: &'w ActivityWrite) -> Result<Step, StoreError> {
        let activity = activity(put);
        let id: Uuid = activity.id.into();
        let latest = self.latest.insert(id, at);
        let (step, before) = match put {
            ActivityWrite::Add(_) => (Step { created: self.at, before: None, stays: true }, None),
            ActivityWrite::Update(_, seen) => self.replace(id, latest, *seen).ok_or(StoreError::Stale)?,
        };
        for Refers { kind, id, .. } in activity.references() {
            if !self.known.present.contains(&(kind, id)) {
                return Err(StoreError::Conflict(Conflict::Missing { kind, id }));
            }
        }
        if before.is_none() && (latest.is_some() || self.known.taken.contains(&id)) {
            return Err(StoreError::Conflict(Conflict::Exists(id)));
        }
        self.name(id, before.and_then(|before| before.sync_id.as_ref()), activity.sync_id.as_ref())?;
        if let Some(earlier) = latest.and_then(|latest| self.steps.get_mut(latest)) {
            earlier.stays = false;
        }
        Ok(step)
    }

    /// What an update of the version that was seen replaces; `None` when there is another version, or none.
    fn replace(&self, id: Uuid, latest: Option<usize>, seen: Version) -> Option<(Step, Option<&'w Activity>)> {
        let (created, before, value) = if let Some(latest) = latest {
            let (step, put) = self.steps.get(latest).zip(self.batch.get(latest))?;
            (self.version == seen).then_some((step.created, Before::Earlier(latest), activity(put)))?
        } else {
            let stored = self.known.replaced.get(&id).filter(|stored| stored.version == seen)?;
            (stored.created, Before::Stored, &stored.value)
        };
        Some((Step { created, before: Some(before), stays: true }, Some(value)))
    }

    /// Gives the activity its syncId in place of the one that it had.
    fn name(&mut self, id: Uuid, before: Option<&'w SyncId>, after: Option<&'w SyncId>) -> Result<(), StoreError> {
        if let Some(sync_id) = after {
            let known = || self.known.holders.get(sync_id.as_str()).copied();
            let holder = self.holders.get(sync_id).copied().unwrap_or_else(known);
            if let Some(holder) = holder.filter(|holder| *holder != id) {
                return Err(StoreError::Conflict(Conflict::SyncId { kind: RecordKind::Activity, holder }));
            }
        }
        self.holders.extend(before.map(|freed| (freed, None)));
        self.holders.extend(after.map(|taken| (taken, Some(id))));
        Ok(())
    }
}
