//! Inputs of a model: how much of a material goes into it, in which block and at which stage.

use crate::amount::{Co2e, Quantity};
use crate::calculation::{CalculationError, FactorLookup, Incomplete, emissions};
use crate::id::{BlockId, FactorId, InputId, ModelId, ProductId};
use crate::stage::Stage;
use crate::text::{Name, SyncId};
use crate::unit::Unit;

/// An input of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Identifies it.
    pub id: InputId,
    /// The model it goes into.
    pub model: ModelId,
    /// What another system calls it.
    pub sync_id: Option<SyncId>,
    /// What it is called.
    pub name: Name,
    /// The product it consists of.
    pub material: ProductId,
    /// The model's block it belongs to.
    pub block: Option<BlockId>,
    /// The life-cycle stage it belongs to.
    pub stage: Option<Stage>,
    /// How much, for the model's whole amount.
    pub quantity: Quantity,
    /// The unit of the quantity.
    pub unit: Unit,
    /// Its place in the model; inputs of one place follow each other by id.
    pub order: i32,
    /// What it emits, computed when it was written.
    pub co2e: Option<Co2e>,
    /// The factor that the CO2e was computed from.
    pub factor: Option<FactorId>,
    /// Why there is no CO2e.
    pub reason: Option<Incomplete>,
}

impl Input {
    /// Computes the CO2e anew: quantity times upstream and downstream of the material's factor on the model's
    /// reference date, rounded half to even once. Without a factor on that date there is a reason instead. On an
    /// error nothing changes.
    pub fn compute(&mut self, basis: FactorLookup<'_>) -> Result<(), CalculationError> {
        basis.check(self.unit)?;
        let (co2e, factor, reason) = match basis.factor() {
            Err(reason) => (None, None, Some(reason)),
            Ok(factor) => {
                let terms = factor.terms();
                let intensity = terms
                    .upstream
                    .unwrap_or_default()
                    .checked_add(terms.downstream.unwrap_or_default())
                    .ok_or(CalculationError::TooLarge)?;
                (Some(emissions(self.quantity, self.unit, intensity, terms.unit)?), Some(factor.id()), None)
            }
        };
        (self.co2e, self.factor, self.reason) = (co2e, factor, reason);
        Ok(())
    }
}
