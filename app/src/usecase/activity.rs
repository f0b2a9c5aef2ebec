//! Recording activities.

mod draft;
mod kept;
mod measures;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{ActivityId, Factor, Faults, Timestamp};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{
    Activities, ActivityDraft, ActivityView, Done, Error, Once, Recalculated, Recalculation, ReportQuery, ReportView,
    UndoneRecalculation,
};
use ports::repo::ActivityWrite;
use ports::store::{Intent, ReadTx, Store, StoreError};
use ports::{Caller, Grant, Read, RecalculationId, Revision, Stored, Version, Write, demand, permit};

pub(super) use draft::{Differences, build};
pub(super) use measures::computed_measures;

use super::lookups::LookupCache;
use super::published::{Chooser, Choosing};
use super::read_model::ReadModels;
use super::{names, once, recalculation, report};

/// Records activities in a store and reports on them.
pub struct ActivityService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// What reports are made from.
    pub read_models: Arc<ReadModels>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
    /// What requests looked up in the catalog.
    pub lookups: Arc<LookupCache>,
    /// What chooses published factors by the rules of products.
    pub chooser: Arc<Chooser>,
}

/// How often a change that other writers overtook is built in a snapshot.
const ATTEMPTS: usize = 4;

/// What a caller asks for.
struct Change<'a> {
    id: ActivityId,
    is_new: bool,
    /// The version that the caller saw.
    seen: Option<Version>,
    draft: &'a ActivityDraft,
    cause: &'static str,
}

/// What a draft comes to: what is to be written, and what the caller is told of it.
struct Prepared {
    write: ActivityWrite,
    view: ActivityView,
    /// The factor that was chosen for it, where it is not there yet.
    chosen: Option<Factor>,
}

impl ActivityService {
    fn intent(&self, cause: &str) -> Intent {
        Intent { at: self.clock.now(), cause: cause.to_owned() }
    }

    /// The activity that a draft makes of nothing or of `before`; `Err` with the view of one that stays as it is.
    async fn prepare(
        &self,
        tx: &mut dyn ReadTx,
        grant: &Grant<Write>,
        change: &Change<'_>,
        choosing: &mut Choosing,
        at: Timestamp,
    ) -> Result<Result<Prepared, ActivityView>, Error> {
        let Change { id, seen, draft, is_new, .. } = change;
        let before = if *is_new { None } else { Some(find(tx, *id).await?) };
        if let Some(before) = &before {
            fresh(before.version, *seen)?;
        }
        let head = tx.head().await?;
        let mut lookups = self.lookups.take(grant.tenant(), &head);
        let known = before.as_ref().map(|before| &before.value);
        choosing.begin();
        let mut told = Faults::new();
        let differences = Differences::Refused(&mut told);
        let built = build(tx, &mut lookups.resolver, choosing, *id, known, draft, differences).await?;
        let warnings: Vec<String> = told.into_iter().map(|told| format!("{} {}", told.pointer, told.detail)).collect();
        let prepared = match (built, before) {
            (Err(faults), _) => Err(Error::Invalid(faults)),
            (Ok(activity), Some(before)) if activity == before.value => {
                let view = names::read_activity(tx, &mut lookups, before).await?;
                Ok(Err(ActivityView { warnings, ..view }))
            }
            (Ok(activity), before) => {
                let chosen = choosing.made_for(&activity);
                let (write, created) = match before {
                    Some(before) => (ActivityWrite::Update(activity.clone(), before.version), before.created),
                    None => (ActivityWrite::Add(activity.clone()), at),
                };
                // The version is known once it is written.
                let stored = Stored { value: activity, created, updated: at, version: Version(head.number) };
                let view = names::read_activity(tx, &mut lookups, stored).await?;
                Ok(Ok(Prepared { write, view: ActivityView { warnings, ..view }, chosen }))
            }
        };
        self.lookups.keep(grant.tenant(), &head, lookups);
        prepared
    }

    /// An activity with names that are looked up in its snapshot.
    async fn look_up(&self, grant: &Grant<Read>, id: ActivityId) -> Result<ActivityView, Error> {
        let mut tx = self.store.read(grant).await?;
        let activity = find(tx.as_mut(), id).await?;
        let head = tx.head().await?;
        let mut lookups = self.lookups.take(grant.tenant(), &head);
        let view = names::read_activity(tx.as_mut(), &mut lookups, activity).await?;
        self.lookups.keep(grant.tenant(), &head, lookups);
        Ok(view)
    }

