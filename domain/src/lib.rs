//! What the words of carbon accounting mean, and how amounts are computed and added up.
//!
//! Pure: no async, no input or output, no clock, no randomness. Every amount is an exact decimal.
//!
//! ```
//! # use tonne_domain as domain;
//! use domain::{Cube, Day, Filter, Intensity, Period, Posting, Quantity, ScopeClass, ScopeKind, SeriesKey, Unit};
//!
//! // 1,000 kWh at 0.207074 kg CO2e per kWh: one multiplication, one rounding, no float.
//! let (quantity, kwh) = (Quantity::parse("1000")?, Unit::parse("kWh")?);
//! let co2e = domain::emissions(quantity, kwh, Intensity::parse("0.207074")?, kwh)?;
//! assert_eq!(co2e.to_string(), "207.074");
//!
//! // Ten days of it, spread evenly, and what of it falls in January.
//! let posting = Posting::new(Day::parse("2025-01-27")?, Day::parse("2025-02-05")?, Some(co2e));
//! let series = SeriesKey { scope: None, org: None, taxonomy: None };
//! let cube = Cube::new([series], posting.cells().map(|(day, cell)| (0, day, cell)))?;
//! let filter = Filter::default().with_period(Period::parse("2025-01")?).with_attribution(domain::Attribution::Daily);
//! let report = domain::report(&cube, &filter, &|_| Some(ScopeClass::of(ScopeKind::Scope1)));
//! assert_eq!(report.totals.uncategorized.to_string(), "103.537");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod activity;
mod aggregate;
mod amount;
mod calendar;
mod canonical;
mod closed_period;
mod completeness;
mod exclusion;
mod explain;
mod fault;
pub mod footprint;
mod gas;
mod id;
mod model;
mod partner;
mod product;
mod published;
mod setters;
mod statement;
mod switch;
mod text;
#[cfg(feature = "serde")]
mod text_serde;
mod total_name;
mod tree;
mod unit;
mod varint;

// Amounts and units.
pub use amount::decimal::{Decimal, DecimalError, FRACTION_DIGITS, INTEGER_DIGITS};
pub use amount::total::Total;
pub use amount::{Co2e, Intensity, Quantity};
pub use unit::{Currency, Dimension, DimensionMismatch, Ratio, Unit, UnitError, convert};

// Days, moments, identifiers, texts.
pub use calendar::day::{Day, DayError, Period};
pub use calendar::moment::{Moment, MomentError};
pub use calendar::stretch::{Stretch, YearStart};
pub use calendar::timestamp::Timestamp;
pub use fault::{Fault, FaultCode, Faults};
pub use id::{
    ActivityId, BlockId, ClosedPeriodId, ExclusionId, FactorId, FootprintId, IdError, InputId, ModelId, OrgId,
    PartnerId, ProductId, ScopeId, SwitchId, TaxonomyId, parse_uuid,
};
pub use text::{
    Description, HostAddress, HostClientId, ImageAddress, Link, Name, Reason, Slug, Source, SyncId, TextError,
};
pub use total_name::is_name_of_total;

// The trees of scopes, organisation units and taxonomies.
pub use tree::catalog::{Catalog, NodeTree};
pub use tree::forest::{Forest, MAX_LEVELS};
pub use tree::node::{Org, Scope, Taxonomy, Tree, TreeNode};
pub use tree::scope_kind::{OutOfPlace, ScopeClass, ScopeClassError, ScopeKind, ScopeKindError};

// Products, their factors, and what quantity times factor comes to.
pub use product::Product;
pub use product::calculation::{
    Calculation, CalculationError, CalculationParts, Contradiction, FactorLookup, SuppliedCo2e, calculate, emissions,
};
pub use product::factor::{
    Factor, FactorBasis, FactorData, FactorError, FactorFault, Overlap, UnknownFactorBasis, add_successor,
    corrected_by, factor_on, residual_mix_on,
};
pub use product::incomplete::{Incomplete, UnknownReason};
pub use product::mixed::{MixedUse, check_use};
pub use product::place::{CountedNowhere, Misplaced};
pub use product::rule::choice::{Choice, Considered, MAX_CONSIDERED, NoChoice, UnknownWord, Verdict, YearBasis};
pub use product::rule::{
    FactorRule, MAX_PREFERENCES, PreferencesError, PublisherSets, SetPreference, UnknownYearRule, YearRule,
};
pub use product::supplied::{NoFactorOf, SuppliedFactor, supplied_factor};
pub use product::supplier::{NoShare, SupplierFootprint};

