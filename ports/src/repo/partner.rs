//! What partners and sharings need besides: whose client calls, and what is shared with a partner.

use async_trait::async_trait;
use domain::{Partner, PartnerId, Sharing};
use uuid::Uuid;

use super::Reader;
use crate::Stored;
use crate::store::StoreError;

/// What can be read of partners beside what all records have. Implementations MUST look a client up, whatever the number of
/// partners.
#[async_trait]
pub trait PartnerReader: Reader<Partner> {
    /// The partner that names that client, the first by its id where several do.
    async fn of_client(&mut self, client: Uuid) -> Result<Option<Stored<Partner>>, StoreError>;
}

/// What can be read of sharings beside what all records have. Implementations MUST keep for each partner the places of the
/// footprints that are shared with it, so that a part of its [list](super::Shown::partner) costs what it shows.
#[async_trait]
pub trait SharingReader: Reader<Sharing> {
    /// Up to `limit` sharings that name the partner, in no order. Those with every partner name none.
    async fn naming(&mut self, partner: PartnerId, limit: u32) -> Result<Vec<Stored<Sharing>>, StoreError>;
}
