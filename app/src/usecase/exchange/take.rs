//! Events that partners send: each is taken once, and what it leads to is stored in the same transaction.

use domain::{FaultCode, Faults, FootprintId, Partner, PartnerId, Timestamp};
use ports::Caller;
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::Error;
use ports::partner_event::{EventData, PartnerEvent};
use ports::repo::Page;
use ports::store::WriteTx;
use ports::{demand, permit};

use super::ExchangeService;
use super::stored::{Answered, Delivery, Footprint, Request, Taken, What, content, number, read};
use crate::usecase::draft::begin;
use crate::usecase::partner::caller::partner_of;

/// The most answers that wait for a partner, and the most footprints that are kept of it: one that sends more is asked to wait.
const MOST: u64 = 100_000;

impl ExchangeService {
    /// Takes the event, unless it was taken before.
    pub(super) async fn take_event(&self, caller: &Caller, event: PartnerEvent) -> Result<(), Error> {
        let grant = permit(caller, demand::EVENT_TAKE)?;
        let mut tx = self.store.read(&grant.to_read()).await?;
        let partner = partner_of(tx.as_mut(), caller).await?.ok_or_else(|| {
            Error::Refused("Events are taken from partners alone, and these credentials are no partner's.".to_owned())
        })?;
        let partner = partner.value;
        if !partner.is_source(&event.source) {
            let detail = format!("is not the address that this partner is registered with, {}", partner.base_url);
            return Err(Faults::one_coded(FaultCode::Mismatch, "/source", detail).into());
        }
        let taken = taken_id(&partner, &event);
        if tx.exchange().find(ExchangeKind::Taken, taken.clone()).await?.is_some() {
            return Ok(());
        }
        drop(tx);
        let now = self.clock.now();
        let mut tx = begin(self.store.as_ref(), self.clock.as_ref(), &grant, "POST /events").await?;
        if tx.partners().find(partner.id).await?.is_none() {
            return Err(Error::Refused("The partner was removed.".to_owned()));
        }
        if tx.exchange().find(ExchangeKind::Taken, taken.clone()).await?.is_some() {
            return Ok(());
        }
        let content = content(&Taken { edition: number(event.edition) })?;
        let kind = ExchangeKind::Taken;
        let row = ExchangeRow { kind, id: taken, partner: partner.id, at: now, due: None, content };
        if self.note(tx.as_mut(), partner.id, event, now).await? == Led::Nowhere {
            // Sent again it leads nowhere again: nothing is kept of it, however many of the kind come.
            return Ok(());
        }
        tx.exchange_mut().put(row).await?;
        tx.commit().await?;
        self.wake.wake(grant.tenant());
        Ok(())
    }

    /// Stores what the event leads to.
    async fn note(
        &self,
        tx: &mut dyn WriteTx,
        partner: PartnerId,
        event: PartnerEvent,
        now: Timestamp,
    ) -> Result<Led, Error> {
        let PartnerEvent { edition, id, data, .. } = event;
        match data {
            EventData::Requested { asked } => {
                // Those that were sent are no burden: they are forgotten with time.
                let waiting = tx.exchange().waiting(partner).await?;
                must_have_room(waiting, "answers wait", partner)?;
                let delivery = Delivery::new(edition, What::Answer { request: id, asked });
                let row = delivery.row(self.ids.random().to_string(), partner, now, Some(now))?;
                tx.exchange_mut().put(row).await?;
                Ok(Led::Somewhere)
            }
            EventData::Published { footprints } => {
                let footprints = footprints.into_iter().map(|id| (id, None));
                keep(tx, partner, number(edition), footprints, now).await?;
                Ok(Led::Somewhere)
            }
            EventData::Fulfilled { request, footprints } => {
                let ids: Vec<_> = footprints.iter().map(|(id, _)| id.uuid()).collect();
                let answered = Answered::Fulfilled { footprints: ids };
                let led = answer(tx, partner, &request, answered, now).await?;
                if led == Led::Somewhere {
                    let footprints = footprints.into_iter().map(|(id, json)| (id, Some(json)));
                    keep(tx, partner, number(edition), footprints, now).await?;
                }
                Ok(led)
            }
            EventData::Rejected { request, code, message } => {
                let message = message.chars().filter(|c| !c.is_control()).take(1_000).collect();
                let code = code.chars().filter(|c| !c.is_control()).collect();
                answer(tx, partner, &request, Answered::Rejected { code, message }, now).await
            }
        }
    }
}

/// The id of the row of an event: by the partner, its address and what it calls the event.
fn taken_id(partner: &Partner, event: &PartnerEvent) -> String {
    let text = format!("{}\n{}\n{}", partner.id, partner.base_url.as_str().to_lowercase(), event.id);
    domain::Digest::of(text.as_bytes()).to_string()
}

/// Whether an event changed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Led {
    Somewhere,
    Nowhere,
}

/// Refuses more rows than are kept for a partner.
fn must_have_room(count: u64, what: &str, partner: PartnerId) -> Result<(), Error> {
    if count < MOST {
        return Ok(());
    }
    Err(Error::Busy(format!("{MOST} {what} for partner {partner}").into()))
}

/// Keeps footprints of the partner until they are taken over; one that was sent takes the place of one that was announced, and
/// stays beside a later announcement.
async fn keep(
    tx: &mut dyn WriteTx,
    partner: PartnerId,
    edition: u8,
    footprints: impl Iterator<Item = (FootprintId, Option<String>)>,
    now: Timestamp,
) -> Result<(), Error> {
    let kept = tx.exchange().list(ExchangeKind::Footprint, partner, Page { number: 1, size: 1 }).await?;
    must_have_room(kept.count, "footprints are kept", partner)?;
    for (id, json) in footprints {
        let (kind, id) = (ExchangeKind::Footprint, format!("{partner}/{id}"));
        let is_announced = json.is_none();
        let mut footprint = Footprint { edition, json, sent_in: None };
        // The host may give us by an event alone what it refuses when it is asked.
        if is_announced
            && let Some(before) = tx.exchange().find(kind, id.clone()).await?
            && let Ok(Footprint { edition: earlier, json: Some(json), sent_in }) = read(&before)
        {
            footprint = Footprint { edition, json: Some(json), sent_in: Some(sent_in.unwrap_or(earlier)) };
        }
        let content = content(&footprint)?;
        tx.exchange_mut().put(ExchangeRow { kind, id, partner, at: now, due: None, content }).await?;
    }
    Ok(())
}

/// Notes the answer to a request of ours, the first one alone.
async fn answer(
    tx: &mut dyn WriteTx,
    partner: PartnerId,
    request: &str,
    answered: Answered,
    now: Timestamp,
) -> Result<Led, Error> {
    let found = tx.exchange().find(ExchangeKind::Request, request.to_owned()).await?;
    let Some(row) = found.filter(|row| row.partner == partner) else { return Ok(Led::Nowhere) };
    let before: Request = read(&row)?;
    if matches!(before.state, Answered::Fulfilled { .. } | Answered::Rejected { .. }) {
        return Ok(Led::Nowhere);
    }
    let after = Request { state: answered, answered: Some(now.millis()), ..before };
    tx.exchange_mut().put(after.row(row.id, partner, row.at)?).await?;
    Ok(Led::Somewhere)
}
