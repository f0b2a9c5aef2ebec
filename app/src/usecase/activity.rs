//! Recording activities.

mod draft;

use std::sync::Arc;

use async_trait::async_trait;
use domain::ActivityId;
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{
    Activities, ActivityDraft, ActivityView, Error, Recalculated, Recalculation, ReportQuery, ReportView,
};
use ports::store::{Intent, ReadTx, Store, WriteTx};
use ports::{Caller, Grant, Revision, Version, Write, demand, permit};

pub(super) use draft::{Differences, build};

use super::read_model::ReadModels;
use super::resolve::Resolver;
use super::{names, recalculation, report};

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
}

impl ActivityService {
    async fn write(&self, grant: &Grant<Write>, cause: &str) -> Result<Box<dyn WriteTx>, Error> {
        Ok(self.store.write(grant, Intent { at: self.clock.now(), cause: cause.to_owned() }).await?)
    }

    /// Finds every fault of a draft that is known to be faulty, without waiting for a turn to write.
    async fn refuse(
        &self,
        grant: &Grant<Write>,
        id: ActivityId,
        update: bool,
        draft: ActivityDraft,
    ) -> Result<Error, Error> {
        let mut tx = self.store.read(&grant.to_read()).await?;
        let before = if update { Some(find(tx.as_mut(), id).await?.value) } else { None };
        match build(tx.as_mut(), &mut Resolver::default(), id, before.as_ref(), &draft, Differences::Refused).await? {
            Err(faults) => Ok(Error::Invalid(faults)),
            // Its faults were noted before, so none is lost between the two readings.
            Ok(_) => Ok(Error::Stale),
        }
    }
}

#[async_trait]
impl Activities for ActivityService {
    async fn report(&self, caller: &Caller, query: ReportQuery) -> Result<ReportView, Error> {
        report::report(self.store.as_ref(), &self.read_models, caller, query).await
    }

    async fn revision(&self, caller: &Caller) -> Result<Revision, Error> {
        let grant = permit(caller, demand::ACTIVITY_REPORT)?;
        Ok(self.store.read(&grant).await?.head().await?.revision())
    }

    async fn get(&self, caller: &Caller, id: ActivityId) -> Result<ActivityView, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let activity = find(tx.as_mut(), id).await?;
        names::read_activity(tx.as_mut(), activity).await
    }

    async fn add(&self, caller: &Caller, draft: ActivityDraft) -> Result<ActivityView, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let id = ActivityId::new(self.ids.next(self.clock.now()));
        if !draft.faults.is_empty() {
            return Err(self.refuse(&grant, id, false, draft).await?);
        }
        let mut tx = self.write(&grant, "POST /v1/activity").await?;
        let activity = build(tx.as_mut(), &mut Resolver::default(), id, None, &draft, Differences::Refused).await??;
        let stored = tx.activities_mut().add(activity).await?;
        let view = names::read_activity(tx.as_mut(), stored).await?;
        tx.commit().await?;
        Ok(view)
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
        if !draft.faults.is_empty() {
            return Err(self.refuse(&grant, id, true, draft).await?);
        }
        let mut tx = self.write(&grant, "PATCH /v1/activity").await?;
        let before = find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let activity =
            build(tx.as_mut(), &mut Resolver::default(), id, Some(&before.value), &draft, Differences::Refused)
                .await??;
        if activity == before.value {
            return names::read_activity(tx.as_mut(), before).await;
        }
        let stored = tx.activities_mut().update(activity, before.version).await?;
        let view = names::read_activity(tx.as_mut(), stored).await?;
        tx.commit().await?;
        Ok(view)
    }

    async fn remove(&self, caller: &Caller, id: ActivityId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let mut tx = self.write(&grant, "DELETE /v1/activity").await?;
        let before = find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        tx.activities_mut().remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn recalculate(&self, caller: &Caller, asked: Recalculation) -> Result<Recalculated, Error> {
        recalculation::recalculate(self.store.as_ref(), self.clock.as_ref(), caller, asked).await
    }
}

/// The activity of that id, which must be there.
async fn find(tx: &mut dyn ReadTx, id: ActivityId) -> Result<ports::Stored<domain::Activity>, Error> {
    tx.activities().find(id).await?.ok_or(Error::NotFound)
}

/// Whether the version is the one that was seen, where one was.
pub(super) fn fresh(version: Version, seen: Option<Version>) -> Result<(), Error> {
    if seen.is_none_or(|seen| seen == version) { Ok(()) } else { Err(Error::Stale) }
}
