//! Writing an event.

use domain::footprint::{Edition, Projection};
use domain::{FootprintId, Timestamp};
use serde_json::Value;

use super::EventKind;
use crate::ErrorCode;

/// What every event says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// What it is called, each time it is sent.
    pub id: String,
    /// The address of our events.
    pub source: String,
    /// When it came about.
    pub time: Timestamp,
}

/// What an event says, to be written.
#[derive(Clone, Copy, Debug)]
pub enum EventOut<'a> {
    /// We ask for footprints of one of those products.
    Requested {
        /// The product ids.
        product_ids: &'a [String],
        /// What we say beside it.
        comment: Option<&'a str>,
    },
    /// We answer a request with footprints.
    Fulfilled {
        /// The id of the request's event.
        request: &'a str,
        /// The footprints, in the edition's form.
        footprints: &'a [Projection],
    },
    /// We answer a request with a refusal.
    Rejected {
        /// The id of the request's event.
        request: &'a str,
        /// The kind of refusal.
        code: ErrorCode,
        /// Why.
        message: &'a str,
    },
    /// Footprints of ours are new or have changed.
    Published {
        /// Which.
        footprints: &'a [FootprintId],
    },
}

impl EventOut<'_> {
    /// The kind of event.
    #[must_use]
    pub const fn kind(&self) -> EventKind {
        match self {
            Self::Requested { .. } => EventKind::Requested,
            Self::Fulfilled { .. } => EventKind::Fulfilled,
            Self::Rejected { .. } => EventKind::Rejected,
            Self::Published { .. } => EventKind::Published,
        }
    }
}

/// The event as JSON.
#[must_use]
pub fn write_event(edition: Edition, envelope: &Envelope, event: &EventOut<'_>) -> String {
    let Envelope { id, source, time } = envelope;
    let kind = event.kind().type_in(edition);
    format!(
        r#"{{"specversion":"1.0","type":"{kind}","id":{},"source":{},"time":"{time}","data":{}}}"#,
        text(id),
        text(source),
        data(edition, event)
    )
}

fn data(edition: Edition, event: &EventOut<'_>) -> String {
    match event {
        EventOut::Requested { product_ids, comment } => {
            let ids = array(product_ids.iter().map(|id| text(id)));
            let comment = comment.map(|comment| format!(r#","comment":{}"#, text(comment))).unwrap_or_default();
            match edition {
                Edition::V2 => format!(r#"{{"pf":{{"productIds":{ids}}}{comment}}}"#),
                Edition::V3 => format!(r#"{{"productId":{ids}{comment}}}"#),
            }
        }
        EventOut::Fulfilled { request, footprints } => {
            let written = footprints.iter().map(|footprint| {
                let mut body = String::new();
                crate::write(footprint, &mut body);
                body
            });
            format!(r#"{{"requestEventId":{},"pfs":{}}}"#, text(request), array(written))
        }
        EventOut::Rejected { request, code, message } => format!(
            r#"{{"requestEventId":{},"error":{{"code":"{}","message":{}}}}}"#,
            text(request),
            code.word(edition),
            text(message)
        ),
        EventOut::Published { footprints } => {
            format!(r#"{{"pfIds":{}}}"#, array(footprints.iter().map(|id| format!(r#""{id}""#))))
        }
    }
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn text(text: &str) -> String {
    Value::from(text).to_string()
}
