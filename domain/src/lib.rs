//! What the words of carbon accounting mean, and how amounts are computed and added up.
//!
//! Pure: no async, no input or output, no clock, no randomness. Every amount is an exact decimal.
//!
//! ```
//! # use tonne_domain as domain;
//! use domain::{Cube, Day, Filter, Intensity, Period, Quantity, ScopeClass, ScopeKind, SeriesKey, Unit};
//!
//! // 1,000 kWh at 0.207074 kg CO2e per kWh: one multiplication, one rounding, no float.
//! let (quantity, kwh) = (Quantity::parse("1000")?, Unit::parse("kWh")?);
//! let co2e = domain::emissions(quantity, kwh, Intensity::parse("0.207074")?, kwh)?;
//! assert_eq!(co2e.to_string(), "207.074");
//!
//! // Ten days of it, spread evenly, and what of it falls in January.
//! let posting = domain::Posting {
//!     first: Day::parse("2025-01-27")?,
//!     last: Day::parse("2025-02-05")?,
//!     co2e: Some(co2e),
//!     measures: domain::Measures::NONE,
//! };
//! let series = SeriesKey { scope: None, org: None, taxonomy: None };
//! let cube = Cube::new([series], posting.cells().map(|(day, cell)| (0, day, cell)))?;
//! let filter = Filter {
//!     period: Period::parse("2025-01")?,
//!     attribution: domain::Attribution::Daily,
//!     ..Filter::default()
//! };
//! let report = domain::report(&cube, &filter, &|_| Some(ScopeClass::of(ScopeKind::Scope1)));
//! assert_eq!(report.totals.uncategorized.to_string(), "103.537");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod activity;
mod amount;
mod calculation;
mod canonical;
mod catalog;
mod cell;
mod cube;
mod day;
mod decimal;
mod factor;
mod fault;
pub mod footprint;
mod forest;
mod id;
mod input;
mod measure;
mod model;
mod moment;
mod node;
mod packed;
mod plain;
mod postings;
mod product;
mod report;
mod round;
mod scope_kind;
mod stage;
mod switch;
mod text;
#[cfg(feature = "serde")]
mod text_serde;
mod total;
mod unit;
mod wide;

pub use activity::{Activity, EndBeforeStart, Measured, Span};
pub use amount::{Co2e, Intensity, Quantity};
pub use calculation::{
    Calculation, CalculationError, CalculationParts, Contradiction, FactorLookup, Incomplete, SuppliedCo2e, calculate,
    emissions,
};
pub use canonical::{
    Canonical, CanonicalError, CanonicalItem, CanonicalItemReader, CanonicalReader, CanonicalWriter, Digest,
    DigestError,
};
pub use catalog::{Catalog, NodeTree};
pub use cell::{Amounts, Cell, Posting, SeriesKey};
pub use cube::{Attribution, Cube, CubeBuilder, CubeError, SeriesTotals, UnknownSeries};
pub use day::{Day, DayError, Period};
pub use decimal::{Decimal, DecimalError, FRACTION_DIGITS, INTEGER_DIGITS};
pub use factor::{Factor, FactorData, FactorError, FactorFault, Overlap, add_successor, corrected_by, factor_on};
pub use fault::{Fault, Faults};
pub use footprint::{Fields, Footprint, Violation};
pub use forest::{Forest, MAX_LEVELS};
pub use id::{
    ActivityId, BlockId, FactorId, FootprintId, IdError, InputId, ModelId, OrgId, ProductId, ScopeId, SwitchId,
    TaxonomyId, parse_uuid,
};
pub use input::{Input, InputCalculation, InputContradiction};
pub use measure::{ByMeasure, Measure, Measures, MeasuresError, UnknownMeasure};
pub use model::{Block, DeclaredAmount, DeclaredAmountError, Model, NotPositive};
pub use moment::{Moment, MomentError, Timestamp};
pub use node::{Org, Scope, Taxonomy, Tree, TreeNode};
pub use packed::{Cells, PackedCells, PackedError};
pub use postings::Postings;
pub use product::Product;
pub use report::{Filter, Report, Totals, breakdown, report};
pub use scope_kind::{OutOfPlace, ScopeClass, ScopeClassError, ScopeKind};
pub use stage::{Group, PRODUCT_STAGE, Stage, StageError};
pub use switch::{Issue, MAX_SOURCES, Sources, Switch, SwitchFootprint, SwitchModels};
pub use text::{Description, ImageAddress, Name, Slug, Source, SyncId, TextError};
pub use total::Total;
pub use unit::{Currency, Dimension, DimensionMismatch, Ratio, Unit, UnitError, convert};

pub use {time, uuid};

/// The examples of the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
