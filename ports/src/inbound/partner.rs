//! Partners: companies that footprints are exchanged with, their credentials, and what is shared with them.

use async_trait::async_trait;
use domain::footprint::Edition;
use domain::{
    Faults, FootprintId, HostAddress, HostClientId, Name, Partner, PartnerId, ProductAlias, SharedWith, Timestamp,
};
use uuid::Uuid;

use super::credential::NewClient;
use super::draft::Field;
use super::{Done, Error, Once};
use crate::credential::Secret;
use crate::partner_host::PartnerAddress;
use crate::repeat::KeyedRequest;
use crate::repo::{Listing, Page};
use crate::{Caller, Stored, Version};

/// Partners. Reading needs `footprint:review`, writing `admin`; sharing a footprint `footprint:write`.
#[async_trait]
pub trait Partners: Send + Sync {
    /// One page of the partners, the one that was added first first.
    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<PartnerView>, Error>;
    /// The partner with that identifier.
    async fn get(&self, caller: &Caller, id: PartnerId) -> Result<PartnerView, Error>;
    /// Adds a partner, without a client at us.
    async fn add(&self, caller: &Caller, draft: PartnerDraft) -> Result<PartnerView, Error> {
        self.add_once(caller, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_once(
        &self,
        caller: &Caller,
        draft: PartnerDraft,
        once: Option<Once<PartnerView>>,
    ) -> Result<Done<PartnerView>, Error>;
    /// Changes a partner: absent members stay.
    async fn update(
        &self,
        caller: &Caller,
        id: PartnerId,
        seen: Option<Version>,
        draft: PartnerDraft,
    ) -> Result<PartnerView, Error>;
    /// Removes a partner with its clients at us, our secret at it, and its part in what is shared.
    async fn remove(&self, caller: &Caller, id: PartnerId, seen: Option<Version>) -> Result<(), Error>;

    /// A new client for the partner to call us with; its secret is shown this once. Those that it had run out when
    /// [`OVERLAP_MS`] have passed, unless they do so before.
    async fn add_client(&self, caller: &Caller, id: PartnerId) -> Result<NewClient, Error> {
        self.add_client_once(caller, id, None).await
    }
    /// The same once, where the request may be sent again: then it is `Conflict` and names what it made, since the secret is
    /// shown once. `KeyReused` when its key was used for another.
    async fn add_client_once(
        &self,
        caller: &Caller,
        id: PartnerId,
        once: Option<KeyedRequest>,
    ) -> Result<NewClient, Error>;

    /// What calls to the partner's host need. `Refused` says what its record lacks.
    async fn address(&self, caller: &Caller, id: PartnerId) -> Result<PartnerAddress, Error>;

    /// Keeps that the partner's host answered a call of ours now. Does nothing where the partner was removed meanwhile.
    async fn note_call(&self, caller: &Caller, id: PartnerId) -> Result<(), Error>;

    /// With whom a footprint is shared.
    async fn sharing(&self, caller: &Caller, id: FootprintId) -> Result<SharingView, Error>;
    /// Says with whom a footprint is shared, in place of what was said before.
    async fn share(
        &self,
        caller: &Caller,
        id: FootprintId,
        seen: Option<Version>,
        draft: SharingDraft,
    ) -> Result<SharingView, Error>;
}

/// How long a partner's earlier clients serve beside a new one, in milliseconds: seven days.
pub const OVERLAP_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// The members of a partner that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartnerDraft {
    /// What it is called; required.
    pub name: Field<Name>,
    /// The address that its `/2` and `/3` stand below; required.
    pub base_url: Field<HostAddress>,
    /// The address that its token endpoint stands below, where it is another.
    pub auth_url: Field<HostAddress>,
    /// Our id at the partner.
    pub client_id: Field<HostClientId>,
    /// Our secret at the partner, which is never shown again.
    pub client_secret: Field<Secret>,
    /// What its product ids are called here.
    pub aliases: Field<Vec<ProductAlias>>,
    /// Whether its host may have private addresses; no unless given.
    pub private_addresses: Field<bool>,
    /// Whether it may be called by `http://`; no unless given.
    pub plain_http: Field<bool>,
    /// The edition that its host is asked in and sent events in; that of version 3 unless given.
    pub pact: Field<Edition>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// A partner with what is known beside its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerView {
    /// The partner as it is stored.
    pub partner: Stored<Partner>,
    /// Whether our secret at it is kept.
    pub has_secret: bool,
    /// When it was last heard from; `None` before the first time.
    pub heard: Option<Timestamp>,
    /// How many footprints it announced or sent that were not taken over.
    pub announced: u64,
    /// When its host last answered a call of ours; `None` before the first time.
    pub called: Option<Timestamp>,
}

/// With whom a footprint is to be shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharingDraft {
    /// Whether with every partner; no unless given.
    pub all: Field<bool>,
    /// With those partners; nobody unless given.
    pub partners: Field<Vec<Uuid>>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// With whom a footprint is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharingView {
    /// The footprint.
    pub footprint: FootprintId,
    /// Who may read it; `None` where it is private.
    pub with: Option<SharedWith>,
    /// The change that last said so; 0 where none did or it was made private.
    pub version: Version,
}
