//! Exclusions: what the company leaves out of its inventory on purpose, and why.

mod draft;

use std::sync::Arc;

use async_trait::async_trait;
use domain::ExclusionId;
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{Done, Error, ExclusionDraft, ExclusionView, Exclusions, Once};
use ports::repo::{Listing, Page, Query};
use ports::store::{Store, WriteTx};
use ports::{Caller, Grant, Version, Write, demand, permit};

use super::activity::fresh;
use super::draft::{begin, refused};
use super::once;
pub(super) use draft::view;

/// Keeps exclusions in a store.
pub struct ExclusionService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
}

impl ExclusionService {
    async fn write(&self, grant: &Grant<Write>, cause: &str) -> Result<Box<dyn WriteTx>, Error> {
        begin(self.store.as_ref(), self.clock.as_ref(), grant, cause).await
    }
}

#[async_trait]
impl Exclusions for ExclusionService {
    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<ExclusionView>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let Listing { count, page, data } = tx.exclusions().list(&Query::all(page)).await?;
        let mut views = Vec::with_capacity(data.len());
        for stored in data {
            views.push(draft::view(tx.as_mut(), stored).await?);
        }
        Ok(Listing { count, page, data: views })
    }

    async fn get(&self, caller: &Caller, id: ExclusionId) -> Result<ExclusionView, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let stored = draft::find(tx.as_mut(), id).await?;
        draft::view(tx.as_mut(), stored).await
    }

    async fn add_once(
        &self,
        caller: &Caller,
        draft: ExclusionDraft,
        once: Option<Once<ExclusionView>>,
    ) -> Result<Done<ExclusionView>, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let work = async {
            let id = ExclusionId::new(self.ids.next(self.clock.now()));
            if !draft.faults.is_empty() {
                let mut tx = self.store.read(&grant.to_read()).await?;
                return Err(refused(draft::build(tx.as_mut(), id, None, draft).await?));
            }
            let mut tx = self.write(&grant, "POST /v1/exclusion").await?;
            let exclusion = draft::build(tx.as_mut(), id, None, draft).await??;
            draft::refuse_twice(tx.as_mut(), &exclusion).await?;
            let stored = tx.exclusions_mut().add(exclusion).await?;
            let view = draft::view(tx.as_mut(), stored).await?;
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn update(
        &self,
        caller: &Caller,
        id: ExclusionId,
        seen: Option<Version>,
        draft: ExclusionDraft,
    ) -> Result<ExclusionView, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        if !draft.faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            let before = draft::find(tx.as_mut(), id).await?;
            return Err(refused(draft::build(tx.as_mut(), id, Some(&before.value), draft).await?));
        }
        let mut tx = self.write(&grant, "PATCH /v1/exclusion").await?;
        let before = draft::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let exclusion = draft::build(tx.as_mut(), id, Some(&before.value), draft).await??;
        if exclusion == before.value {
            return draft::view(tx.as_mut(), before).await;
        }
        draft::refuse_twice(tx.as_mut(), &exclusion).await?;
        let stored = tx.exclusions_mut().update(exclusion, before.version).await?;
        let view = draft::view(tx.as_mut(), stored).await?;
        tx.commit().await?;
        Ok(view)
    }

    async fn remove(&self, caller: &Caller, id: ExclusionId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let mut tx = self.write(&grant, "DELETE /v1/exclusion").await?;
        let before = draft::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        tx.exclusions_mut().remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }
}
