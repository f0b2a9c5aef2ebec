//! The forms in which events, and what becomes of them, are stored.

use std::error::Error as _;

use domain::footprint::Edition;
use domain::{FootprintId, PartnerId, Timestamp};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::{DeliveryState, DeliveryView, DeliveryWhat, Error, RequestState, RequestView};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An event to a partner. What it says is made each time it is sent, of what holds then; but an answer stays the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Delivery {
    /// `2` or `3`.
    pub(super) edition: u8,
    pub(super) what: What,
    pub(super) state: State,
    pub(super) attempts: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tried: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<String>,
    /// Until when the attempt of a node has it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) claimed: Option<i64>,
    /// From when its three days are counted, in milliseconds, where that is not when it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) since: Option<i64>,
    /// What the answer to a request is, from the first attempt on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) settled: Option<Settled>,
    /// What the event said when it was last made, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) said: Option<String>,
}

/// What an event to a partner is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum What {
    /// The answer to the request of that id, which asks for that.
    Answer { request: String, asked: String },
    /// Those footprints are new or have changed.
    Published { footprints: Vec<Uuid> },
    /// Our request of the delivery's own id.
    Request,
}

/// What a request is answered with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Settled {
    /// Those footprints, as they are when they are sent.
    Fulfilled { footprints: Vec<Uuid> },
    /// None, and why.
    Rejected { code: Refusal, message: String },
}

/// Why a request is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Refusal {
    BadRequest,
    NotFound,
}

/// Whether an event was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum State {
    Waiting,
    Sent,
    GivenUp,
    Dropped,
}

/// A request of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    pub(super) edition: u8,
    pub(super) product_ids: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) comment: Option<String>,
    pub(super) state: Answered,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answered: Option<i64>,
}

/// What became of a request of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Answered {
    Waiting,
    Sent,
    Fulfilled { footprints: Vec<Uuid> },
    Rejected { code: String, message: String },
    GivenUp { why: String },
}

/// A footprint that a partner announced, or sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Footprint {
    pub(super) edition: u8,
    /// Its JSON, where it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) json: Option<String>,
    /// The edition that it was sent in, where it was announced since: what the host has now is asked for first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sent_in: Option<u8>,
}

/// What is taken and of which nothing else is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Taken {
    pub(super) edition: u8,
}

pub(super) const fn number(edition: Edition) -> u8 {
    match edition {
        Edition::V2 => 2,
        Edition::V3 => 3,
    }
}

pub(super) const fn edition(number: u8) -> Edition {
    if number == 2 { Edition::V2 } else { Edition::V3 }
}

/// The content of a row.
pub(super) fn content(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Failed(error.into()))
}

/// What a row's content says.
pub(super) fn read<T: DeserializeOwned>(row: &ExchangeRow) -> Result<T, Error> {
    serde_json::from_str(&row.content).map_err(|error| {
        let (kind, id) = (row.kind.as_str(), &row.id);
        Error::Failed(format!("exchange {kind} {id} cannot be read: {error}").into())
    })
}

/// The error and what it comes from.
pub(super) fn whole(error: &Error) -> String {
    let (mut told, mut source) = (error.to_string(), error.source());
    while let Some(error) = source {
        told = format!("{told}: {error}");
        source = error.source();
    }
    told
}

impl Delivery {
    /// One that is to be sent.
    pub(super) const fn new(edition: Edition, what: What) -> Self {
        Self {
            edition: number(edition),
            what,
            state: State::Waiting,
            attempts: 0,
            tried: None,
            answer: None,
            claimed: None,
            since: None,
            settled: None,
            said: None,
        }
    }

    pub(super) fn row(
        &self,
        id: String,
        partner: PartnerId,
        at: Timestamp,
        due: Option<Timestamp>,
    ) -> Result<ExchangeRow, Error> {
        Ok(ExchangeRow { kind: ExchangeKind::Delivery, id, partner, at, due, content: content(self)? })
    }