// Greenhouse gases, one by one.
pub use gas::emitted::{EmittedGas, GasFactor};
pub use gas::potential::{GwpSet, UnknownGwpSet};
pub use gas::row::GasRow;
pub use gas::split::{GasAmount, GasCo2e, GasSplit, GasSplitError};
pub use gas::{Gas, UnknownGas};

// Factors as somebody published them.
pub use published::factor::{NoCo2eUnder, PublishedFactor, SourceRow};
pub use published::origin::{FactorOrigin, NotUsable};
pub use published::region::{RegionFit, region_parts};
pub use published::search::{FactorPlace, FactorQuery, FactorRank, FactorWords};
pub use published::set::FactorSet;
pub use published::words::{MAX_SEARCH_WORDS, SearchWords, SearchWordsError, joined_words, search_words};
pub use published::{PublishedUse, UnknownUse};

// How a figure comes about, and computing it anew from that.
pub use explain::composition::{Composed, Composition, Figure, Source as CompositionSource, SourceInput};
pub use explain::exact::Exact;
pub use explain::multiplication::Multiplication;
pub use explain::{CitedFactor, Explained, ExplainedMarket, Explanation, Figures, Part, Term, Unexplained};

// Activities, and how they add up.
pub use activity::{
    Activity, EndBeforeStart, Evidence, EvidenceError, EvidenceList, EvidenceListError, IncompleteToday, MAX_EVIDENCE,
    Market, MarketBasis, MarketOrigin, Measured, Outdated, Quality, Span, Stated, UnknownMarketBasis, UnknownQuality,
};
pub use aggregate::cell::{Amounts, Cell, Posting, SeriesKey};
pub use aggregate::count::{Magnitude, TooMany};
pub use aggregate::cube::{Attribution, Cube, CubeBuilder, CubeError, SeriesTotals, Starts, UnknownSeries};
pub use aggregate::measure::{ByMeasure, Measure, Measures, MeasuresError, UnknownMeasure};
pub use aggregate::packed::{Cells, IntoCells, PackError, PackedCells, PackedError};
pub use aggregate::postings::Postings;
pub use aggregate::report::{
    Filter, FirstDays, GasTotal, GasTotals, QualityRow, Report, Scope2, Totals, UnknownScope2, breakdown,
    breakdown_by_gas, breakdown_by_quality, report,
};

// Periods whose figures stand fast.
pub use closed_period::{
    ClassTotals, ClosedPeriod, ClosedPeriods, ClosedSpan, Frozen, FrozenAbout, FrozenFigures, FrozenLine, FrozenNode,
    FrozenReport, PeriodSpan, Signature as PeriodSignature, Significance, SignificanceError,
};

// What is left out of an inventory, with the reason.
pub use exclusion::{Category, ExcludedPart, ExcludedYears, ExcludedYearsError, Exclusion, NoSuchCategory};

// Companies that footprints are exchanged with, and what is shared with them.
pub use partner::{MOST_ALIASES, MOST_PARTNER_CLIENTS, Partner, ProductAlias, SharedWith, Sharing};

// The statement of a year's inventory.
pub use statement::{
    Asked, ClosedPart, Consolidation, FigureSource, MarketSourceLine, SourceLine, SourceSums, StatementLine,
    StatementPart, StatementSettings, StatementTables, UnknownConsolidation,
};
// What is missing in an inventory.
pub use completeness::{Coverage, Gap, LOOK_BACK_MONTHS, LeftOut, MOST_MONTHS, coverage, gaps, left_out};

// Models, the switches made of them, product carbon footprints.
pub use footprint::{Fields, Footprint, Violation};
pub use model::input::{Input, InputCalculation, InputContradiction};
pub use model::stage::{Group, PRODUCT_STAGE, Stage, StageError};
pub use model::{Block, DeclaredAmount, DeclaredAmountError, Model, NotPositive};
pub use switch::{Issue, MAX_SOURCES, Sources, SourcesError, Switch, SwitchFootprint, SwitchModels};

// The one text of each record.
pub use canonical::{
    Canonical, CanonicalError, CanonicalItem, CanonicalItemReader, CanonicalReader, CanonicalWriter, Digest,
    DigestError,
};

/// Whole numbers in bytes: for those who store what is beside packed cells.
#[doc(hidden)]
pub use varint::{VarintError, read_varint, write_varint};

// The versions of these crates that functions take and give.
pub use {time, uuid};

/// The examples of the README, which are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
