//! What earlier contents of activities need and is not there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::{Activity, ActivityId, Factor, Org, Product, Scope, SyncId, Taxonomy};
use ports::store::{HasRepository, ReadTx, StoreError};
use ports::{Entity as _, RecordKind};
use uuid::Uuid;

/// How many records are looked up at once.
const LOOKED_UP: usize = 2_000;

/// What is not there, and what is known to be.
#[derive(Default)]
pub(in crate::usecase) struct Missing {
    there: HashSet<(RecordKind, Uuid)>,
    /// What is gone, and syncIds that others have, in sentences.
    found: BTreeSet<String>,
}

impl Missing {
    /// Looks whether what those contents refer to is there, and whether their syncIds are free: what the import wrote last,
    /// in `changes`, gives its syncId back.
    pub(in crate::usecase) async fn look_at(
        &mut self,
        tx: &mut dyn ReadTx,
        contents: &[Activity],
        changes: &[u64],
    ) -> Result<(), StoreError> {
        let mut asked: BTreeMap<RecordKind, BTreeSet<Uuid>> = BTreeMap::new();
        for refers in contents.iter().flat_map(Activity::references) {
            if self.there.insert((refers.kind, refers.id)) {
                asked.entry(refers.kind).or_default().insert(refers.id);
            }
        }
        for (kind, ids) in asked {
            let there = match kind {
                RecordKind::Scope => there::<Scope>(tx, &ids).await?,
                RecordKind::Org => there::<Org>(tx, &ids).await?,
                RecordKind::Taxonomy => there::<Taxonomy>(tx, &ids).await?,
                RecordKind::Product => there::<Product>(tx, &ids).await?,
                RecordKind::Factor => there::<Factor>(tx, &ids).await?,
                RecordKind::Activity
                | RecordKind::Model
                | RecordKind::Input
                | RecordKind::Switch
                | RecordKind::Footprint
                | RecordKind::ClosedPeriod
                | RecordKind::Exclusion
                | RecordKind::Partner
                | RecordKind::Sharing => continue,
            };
            self.found.extend(ids.difference(&there).map(|id| format!("{kind} {id} is not there")));
        }
        let owners: HashMap<SyncId, ActivityId> =
            contents.iter().filter_map(|content| Some((content.sync_id.clone()?, content.id))).collect();
        let sync_ids: Vec<SyncId> = owners.keys().cloned().collect();
        for sync_ids in sync_ids.chunks(LOOKED_UP) {
            for holder in tx.activities().with_sync_ids(sync_ids).await? {
                let (id, version) = (holder.value.id, holder.version.0);
                let Some(sync_id) = holder.value.sync_id else { continue };
                if owners.get(&sync_id).is_some_and(|owner| *owner != id) && changes.binary_search(&version).is_err() {
                    self.found.insert(format!("the syncId {sync_id} is that of activity {id}"));
                }
            }
        }
        Ok(())
    }

    /// What was found.
    pub(in crate::usecase) fn into_sentences(self) -> Vec<String> {
        self.found.into_iter().collect()
    }
}

/// Which of those records are there.
async fn there<T: HasRepository>(tx: &mut dyn ReadTx, ids: &BTreeSet<Uuid>) -> Result<BTreeSet<Uuid>, StoreError> {
    let (ids, mut there): (Vec<T::Id>, _) = (ids.iter().copied().map(T::Id::from).collect(), BTreeSet::new());
    for ids in ids.chunks(LOOKED_UP) {
        there.extend(T::reader(tx).find_all(ids).await?.iter().map(|stored| stored.value.id().into()));
    }
    Ok(there)
}
