//! The inventory statement of a year: the tables that the GHG Protocol's Corporate Standard (chapter 9) asks to be reported.

mod closed_part;
mod settings;
mod sources;
mod table;

pub use closed_part::ClosedPart;
pub use settings::{Consolidation, StatementSettings, UnknownConsolidation};
pub use sources::{FigureSource, MarketSourceLine, SourceLine, SourceSums};
pub use table::{Asked, StatementLine, StatementPart, StatementTables};
