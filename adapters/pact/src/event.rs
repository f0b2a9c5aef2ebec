//! Events: `CloudEvents` 1.0 in JSON whose `data` is of PACT.

mod data;
mod members;
mod read;
mod request;
mod write;

use domain::footprint::Edition;

pub use read::{EventError, read_event};
pub use request::{AskedFor, read_request};
pub use write::{Envelope, EventOut, write_event};

/// The media type that events are sent in.
pub const EVENT_MEDIA: &str = "application/cloudevents+json";

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Footprints are asked for.
    Requested,
    /// A request is answered with footprints.
    Fulfilled,
    /// A request is answered with a refusal.
    Rejected,
    /// Footprints are new or have changed.
    Published,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Requested, Self::Fulfilled, Self::Rejected, Self::Published];

    /// The `type` of an event of that edition.
    #[must_use]
    pub const fn type_in(self, edition: Edition) -> &'static str {
        match (self, edition) {
            (Self::Requested, Edition::V2) => "org.wbcsd.pathfinder.ProductFootprintRequest.Created.v1",
            (Self::Fulfilled, Edition::V2) => "org.wbcsd.pathfinder.ProductFootprintRequest.Fulfilled.v1",
            (Self::Rejected, Edition::V2) => "org.wbcsd.pathfinder.ProductFootprintRequest.Rejected.v1",
            (Self::Published, Edition::V2) => "org.wbcsd.pathfinder.ProductFootprint.Published.v1",
            (Self::Requested, Edition::V3) => "org.wbcsd.pact.ProductFootprint.RequestCreatedEvent.3",
            (Self::Fulfilled, Edition::V3) => "org.wbcsd.pact.ProductFootprint.RequestFulfilledEvent.3",
            (Self::Rejected, Edition::V3) => "org.wbcsd.pact.ProductFootprint.RequestRejectedEvent.3",
            (Self::Published, Edition::V3) => "org.wbcsd.pact.ProductFootprint.PublishedEvent.3",
        }
    }

    /// The kind of a `type` of that edition.
    fn of(word: &str, edition: Edition) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.type_in(edition) == word)
    }
}