    /// Writes what a draft makes: built in a snapshot and written in one step, if no other writer changed in between what it
    /// was built from; else it is built again, in the end in a transaction that keeps all others waiting.
    async fn change(&self, grant: &Grant<Write>, change: Change<'_>) -> Result<ActivityView, Error> {
        let mut choosing = self.chooser.begin(grant.to_read());
        for _ in 0..ATTEMPTS {
            let (intent, head, prepared) = {
                let mut tx = self.store.read(&grant.to_read()).await?;
                let intent = self.intent(change.cause);
                let prepared = self.prepare(tx.as_mut(), grant, &change, &mut choosing, intent.at).await?;
                (intent, tx.head().await?, prepared)
            };
            let Prepared { write, mut view, chosen } = match prepared {
                Ok(prepared) => prepared,
                Err(unchanged) => return Ok(unchanged),
            };
            if chosen.is_some() {
                // It comes in the same change.
                break;
            }
            match self.store.put_activities(grant, intent, &head, vec![write]).await {
                Ok(head) => {
                    view.activity.version = Version(head.number);
                    return Ok(view);
                }
                Err(StoreError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.change_alone(grant, &change, &mut choosing, None).await
    }

    /// The same in a transaction that keeps all others waiting, with its answer where that is to be stored.
    async fn change_alone(
        &self,
        grant: &Grant<Write>,
        change: &Change<'_>,
        choosing: &mut Choosing,
        once: Option<&Once<ActivityView>>,
    ) -> Result<ActivityView, Error> {
        let intent = self.intent(change.cause);
        let at = intent.at;
        let mut tx = self.store.write(grant, intent).await?;
        match self.prepare(tx.as_mut(), grant, change, choosing, at).await? {
            Ok(Prepared { write, mut view, chosen }) => {
                if let Some(factor) = chosen {
                    tx.factors_mut().add(factor).await?;
                }
                view.activity.version = Version(tx.number());
                match write {
                    ActivityWrite::Add(activity) => drop(tx.activities_mut().add(activity).await?),
                    update @ ActivityWrite::Update(..) => tx.activities_mut().put_all(vec![update]).await?,
                }
                once::keep(tx.as_mut(), once, &view).await?;
                tx.commit().await?;
                Ok(view)
            }
            Err(unchanged) => Ok(unchanged),
        }
    }

    /// Adds an activity with its answer: in a transaction, since the answer names the version, which only that knows before
    /// it is written.
    async fn add_with_answer(
        &self,
        grant: &Grant<Write>,
        change: &Change<'_>,
        once: &Once<ActivityView>,
    ) -> Result<ActivityView, Error> {
        let mut choosing = self.chooser.begin(grant.to_read());
        {
            // Nobody waits while faults are found, and what is chosen among is read.
            let mut tx = self.store.read(&grant.to_read()).await?;
            let _ = self.prepare(tx.as_mut(), grant, change, &mut choosing, self.clock.now()).await?;
        }
        self.change_alone(grant, change, &mut choosing, Some(once)).await
    }
}

#[async_trait]
impl Activities for ActivityService {
    async fn report(&self, caller: &Caller, query: ReportQuery) -> Result<ReportView, Error> {
        report::report(self.store.as_ref(), &self.read_models, caller, query).await
    }

    async fn revision(&self, caller: &Caller) -> Result<Revision, Error> {
        let grant = permit(caller, demand::ACTIVITY_REPORT)?;
        Ok(self.store.head(&grant).await?.revision())
    }

    async fn get(&self, caller: &Caller, id: ActivityId) -> Result<ActivityView, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        let (head, activity) = self.store.activity(&grant, id).await?;
        let activity = activity.ok_or(Error::NotFound)?;
        let lookups = self.lookups.take(grant.tenant(), &head);
        let known = names::known_activity(&lookups, activity);
        self.lookups.keep(grant.tenant(), &head, lookups);
        match known {
            Some(view) => Ok(view),
            None => self.look_up(&grant, id).await,
        }
    }

    async fn add_once(
        &self,
        caller: &Caller,
        draft: ActivityDraft,
        once: Option<Once<ActivityView>>,
    ) -> Result<Done<ActivityView>, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let id = ActivityId::new(self.ids.next(self.clock.now()));
        let change = Change { id, is_new: true, seen: None, draft: &draft, cause: "POST /v1/activity" };
        let Some(once) = once else { return self.change(&grant, change).await.map(Done::New) };
        let work = Box::pin(self.add_with_answer(&grant, &change, &once));
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, Some(once.request), work).await
    }

    async fn update(
        &self,
        caller: &Caller,
        id: ActivityId,
        seen: Option<Version>,
        draft: ActivityDraft,
    ) -> Result<ActivityView, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let mut draft = draft;
        if draft.read_back.id.is_some_and(|read| read != id) {
            draft.faults.add("/uuid", "is that of another activity");
        }
        let change = Change { id, is_new: false, seen, draft: &draft, cause: "PATCH /v1/activity" };
        self.change(&grant, change).await
    }

    async fn remove(&self, caller: &Caller, id: ActivityId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let mut tx = self.store.write(&grant, self.intent("DELETE /v1/activity")).await?;
        let before = find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        tx.activities_mut().remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn recalculate_once(
        &self,
        caller: &Caller,
        asked: Recalculation,
        once: Option<Once<Recalculated>>,
    ) -> Result<Done<Recalculated>, Error> {
        let parts = (self.store.as_ref(), self.clock.as_ref(), self.ids.as_ref());
        recalculation::recalculate(parts, &self.chooser, caller, asked, once).await
    }

    async fn undo_recalculation(&self, caller: &Caller, id: RecalculationId) -> Result<UndoneRecalculation, Error> {
        recalculation::undo(self.store.as_ref(), self.clock.as_ref(), caller, id).await
    }
}

/// The activity of that id, which must be there.
async fn find(tx: &mut dyn ReadTx, id: ActivityId) -> Result<Stored<domain::Activity>, Error> {
    tx.activities().find(id).await?.ok_or(Error::NotFound)
}

/// Whether the version is the one that was seen, where one was.
pub(super) fn fresh(version: Version, seen: Option<Version>) -> Result<(), Error> {
    if seen.is_none_or(|seen| seen == version) { Ok(()) } else { Err(Error::Stale) }
}
