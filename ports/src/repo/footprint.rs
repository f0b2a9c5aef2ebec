//! What footprints need besides: reading on from a number.

use async_trait::async_trait;
use domain::Footprint;

use super::Reader;
use crate::Stored;
use crate::store::StoreError;

/// What can be read of footprints beside what all records have.
#[async_trait]
pub trait FootprintReader: Reader<Footprint> {
    /// Up to `limit` footprints with a number above `number`, by number. Fewer than `limit` means that there are no more.
    async fn above(&mut self, number: u64, limit: u32) -> Result<Vec<Stored<Footprint>>, StoreError>;

    /// The highest number that a footprint ever had; 0 when there was none.
    async fn highest_number(&mut self) -> Result<u64, StoreError>;
}
