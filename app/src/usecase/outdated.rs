//! Which activities of a tenant have a CO2e that is outdated, as reports count them.
//!
//! Where no factor was corrected, ended or chosen by a rule, none is, and nothing is read. Else one ordered scan finds them. What
//! later changes wrote is looked at alone, until factors, rules or regions change that decide it, or they are many.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use domain::{Activity, ActivityId, Attribution, Catalog, Day, Filter, SeriesKey};
use ports::inbound::Error;
use ports::ledger::PartPlace;
use ports::repo::Place;
use ports::store::{ReadTx, StoreError};
use ports::{Action, ChainHead, RecordKind, Stored, TenantId};

use super::factors::Factors;
use super::suspects::Suspects;

/// How many activities are read at once.
const BATCH: u32 = 1_000;
/// How many parts of items are read at once.
const PARTS: u32 = 4;
/// When later changes wrote more activities than this, all are scanned anew.
const MOST_WRITTEN: usize = 10_000;
/// When more outdated activities than these are kept, some 100 MB of them, those of other tenants are dropped.
const MOST_KEPT: usize = 1_500_000;

/// The outdated activities of tenants, as they were last found.
#[derive(Debug, Default)]
pub(super) struct OutdatedActivities(Mutex<HashMap<TenantId, Slot>>);

/// What is known of a tenant. Whoever looks it up holds it, and the others find its work.
type Slot = Arc<tokio::sync::Mutex<Option<Arc<Outdated>>>>;

/// The outdated activities of a tenant at one revision.
#[derive(Clone, Debug)]
pub(super) struct Outdated {
    head: ChainHead,
    suspects: Arc<Suspects>,
    found: HashMap<ActivityId, Spot>,
}

/// Where an activity counts.
#[derive(Clone, Copy, Debug)]
struct Spot {
    series: SeriesKey,
    days: (Day, Day),
}

impl OutdatedActivities {
    /// Those of the transaction's snapshot.
    pub(super) async fn of(&self, tenant: TenantId, tx: &mut dyn ReadTx) -> Result<Arc<Outdated>, Error> {
        let head = tx.head().await?;
        let slot = Arc::clone(self.lock().entry(tenant).or_default());
        let mut known = slot.lock().await;
        let base = known.as_ref().filter(|known| known.head.epoch == head.epoch);
        if let Some(base) = base.filter(|base| base.head.number == head.number) {
            return Ok(Arc::clone(base));
        }
        let suspects = match base.filter(|base| base.head.has_catalog_of(&head)) {
            Some(base) => Arc::clone(&base.suspects),
            None => Arc::new(Suspects::read(tx).await?),
        };
        let found = match base.filter(|base| base.head.number < head.number && base.suspects.say_as(&suspects)) {
            Some(base) => Arc::new(base.advanced(tx, head, suspects).await?),
            None => Arc::new(scanned(tx, head, suspects).await?),
        };
        // A snapshot that is older than what is known displaces nothing.
        let is_newer =
            known.as_ref().is_none_or(|known| known.head.epoch != head.epoch || known.head.number < head.number);
        if is_newer {
            *known = Some(Arc::clone(&found));
            drop(known);
            self.keep_within(tenant);
        }
        Ok(found)
    }

