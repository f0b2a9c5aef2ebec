//! Models: what a product is made of, for a declared amount of it.

pub(crate) mod input;
pub(crate) mod stage;

use std::fmt;
use std::str::FromStr;

use crate::amount::Quantity;
use crate::amount::decimal::{Decimal, DecimalError};
use crate::amount::total::Total;
use crate::calendar::day::Day;
use crate::id::{BlockId, ModelId};
use crate::model::input::Input;
use crate::setters::setters;
use crate::text::{Name, SyncId};
use crate::unit::Unit;

/// How much of the product a model's inputs make, in the model's unit: above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclaredAmount(Quantity);

/// An amount that nothing can be made per.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the amount must be above zero")]
pub struct NotPositive;

impl DeclaredAmount {
    /// One unit.
    pub const ONE: Self = Self(Quantity::new(Decimal::ONE));

    /// The amount, unless it is zero or less.
    pub fn new(amount: Quantity) -> Result<Self, NotPositive> {
        if amount > Quantity::ZERO { Ok(Self(amount)) } else { Err(NotPositive) }
    }

    /// The amount, always above zero.
    #[must_use]
    pub const fn quantity(self) -> Quantity {
        self.0
    }
}

/// Why a text is not a [`DeclaredAmount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclaredAmountError {
    /// It is no number.
    #[error(transparent)]
    Number(#[from] DecimalError),
    /// It is zero or less.
    #[error(transparent)]
    NotPositive(#[from] NotPositive),
}

impl FromStr for DeclaredAmount {
    type Err = DeclaredAmountError;

    fn from_str(text: &str) -> Result<Self, DeclaredAmountError> {
        Ok(Self::new(Quantity::parse(text)?)?)
    }
}

impl fmt::Display for DeclaredAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A named group of a model's inputs, such as a part of the product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Unique within the tenant.
    pub id: BlockId,
    /// What it is called; each block of a model has another name.
    pub name: Name,
}

/// A model: the inputs that make `amount` of `unit` of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Model {
    /// Unique within the tenant.
    pub id: ModelId,
    /// What another system calls it.
    pub sync_id: Option<SyncId>,
    /// What it is called.
    pub name: Name,
    /// The unit of what it makes.
    pub unit: Unit,
    /// How much of that unit its inputs make.
    pub amount: DeclaredAmount,
    /// The day whose factors count for its inputs.
    pub reference_date: Day,
    /// The groups of its inputs.
    pub blocks: Vec<Block>,
}

setters! {
    Model {
        with_id = id: ModelId,
        with_sync_id = sync_id: Option<SyncId>,
        with_name = name: Name,
        with_unit = unit: Unit,
        with_amount = amount: DeclaredAmount,
        with_reference_date = reference_date: Day,
        with_blocks = blocks: Vec<Block>,
    }
}

impl Model {
    /// A model of one unit, without blocks.
    #[must_use]
    pub const fn new(id: ModelId, name: Name, unit: Unit, reference_date: Day) -> Self {
        Self { id, sync_id: None, name, unit, amount: DeclaredAmount::ONE, reference_date, blocks: Vec::new() }
    }

    /// The block of that name.
    #[must_use]
    pub fn block_named(&self, name: &Name) -> Option<&Block> {
        self.blocks.iter().find(|block| block.name == *name)
    }

    /// The CO2e of one unit: that of the `inputs` of stages A, B and C and without a stage, over the amount, rounded half
    /// to even once. `None` when there is no such input, or one without CO2e.
    #[must_use]
    pub fn total(&self, inputs: &[Input]) -> Option<Total> {
        self.per_unit(inputs.iter().filter(|input| !input.is_module_d()))
    }

    /// The CO2e of module D of one unit, which is part of no total (EN 15804); `None` when none is declared, or one of its
    /// inputs has no CO2e.
    #[must_use]
    pub fn module_d(&self, inputs: &[Input]) -> Option<Total> {
        self.per_unit(inputs.iter().filter(|input| input.is_module_d()))
    }

    fn per_unit<'a>(&self, inputs: impl Iterator<Item = &'a Input>) -> Option<Total> {
        let parts: Option<Vec<Total>> = inputs.map(|input| input.calculation.co2e().map(Total::from)).collect();
        let parts = parts.filter(|parts| !parts.is_empty())?;
        parts.into_iter().sum::<Total>().checked_div(self.amount.quantity().decimal())
    }
}
