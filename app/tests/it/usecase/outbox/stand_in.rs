//! Partners' hosts that note what comes and do as they are told.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use async_trait::async_trait;
use domain::footprint::Edition;
use domain::{FootprintId, PartnerId};
use ports::inbound::{
    Done, Error, Exchange as _, NewClient, Once, PartnerDraft, PartnerView, Partners, SharingDraft, SharingView,
};
use ports::partner_host::{HostError, HostPage, NotTaken, PartnerAddress, PartnerHost};
use ports::repeat::KeyedRequest;
use ports::repo::{Listing, Page};
use ports::{Caller, Version};
use serde_json::Value;
use tonne::usecase::exchange::ExchangeService;

/// What a host does with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    /// Takes it.
    Take,
    /// Takes it, and the connection breaks before its answer came.
    TakeAndBreak,
    /// Refuses it.
    Fail,
    /// Never answers.
    Hang,
    /// Gives no token, so that no event is sent to it.
    NoToken,
}

/// The hosts of all partners.
#[derive(Default)]
pub(super) struct StandIn {
    does: Mutex<HashMap<String, Does>>,
    came: Mutex<Vec<(String, Value)>>,
    /// The service of a partner that commits what it takes, and who calls it.
    service: OnceLock<(ExchangeService, Caller)>,
}

impl StandIn {
    /// What the partner's host does from now on.
    pub(super) fn now(&self, partner: PartnerId, does: Does) {
        self.does.lock().unwrap().insert(partner.to_string(), does);
    }

    /// What partners take is committed by that service, called by the client of a partner.
    pub(super) fn commits(&self, service: ExchangeService, client: Caller) {
        assert!(self.service.set((service, client)).is_ok());
    }

    /// Every event that came to the partner's host, the first one first.
    pub(super) fn came(&self, partner: PartnerId) -> Vec<Value> {
        let came = self.came.lock().unwrap();
        came.iter().filter(|(to, _)| *to == partner.to_string()).map(|(_, event)| event.clone()).collect()
    }
}

const fn left(error: HostError) -> NotTaken {
    NotTaken { error, has_left: true }
}

#[async_trait]
impl PartnerHost for StandIn {
    async fn send(&self, at: &PartnerAddress, edition: Edition, event: &str) -> Result<(), NotTaken> {
        let does = self.does.lock().unwrap()[&at.client_id];
        if does == Does::NoToken {
            return Err(NotTaken { error: HostError::NoToken("invalid_client".to_owned()), has_left: false });
        }
        self.came.lock().unwrap().push((at.client_id.clone(), serde_json::from_str(event).unwrap()));
        if let Some((service, client)) = self.service.get().filter(|_| matches!(does, Does::Take | Does::TakeAndBreak))
        {
            service.take(client, pact::read_event(event.as_bytes(), edition).unwrap()).await.unwrap();
        }
        match does {
            Does::Take => Ok(()),
            Does::TakeAndBreak => Err(left(HostError::Unreachable("connection reset".to_owned()))),
            Does::Fail => Err(left(HostError::Status { status: 503, code: None, message: "busy".to_owned() })),
            Does::Hang | Does::NoToken => std::future::pending().await,
        }
    }

    async fn list(&self, _: &PartnerAddress, _: Edition, _: &str) -> Result<HostPage, HostError> {
        unreachable!()
    }

    async fn next(&self, _: &PartnerAddress, _: &str) -> Result<HostPage, HostError> {
        unreachable!()
    }

    async fn footprint(&self, _: &PartnerAddress, _: Edition, _: &str) -> Result<String, HostError> {
        unreachable!()
    }
}

/// Knows the address of every partner.
pub(super) struct Addresses;

#[async_trait]
impl Partners for Addresses {
    async fn address(&self, _: &Caller, id: PartnerId) -> Result<PartnerAddress, Error> {
        Ok(PartnerAddress {
            base_url: "https://partner.example".to_owned(),
            auth_url: None,
            client_id: id.to_string(),
            client_secret: "secret".to_owned(),
            private_addresses: false,
            plain_http: false,
        })
    }

    async fn list(&self, _: &Caller, _: Page) -> Result<Listing<PartnerView>, Error> {
        unreachable!()
    }

    async fn get(&self, _: &Caller, _: PartnerId) -> Result<PartnerView, Error> {
        unreachable!()
    }

    async fn add_once(
        &self,
        _: &Caller,
        _: PartnerDraft,
        _: Option<Once<PartnerView>>,
    ) -> Result<Done<PartnerView>, Error> {
        unreachable!()
    }

    async fn update(
        &self,
        _: &Caller,
        _: PartnerId,
        _: Option<Version>,
        _: PartnerDraft,
    ) -> Result<PartnerView, Error> {
        unreachable!()
    }

    async fn remove(&self, _: &Caller, _: PartnerId, _: Option<Version>) -> Result<(), Error> {
        unreachable!()
    }

    async fn add_client_once(&self, _: &Caller, _: PartnerId, _: Option<KeyedRequest>) -> Result<NewClient, Error> {
        unreachable!()
    }

    async fn note_call(&self, _: &Caller, _: PartnerId) -> Result<(), Error> {
        unreachable!()
    }

    async fn sharing(&self, _: &Caller, _: FootprintId) -> Result<SharingView, Error> {
        unreachable!()
    }

    async fn share(
        &self,
        _: &Caller,
        _: FootprintId,
        _: Option<Version>,
        _: SharingDraft,
    ) -> Result<SharingView, Error> {
        unreachable!()
    }
}
