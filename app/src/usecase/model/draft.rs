//! From a draft to a model, and what a model adds up to.

use domain::{Day, DeclaredAmount, Faults, Input, Model, ModelId};
use ports::Stored;
use ports::inbound::{Error, Field, ModelDraft, ModelView};
use ports::store::ReadTx;

use super::all_inputs;
use crate::usecase::draft::required;

/// The model of that id, which must be there.
pub(super) async fn find(tx: &mut dyn ReadTx, id: ModelId) -> Result<Stored<Model>, Error> {
    tx.models().find(id).await?.ok_or(Error::NotFound)
}

/// The model that a draft makes, of nothing or of `before`; or all that is wrong with it. An amount or a reference date
/// that is `null` becomes what it is for a new model: 1, and `today`.
pub(super) fn build(id: ModelId, today: Day, before: Option<&Model>, draft: ModelDraft) -> Result<Model, Faults> {
    let mut faults = draft.faults;
    let name = required(&mut faults, "/name", draft.name, before.map(|b| b.name.clone()));
    let unit = required(&mut faults, "/unit", draft.unit, before.map(|b| b.unit));
    let amount = match draft.amount {
        Field::Given(amount) => faults.check("/amount", DeclaredAmount::new(amount)),
        Field::Null => Some(DeclaredAmount::ONE),
        Field::Absent | Field::Faulty => Some(before.map_or(DeclaredAmount::ONE, |b| b.amount)),
    };
    let reference_date = draft.reference_date.merge(before.map(|b| b.reference_date)).unwrap_or(today);
    let sync_id = draft.sync_id.merge(before.and_then(|b| b.sync_id.clone()));
    let blocks = before.map(|b| b.blocks.clone()).unwrap_or_default();
    match (name, unit, amount) {
        (Some(name), Some(unit), Some(amount)) if faults.is_empty() => {
            Ok(Model::new(id, name, unit, reference_date).with_sync_id(sync_id).with_amount(amount).with_blocks(blocks))
        }
        (Some(_) | None, Some(_) | None, Some(_) | None) => Err(faults),
    }
}

/// A model with what it adds up to.
pub(super) async fn view(tx: &mut dyn ReadTx, model: Stored<Model>) -> Result<ModelView, Error> {
    let inputs: Vec<Input> = all_inputs(tx, model.value.id).await?.into_iter().map(|input| input.value).collect();
    Ok(ModelView { co2e: model.value.total(&inputs), module_d: model.value.module_d(&inputs), model })
}
