//! Explaining figures: from what, by which factor, converted how, written when and by whom.

use async_trait::async_trait;
use domain::{
    ActivityId, Composition, Explanation, Figures, InputId, ModelId, Name, NoChoice, SwitchId, SyncId, Unexplained,
};
use uuid::Uuid;

use super::{Error, Named};
use crate::import_batch::ImportBatch;
use crate::{Caller, Change, RecordKind};

/// Explaining figures, and comparing the stored ones with what their explanations come to.
#[async_trait]
pub trait Explanations: Send + Sync {
    /// How the CO2e of an activity comes about; needs `activity:read`.
    async fn activity(&self, caller: &Caller, id: ActivityId) -> Result<ExplanationView, Error>;

    /// How the CO2e of an input of a model comes about; needs `model:read`.
    async fn input(&self, caller: &Caller, model: ModelId, id: InputId) -> Result<ExplanationView, Error>;

    /// How the footprint of a switch comes about; needs `switch:read`.
    async fn switch(&self, caller: &Caller, id: SwitchId) -> Result<CompositionView, Error>;

    /// How the total of a model comes about; needs `model:read`.
    async fn model(&self, caller: &Caller, id: ModelId) -> Result<CompositionView, Error>;

    /// The same of the record of that identifier, whatever it is; needs the permission to read such records. `NotFound`
    /// also for records that have no figure of their own.
    async fn find(&self, caller: &Caller, id: Uuid) -> Result<ExplainedRecord, Error>;

    /// Computes every stored figure anew from its explanation and tells of each that differs, record by record, in the order
    /// of reading. Needs `activity:read` and `model:read`.
    async fn check(&self, caller: &Caller, tell: &mut (dyn FnMut(WrongFigure) + Send))
    -> Result<CheckedFigures, Error>;
}

/// A record that was explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplainedRecord {
    /// An activity, or an input of a model.
    Figure(Box<ExplanationView>),
    /// A switch or a model.
    Composition(Box<CompositionView>),
}

/// How the figures of a switch or a model come about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompositionView {
    /// The computation.
    pub composition: Composition,
    /// The change that last wrote the switch or the model itself: who, when, what for.
    pub written: Change,
}

/// How a figure comes about, and where its record comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplanationView {
    /// The computation.
    pub explanation: Explanation,
    /// What the record is called.
    pub name: Name,
    /// What another system calls the record.
    pub sync_id: Option<SyncId>,
    /// The product that the factor is of.
    pub product: Option<Named>,
    /// The change that last wrote the record: who, when, what for.
    pub written: Change,
    /// The newest import that the record has content of; `None` where it was never imported, or what was imported was
    /// taken back.
    pub import: Option<Imported>,
    /// Why the rule of its product chooses nothing for it today; `None` where it has a CO2e, or the rule chooses.
    pub no_choice: Option<NoChoice>,
}

/// The import that a record has content of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The import.
    pub batch: ImportBatch,
    /// The line of its file that the record was written from, as the import tells of lines: of a table the row, the first
    /// being 1. `None` where lines are damaged or there are none.
    pub line: Option<u64>,
}

/// A record whose stored figures are not what they come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongFigure {
    /// What the record is: an activity or an input.
    pub kind: RecordKind,
    /// The record.
    pub id: Uuid,
    /// What it is called.
    pub name: Name,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with stored figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// They come to something else.
    Differs {
        /// As they are stored.
        stored: Figures,
        /// As they come out.
        recomputed: Figures,
        /// The factor that they were computed with.
        factor: Option<Uuid>,
    },
    /// They cannot come about as the record says.
    Unexplained(Unexplained),
}

/// How many figures were computed anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedFigures {
    /// Activities with a CO2e.
    pub activities: u64,
    /// Inputs of models with a CO2e.
    pub inputs: u64,
    /// Records of both kinds without one.
    pub incomplete: u64,
    /// Records with something wrong.
    pub wrong: u64,
}
