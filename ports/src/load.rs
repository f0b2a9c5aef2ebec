//! Filling an empty tenant with records, series and changes exactly as they were kept elsewhere.

use crate::{ChainHead, Change, ChangeItem, RecordKind, Stored};
use async_trait::async_trait;
use domain::{Activity, Digest, Factor, Footprint, Input, Model, Node, Product, SeriesKey, Switch};

use crate::store::StoreError;

/// The filling of an empty tenant: one transaction. [`finish`](Load::finish) consumes it; dropping it undoes everything.
///
/// The store keeps what it is given without judging it: whoever loads checks the digests and the chain before. It does
/// refuse what its own rules refuse: a doubled id, syncId or slug, a reference to a record that was not loaded before.
/// Cells are counted anew from the activities; each is stamped with the newest change that wrote an activity.
///
/// After any error nothing more can be done with it.
#[async_trait]
pub trait Load: Send {
    /// The series, in order of their index from 0. May name nodes that are gone. Once, before the first activity.
    async fn series(&mut self, series: Vec<SeriesKey>) -> Result<(), StoreError>;

    /// Records of any kinds with their own times and versions, each behind those that it refers to.
    async fn records(&mut self, records: Vec<AnyRecord>) -> Result<(), StoreError>;

    /// The next changes with their items, in order from number 1.
    async fn changes(&mut self, changes: Vec<(Change, Vec<ChangeItem>)>) -> Result<(), StoreError>;

    /// Sets the head, under a new epoch, makes it all durable and visible, and gives the head.
    async fn finish(self: Box<Self>, end: LoadEnd) -> Result<ChainHead, StoreError>;
}

/// Where a history that was loaded ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadEnd {
    /// The number of the newest change.
    pub number: u64,
    /// Its digest.
    pub digest: Digest,
    /// The number of the newest change that touched a node or a product.
    pub catalog: u64,
    /// The highest number a footprint ever had.
    pub footprints: u64,
}

/// A record of any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "the largest, an activity, is what nearly all records are")]
pub enum AnyRecord {
    /// A node of one of the three trees.
    Node(Stored<Node>),
    /// A product.
    Product(Stored<Product>),
    /// A factor.
    Factor(Stored<Factor>),
    /// A model.
    Model(Stored<Model>),
    /// An input.
    Input(Stored<Input>),
    /// A switch.
    Switch(Stored<Switch>),
    /// A footprint.
    Footprint(Stored<Footprint>),
    /// An activity.
    Activity(Stored<Activity>),
}

impl AnyRecord {
    /// The record's kind.
    #[must_use]
    pub fn kind(&self) -> RecordKind {
        use crate::Entity as _;
        match self {
            Self::Node(record) => record.value.kind(),
            Self::Product(_) => RecordKind::Product,
            Self::Factor(_) => RecordKind::Factor,
            Self::Model(_) => RecordKind::Model,
            Self::Input(_) => RecordKind::Input,
            Self::Switch(_) => RecordKind::Switch,
            Self::Footprint(_) => RecordKind::Footprint,
            Self::Activity(_) => RecordKind::Activity,
        }
    }
}