    /// Drops what is known of other tenants where all together are too many.
    fn keep_within(&self, tenant: TenantId) {
        let mut slots = self.lock();
        let count = |slot: &Slot| match slot.try_lock() {
            Ok(known) => known.as_ref().map_or(0, |known| known.found.len()),
            Err(_) => 0,
        };
        if slots.values().map(count).sum::<usize>() > MOST_KEPT {
            slots.retain(|id, _| *id == tenant);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<TenantId, Slot>> {
        // Nothing that holds the lock can fail half-way, so what was poisoned is as good as any.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outdated {
    /// How many the filter selects.
    pub(super) fn count(&self, catalog: &Catalog, filter: &Filter) -> u64 {
        if self.found.is_empty() {
            return 0;
        }
        let not_spread = match filter.attribution {
            Attribution::Daily => catalog.not_spread(),
            Attribution::Start => HashSet::new(),
        };
        let selects = |spot: &&Spot| filter.selects_days(&spot.series, spot.days, &not_spread);
        self.found.values().filter(selects).count() as u64
    }

    /// Whether the activity is one of them.
    pub(super) fn contains(&self, id: ActivityId) -> bool {
        self.found.contains_key(&id)
    }

    /// Those at a later head, of which suspects say the same.
    async fn advanced(&self, tx: &mut dyn ReadTx, head: ChainHead, suspects: Arc<Suspects>) -> Result<Self, Error> {
        if suspects.is_empty() {
            return Ok(Self { head, suspects, found: HashMap::new() });
        }
        let Some(written) = written_since(tx, self.head.number).await? else {
            return scanned(tx, head, suspects).await;
        };
        let (pending, mut factors) = (suspects.pending(), Factors::default());
        let mut outdated = Self { head, suspects, found: self.found.clone() };
        let written: Vec<ActivityId> = written.into_iter().collect();
        for ids in written.chunks(BATCH as usize) {
            for id in ids {
                outdated.found.remove(id);
            }
            let mut stored = tx.activities().find_all(ids).await?;
            stored.retain(|stored| pending.selects(&stored.value));
            outdated.add(tx, &mut factors, &stored).await?;
        }
        Ok(outdated)
    }

    /// Adds those of the activities that are outdated.
    async fn add(
        &mut self,
        tx: &mut dyn ReadTx,
        factors: &mut Factors,
        read: &[Stored<Activity>],
    ) -> Result<(), Error> {
        let activities = || read.iter().map(|stored| &stored.value);
        factors.read(tx, activities()).await?;
        for activity in activities().filter(|activity| factors.outdated(activity).is_some()) {
            let days = (activity.span.first(), activity.span.last());
            self.found.insert(activity.id, Spot { series: activity.series(), days });
        }
        Ok(())
    }
}

/// Those at a head, by one scan in their order.
async fn scanned(tx: &mut dyn ReadTx, head: ChainHead, suspects: Arc<Suspects>) -> Result<Outdated, Error> {
    let mut outdated = Outdated { head, suspects, found: HashMap::new() };
    if outdated.suspects.is_empty() {
        return Ok(outdated);
    }
    let pending = outdated.suspects.pending();
    let (mut factors, mut after) = (Factors::default(), None);
    loop {
        let read = tx.activities().pending(&pending, after, BATCH).await?;
        outdated.add(tx, &mut factors, &read).await?;
        match read.last() {
            Some(last) if read.len() == BATCH as usize => after = Some(Place::of(&last.value)),
            Some(_) | None => return Ok(outdated),
        }
    }
}

/// The activities that changes behind that one wrote; `None` where they are many.
async fn written_since(tx: &mut dyn ReadTx, number: u64) -> Result<Option<HashSet<ActivityId>>, Error> {
    let (mut written, mut after) = (HashSet::new(), PartPlace::behind(number));
    loop {
        let parts = tx.ledger().items_since(after, PARTS).await?;
        for (place, items) in &parts {
            for item in items.items() {
                let damaged = |error: &dyn std::fmt::Display| StoreError::Corrupt {
                    subject: format!("change {}", place.change),
                    detail: error.to_string(),
                };
                let item = item.map_err(|error| damaged(&error))?;
                if item.kind == RecordKind::Activity && !matches!(item.action, Action::Blanked(_)) {
                    written.insert(ActivityId::from(item.id));
                }
            }
            after = *place;
        }
        if written.len() > MOST_WRITTEN {
            return Ok(None);
        }
        if parts.len() < PARTS as usize {
            return Ok(Some(written));
        }
    }
}
