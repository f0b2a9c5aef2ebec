//! A stand-in of the exchange with partners: nothing came, and nothing was sent.

use async_trait::async_trait;
use domain::PartnerId;
use domain::footprint::Edition;
use ports::Caller;
use ports::inbound::{DeliveryView, Done, Error, Exchange, Once, PartnerAnswer, RequestDraft, RequestView};
use ports::partner_event::PartnerEvent;
use ports::repo::{Listing, Page};

use super::Rest;

#[async_trait]
impl Exchange for Rest {
    async fn take(&self, _: &Caller, _: PartnerEvent) -> Result<(), Error> {
        Err(Error::NotFound)
    }

    async fn deliveries(&self, _: &Caller, _: PartnerId, page: Page) -> Result<Listing<DeliveryView>, Error> {
        Ok(Listing { count: 0, page, data: Vec::new() })
    }

    async fn retry(&self, _: &Caller, _: PartnerId) -> Result<u64, Error> {
        Err(Error::NotFound)
    }

    async fn requests(&self, _: &Caller, _: PartnerId, page: Page) -> Result<Listing<RequestView>, Error> {
        Ok(Listing { count: 0, page, data: Vec::new() })
    }

    async fn get_request(&self, _: &Caller, _: PartnerId, _: &str) -> Result<RequestView, Error> {
        Err(Error::NotFound)
    }

    async fn request(
        &self,
        _: &Caller,
        _: PartnerId,
        _: RequestDraft,
        _: Option<Once<RequestView>>,
    ) -> Result<Done<RequestView>, Error> {
        Err(Error::NotFound)
    }

    async fn expect(&self, _: &Caller, _: PartnerId, _: Edition, _: &str, _: Vec<String>) -> Result<(), Error> {
        Err(Error::NotFound)
    }

    async fn answer(&self, _: &Caller, _: PartnerId, _: &str) -> Result<Option<PartnerAnswer>, Error> {
        Err(Error::NotFound)
    }
}
