//! Inputs of a model: how much of a material goes into it, in which block and at which stage.

use crate::amount::{Co2e, Quantity};
use crate::id::{BlockId, FactorId, InputId, ModelId, ProductId};
use crate::model::stage::{Group, Stage};
use crate::product::calculation::{CalculationError, FactorLookup, emissions};
use crate::product::incomplete::Incomplete;
use crate::setters::setters;
use crate::text::{Name, SyncId};
use crate::unit::Unit;

/// An input of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Input {
    /// Unique within the tenant.
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
    pub calculation: InputCalculation,
}

setters! {
    Input {
        with_id = id: InputId,
        with_model = model: ModelId,
        with_sync_id = sync_id: Option<SyncId>,
        with_name = name: Name,
        with_material = material: ProductId,
        with_block = block: Option<BlockId>,
        with_stage = stage: Option<Stage>,
        with_quantity = quantity: Quantity,
        with_unit = unit: Unit,
        with_order = order: i32,
        with_calculation = calculation: InputCalculation,
    }
}

/// What became of an input's quantity and its material's factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputCalculation {
    /// Its CO2e was computed from a factor.
    Computed {
        /// How much, in kilograms.
        co2e: Co2e,
        /// The factor that it was computed from.
        factor: FactorId,
    },
    /// Nothing is known of what it emits, and why.
    Incomplete(Incomplete),
}

/// An input has exactly a CO2e with the factor that it was computed from, or a reason why it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an input has a CO2e with its factor, or a reason why there is none")]
pub struct InputContradiction;

impl InputCalculation {
    /// The calculation with those members: as a row or a line of a file has them.
    pub const fn from_parts(
        co2e: Option<Co2e>,
        factor: Option<FactorId>,
        reason: Option<Incomplete>,
    ) -> Result<Self, InputContradiction> {
        match (co2e, factor, reason) {
            (Some(co2e), Some(factor), None) => Ok(Self::Computed { co2e, factor }),
            (None, None, Some(reason)) => Ok(Self::Incomplete(reason)),
            (Some(_) | None, Some(_) | None, Some(_) | None) => Err(InputContradiction),
        }
    }

    /// What the input emits, in kilograms.
    #[must_use]
    pub const fn co2e(self) -> Option<Co2e> {
        match self {
            Self::Computed { co2e, .. } => Some(co2e),
            Self::Incomplete(_) => None,
        }
    }

    /// The factor that the CO2e was computed from.
    #[must_use]
    pub const fn factor(self) -> Option<FactorId> {
        match self {
            Self::Computed { factor, .. } => Some(factor),
            Self::Incomplete(_) => None,
        }
    }

    /// Why there is no CO2e.
    #[must_use]
    pub const fn reason(self) -> Option<Incomplete> {
        match self {
            Self::Computed { .. } => None,
            Self::Incomplete(reason) => Some(reason),
        }
    }
}

impl Input {
    /// An input of that much material, at no stage, in no block and not computed yet.
    #[must_use]
    pub const fn new(
        id: InputId,
        model: ModelId,
        name: Name,
        material: ProductId,
        quantity: Quantity,
        unit: Unit,
    ) -> Self {
        let calculation = InputCalculation::Incomplete(Incomplete::NoFactor);
        Self {
            id,
            model,
            sync_id: None,
            name,
            material,
            block: None,
            stage: None,
            quantity,
            unit,
            order: 0,
            calculation,
        }
    }

    /// Whether it belongs to module D, beyond the boundary of the system.
    #[must_use]
    pub fn is_module_d(&self) -> bool {
        self.stage.is_some_and(|stage| stage.group() == Group::D)
    }

    /// Computes the CO2e anew: quantity times upstream and downstream of the material's factor on the model's
    /// reference date, rounded half to even once. Without a factor on that date there is a reason instead. On an
    /// error nothing changes.
    pub fn compute(&mut self, lookup: FactorLookup<'_>) -> Result<(), CalculationError> {
        lookup.check(self.unit)?;
        self.calculation = match lookup.factor() {
            Err(reason) => InputCalculation::Incomplete(reason),
            Ok(factor) => {
                let data = factor.data();
                let intensity = data
                    .upstream
                    .unwrap_or_default()
                    .checked_add(data.downstream.unwrap_or_default())
                    .ok_or(CalculationError::TooLarge)?;
                let co2e = emissions(self.quantity, self.unit, intensity, data.unit)?;
                InputCalculation::Computed { co2e, factor: factor.id() }
            }
        };
        Ok(())
    }
}
