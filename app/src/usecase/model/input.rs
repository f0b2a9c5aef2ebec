//! From a draft to an input of a model, its CO2e, and how inputs are shown.

use std::collections::HashMap;

use domain::{
    Block, BlockId, CalculationError, FactorLookup, FaultCode, Faults, Incomplete, Input, InputCalculation, InputId,
    Model, ModelId, Name, ProductId,
};
use ports::Stored;
use ports::inbound::{Error, Field, InputDraft, InputView, Named, Reference};
use ports::repo::{Listing, Page, Query};
use ports::store::{ReadTx, WriteTx};

use crate::usecase::draft::{pointer, required};
use crate::usecase::resolve::{ProductWithFactors, Resolver};

/// How many inputs are read at once.
const BATCH: u32 = 1_000;

/// What a draft may name for the first time.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewIds {
    /// The input's own id.
    pub(super) input: InputId,
    /// The id of a block that the model does not have yet.
    pub(super) block: BlockId,
}

/// The input of that id and model, which must be there.
pub(super) async fn find(tx: &mut dyn ReadTx, model: ModelId, id: InputId) -> Result<Stored<Input>, Error> {
    tx.inputs().find(id).await?.filter(|input| input.value.model == model).ok_or(Error::NotFound)
}

/// The input that a draft makes, of nothing or of `before`; or all that is wrong with it. A block of a new name is put
/// into `model`; one that no input is left in stays there.
///
/// The CO2e is computed anew only when material, quantity or unit change.
pub(super) async fn build(
    tx: &mut dyn ReadTx,
    resolver: &mut Resolver,
    model: &mut Model,
    ids: NewIds,
    before: Option<&Input>,
    draft: InputDraft,
) -> Result<Result<Input, Faults>, Error> {
    let InputDraft { name, sync_id, material, block, stage, quantity, unit, order, mut faults } = draft;
    let name = required(&mut faults, "/name", name, before.map(|b| b.name.clone()));
    let known = before.map(|b| Reference::Id(b.material.uuid()));
    let found = match required(&mut faults, "/material", material, known) {
        Some(reference) => match resolver.product(tx, &reference).await? {
            Ok(found) => Some(found),
            Err(detail) => {
                faults.add_coded(FaultCode::NotFound, pointer("/material", &reference), detail);
                None
            }
        },
        None => None,
    };
    let quantity = required(&mut faults, "/quantity", quantity, before.map(|b| b.quantity));
    let unit = required(&mut faults, "/unit", unit, before.map(|b| b.unit));
    if let (Some(found), Some(unit)) = (&found, unit)
        && let Err(error) = unit.check(found.product.unit)
    {
        faults.add_coded(FaultCode::Mismatch, "/unit", error.to_string());
    }
    let order = match order {
        Field::Given(order) => Some(order),
        Field::Absent | Field::Faulty => before.map(|b| b.order),
        Field::Null => None,
    };
    let order = match order {
        Some(order) => order,
        None => behind_the_last(tx, model.id, ids.input).await?,
    };
    let (Some(found), Some(quantity), Some(unit)) = (found, quantity, unit) else { return Ok(Err(faults)) };
    // Without a name there is a fault already; the material's takes its place, so that the rest is validated all the same.
    let name = name.unwrap_or_else(|| found.product.name.clone());
    let calculation = before.map_or(InputCalculation::Incomplete(Incomplete::NoFactor), |b| b.calculation);
    let mut input = Input::new(ids.input, model.id, name, found.product.id, quantity, unit)
        .with_sync_id(sync_id.merge(before.and_then(|b| b.sync_id.clone())))
        .with_block(before.and_then(|b| b.block))
        .with_stage(stage.merge(before.and_then(|b| b.stage)))
        .with_order(order)
        .with_calculation(calculation);
    let same = before.is_some_and(|b| (b.material, b.quantity, b.unit) == (input.material, quantity, unit));
    if !same {
        match input.compute(factor_lookup(&found, model)) {
            // A unit of another dimension was noted above.
            Ok(()) | Err(CalculationError::Dimension { .. }) => {}
            Err(error @ CalculationError::TooLarge) => faults.add("/quantity", error.to_string()),
        }
        let used = input.calculation.factor();
        if let Some(Err(error)) =
            found.factors.iter().find(|factor| Some(factor.id()) == used).map(|factor| factor.check_place(None))
        {
            faults.add_coded(FaultCode::Mismatch, "/material", format!("cannot be: {error}"));
        }
    }
    if !faults.is_empty() {
        return Ok(Err(faults));
    }
    match block {
        Field::Given(name) => input.block = Some(block_named(model, name, ids.block)),
        Field::Null => input.block = None,
        Field::Absent | Field::Faulty => {}
    }
    Ok(Ok(input))
}