    fn view(self, row: &ExchangeRow) -> DeliveryView {
        let (what, about) = match &self.what {
            What::Answer { request, asked } => {
                (DeliveryWhat::Answer, format!("to the request {request}, which asks for {asked}"))
            }
            What::Published { footprints } => (DeliveryWhat::Published, ids(footprints)),
            What::Request => (DeliveryWhat::Request, String::new()),
        };
        let about: String = self.said.unwrap_or(about).chars().take(1_000).collect();
        DeliveryView {
            id: row.id.clone(),
            what,
            edition: edition(self.edition),
            about,
            state: match self.state {
                State::Waiting => DeliveryState::Waiting,
                State::Sent => DeliveryState::Sent,
                State::GivenUp => DeliveryState::GivenUp,
                State::Dropped => DeliveryState::Dropped,
            },
            attempts: self.attempts,
            created: row.at,
            tried: self.tried.and_then(Timestamp::from_millis),
            answer: self.answer,
            next: row.due,
        }
    }
}

/// A delivery as it is listed: one that cannot be read as far as the row tells of it.
pub(super) fn view(row: &ExchangeRow) -> DeliveryView {
    match read::<Delivery>(row) {
        Ok(delivery) => delivery.view(row),
        Err(error) => {
            let said: serde_json::Value = serde_json::from_str(&row.content).unwrap_or_default();
            let what = match &said["what"] {
                what if what.get("published").is_some() => DeliveryWhat::Published,
                what if what.get("answer").is_some() => DeliveryWhat::Answer,
                _ => DeliveryWhat::Request,
            };
            let state = if row.due.is_some() { DeliveryState::Waiting } else { DeliveryState::GivenUp };
            DeliveryView {
                id: row.id.clone(),
                what,
                edition: Edition::V3,
                about: String::new(),
                state,
                attempts: 0,
                created: row.at,
                tried: None,
                answer: Some(whole(&error)),
                next: row.due,
            }
        }
    }
}

/// A request of ours as it is listed: one that cannot be read as far as the row tells of it.
pub(super) fn request_view(row: &ExchangeRow) -> RequestView {
    match read::<Request>(row) {
        Ok(request) => request.view(row),
        Err(error) => RequestView {
            id: row.id.clone(),
            partner: row.partner,
            edition: Edition::V3,
            product_ids: Vec::new(),
            comment: None,
            state: RequestState::GivenUp(whole(&error)),
            created: row.at,
            answered: None,
        },
    }
}

fn ids(footprints: &[Uuid]) -> String {
    footprints.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Request {
    pub(super) fn row(&self, id: String, partner: PartnerId, at: Timestamp) -> Result<ExchangeRow, Error> {
        Ok(ExchangeRow { kind: ExchangeKind::Request, id, partner, at, due: None, content: content(self)? })
    }

    pub(super) fn view(self, row: &ExchangeRow) -> RequestView {
        RequestView {
            id: row.id.clone(),
            partner: row.partner,
            edition: edition(self.edition),
            product_ids: self.product_ids,
            comment: self.comment,
            state: match self.state {
                Answered::Waiting => RequestState::Waiting,
                Answered::Sent => RequestState::Sent,
                Answered::Fulfilled { footprints } => {
                    RequestState::Fulfilled(footprints.into_iter().map(FootprintId::new).collect())
                }
                Answered::Rejected { code, message } => RequestState::Rejected { code, message },
                Answered::GivenUp { why } => RequestState::GivenUp(why),
            },
            created: row.at,
            answered: self.answered.and_then(Timestamp::from_millis),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_again() {
        let asked = r#"{"productId":["urn:a:b"]}"#.to_owned();
        let all = [
            Delivery::new(Edition::V2, What::Answer { request: "a/12".to_owned(), asked }),
            Delivery::new(Edition::V3, What::Published { footprints: vec![Uuid::nil()] }),
            Delivery {
                settled: Some(Settled::Rejected { code: Refusal::NotFound, message: "no".to_owned() }),
                ..Delivery::new(Edition::V2, What::Answer { request: "a".to_owned(), asked: "{}".to_owned() })
            },
            Delivery { tried: Some(7), answer: Some("200".to_owned()), ..Delivery::new(Edition::V3, What::Request) },
        ];
        for one in all {
            assert_eq!(serde_json::from_str::<Delivery>(&content(&one).unwrap()).unwrap(), one);
        }
    }
}
