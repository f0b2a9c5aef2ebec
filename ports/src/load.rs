//! Filling an empty tenant with records, series and changes exactly as they were stored elsewhere.

use crate::import_batch::ImportBatch;
use crate::ledger::{PackedItems, PackedLines, PartPlace};
use crate::{ChainHead, Change, Entity as _, RecordKind, Refers, Stored, Version};
use async_trait::async_trait;
use domain::{
    Activity, ClosedPeriod, Digest, Exclusion, Factor, Footprint, Input, Model, Org, PackedCells, Partner, Product,
    Scope, SeriesKey, Sharing, Switch, Taxonomy,
};
use uuid::Uuid;

use crate::store::StoreError;

/// The filling of an empty tenant: one transaction. [`finish`](Load::finish) consumes it; dropping it undoes everything.
///
/// The store keeps what it is given without judging it: whoever loads checks the digests, the chain and what the postings
/// add up to before. It does refuse what its own rules refuse: a doubled id, syncId or slug, a reference to a record that
/// was not loaded before.
///
/// After any error nothing more can be done with it.
#[async_trait]
pub trait Load: Send {
    /// The series, in order of their index from 0. May name nodes that are gone. Once, before the first activity.
    async fn series(&mut self, series: Vec<SeriesKey>) -> Result<(), StoreError>;

    /// Records of any kinds with their own times and versions, each behind those that it refers to.
    async fn records(&mut self, records: Vec<AnyRecord>) -> Result<(), StoreError>;

    /// The next changes, in order from number 1.
    async fn changes(&mut self, changes: Vec<Change>) -> Result<(), StoreError>;

    /// The next parts of items, in order from part 0 of change 1, each behind its change.
    async fn items(&mut self, items: Vec<(PartPlace, PackedItems)>) -> Result<(), StoreError>;

    /// The next parts of postings, in order from the first change that has any, each behind its change.
    async fn postings(&mut self, postings: Vec<(PartPlace, PackedCells)>) -> Result<(), StoreError>;

    /// The next parts of lines, in order from the first change that has any, each behind its change.
    async fn lines(&mut self, lines: Vec<(PartPlace, PackedLines)>) -> Result<(), StoreError>;

    /// Imports as they were stored.
    async fn imports(&mut self, imports: Vec<ImportBatch>) -> Result<(), StoreError>;

    /// Sets the head, under a new epoch, makes it all durable and visible, and gives the head.
    async fn finish(self: Box<Self>, end: LoadEnd) -> Result<ChainHead, StoreError>;
}

/// Where a history that was loaded ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadEnd {
    /// The number of the newest change.
    pub number: u64,
    /// The digest of the chain up to and with that change.
    pub digest: Digest,
    /// The number of the newest change that touched a node, a product, a factor or a closed period.
    pub catalog: u64,
    /// The highest number a footprint ever had.
    pub footprints: u64,
}

macro_rules! any_record {
    ($($(#[$doc:meta])* $kind:ident)*) => {
        /// A record of any kind.
        #[expect(clippy::large_enum_variant, reason = "most are activities, which are the largest")]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnyRecord {
            $($(#[$doc])* $kind(Stored<$kind>),)*
        }

        impl AnyRecord {
            /// What the record is.
            #[must_use]
            pub const fn kind(&self) -> RecordKind {
                match self {
                    $(Self::$kind(_) => RecordKind::$kind,)*
                }
            }

            /// The identifier, unique within the kind.
            #[must_use]
            pub fn id(&self) -> Uuid {
                match self {
                    $(Self::$kind(record) => record.value.id().into(),)*
                }
            }

            /// The change that last wrote the record.
            #[must_use]
            pub const fn version(&self) -> Version {
                match self {
                    $(Self::$kind(record) => record.version,)*
                }
            }

            /// The records that it refers to.
            #[must_use]
            pub fn references(&self) -> Vec<Refers> {
                match self {
                    $(Self::$kind(record) => record.value.references(),)*
                }
            }
        }

        $(impl From<Stored<$kind>> for AnyRecord {
            fn from(record: Stored<$kind>) -> Self {
                Self::$kind(record)
            }
        })*
    };
}

any_record! {
    /// A node of the scope tree.
    Scope
    /// A node of the org tree.
    Org
    /// A node of the taxonomy tree.
    Taxonomy
    /// A product, without its factors.
    Product
    /// A factor of a product.
    Factor
    /// A model, without its inputs.
    Model
    /// An input of a model.
    Input
    /// A switch with its sources.
    Switch
    /// A footprint with its number.
    Footprint
    /// A closed period with its frozen report.
    ClosedPeriod
    /// An exclusion with its reason.
    Exclusion
    /// A partner, without its secret.
    Partner
    /// With whom a footprint is shared.
    Sharing
    /// An activity with its calculation.
    Activity
}
