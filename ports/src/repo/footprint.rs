//! What footprints need besides: reading on from a number, the lists that partners read, and verdicts.

use async_trait::async_trait;
use domain::footprint::{Edition, FootprintPlace, Verdict};
use domain::{Footprint, FootprintId, ModelId, PartnerId};

use super::Reader;
use crate::Stored;
use crate::store::StoreError;

/// How many verdicts are made anew at once: none of them is worth a wait of other writers.
pub const RENEWED_AT_ONCE: u32 = 200;

/// What is read of a list that partners read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Those that this edition shows.
    pub edition: Edition,
    /// Only those behind that place.
    pub after: Option<FootprintPlace>,
    /// Only those with a number up to this one.
    pub until: u64,
    /// Only those with one of these `productIds`, as [`Footprint::product_keys`] has them; any of them where it is `None`.
    pub products: Option<Vec<String>>,
    /// Only those that are shared with this partner or with every one; all of them where it is `None`.
    pub partner: Option<PartnerId>,
    /// How many at most, 1 at least.
    pub limit: u32,
}

/// What is read of the interface's own list: the records that are valid by the rules of the version they are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valid {
    /// Only those with a number above this one.
    pub after: u64,
    /// Only those with a number up to this one.
    pub until: u64,
    /// How many at most, 1 at least.
    pub limit: u32,
}

/// A part of the interface's own list.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidBatch {
    /// The footprints, by number.
    pub records: Vec<Stored<Footprint>>,
    /// The number behind which to read on; `None` when there are no more.
    pub end: Option<u64>,
}

/// A part of such a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownBatch {
    /// The footprints, by their place.
    pub records: Vec<Stored<Footprint>>,
    /// Where to read on; `None` when there are no more.
    pub end: Option<FootprintPlace>,
}

/// What can be read of footprints beside what all records have.
///
/// Implementations MUST keep with each footprint its [`Verdict`], made anew whenever it is written, and its
/// [`FootprintPlace`], and find the footprints that an edition shows by these. A verdict by other rules than those of now
/// ([`Verdict::is_current`]) MUST be made anew before it is used or given. One of the rules of now MUST be used as it is: a list
/// validates no record that it does not have to.
#[async_trait]
pub trait FootprintReader: Reader<Footprint> {
    /// Up to `limit` footprints with a number above `number`, by number. Fewer than `limit` means that there are no more.
    async fn above(&mut self, number: u64, limit: u32) -> Result<Vec<Stored<Footprint>>, StoreError>;

    /// A part of the interface's own list. It may have fewer records than asked for, or none, and still not be the last.
    async fn valid(&mut self, asked: Valid) -> Result<ValidBatch, StoreError>;

    /// The newest footprint that was made of that model, by its number.
    async fn of_model(&mut self, model: ModelId) -> Result<Option<Stored<Footprint>>, StoreError>;

    /// A part of the list that an edition shows. It may have fewer records than asked for, or none, and still not be the
    /// last.
    async fn shown(&mut self, asked: Shown) -> Result<ShownBatch, StoreError>;

    /// The verdict on a footprint, if there is one of that id.
    async fn verdict(&mut self, id: FootprintId) -> Result<Option<Verdict>, StoreError>;

    /// The ids of the footprints with those numbers, those that exist, in no order. Numbers may repeat; a footprint comes
    /// once.
    async fn numbered(&mut self, numbers: &[u64]) -> Result<Vec<(u64, FootprintId)>, StoreError>;

    /// The highest number that a footprint ever had; 0 when there was none.
    async fn highest_number(&mut self) -> Result<u64, StoreError>;
}
