//! Events of the exchange of footprints, as partners send them.

use domain::FootprintId;
use domain::footprint::Edition;

/// An event of a partner, read and found to be of its edition's form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerEvent {
    /// The edition that it is of.
    pub edition: Edition,
    /// What its sender calls it: any text. With the source it names the event.
    pub id: String,
    /// Who sent it, as it came: an address of the sender's host.
    pub source: String,
    /// What it says.
    pub data: EventData,
}

/// What an event says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventData {
    /// Footprints are asked for.
    Requested {
        /// The JSON of what is asked for, as it came.
        asked: String,
    },
    /// A request of ours is answered with footprints.
    Fulfilled {
        /// The id of the request's event.
        request: String,
        /// The footprints, each as the JSON that it came as.
        footprints: Vec<(FootprintId, String)>,
    },
    /// A request of ours is answered with a refusal.
    Rejected {
        /// The id of the request's event.
        request: String,
        /// The word of the refusal.
        code: String,
        /// Why.
        message: String,
    },
    /// Footprints are new at the partner, or have changed there.
    Published {
        /// Which.
        footprints: Vec<FootprintId>,
    },
}