/// Computes all inputs of the model by its reference date, and writes those that change.
pub(super) async fn compute_all(tx: &mut dyn WriteTx, model: &Model) -> Result<(), Error> {
    let mut resolver = Resolver::default();
    let mut faults = Faults::new();
    for stored in all_inputs(tx, model.id).await? {
        let found = resolver
            .product_with_factors(tx, stored.value.material)
            .await?
            .ok_or_else(|| material_gone(&stored.value))?;
        let mut input = stored.value.clone();
        if let Err(error) = input.compute(factor_lookup(&found, model)) {
            faults.add("/referenceDate", format!("with its factors, input {:?}: {error}", input.name.as_str()));
        } else if input != stored.value {
            tx.inputs_mut().update(input, stored.version).await?;
        }
    }
    Ok(faults.into_result()?)
}

/// No store removes a product while an input refers to it.
fn material_gone(input: &Input) -> Error {
    Error::Failed(format!("input {} refers to product {}, which is not there", input.id, input.material).into())
}

fn factor_lookup<'a>(found: &'a ProductWithFactors, model: &Model) -> FactorLookup<'a> {
    FactorLookup { product: &found.product, factors: &found.factors, day: model.reference_date, chosen: None }
}

/// The block of that name, made if the model has none.
fn block_named(model: &mut Model, name: Name, new: BlockId) -> BlockId {
    if let Some(block) = model.block_named(&name) {
        return block.id;
    }
    model.blocks.push(Block { id: new, name });
    new
}

/// The place behind the model's last input; that input's own place if it is the one that asks. From 1.
async fn behind_the_last(tx: &mut dyn ReadTx, model: ModelId, id: InputId) -> Result<i32, Error> {
    let first = page(tx, model, Page { number: 1, size: 1 }).await?;
    let number = u32::try_from(first.count).unwrap_or(u32::MAX).max(1);
    let last = page(tx, model, Page { number, size: 1 }).await?;
    Ok(last
        .data
        .first()
        .map_or(1, |last| if last.value.id == id { last.value.order } else { last.value.order.saturating_add(1) }))
}

/// All inputs of a model, in their order.
pub(in crate::usecase) async fn all_inputs(tx: &mut dyn ReadTx, model: ModelId) -> Result<Vec<Stored<Input>>, Error> {
    let mut inputs = Vec::new();
    for number in 1.. {
        let listing = page(tx, model, Page { number, size: BATCH }).await?;
        let end = listing.data.is_empty();
        inputs.extend(listing.data);
        if end || inputs.len() as u64 >= listing.count {
            break;
        }
    }
    Ok(inputs)
}

async fn page(tx: &mut dyn ReadTx, model: ModelId, page: Page) -> Result<Listing<Stored<Input>>, Error> {
    Ok(tx.inputs().list(&Query::of(model, page)).await?)
}

/// An input of the model with the names of what it refers to.
pub(super) async fn view(tx: &mut dyn ReadTx, model: &Model, input: Stored<Input>) -> Result<InputView, Error> {
    views(tx, model, vec![input]).await?.pop().ok_or(Error::NotFound)
}

/// Inputs of the model with the names of what they refer to.
pub(super) async fn views(
    tx: &mut dyn ReadTx,
    model: &Model,
    inputs: Vec<Stored<Input>>,
) -> Result<Vec<InputView>, Error> {
    let ids: Vec<ProductId> = inputs.iter().map(|input| input.value.material).collect();
    let products: HashMap<ProductId, Name> =
        tx.products().find_all(&ids).await?.into_iter().map(|product| (product.value.id, product.value.name)).collect();
    inputs
        .into_iter()
        .map(|input| {
            let material = input.value.material;
            let name = products.get(&material).cloned().ok_or_else(|| material_gone(&input.value))?;
            let block = model.blocks.iter().find(|block| Some(block.id) == input.value.block);
            Ok(InputView {
                material: Named { id: material.uuid(), name },
                block: block.map(|block| Named { id: block.id.uuid(), name: block.name.clone() }),
                co2e: input.value.calculation.co2e(),
                input,
            })
        })
        .collect()
}
