//! Product carbon footprints: what was written, and whether it is valid by PACT's rules.
//!
//! Every member is described once, in the [`ObjectSchema`]s that [`FOOTPRINT`] leads to. A reader walks
//! `FOOTPRINT.fields`, reads each member by its [`JsonType`] (objects by their own schema) and hands it to [`Fields::set`];
//! a writer or a schema walks the same list. Null, `[]` and absent are the same; `{}` is an object that was given.
//!
//! The service gives `id` (by [`Footprint::id`] and [`Footprint::number`]) and fills in `created`, `updated`,
//! `version` (1) and `status` (Active) where they were not written; nothing else, `specVersion` included.

mod advice;
mod cross_field_rules;
mod edition;
mod field_table;
mod fields;
mod filter;
mod format;
mod layer;
mod place;
mod projection;
pub mod publish;
mod raw_json;
mod rule_names;
mod spec;
mod spec_version;
mod validate;
mod verdict;

pub use edition::Edition;
pub use field_table::{ACTIVE, DEPRECATED, FOOTPRINT, PCF};
pub use fields::{FieldError, FieldValue, Fields, Reference};
pub(crate) use filter::validity;
pub use filter::{Compared, Comparison, Condition, FootprintFilter, Operator};
pub use layer::Layer;
pub use place::FootprintPlace;
pub use projection::{Projection, project};
pub use publish::FromModel;
pub use raw_json::{RawJson, RawJsonError};
pub use rule_names::{Rule, Violation};
pub use spec::{FieldSpec, FieldUnit, Format, JsonType, ObjectSchema, Requirement};
pub use spec_version::{Major, SpecVersion, SpecVersionError};
pub use validate::validate;
pub use verdict::{EditionVerdict, MAX_FINDINGS, RULE_SET, Verdict};

use crate::calendar::moment::Moment;
use crate::calendar::timestamp::Timestamp;
use crate::id::FootprintId;
use crate::setters::setters;

/// A product carbon footprint of one tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Footprint {
    /// What PACT partners call it.
    pub id: FootprintId,
    /// What the interface calls it: counted per tenant, from 1.
    pub number: u64,
    /// What the service noted about it.
    pub stamps: Stamps,
    /// What was written, by the schema [`FOOTPRINT`].
    pub fields: Fields,
    /// The model that it was made of; `None` where somebody wrote it.
    pub from_model: Option<Box<FromModel>>,
}

/// What the service notes about a footprint by its own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamps {
    /// When it was added.
    pub created: Timestamp,
    /// When it was last amended.
    pub updated: Option<Timestamp>,
    /// How many times it was amended.
    pub amendments: u32,
}

impl Stamps {
    /// Those of a footprint that was added then and never amended.
    #[must_use]
    pub const fn new(created: Timestamp) -> Self {
        Self { created, updated: None, amendments: 0 }
    }
}

setters! {
    Stamps {
        with_updated = updated: Option<Timestamp>,
        with_amendments = amendments: u32,
    }
}

/// Why a footprint was not amended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmendError {
    /// A status can only go from Active to Deprecated.
    #[error(
        "the status cannot change from {from:?} to {to:?}: only Active can become Deprecated; write a new footprint instead"
    )]
    Status {
        /// The status it has.
        from: String,
        /// The status asked for.
        to: String,
    },
}

setters! {
    Footprint {
        with_number = number: u64,
        with_stamps = stamps: Stamps,
        with_fields = fields: Fields,
        with_from_model = from_model: Option<Box<FromModel>>,
    }
}

impl Footprint {
    /// A footprint as it was written at `created`.
    #[must_use]
    pub const fn new(id: FootprintId, number: u64, created: Timestamp, fields: Fields) -> Self {
        Self { id, number, stamps: Stamps::new(created), fields, from_model: None }
    }

    /// The version of PACT's data model that it follows; `None` when `specVersion` names none that is known.
    #[must_use]
    pub fn spec_version(&self) -> Option<SpecVersion> {
        self.fields.text("specVersion").and_then(|text| SpecVersion::parse(text).ok())
    }

    /// Its status as written, Active when none was.
    #[must_use]
    pub fn status(&self) -> &str {
        self.fields.text("status").unwrap_or(ACTIVE)
    }

    /// When it was created: as written, else when it was added.
    #[must_use]
    pub fn created(&self) -> Moment {
        self.fields.moment("created").unwrap_or_else(|| self.stamps.created.into())
    }

    /// When it was last updated: as written or when it was amended, whichever is later.
    #[must_use]
    pub fn updated(&self) -> Option<Moment> {
        let stamped = self.stamps.updated.map(Moment::from);
        self.fields.moment("updated").into_iter().chain(stamped).max_by_key(|moment| moment.instant())
    }

    /// Its version: as written, else 1, and one more for each amendment up to the largest that PACT allows, 2^31-1.
    #[must_use]
    pub fn version(&self) -> i64 {
        let written = self.fields.integer("version").unwrap_or(1);
        let most = written.max(i32::MAX.into());
        written.saturating_add(self.stamps.amendments.into()).min(most)
    }

    /// Its `productIds` as lists compare them: without regard to case, each once.
    #[must_use]
    pub fn product_keys(&self) -> Vec<String> {
        let mut keys: Vec<_> = self.fields.texts("productIds").iter().map(|id| id.to_lowercase()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Whether its `precedingPfIds` names our footprint of that number.
    #[must_use]
    pub fn succeeds(&self, number: u64) -> bool {
        let is_that = |reference: &Reference| match reference {
            Reference::Number(named) => u64::try_from(*named).is_ok_and(|named| named == number),
            Reference::Text(_) => false,
        };
        self.fields.references("precedingPfIds").iter().any(is_that)
    }

    /// The footprint with that status and status comment; nothing else of it can change.
    ///
    /// Its `updated` becomes `at`, or just after `created` where that lies later. Without a change it stays as it is.
    pub fn amend(&self, status: &str, comment: Option<&str>, at: Timestamp) -> Result<Self, AmendError> {
        let current = self.status();
        if current != status && (current, status) != (ACTIVE, DEPRECATED) {
            return Err(AmendError::Status { from: current.to_owned(), to: status.to_owned() });
        }
        if current == status && self.fields.text("statusComment") == comment {
            return Ok(self.clone());
        }
        let mut amended = self.clone();
        amended.fields.put_text("status", Some(status));
        amended.fields.put_text("statusComment", comment);
        amended.stamps.updated = Some(just_after(self.created()).map_or(at, |earliest| earliest.max(at)));
        amended.stamps.amendments = self.stamps.amendments.saturating_add(1);
        Ok(amended)
    }
}

/// The first millisecond after a moment; `None` outside the years 1 to 9999.
fn just_after(moment: Moment) -> Option<Timestamp> {
    let instant = moment.instant();
    Timestamp::from_millis(instant.unix_timestamp() * 1000 + i64::from(instant.millisecond()) + 1)
}
