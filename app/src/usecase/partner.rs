//! Partners: companies that footprints are exchanged with, their credentials, and what is shared with them.

pub(crate) mod alias;
pub(crate) mod caller;
mod client;
mod draft;
mod sharing;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{FootprintId, Partner, PartnerId};
use ports::clock::Clock;
use ports::credential::{Secret, SecretSealer, Secrets};
use ports::directory::Directory;
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::id_source::Ids;
use ports::inbound::{Done, Error, NewClient, Once, PartnerDraft, PartnerView, Partners, SharingDraft, SharingView};
use ports::partner_host::PartnerAddress;
use ports::repeat::KeyedRequest;
use ports::repo::{Listing, Page, Query};
use ports::store::{Store, WriteTx};
use ports::{Caller, ClientId, Grant, Version, Write, demand, permit};

use super::access::CredentialCache;
use super::activity::fresh;
use super::draft::{begin, refused};
use super::exchange::Wake;
use super::exchange::publish::publish;
use super::once;

/// Keeps partners in a store, their clients in a directory.
pub struct PartnerService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// Where partners' clients are.
    pub directory: Arc<dyn Directory>,
    /// Makes the secrets of partners' clients.
    pub secrets: Arc<dyn Secrets>,
    /// Seals our secrets at partners.
    pub sealer: Arc<dyn SecretSealer>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
    /// What credentials are checked with.
    pub cache: Arc<CredentialCache>,
    /// Told when there is something to tell partners.
    pub wake: Arc<Wake>,
    /// Whether a partner may be called at private addresses where its record says so.
    pub private_addresses: bool,
}

impl PartnerService {
    async fn write(&self, grant: &Grant<Write>, cause: &str) -> Result<Box<dyn WriteTx>, Error> {
        begin(self.store.as_ref(), self.clock.as_ref(), grant, cause).await
    }

    /// The same with when the partner was last heard from: when one of its clients was last used.
    async fn with_heard(&self, mut view: PartnerView) -> Result<PartnerView, Error> {
        for client in &view.partner.value.clients {
            let found = self.directory.find_client_by_id(ClientId::new(*client)).await?;
            view.heard = view.heard.max(found.and_then(|client| client.last_used));
        }
        Ok(view)
    }

    /// Keeps our secret at the partner, sealed.
    async fn keep(&self, tx: &mut dyn WriteTx, caller: &Caller, id: PartnerId, secret: &Secret) -> Result<(), Error> {
        let content = self.sealer.seal(secret, caller.tenant, id).map_err(|error| Error::Failed(error.into()))?;
        let at = self.clock.now();
        let row = ExchangeRow { kind: ExchangeKind::Secret, id: id.to_string(), partner: id, at, due: None, content };
        Ok(tx.exchange_mut().put(row).await?)
    }
}

