//! A record as a store keeps it: the value with its times and its version.

use std::fmt;

use domain::Timestamp;

/// The number of the change that last wrote a record. What a reader saw and a writer compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u64);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The kinds of records that a tenant's change chain has items of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// A recorded cause of emissions.
    Activity,
    /// A node of the scope tree.
    Scope,
    /// A node of the org tree.
    Org,
    /// A node of the taxonomy tree.
    Taxonomy,
    /// What an activity consumes or a model is made of.
    Product,
    /// A factor of a product.
    Factor,
    /// A bill of inputs.
    Model,
    /// An input of a model.
    Input,
    /// An item whose footprint comes from models.
    Switch,
    /// A product carbon footprint in PACT terms.
    Footprint,
    /// A period whose figures stand fast.
    ClosedPeriod,
    /// A part of the inventory that is left out, with the reason.
    Exclusion,
    /// A company that footprints are exchanged with.
    Partner,
    /// With whom a footprint is shared; its id is the footprint's.
    Sharing,
}

impl RecordKind {
    /// Every kind, in the order of declaration.
    pub const ALL: [Self; 14] = [
        Self::Activity,
        Self::Scope,
        Self::Org,
        Self::Taxonomy,
        Self::Product,
        Self::Factor,
        Self::Model,
        Self::Input,
        Self::Switch,
        Self::Footprint,
        Self::ClosedPeriod,
        Self::Exclusion,
        Self::Partner,
        Self::Sharing,
    ];

    /// The word for it, in lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Activity => "activity",
            Self::Scope => "scope",
            Self::Org => "org",
            Self::Taxonomy => "taxonomy",
            Self::Product => "product",
            Self::Factor => "factor",
            Self::Model => "model",
            Self::Input => "input",
            Self::Switch => "switch",
            Self::Footprint => "footprint",
            Self::ClosedPeriod => "period",
            Self::Exclusion => "exclusion",
            Self::Partner => "partner",
            Self::Sharing => "sharing",
        }
    }

    /// The kind of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// The number that stands for it in stored bytes.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Activity => 0,
            Self::Scope => 1,
            Self::Org => 2,
            Self::Taxonomy => 3,
            Self::Product => 4,
            Self::Factor => 5,
            Self::Model => 6,
            Self::Input => 7,
            Self::Switch => 8,
            Self::Footprint => 9,
            Self::ClosedPeriod => 10,
            Self::Exclusion => 11,
            Self::Partner => 12,
            Self::Sharing => 13,
        }
    }

    /// The kind of that code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// Whether its records are part of the catalog, which writes of activities are built on: nodes, products and their
    /// factors, and the periods that are closed to such writes.
    #[must_use]
    pub const fn is_catalog(self) -> bool {
        match self {
            Self::Scope | Self::Org | Self::Taxonomy | Self::Product | Self::Factor | Self::ClosedPeriod => true,
            Self::Activity
            | Self::Model
            | Self::Input
            | Self::Switch
            | Self::Footprint
            | Self::Exclusion
            | Self::Partner
            | Self::Sharing => false,
        }
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A record with its times and its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored<T> {
    /// The record's content.
    pub value: T,
    /// When it was added.
    pub created: Timestamp,
    /// When it was last written.
    pub updated: Timestamp,
    /// The change that last wrote it.
    pub version: Version,
}

impl<T> Stored<T> {
    /// The same times and version around another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Stored<U> {
        let Self { value, created, updated, version } = self;
        Stored { value: change(value), created, updated, version }
    }
}

/// That records of a kind refer to another record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The kind of the records that refer.
    pub kind: RecordKind,
    /// How many records there are on all pages.
    pub count: u64,
}
