//! The exchange of footprints with partners: events in both directions, our own requests, and what became of each.

use async_trait::async_trait;
use domain::footprint::Edition;
use domain::{Faults, FootprintId, PartnerId, Timestamp};

use super::draft::Field;
use super::{Done, Error, Once};
use crate::Caller;
use crate::partner_event::PartnerEvent;
use crate::repo::{Listing, Page};

/// Events from and to partners. Reading needs `footprint:review`, sending `footprint:write`.
#[async_trait]
pub trait Exchange: Send + Sync {
    /// Takes an event of the partner whose client calls, and stores what it leads to with it. An event that was taken before
    /// changes nothing. Needs `footprint:read`; `Refused` where the caller is no partner's client, `Invalid` where the source is
    /// not the partner's address.
    async fn take(&self, caller: &Caller, event: PartnerEvent) -> Result<(), Error>;

    /// One page of the events to a partner, the newest first.
    async fn deliveries(&self, caller: &Caller, partner: PartnerId, page: Page)
    -> Result<Listing<DeliveryView>, Error>;

    /// Has every event to a partner that waits or was given up be sent at once; gives how many.
    async fn retry(&self, caller: &Caller, partner: PartnerId) -> Result<u64, Error>;

    /// One page of our requests to a partner, the newest first.
    async fn requests(&self, caller: &Caller, partner: PartnerId, page: Page) -> Result<Listing<RequestView>, Error>;

    /// The request to a partner of that id.
    async fn get_request(&self, caller: &Caller, partner: PartnerId, id: &str) -> Result<RequestView, Error>;

    /// Asks a partner for footprints. `KeyReused` when the key of `once` was used for another request.
    async fn request(
        &self,
        caller: &Caller,
        partner: PartnerId,
        draft: RequestDraft,
        once: Option<Once<RequestView>>,
    ) -> Result<Done<RequestView>, Error>;

    /// Keeps that a request whose event has that id was sent to a partner by other means, in that edition, so that its answer is
    /// taken as those to our own are.
    async fn expect(
        &self,
        caller: &Caller,
        partner: PartnerId,
        edition: Edition,
        id: &str,
        product_ids: Vec<String>,
    ) -> Result<(), Error>;

    /// What a partner answered to the request of that id; `None` before it did.
    async fn answer(&self, caller: &Caller, partner: PartnerId, id: &str) -> Result<Option<PartnerAnswer>, Error>;
}

/// What a partner answered to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartnerAnswer {
    /// Footprints, each as the JSON that it came as; those that were taken over since are not among them.
    Fulfilled(Vec<String>),
    /// A refusal.
    Rejected {
        /// The word of the refusal.
        code: String,
        /// Why.
        message: String,
    },
}

/// An event to a partner, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryView {
    /// The id of the event, the same each time it is sent.
    pub id: String,
    /// What kind of event it is.
    pub what: DeliveryWhat,
    /// The edition that it is sent in.
    pub edition: Edition,
    /// What it says, in a few words.
    pub about: String,
    /// Whether it was taken.
    pub state: DeliveryState,
    /// How often it was sent.
    pub attempts: u32,
    /// When it came about.
    pub created: Timestamp,
    /// When it was last sent.
    pub tried: Option<Timestamp>,
    /// What came of that.
    pub answer: Option<String>,
    /// When it is sent next; `None` when it is not.
    pub next: Option<Timestamp>,
}

/// What kind of event to a partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryWhat {
    /// The answer to a request: with footprints, or a refusal.
    Answer,
    /// Footprints are new or have changed.
    Published,
    /// We ask for footprints.
    Request,
}

/// Whether an event to a partner was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is to be sent.
    Waiting,
    /// The partner's host took it.
    Sent,
    /// It was not taken in the time there is.
    GivenUp,
    /// What it was to say does not hold any more; it was not sent.
    Dropped,
}

/// What is asked of a partner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestDraft {
    /// Footprints of one of those products; required.
    pub product_ids: Field<Vec<String>>,
    /// What is said beside it.
    pub comment: Field<String>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// A request of ours, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestView {
    /// The id of its event.
    pub id: String,
    /// The partner that is asked.
    pub partner: PartnerId,
    /// The edition that it is asked in.
    pub edition: Edition,
    /// The products.
    pub product_ids: Vec<String>,
    /// What was said beside it.
    pub comment: Option<String>,
    /// What became of it.
    pub state: RequestState,
    /// When it was made.
    pub created: Timestamp,
    /// When it was answered.
    pub answered: Option<Timestamp>,
}

/// What became of a request of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestState {
    /// It is to be sent.
    Waiting,
    /// The partner's host took it; the answer is to come.
    Sent,
    /// It was answered with those footprints.
    Fulfilled(Vec<FootprintId>),
    /// It was refused.
    Rejected {
        /// The word of the refusal.
        code: String,
        /// Why.
        message: String,
    },
    /// It was not taken in the time there is: why.
    GivenUp(String),
}
