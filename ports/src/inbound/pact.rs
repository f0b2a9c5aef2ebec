//! Footprints of suppliers, taken over as factors.

use async_trait::async_trait;
use domain::footprint::Edition;
use domain::{FootprintId, Moment, PartnerId};

use super::Error;
use crate::Caller;
use crate::partner_host::{HostError, PartnerAddress};

/// Makes factors of the footprints that partners' hosts show. Needs `catalog:write`.
#[async_trait]
pub trait SupplierFactors: Send + Sync {
    /// Reads a host's whole list and makes a factor of each footprint asked for, in a product of its own for each of the
    /// host's product ids. Products are found again by the partner where the host is one's that is registered, else by the
    /// host's base address. What is there already stays as it is. The list is read before anything is written; where a write
    /// fails, those before it stay, and the same call goes on. A list of which too much would be kept is refused.
    async fn pull(
        &self,
        caller: &Caller,
        partner: Option<PartnerId>,
        at: &PartnerAddress,
        wanted: Pull,
    ) -> Result<Pulled, PullError>;

    /// The same of the footprints alone that a partner announced or sent by events: those that it sent are not asked for
    /// again. What was refused stays to be taken over; what the host does not give any more does not.
    async fn pull_announced(
        &self,
        caller: &Caller,
        partner: PartnerId,
        at: &PartnerAddress,
    ) -> Result<Pulled, PullError>;
}

/// Which footprints are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pull {
    /// The version that the host is asked in.
    pub edition: Edition,
    /// Only footprints with one of these product ids; all where there is none.
    pub product_ids: Vec<String>,
    /// Only footprints created then or later.
    pub since: Option<Moment>,
}

/// What became of a host's footprints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pulled {
    /// How many came.
    pub came: u64,
    /// How many were not asked for.
    pub left_out: u64,
    /// How many became new factors.
    pub added: u64,
    /// How many were factors already, and say the same.
    pub unchanged: u64,
    /// How many took the place of a factor that says something else for the same days, as its correction.
    pub corrected: u64,
    /// How many factors ended where a newer footprint begins.
    pub closed: u64,
    /// How many factors ended because their footprint is deprecated.
    pub ended: u64,
    /// How many are deprecated and were no factors.
    pub deprecated: u64,
    /// How many factors were rounded, at the 18th fractional digit.
    pub rounded: u64,
    /// Those that no factor was made of.
    pub refused: Vec<RefusedFootprint>,
}

/// A footprint that no factor was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedFootprint {
    /// What it is called, where that could be read.
    pub id: Option<FootprintId>,
    /// Its first product id.
    pub product: Option<String>,
    /// Why.
    pub reason: String,
}

/// Why a host's footprints were not taken over.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// The host did not give its list.
    #[error(transparent)]
    Host(#[from] HostError),
    /// They could not be kept.
    #[error(transparent)]
    Kept(#[from] Error),
}
