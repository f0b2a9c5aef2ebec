//! Models and their inputs.

mod draft;
mod input;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{InputId, ModelId, SyncId};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{Done, Error, InputDraft, InputView, ModelDraft, ModelView, Models, Once};
use ports::repo::{Listing, Page, Query};
use ports::store::{Store, WriteTx};
use ports::{Caller, Grant, Version, Write, demand, permit};

use super::activity::fresh;
use super::draft::{begin, refused};
use super::once;
use super::resolve::Resolver;

pub(super) use input::all_inputs;

/// Keeps models and their inputs in a store.
pub struct ModelService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
}

impl ModelService {
    async fn write(&self, grant: &Grant<Write>, cause: &str) -> Result<Box<dyn WriteTx>, Error> {
        begin(self.store.as_ref(), self.clock.as_ref(), grant, cause).await
    }
}

#[async_trait]
impl Models for ModelService {
    async fn list(&self, caller: &Caller, sync_id: Option<SyncId>, page: Page) -> Result<Listing<ModelView>, Error> {
        let grant = permit(caller, demand::MODEL_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let query = Query { sync_id, ..Query::all(page) };
        let Listing { count, page, data } = tx.models().list(&query).await?;
        let mut views = Vec::with_capacity(data.len());
        for model in data {
            views.push(draft::view(tx.as_mut(), model).await?);
        }
        Ok(Listing { count, page, data: views })
    }

    async fn get(&self, caller: &Caller, id: ModelId) -> Result<ModelView, Error> {
        let grant = permit(caller, demand::MODEL_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let model = draft::find(tx.as_mut(), id).await?;
        draft::view(tx.as_mut(), model).await
    }

    async fn add_once(
        &self,
        caller: &Caller,
        draft: ModelDraft,
        once: Option<Once<ModelView>>,
    ) -> Result<Done<ModelView>, Error> {
        let grant = permit(caller, demand::MODEL_WRITE)?;
        let work = async {
            let now = self.clock.now();
            let id = ModelId::new(self.ids.next(now));
            let model = draft::build(id, now.day(), None, draft)?;
            let mut tx = self.write(&grant, "POST /v1/model").await?;
            let model = tx.models_mut().add(model).await?;
            let view = ModelView { model, co2e: None, module_d: None };
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn update(
        &self,
        caller: &Caller,
        id: ModelId,
        seen: Option<Version>,
        draft: ModelDraft,
    ) -> Result<ModelView, Error> {
        let grant = permit(caller, demand::MODEL_WRITE)?;
        let today = self.clock.now().day();
        if !draft.faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            let before = draft::find(tx.as_mut(), id).await?;
            return Err(refused(draft::build(id, today, Some(&before.value), draft)));
        }
        let mut tx = self.write(&grant, "PATCH /v1/model").await?;
        let before = draft::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let model = draft::build(id, today, Some(&before.value), draft)?;
        if model == before.value {
            return draft::view(tx.as_mut(), before).await;
        }
        if model.reference_date != before.value.reference_date {
            input::compute_all(tx.as_mut(), &model).await?;
        }
        let stored = tx.models_mut().update(model, before.version).await?;
        let view = draft::view(tx.as_mut(), stored).await?;
        tx.commit().await?;
        Ok(view)
    }

    async fn remove(&self, caller: &Caller, id: ModelId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::MODEL_WRITE)?;
        let mut tx = self.write(&grant, "DELETE /v1/model").await?;
        let before = draft::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        tx.models_mut().remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn list_inputs(
        &self,
        caller: &Caller,
        model: ModelId,
        sync_id: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<InputView>, Error> {
        let grant = permit(caller, demand::MODEL_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let model = draft::find(tx.as_mut(), model).await?.value;
        let query = Query { sync_id, ..Query::of(model.id, page) };
        let Listing { count, page, data } = tx.inputs().list(&query).await?;
        Ok(Listing { count, page, data: input::views(tx.as_mut(), &model, data).await? })
    }

    async fn get_input(&self, caller: &Caller, model: ModelId, id: InputId) -> Result<InputView, Error> {
        let grant = permit(caller, demand::MODEL_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let model = draft::find(tx.as_mut(), model).await?.value;
        let stored = input::find(tx.as_mut(), model.id, id).await?;
        input::view(tx.as_mut(), &model, stored).await
    }

    async fn add_input_once(
        &self,
        caller: &Caller,
        model: ModelId,
        draft: InputDraft,
        once: Option<Once<InputView>>,
    ) -> Result<Done<InputView>, Error> {
        let grant = permit(caller, demand::MODEL_WRITE)?;
        let work = async {
            let now = self.clock.now();
            let ids = input::NewIds { input: InputId::new(self.ids.next(now)), block: self.ids.next(now).into() };
            let mut resolver = Resolver::default();
            if !draft.faults.is_empty() {
                let mut tx = self.store.read(&grant.to_read()).await?;
                let mut model = draft::find(tx.as_mut(), model).await?.value;
                return Err(refused(input::build(tx.as_mut(), &mut resolver, &mut model, ids, None, draft).await?));
            }
            let mut tx = self.write(&grant, "POST /v1/model/input").await?;
            let before = draft::find(tx.as_mut(), model).await?;
            let mut model = before.value.clone();
            let input = input::build(tx.as_mut(), &mut resolver, &mut model, ids, None, draft).await??;
            if model != before.value {
                tx.models_mut().update(model.clone(), before.version).await?;
            }
            let stored = tx.inputs_mut().add(input).await?;
            let view = input::view(tx.as_mut(), &model, stored).await?;
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn update_input(
        &self,
        caller: &Caller,
        model: ModelId,
        id: InputId,
        seen: Option<Version>,
        draft: InputDraft,
    ) -> Result<InputView, Error> {
        let grant = permit(caller, demand::MODEL_WRITE)?;
        let ids = input::NewIds { input: id, block: self.ids.next(self.clock.now()).into() };
        let mut resolver = Resolver::default();
        if !draft.faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            let mut model = draft::find(tx.as_mut(), model).await?.value;
            let before = input::find(tx.as_mut(), model.id, id).await?.value;
            let built = input::build(tx.as_mut(), &mut resolver, &mut model, ids, Some(&before), draft).await?;
            return Err(refused(built));
        }
        let mut tx = self.write(&grant, "PATCH /v1/model/input").await?;
        let owner = draft::find(tx.as_mut(), model).await?;
        let before = input::find(tx.as_mut(), model, id).await?;
        fresh(before.version, seen)?;
        let mut model = owner.value.clone();
        let input = input::build(tx.as_mut(), &mut resolver, &mut model, ids, Some(&before.value), draft).await??;
        if input == before.value {
            return input::view(tx.as_mut(), &model, before).await;
        }
        if model != owner.value {
            tx.models_mut().update(model.clone(), owner.version).await?;
        }
        let stored = tx.inputs_mut().update(input, before.version).await?;
        let view = input::view(tx.as_mut(), &model, stored).await?;
        tx.commit().await?;
        Ok(view)
    }

    async fn remove_input(
        &self,
        caller: &Caller,
        model: ModelId,
        id: InputId,
        seen: Option<Version>,
    ) -> Result<(), Error> {
        let grant = permit(caller, demand::MODEL_WRITE)?;
        let mut tx = self.write(&grant, "DELETE /v1/model/input").await?;
        draft::find(tx.as_mut(), model).await?;
        let before = input::find(tx.as_mut(), model, id).await?;
        fresh(before.version, seen)?;
        tx.inputs_mut().remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }
}
