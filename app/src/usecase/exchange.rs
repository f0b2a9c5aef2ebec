//! The exchange of footprints with partners: events that they send, and events to them.

mod attempt;
mod backoff;
mod made;
mod ours;
mod outbox;
pub(crate) mod publish;
mod stored;
pub(crate) mod sweep;
mod take;
mod turns;
mod wake;

use std::sync::Arc;

use async_trait::async_trait;
use domain::PartnerId;
use domain::footprint::Edition;
use ports::clock::Clock;
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::id_source::Ids;
use ports::inbound::{DeliveryView, Done, Error, Exchange, Once, PartnerAnswer, RequestDraft, RequestView};
use ports::partner_event::PartnerEvent;
use ports::repo::{Listing, Page};
use ports::store::Store;
use ports::{Caller, demand, permit};

pub use outbox::{BaseAddress, Outbox};
use stored::read;
pub use wake::Wake;

/// A footprint that a partner announced or sent.
pub(crate) struct KeptFootprint {
    /// The edition that the host is asked in, where it is to be asked: the footprint was announced, and was not sent since.
    pub(crate) announced: Option<Edition>,
    /// The edition that it was sent in, and its JSON, where it was sent.
    pub(crate) sent: Option<(Edition, String)>,
}

/// The footprint of a row.
pub(crate) fn kept_footprint(row: &ExchangeRow) -> Result<KeptFootprint, Error> {
    let stored::Footprint { edition, json, sent_in } = read(row)?;
    let announced = (json.is_none() || sent_in.is_some()).then(|| stored::edition(edition));
    Ok(KeptFootprint { announced, sent: json.map(|json| (stored::edition(sent_in.unwrap_or(edition)), json)) })
}

/// Takes and stores events.
pub struct ExchangeService {
    /// The store of events.
    pub store: Arc<dyn Store>,
    /// Stamps what is stored.
    pub clock: Arc<dyn Clock>,
    /// Gives events their ids.
    pub ids: Arc<dyn Ids>,
    /// Told when there is something to send.
    pub wake: Arc<Wake>,
}

#[async_trait]
impl Exchange for ExchangeService {
    async fn take(&self, caller: &Caller, event: PartnerEvent) -> Result<(), Error> {
        self.take_event(caller, event).await
    }

    async fn deliveries(
        &self,
        caller: &Caller,
        partner: PartnerId,
        page: Page,
    ) -> Result<Listing<DeliveryView>, Error> {
        let grant = permit(caller, demand::PARTNER_READ)?;
        let mut tx = self.store.read(&grant).await?;
        tx.partners().find(partner).await?.ok_or(Error::NotFound)?;
        let Listing { count, page, data } = tx.exchange().list(ExchangeKind::Delivery, partner, page).await?;
        Ok(Listing { count, page, data: data.iter().map(stored::view).collect() })
    }

    async fn retry(&self, caller: &Caller, partner: PartnerId) -> Result<u64, Error> {
        self.send_again(caller, partner).await
    }

    async fn requests(&self, caller: &Caller, partner: PartnerId, page: Page) -> Result<Listing<RequestView>, Error> {
        let grant = permit(caller, demand::PARTNER_READ)?;
        let mut tx = self.store.read(&grant).await?;
        tx.partners().find(partner).await?.ok_or(Error::NotFound)?;
        let Listing { count, page, data } = tx.exchange().list(ExchangeKind::Request, partner, page).await?;
        Ok(Listing { count, page, data: data.iter().map(stored::request_view).collect() })
    }

    async fn get_request(&self, caller: &Caller, partner: PartnerId, id: &str) -> Result<RequestView, Error> {
        let grant = permit(caller, demand::PARTNER_READ)?;
        let found = self.store.read(&grant).await?.exchange().find(ExchangeKind::Request, id.to_owned()).await?;
        let row = found.filter(|row| row.partner == partner).ok_or(Error::NotFound)?;
        Ok(stored::request_view(&row))
    }

    async fn request(
        &self,
        caller: &Caller,
        partner: PartnerId,
        draft: RequestDraft,
        once: Option<Once<RequestView>>,
    ) -> Result<Done<RequestView>, Error> {
        self.ask(caller, partner, draft, once).await
    }

    async fn expect(
        &self,
        caller: &Caller,
        partner: PartnerId,
        edition: Edition,
        id: &str,
        product_ids: Vec<String>,
    ) -> Result<(), Error> {
        self.keep_request(caller, partner, edition, id, product_ids).await
    }

    async fn answer(&self, caller: &Caller, partner: PartnerId, id: &str) -> Result<Option<PartnerAnswer>, Error> {
        self.answer_to(caller, partner, id).await
    }
}
