//! Explaining figures, and comparing the stored ones with what their explanations come to.

mod check;
mod provenance;

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{
    ActivityId, CitedFactor, Composition, Explanation, FactorId, Incomplete, Input, InputId, ModelId, ProductId,
    SwitchId, SwitchModels, Unexplained, corrected_by,
};
use ports::inbound::{
    CheckedFigures, CompositionView, Error, ExplainedRecord, ExplanationView, Explanations, Named, WrongFigure,
};
use ports::store::{ReadTx, Store, StoreError};
use ports::{Caller, RecordKind, demand, permit};
use uuid::Uuid;

use super::model::all_inputs;
use super::published::Chooser;
use super::resolve::Resolver;
use provenance::Provenance;

/// Explains the figures of a store.
pub struct ExplanationService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// What chooses published factors by the rules of products.
    pub chooser: Arc<Chooser>,
}

#[async_trait]
impl Explanations for ExplanationService {
    async fn activity(&self, caller: &Caller, id: ActivityId) -> Result<ExplanationView, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let stored = tx.activities().find(id).await?.ok_or(Error::NotFound)?;
        let activity = &stored.value;
        let factor = cited(tx.as_mut(), activity.calculation.factor(), activity.product).await?;
        let market = match &activity.stated.market {
            Some(market) => tx.factors().find(market.factor).await?.map(|factor| factor.value),
            None => None,
        };
        let explanation = Explanation::of_activity(activity, factor)
            .and_then(|explanation| explanation.with_market(market.as_ref()))
            .map_err(corrupt(RecordKind::Activity, id))?;
        let no_choice = match activity.product {
            Some(id) if activity.calculation.reason() == Some(Incomplete::NoChoice) => {
                let mut choosing = self.chooser.begin(grant.clone());
                match Resolver::default().product_with_factors(tx.as_mut(), id).await? {
                    Some(found) => {
                        let day = activity.span.first();
                        choosing.no_choice(tx.as_mut(), &found, activity.org, day).await?
                    }
                    None => None,
                }
            }
            Some(_) | None => None,
        };
        let product = product(tx.as_mut(), activity.product).await?;
        let Provenance { written, import } =
            provenance::of(tx.as_mut(), RecordKind::Activity, id.into(), stored.version).await?;
        Ok(ExplanationView {
            explanation,
            name: stored.value.name,
            sync_id: stored.value.sync_id,
            product,
            written,
            import,
            no_choice,
        })
    }

    async fn input(&self, caller: &Caller, model: ModelId, id: InputId) -> Result<ExplanationView, Error> {
        let grant = permit(caller, demand::MODEL_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let model = tx.models().find(model).await?.ok_or(Error::NotFound)?.value;
        let stored = tx.inputs().find(id).await?.filter(|input| input.value.model == model.id);
        let stored = stored.ok_or(Error::NotFound)?;
        let input = &stored.value;
        let factor = cited(tx.as_mut(), input.calculation.factor(), Some(input.material)).await?;
        let explanation = Explanation::of_input(input, model.reference_date, factor);
        let explanation = explanation.map_err(corrupt(RecordKind::Input, id))?;
        let product = product(tx.as_mut(), Some(input.material)).await?;
        let Provenance { written, import } =
            provenance::of(tx.as_mut(), RecordKind::Input, id.into(), stored.version).await?;
        let Input { name, sync_id, .. } = stored.value;
        Ok(ExplanationView { explanation, name, sync_id, product, written, import, no_choice: None })
    }

    async fn switch(&self, caller: &Caller, id: SwitchId) -> Result<CompositionView, Error> {
        let grant = permit(caller, demand::SWITCH_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let stored = tx.switches().find(id).await?.ok_or(Error::NotFound)?;
        let mut sources = HashMap::new();
        for model in tx.models().find_all(stored.value.sources.as_slice()).await? {
            let inputs = inputs(tx.as_mut(), model.value.id).await?;
            sources.insert(model.value.id, (model.value, inputs));
        }
        let find = |id| sources.get(&id).map(|(model, inputs)| (model, inputs.as_slice()));
        let models = SwitchModels::new(&stored.value, find).map_err(|model| StoreError::Corrupt {
            subject: format!("switch {id}"),
            detail: format!("refers to model {model}, which is not there"),
        })?;
        let composition = Composition::of_switch(&stored.value, &models);
        let written = provenance::written(tx.as_mut(), RecordKind::Switch, id.into(), stored.version).await?;
        Ok(CompositionView { composition, written })
    }

    async fn model(&self, caller: &Caller, id: ModelId) -> Result<CompositionView, Error> {
        let grant = permit(caller, demand::MODEL_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let stored = tx.models().find(id).await?.ok_or(Error::NotFound)?;
        let composition = Composition::of_model(&stored.value, &inputs(tx.as_mut(), id).await?);
        let written = provenance::written(tx.as_mut(), RecordKind::Model, id.into(), stored.version).await?;
        Ok(CompositionView { composition, written })
    }

    async fn find(&self, caller: &Caller, id: Uuid) -> Result<ExplainedRecord, Error> {
        match self.activity(caller, id.into()).await {
            Err(Error::NotFound) => {}
            found => return Ok(ExplainedRecord::Figure(Box::new(found?))),
        }
        let grant = permit(caller, demand::MODEL_READ)?;
        let input = self.store.read(&grant).await?.inputs().find(id.into()).await?;
        if let Some(input) = input {
            let found = self.input(caller, input.value.model, input.value.id).await?;
            return Ok(ExplainedRecord::Figure(Box::new(found)));
        }
        let found = match self.model(caller, id.into()).await {
            Err(Error::NotFound) => self.switch(caller, id.into()).await?,
            found => found?,
        };
        Ok(ExplainedRecord::Composition(Box::new(found)))
    }

    async fn check(
        &self,
        caller: &Caller,
        tell: &mut (dyn FnMut(WrongFigure) + Send),
    ) -> Result<CheckedFigures, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        permit(caller, demand::MODEL_READ)?;
        check::check(self.store.read(&grant).await?.as_mut(), tell).await
    }
}

async fn inputs(tx: &mut dyn ReadTx, model: ModelId) -> Result<Vec<Input>, Error> {
    Ok(all_inputs(tx, model).await?.into_iter().map(|input| input.value).collect())
}

/// The factor that a record names, with what stands in its place since.
async fn cited(
    tx: &mut dyn ReadTx,
    id: Option<FactorId>,
    product: Option<ProductId>,
) -> Result<Option<CitedFactor>, Error> {
    let (Some(id), Some(product)) = (id, product) else { return Ok(None) };
    let factors = tx.factors().of_products(&[product]).await?;
    let factors: Vec<_> = factors.into_iter().map(|factor| factor.value).collect();
    let corrected_by = corrected_by(&factors, id).map(domain::Factor::id);
    let factor = factors.into_iter().find(|factor| factor.id() == id);
    Ok(factor.map(|factor| CitedFactor { factor, corrected_by }))
}

async fn product(tx: &mut dyn ReadTx, id: Option<ProductId>) -> Result<Option<Named>, Error> {
    let Some(id) = id else { return Ok(None) };
    let found = tx.products().find(id).await?;
    Ok(found.map(|product| Named { id: id.into(), name: product.value.name }))
}

/// The error of a record that cannot have come about as it says.
fn corrupt<Id: Into<Uuid>>(kind: RecordKind, id: Id) -> impl FnOnce(Unexplained) -> Error {
    let subject = format!("{kind} {}", id.into());
    move |wrong| StoreError::Corrupt { subject, detail: wrong.to_string() }.into()
}
