//! What an event to a partner says: made anew each time it is sent, of what is shared with the partner then. Only what a request
//! is answered with is settled by the first attempt.

use domain::footprint::{Edition, Projection};
use domain::{FootprintId, Partner};
use pact::{Envelope, ErrorCode, EventOut, read_request, write_event};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::Error;
use ports::store::ReadTx;

use super::stored::{Delivery, Refusal, Request, Settled, What, edition, read};
use crate::usecase::footprint::shown;
use crate::usecase::partner::alias;
use crate::usecase::partner::caller::Visible;

/// The most footprints that a request is answered with.
const MOST: usize = 1_000;
/// The most bytes of the footprints that a request is answered with: hosts bound what they take.
const MOST_BYTES: usize = 900 << 10;

/// An event to be sent.
pub(super) struct Made {
    /// Its JSON.
    pub(super) event: String,
    /// What it says, in a few words.
    pub(super) said: String,
    /// What it answers a request with.
    pub(super) settled: Option<Settled>,
}

/// The event as it is to be sent now; `None` when it says nothing any more.
pub(super) async fn made(
    tx: &mut dyn ReadTx,
    partner: &Partner,
    row: &ExchangeRow,
    delivery: &Delivery,
    base: &str,
) -> Result<Option<Made>, Error> {
    let edition = edition(delivery.edition);
    let source = format!("{base}/{}/events", edition.segment());
    let envelope = Envelope { id: row.id.clone(), source, time: row.at };
    let mut settled = None;
    let (event, said) = match &delivery.what {
        What::Answer { request, asked } => {
            let answer = match &delivery.settled {
                Some(before) => repeated(tx, partner, edition, before).await?,
                None => Some(answer(tx, partner, edition, asked).await?),
            };
            let Some(answer) = answer else { return Ok(None) };
            let event = match &answer {
                Answer::Fulfilled(footprints) => EventOut::Fulfilled { request, footprints },
                Answer::Rejected(code, message) => EventOut::Rejected { request, code: code_of(*code), message },
            };
            settled = Some(answer.settled());
            (write_event(edition, &envelope, &event), answer.said(edition))
        }
        What::Published { footprints } => {
            let visible = Visible::SharedWith(partner.id);
            let mut shown = Vec::with_capacity(footprints.len());
            for id in footprints.iter().copied().map(FootprintId::new) {
                let verdict = tx.footprints().verdict(id).await?;
                if visible.has(tx, id).await? && verdict.is_some_and(|verdict| verdict.is_shown(edition)) {
                    shown.push(id);
                }
            }
            if shown.is_empty() {
                return Ok(None);
            }
            let event = write_event(edition, &envelope, &EventOut::Published { footprints: &shown });
            (event, shown.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        What::Request => {
            let Some(row) = tx.exchange().find(ExchangeKind::Request, row.id.clone()).await? else { return Ok(None) };
            let Request { product_ids, comment, .. } = read(&row)?;
            let out = EventOut::Requested { product_ids: &product_ids, comment: comment.as_deref() };
            (write_event(edition, &envelope, &out), product_ids.join(", "))
        }
    };
    Ok(Some(Made { event, said: said.chars().take(1_000).collect(), settled }))
}

/// The answer to a request.
enum Answer {
    Fulfilled(Vec<Projection>),
    Rejected(Refusal, String),
}

impl Answer {
    /// With those, each under the ids that the partner calls it by too.
    fn fulfilled(found: Vec<Projection>, partner: &Partner) -> Self {
        Self::Fulfilled(found.into_iter().map(|one| alias::theirs(one, partner)).collect())
    }

    fn settled(&self) -> Settled {
        match self {
            Self::Fulfilled(found) => {
                Settled::Fulfilled { footprints: found.iter().map(|one| one.footprint.id.uuid()).collect() }
            }
            Self::Rejected(code, message) => Settled::Rejected { code: *code, message: message.clone() },
        }
    }

    /// What it is in a few words.
    fn said(&self, edition: Edition) -> String {
        match self {
            Self::Fulfilled(found) => {
                let ids: Vec<_> = found.iter().map(|one| one.footprint.id.to_string()).collect();
                format!("fulfilled with {}", ids.join(", "))
            }
            Self::Rejected(code, message) => format!("rejected, {}: {message}", code_of(*code).word(edition)),
        }
    }
}

const fn code_of(refusal: Refusal) -> ErrorCode {
    match refusal {
        Refusal::BadRequest => ErrorCode::BadRequest,
        Refusal::NotFound => ErrorCode::NotFound,
    }
}

/// The answer of an earlier attempt, which may have arrived: a host that knows events by their id must not read the opposite
/// under the same one. So a rejection is repeated whatever is shared since, and a request that was fulfilled is fulfilled with
/// the same footprints. `None` when one of those is not shared with the partner any more: it is not sent, to send fewer or a
/// rejection would contradict the earlier attempt, and so nothing is sent.
async fn repeated(
    tx: &mut dyn ReadTx,
    partner: &Partner,
    edition: Edition,
    before: &Settled,
) -> Result<Option<Answer>, Error> {
    let footprints = match before {
        Settled::Fulfilled { footprints } => footprints,
        Settled::Rejected { code, message } => return Ok(Some(Answer::Rejected(*code, message.clone()))),
    };
    let visible = Visible::SharedWith(partner.id);
    let mut found = Vec::with_capacity(footprints.len());
    for id in footprints.iter().copied().map(FootprintId::new) {
        match shown::get(tx, edition, id).await {
            Ok(one) if visible.has(tx, id).await? => found.push(one),
            Ok(_) | Err(Error::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(Answer::fulfilled(found, partner)))
}

/// The answer to what a partner asks for. What is not shared with it is as if it were not there.
async fn answer(tx: &mut dyn ReadTx, partner: &Partner, edition: Edition, asked: &str) -> Result<Answer, Error> {
    let asked_for = match read_request(asked, edition) {
        Ok(asked_for) => asked_for,
        Err(faults) => {
            let first = faults.as_slice().first().map(|fault| format!("{} {}", fault.pointer, fault.detail));
            return Ok(Answer::Rejected(Refusal::BadRequest, first.unwrap_or_default()));
        }
    };
    if edition == Edition::V2 && asked_for.is_for_all() {
        let message = "pf has nothing that footprints are found by here: give productIds".to_owned();
        return Ok(Answer::Rejected(Refusal::BadRequest, message));
    }
    let visible = Visible::SharedWith(partner.id);
    let filter = alias::ours(&asked_for.filter, partner);
    let found = match asked_for.id {
        Some(id) => match shown::get(tx, edition, id).await {
            Ok(one) if filter.matches(&one.footprint.fields) && visible.has(tx, id).await? => Some(vec![one]),
            Ok(_) | Err(Error::NotFound) => Some(Vec::new()),
            Err(error) => return Err(error),
        },
        None => shown::matching(tx, visible, edition, &filter, MOST, MOST_BYTES).await?,
    };
    let Some(found) = found else {
        let message = format!(
            "more footprints are asked for than one event has ({MOST}, or {MOST_BYTES} bytes of them): \
                               ask for fewer, or read the list"
        );
        return Ok(Answer::Rejected(Refusal::BadRequest, message));
    };
    if found.is_empty() {
        let message = "there is no such footprint that is shared with you".to_owned();
        return Ok(Answer::Rejected(Refusal::NotFound, message));
    }
    Ok(Answer::fulfilled(found, partner))
}
