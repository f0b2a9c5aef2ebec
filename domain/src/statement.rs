//! The inventory statement of a year: the tables that the GHG Protocol's Corporate Standard (chapter 9) asks to be reported.

mod coverage;
mod settings;
mod sources;
mod table;

pub use coverage::Coverage;
pub use settings::{Consolidation, StatementSettings, UnknownConsolidation};
pub use sources::{FigureSource, MarketSourceLine, SourceLine, SourceSums};
pub use table::{Asked, StatementLine, StatementPart, StatementTables};

/// The categories of scope 3 (GHG Protocol Corporate Value Chain (Scope 3) Standard, chapter 5), 1 to 15.
pub const SCOPE3_CATEGORIES: [&str; 15] = [
    "Purchased goods and services",
    "Capital goods",
    "Fuel- and energy-related activities",
    "Upstream transportation and distribution",
    "Waste generated in operations",
    "Business travel",
    "Employee commuting",
    "Upstream leased assets",
    "Downstream transportation and distribution",
    "Processing of sold products",
    "Use of sold products",
    "End-of-life treatment of sold products",
    "Downstream leased assets",
    "Franchises",
    "Investments",
];
