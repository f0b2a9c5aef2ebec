//! The clients that a partner calls us with: a new one serves beside those before it, so that nothing stops meanwhile.

use domain::{MOST_PARTNER_CLIENTS, Partner, PartnerId, Timestamp};
use ports::directory::Client;
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::{ClientView, Error, NewClient, OVERLAP_MS};
use ports::repeat::KeyedRequest;
use ports::store::{StoreError, WriteTx};
use ports::{Caller, ClientId, Grant, Permission, Permissions, Read, Stored, TenantCredentials, demand, permit};

use super::{PartnerService, draft};
use crate::usecase::access::{AccessFailure, CLIENT_SECRET_PREFIX};
use crate::usecase::draft::begin;

/// So often a change is tried again when another one came between.
const ATTEMPTS: u32 = 8;

impl PartnerService {
    /// A new client of the partner, which says so itself from the first: never does it read as the company's own.
    pub(super) async fn new_client(
        &self,
        caller: &Caller,
        id: PartnerId,
        once: Option<KeyedRequest>,
    ) -> Result<NewClient, Error> {
        let (grant, credentials) = (permit(caller, demand::PARTNER_WRITE)?, permit(caller, demand::ADMIN_WRITE)?);
        let now = self.clock.now();
        if let Some(request) = once
            && let Some(made) = self.directory.shown_once(&credentials.to_read(), request.key, now).await?
        {
            return Err(made.conflict(&request).into());
        }
        let secret = self.secrets.generate(CLIENT_SECRET_PREFIX).map_err(AccessFailure::from)?;
        let new = ClientId::new(self.ids.next(now));
        let (partner, earlier) = self.bind(&grant, &credentials.to_read(), id, new).await?;
        let client = Client {
            id: new,
            tenant: grant.tenant(),
            name: partner.name,
            permissions: Permissions::from_iter([Permission::FootprintRead]),
            secret_hash: self.secrets.hash(&secret.0),
            created: now,
            updated: now,
            expires: None,
            partner: Some(id),
            last_used: None,
        };
        let added = self.directory.add_client_once(&credentials, client.clone(), once).await;
        self.cache.expire();
        let version = added?;
        self.check_named(&grant, &credentials, id, new).await?;
        let end = Timestamp::from_millis(now.millis().saturating_add(OVERLAP_MS)).unwrap_or(now);
        for one in earlier {
            self.end(&credentials, one, end, now).await?;
        }
        Ok(NewClient { view: ClientView { client, version }, secret })
    }

    /// Writes the new client into the partner's record, without those that are there no more. Gives the partner, and the clients
    /// that it had.
    async fn bind(
        &self,
        grant: &Grant<ports::Write>,
        credentials: &Grant<Read, TenantCredentials>,
        id: PartnerId,
        new: ClientId,
    ) -> Result<(Partner, Vec<ClientId>), Error> {
        for _ in 0..ATTEMPTS {
            let before: Stored<Partner> = draft::find(self.store.read(&grant.to_read()).await?.as_mut(), id).await?;
            let (mut earlier, mut heard) = (Vec::new(), None);
            for one in &before.value.clients {
                if let Some(found) = self.directory.find_client(credentials, ClientId::new(*one)).await? {
                    earlier.push(found.value.id);
                    heard = heard.max(found.value.last_used);
                }
            }
            if earlier.len() >= MOST_PARTNER_CLIENTS {
                return Err(Error::Conflict {
                    pointer: String::new(),
                    detail: format!(
                        "the partner has {MOST_PARTNER_CLIENTS} clients already; remove one of them first, or wait until \
                         they have run out"
                    ),
                });
            }
            let clients = earlier.iter().map(|one| one.uuid()).chain([new.uuid()]).collect();
            let partner = before.value.with_clients(clients);
            let mut tx = begin(self.store.as_ref(), self.clock.as_ref(), grant, "POST /v1/partner/client").await?;
            match tx.partners_mut().update(partner.clone(), before.version).await {
                Err(StoreError::Stale) => {}
                Err(error) => return Err(error.into()),
                Ok(_) => {
                    if let Some(at) = heard {
                        keep_heard(tx.as_mut(), id, at).await?;
                    }
                    tx.commit().await?;
                    return Ok((partner, earlier));
                }
            }
        }
        Err(Error::Stale)
    }

    /// Removes a new client again that the partner's record does not name: another one was written, or the partner was removed,
    /// before this one was there.
    async fn check_named(
        &self,
        grant: &Grant<ports::Write>,
        credentials: &Grant<ports::Write, TenantCredentials>,
        id: PartnerId,
        new: ClientId,
    ) -> Result<(), Error> {
        let named = self.store.read(&grant.to_read()).await?.partners().of_client(new.uuid()).await?;
        if named.is_some_and(|partner| partner.value.id == id) {
            return Ok(());
        }
        let removed = self.directory.remove_client(credentials, new, None).await;
        self.cache.expire();
        removed?;
        Err(Error::Stale)
    }

    /// Lets a client run out at `end`, unless it does so before; removes one that has run out.
    async fn end(
        &self,
        credentials: &Grant<ports::Write, TenantCredentials>,
        id: ClientId,
        end: Timestamp,
        now: Timestamp,
    ) -> Result<(), Error> {
        for _ in 0..ATTEMPTS {
            let Some(found) = self.directory.find_client(&credentials.to_read(), id).await? else { return Ok(()) };
            let mut client = found.value;
            let done = match client.expires {
                Some(expires) if expires <= now => {
                    self.directory.remove_client(credentials, id, Some(found.version)).await.map(drop)
                }
                Some(expires) if expires <= end => return Ok(()),
                Some(_) | None => {
                    client.expires = Some(end);
                    client.updated = client.updated.max(now);
                    self.directory.update_client(credentials, client, found.version).await.map(drop)
                }
            };
            self.cache.expire();
            match done {
                Err(StoreError::Stale) => {}
                other => return Ok(other?),
            }
        }
        Err(Error::Stale)
    }
}

/// Keeps when the partner was last heard from: the clients that tell it are gone some day.
async fn keep_heard(tx: &mut dyn WriteTx, partner: PartnerId, at: Timestamp) -> Result<(), Error> {
    let (kind, id) = (ExchangeKind::Heard, partner.to_string());
    let before = tx.exchange().find(kind, id.clone()).await?.map(|row| row.at);
    let at = before.map_or(at, |before| before.max(at));
    let content = "{}".to_owned();
    Ok(tx.exchange_mut().put(ExchangeRow { kind, id, partner, at, due: None, content }).await?)
}
