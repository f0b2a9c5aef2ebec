//! What the words of carbon accounting mean, and how amounts are computed and added up.
//!
//! Pure: no async, no input or output, no clock, no randomness. Every amount is an exact decimal.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that cannot go on fails by panicking"))]

mod amount;
mod canonical;
mod day;
mod decimal;
mod fault;
pub mod footprint;
mod id;
mod moment;
mod round;
mod text;
mod total;

pub use amount::{Co2e, Intensity, Quantity};
pub use canonical::{Canonical, Digest, Record};
pub use day::{Day, DayError, Period};
pub use decimal::{Decimal, DecimalError, FRACTION_DIGITS, INTEGER_DIGITS};
pub use fault::{Fault, Faults};
pub use footprint::Footprint;
pub use id::{
    ActivityId, BlockId, ClientId, FactorId, FamilyId, FootprintId, IdError, InputId, KeyId, ModelId, OrgId, ProductId,
    ScopeId, SwitchId, TaxonomyId, TenantId, parse_uuid,
};
pub use moment::{Moment, MomentError, Timestamp};
pub use text::{Description, ImageAddress, Name, Slug, Source, SyncId, TenantSlug, TextError};
pub use total::Total;
