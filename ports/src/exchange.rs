//! What is kept of the exchange with partners beside records: rows that no change lists and nothing exports.

use domain::{PartnerId, Timestamp};

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExchangeKind {
    /// Our sealed secret at a partner. Its id is the partner's.
    Secret,
    /// An event that was taken. Its id is the digest of the partner, the source and the event's id.
    Taken,
    /// An event to a partner, with how often it was sent and what came of it.
    Delivery,
    /// A request for a footprint that we made. Its id is that of its event.
    Request,
    /// A footprint that a partner announced or sent, until it is taken over. Its id is the partner's, a slash and the footprint's.
    Footprint,
    /// That a partner's host answered a call of ours, and when it last did. Its id is the partner's.
    Called,
    /// When a partner was last heard from by clients that may be gone since. Its id is the partner's.
    Heard,
}

impl ExchangeKind {
    /// Every kind.
    pub const ALL: [Self; 7] =
        [Self::Secret, Self::Taken, Self::Delivery, Self::Request, Self::Footprint, Self::Called, Self::Heard];

    /// The word for it, as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::Taken => "taken",
            Self::Delivery => "delivery",
            Self::Request => "request",
            Self::Footprint => "footprint",
            Self::Called => "called",
            Self::Heard => "heard",
        }
    }

    /// The kind of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeRow {
    /// What it is.
    pub kind: ExchangeKind,
    /// Unique within kind and tenant; 1-255 characters.
    pub id: String,
    /// The partner that it is about; it goes with that one.
    pub partner: PartnerId,
    /// When it was written first.
    pub at: Timestamp,
    /// When it is next worked at; `None` when nothing is left to do.
    pub due: Option<Timestamp>,
    /// A text of its kind's form.
    pub content: String,
}
