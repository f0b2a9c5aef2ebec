//! Switches and their footprints.

mod draft;
mod sources;
mod views;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Faults, ImageAddress, Switch, SwitchId, SyncId};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{Done, Error, Field, Once, Reference, SwitchDraft, SwitchView, Switches};
use ports::repo::{Listing, Page, Query};
use ports::store::{Store, WriteTx};
use ports::{Caller, Grant, Stored, Version, Write, demand, permit};

use super::activity::fresh;
use super::draft::{begin, refused};
use super::once;
use sources::Models;
pub use views::SwitchViews;

/// Keeps switches in a store and computes their footprints.
pub struct SwitchService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
    /// What was read of switches.
    pub views: SwitchViews,
}

impl SwitchService {
    async fn write(&self, grant: &Grant<Write>, cause: &str) -> Result<Box<dyn WriteTx>, Error> {
        begin(self.store.as_ref(), self.clock.as_ref(), grant, cause).await
    }
}

#[async_trait]
impl Switches for SwitchService {
    async fn list(&self, caller: &Caller, sync_id: Option<SyncId>, page: Page) -> Result<Listing<SwitchView>, Error> {
        let grant = permit(caller, demand::SWITCH_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let query = Query { sync_id, ..Query::all(page) };
        let Listing { count, page, data } = tx.switches().list(&query).await?;
        let mut models = Models::default();
        let mut views = Vec::with_capacity(data.len());
        for switch in data {
            views.push(models.view(tx.as_mut(), switch).await?);
        }
        Ok(Listing { count, page, data: views })
    }

    async fn get(&self, caller: &Caller, id: SwitchId) -> Result<SwitchView, Error> {
        let grant = permit(caller, demand::SWITCH_READ)?;
        let revision = self.store.head(&grant).await?.revision();
        if let Some(known) = self.views.find(grant.tenant(), revision, id) {
            return Ok(known);
        }
        let mut tx = self.store.read(&grant).await?;
        self.views.get(tx.as_mut(), grant.tenant(), id).await
    }

    async fn add_once(
        &self,
        caller: &Caller,
        draft: SwitchDraft,
        once: Option<Once<SwitchView>>,
    ) -> Result<Done<SwitchView>, Error> {
        let grant = permit(caller, demand::SWITCH_WRITE)?;
        let work = async {
            let switch = draft::build(SwitchId::new(self.ids.next(self.clock.now())), None, draft)?;
            let mut tx = self.write(&grant, "POST /v1/switch").await?;
            let stored = tx.switches_mut().add(switch).await?;
            let view = Models::default().view(tx.as_mut(), stored).await?;
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn update(
        &self,
        caller: &Caller,
        id: SwitchId,
        seen: Option<Version>,
        draft: SwitchDraft,
    ) -> Result<SwitchView, Error> {
        let grant = permit(caller, demand::SWITCH_WRITE)?;
        if !draft.faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            let before = draft::find(tx.as_mut(), id).await?;
            return Err(refused(draft::build(id, Some(&before.value), draft)));
        }
        let mut tx = self.write(&grant, "PATCH /v1/switch").await?;
        let before = draft::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let switch = draft::build(id, Some(&before.value), draft)?;
        replace(tx, before, switch).await
    }

    async fn put_sources(
        &self,
        caller: &Caller,
        id: SwitchId,
        seen: Option<Version>,
        sources: Vec<Option<Reference>>,
        faults: Faults,
    ) -> Result<SwitchView, Error> {
        let grant = permit(caller, demand::SWITCH_WRITE)?;
        if !faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            draft::find(tx.as_mut(), id).await?;
            return Err(refused(sources::find(tx.as_mut(), &sources, faults).await?));
        }
        let mut tx = self.write(&grant, "PUT /v1/switch/sources").await?;
        let before = draft::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let sources = sources::find(tx.as_mut(), &sources, faults).await??;
        let switch = before.value.clone().with_sources(sources);
        replace(tx, before, switch).await
    }

    async fn put_image(
        &self,
        caller: &Caller,
        id: SwitchId,
        seen: Option<Version>,
        image: Field<ImageAddress>,
        faults: Faults,
    ) -> Result<SwitchView, Error> {
        let grant = permit(caller, demand::SWITCH_WRITE)?;
        if !faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            draft::find(tx.as_mut(), id).await?;
            return Err(Error::Invalid(faults));
        }
        let mut tx = self.write(&grant, "PUT /v1/switch/image").await?;
        let before = draft::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let switch = before.value.clone().with_image(image.merge(before.value.image.clone()));
        replace(tx, before, switch).await
    }

    async fn remove(&self, caller: &Caller, id: SwitchId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::SWITCH_WRITE)?;
        let mut tx = self.write(&grant, "DELETE /v1/switch").await?;
        let before = draft::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        tx.switches_mut().remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// Puts the switch in the place of the one before, if it differs.
async fn replace(mut tx: Box<dyn WriteTx>, before: Stored<Switch>, switch: Switch) -> Result<SwitchView, Error> {
    if switch == before.value {
        return Models::default().view(tx.as_mut(), before).await;
    }
    let stored = tx.switches_mut().update(switch, before.version).await?;
    let view = Models::default().view(tx.as_mut(), stored).await?;
    tx.commit().await?;
    Ok(view)
}
