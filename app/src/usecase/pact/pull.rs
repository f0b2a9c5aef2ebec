//! Suppliers' footprints become factors: the host's list is read to its end, then product by product is written.

mod announced;
mod listed;
mod write;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{PartnerId, Source};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{Error, Pull, PullError, Pulled, RefusedFootprint, SupplierFactors};
use ports::partner_host::{HostError, PartnerAddress, PartnerHost};
use ports::store::Store;
use ports::{Caller, demand, permit};

use super::super::draft::begin;
use listed::Listed;
pub use listed::MOST_BYTES;
use write::Written;

/// How many footprints are written in one change.
const BATCH: usize = 200;

/// Makes factors of suppliers' footprints.
pub struct PullService {
    /// The store of products and factors.
    pub store: Arc<dyn Store>,
    /// Stamps what is written, and says what day it is.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
    /// What calls partners' hosts.
    pub host: Arc<dyn PartnerHost>,
    /// The most memory that a list takes until it is written, in bytes: [`MOST_BYTES`].
    pub most_bytes: usize,
}

/// Whose footprints are taken over.
struct Supplier {
    /// The partner, where it is one that is registered: its products are found by it wherever its host moves.
    partner: Option<PartnerId>,
    /// The base address of its host.
    host: Source,
}

impl Supplier {
    fn new(partner: Option<PartnerId>, at: &PartnerAddress) -> Result<Self, HostError> {
        let host = Source::parse(at.base_url.trim_end_matches('/'));
        let host = host.map_err(|error| HostError::NotAllowed(format!("its base address: {error}")))?;
        Ok(Self { partner, host })
    }
}

#[async_trait]
impl SupplierFactors for PullService {
    async fn pull(
        &self,
        caller: &Caller,
        partner: Option<PartnerId>,
        at: &PartnerAddress,
        wanted: Pull,
    ) -> Result<Pulled, PullError> {
        let grant = permit(caller, demand::CATALOG_WRITE).map_err(Error::from)?;
        let supplier = Supplier::new(partner, at)?;
        let mut pulled = Pulled::default();
        let (host, most) = (self.host.as_ref(), self.most_bytes);
        let listed = listed::all(host, at, &supplier, &wanted, most, &mut pulled).await?;
        for batch in listed.chunks(BATCH) {
            let mut tx =
                begin(self.store.as_ref(), self.clock.as_ref(), &grant, format!("PACT pull from {}", supplier.host))
                    .await?;
            let mut has_written = false;
            for one in batch {
                let written = write::one(tx.as_mut(), self, &supplier, one).await?;
                has_written |= note(&mut pulled, one, written);
            }
            if has_written {
                tx.commit().await.map_err(Error::from)?;
            }
        }
        Ok(pulled)
    }

    async fn pull_announced(
        &self,
        caller: &Caller,
        partner: PartnerId,
        at: &PartnerAddress,
    ) -> Result<Pulled, PullError> {
        self.take_over(caller, partner, at).await
    }
}

/// Counts what became of a footprint; whether something was written.
fn note(pulled: &mut Pulled, one: &Listed, written: Written) -> bool {
    let is_change = matches!(written, Written::Added { .. } | Written::Corrected | Written::Ended);
    match written {
        Written::Unchanged => pulled.unchanged += 1,
        Written::Deprecated => pulled.deprecated += 1,
        Written::Refused(reason) => {
            let product = one.products.first().cloned();
            pulled.refused.push(RefusedFootprint { id: Some(one.id), product, reason });
        }
        Written::Ended => pulled.ended += 1,
        Written::Corrected => pulled.corrected += 1,
        Written::Added { closed, is_rounded } => {
            pulled.added += 1;
            pulled.closed += closed;
            pulled.rounded += u64::from(is_rounded);
        }
    }
    is_change
}