#[async_trait]
impl Partners for PartnerService {
    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<PartnerView>, Error> {
        let grant = permit(caller, demand::PARTNER_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let Listing { count, page, data } = tx.partners().list(&Query::all(page)).await?;
        let mut views = Vec::with_capacity(data.len());
        for stored in data {
            views.push(draft::view(tx.as_mut(), stored).await?);
        }
        drop(tx);
        let mut heard = Vec::with_capacity(views.len());
        for view in views {
            heard.push(self.with_heard(view).await?);
        }
        Ok(Listing { count, page, data: heard })
    }

    async fn get(&self, caller: &Caller, id: PartnerId) -> Result<PartnerView, Error> {
        let grant = permit(caller, demand::PARTNER_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let stored = draft::find(tx.as_mut(), id).await?;
        let view = draft::view(tx.as_mut(), stored).await?;
        drop(tx);
        self.with_heard(view).await
    }

    async fn add_once(
        &self,
        caller: &Caller,
        draft: PartnerDraft,
        once: Option<Once<PartnerView>>,
    ) -> Result<Done<PartnerView>, Error> {
        let grant = permit(caller, demand::PARTNER_WRITE)?;
        let work = async {
            let id = PartnerId::new(self.ids.next(self.clock.now()));
            let secret = draft.client_secret.given().cloned();
            let partner = draft::build(id, None, draft, self.private_addresses)?;
            let mut tx = self.write(&grant, "POST /v1/partner").await?;
            let stored = tx.partners_mut().add(partner).await?;
            if let Some(secret) = secret {
                self.keep(tx.as_mut(), caller, id, &secret).await?;
            }
            let view = draft::view(tx.as_mut(), stored).await?;
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn update(
        &self,
        caller: &Caller,
        id: PartnerId,
        seen: Option<Version>,
        draft: PartnerDraft,
    ) -> Result<PartnerView, Error> {
        let grant = permit(caller, demand::PARTNER_WRITE)?;
        if !draft.faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            let before = draft::find(tx.as_mut(), id).await?;
            return Err(refused(draft::build(id, Some(&before.value), draft, self.private_addresses)));
        }
        let mut tx = self.write(&grant, "PATCH /v1/partner").await?;
        let before = draft::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let secret = draft.client_secret.given().cloned();
        let partner = draft::build(id, Some(&before.value), draft, self.private_addresses)?;
        let stored =
            if partner == before.value { before } else { tx.partners_mut().update(partner, before.version).await? };
        if let Some(secret) = secret {
            self.keep(tx.as_mut(), caller, id, &secret).await?;
        }
        let view = draft::view(tx.as_mut(), stored).await?;
        tx.commit().await?;
        self.with_heard(view).await
    }

    async fn remove(&self, caller: &Caller, id: PartnerId, seen: Option<Version>) -> Result<(), Error> {
        let (grant, credentials) = (permit(caller, demand::PARTNER_WRITE)?, permit(caller, demand::ADMIN_WRITE)?);
        let before = draft::find(self.store.read(&grant.to_read()).await?.as_mut(), id).await?;
        fresh(before.version, seen)?;
        // A client that is no partner's reads what is the company's own, so the clients go before the partner.
        for client in &before.value.clients {
            let removed = self.directory.remove_client(&credentials, ClientId::new(*client), None).await;
            self.cache.expire();
            removed?;
        }
        let mut tx = self.write(&grant, "DELETE /v1/partner").await?;
        tx.partners_mut().remove(id, before.version).await?;
        sharing::forget(tx.as_mut(), id).await?;
        tx.exchange_mut().remove_partner(id).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn add_client_once(
        &self,
        caller: &Caller,
        id: PartnerId,
        once: Option<KeyedRequest>,
    ) -> Result<NewClient, Error> {
        self.new_client(caller, id, once).await
    }

    async fn address(&self, caller: &Caller, id: PartnerId) -> Result<PartnerAddress, Error> {
        let grant = permit(caller, demand::PARTNER_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let partner = draft::find(tx.as_mut(), id).await?.value;
        let sealed = tx.exchange().find(ExchangeKind::Secret, id.to_string()).await?;
        let Partner { base_url, auth_url, client_id, private_addresses, plain_http, .. } = partner;
        let (Some(client_id), Some(sealed)) = (client_id, sealed) else {
            let detail = "the partner cannot be called without credentials: set clientId and clientSecret";
            return Err(Error::Refused(detail.to_owned()));
        };
        let opened = self.sealer.open(&sealed.content, caller.tenant, id).map_err(|_| {
            Error::Refused(
                "our secret at the partner was sealed with another installation's secret; set clientSecret again"
                    .to_owned(),
            )
        })?;
        Ok(PartnerAddress {
            base_url: base_url.to_string(),
            auth_url: auth_url.map(|one| one.to_string()),
            client_id: client_id.to_string(),
            client_secret: opened.0,
            private_addresses: private_addresses && self.private_addresses,
            plain_http,
        })
    }

    async fn note_call(&self, caller: &Caller, id: PartnerId) -> Result<(), Error> {
        let grant = permit(caller, demand::PARTNER_WRITE)?;
        let mut tx = self.write(&grant, "call a partner").await?;
        if tx.partners().find(id).await?.is_none() {
            return Ok(());
        }
        let (at, content) = (self.clock.now(), "{}".to_owned());
        let row = ExchangeRow { kind: ExchangeKind::Called, id: id.to_string(), partner: id, at, due: None, content };
        tx.exchange_mut().put(row).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn sharing(&self, caller: &Caller, id: FootprintId) -> Result<SharingView, Error> {
        let grant = permit(caller, demand::FOOTPRINT_REVIEW)?;
        sharing::find(self.store.read(&grant).await?.as_mut(), id).await
    }

    async fn share(
        &self,
        caller: &Caller,
        id: FootprintId,
        seen: Option<Version>,
        draft: SharingDraft,
    ) -> Result<SharingView, Error> {
        let grant = permit(caller, demand::FOOTPRINT_WRITE)?;
        if !draft.faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            sharing::find(tx.as_mut(), id).await?;
            return Err(refused(sharing::build(tx.as_mut(), draft).await?));
        }
        let mut tx = self.write(&grant, "PUT /v1/footprint/sharing").await?;
        let with = sharing::build(tx.as_mut(), draft).await??;
        let before = tx.sharings().find(id).await?.map(|stored| stored.value);
        let view = sharing::put(tx.as_mut(), id, seen, with).await?;
        let is_told = publish(tx.as_mut(), self.ids.as_ref(), self.clock.now(), &[id], before.as_ref()).await?;
        tx.commit().await?;
        if is_told {
            self.wake.wake(grant.tenant());
        }
        Ok(view)
    }
}
