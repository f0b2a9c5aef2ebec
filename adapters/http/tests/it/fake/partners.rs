//! No partners: what is asked of one is not found.

use async_trait::async_trait;
use domain::{FootprintId, PartnerId};
use ports::inbound::{Done, Error, NewClient, Once, PartnerDraft, PartnerView, Partners, SharingDraft, SharingView};
use ports::partner_host::PartnerAddress;
use ports::repeat::KeyedRequest;
use ports::repo::{Listing, Page};
use ports::{Caller, Version};

use super::Rest;

#[async_trait]
impl Partners for Rest {
    async fn list(&self, _: &Caller, page: Page) -> Result<Listing<PartnerView>, Error> {
        Ok(Listing { count: 0, page, data: Vec::new() })
    }

    async fn get(&self, _: &Caller, _: PartnerId) -> Result<PartnerView, Error> {
        Err(Error::NotFound)
    }

    async fn add_once(
        &self,
        _: &Caller,
        _: PartnerDraft,
        _: Option<Once<PartnerView>>,
    ) -> Result<Done<PartnerView>, Error> {
        Err(Error::NotFound)
    }

    async fn update(
        &self,
        _: &Caller,
        _: PartnerId,
        _: Option<Version>,
        _: PartnerDraft,
    ) -> Result<PartnerView, Error> {
        Err(Error::NotFound)
    }

    async fn remove(&self, _: &Caller, _: PartnerId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }

    async fn add_client_once(&self, _: &Caller, _: PartnerId, _: Option<KeyedRequest>) -> Result<NewClient, Error> {
        Err(Error::NotFound)
    }

    async fn address(&self, _: &Caller, _: PartnerId) -> Result<PartnerAddress, Error> {
        Err(Error::NotFound)
    }

    async fn note_call(&self, _: &Caller, _: PartnerId) -> Result<(), Error> {
        Ok(())
    }

    async fn sharing(&self, _: &Caller, _: FootprintId) -> Result<SharingView, Error> {
        Err(Error::NotFound)
    }

    async fn share(
        &self,
        _: &Caller,
        _: FootprintId,
        _: Option<Version>,
        _: SharingDraft,
    ) -> Result<SharingView, Error> {
        Err(Error::NotFound)
    }
}
