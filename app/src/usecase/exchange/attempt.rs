//! One attempt to send an event: it is claimed, sent, and what came of it is noted.

use domain::Timestamp;
use ports::directory::Tenant;
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::Error;
use ports::partner_host::NotTaken;
use ports::{Grant, demand, permit};
use tokio::time::timeout;

use super::backoff;
use super::made::made;
use super::outbox::{Outbox, system};
use super::stored::{Answered, Delivery, Request, State, What, content, edition, read, whole};
use crate::usecase::draft::begin;

/// How many characters of what came are kept.
const TOLD: usize = 500;

/// Why an answer is dropped.
const TAKEN_BACK: &str =
    "it was fulfilled with a footprint that is not shared any more: neither that nor the opposite is sent";

/// What came of an attempt.
enum Attempt {
    Taken,
    /// The partner may have it all the same.
    NotTaken(String),
    /// Nothing left this process: what the event says is not settled by it.
    Unsent(String),
}

impl Outbox {
    /// Makes one attempt.
    pub(super) async fn send(&self, tenant: &Tenant, row: ExchangeRow) -> Result<(), Error> {
        let caller = system(tenant.id);
        let grant = permit(&caller, demand::EVENT_SEND)?;
        let delivery: Delivery = match read(&row) {
            Ok(delivery) => delivery,
            Err(error) => return self.put_off(tenant, &grant, &row, &error).await,
        };
        let base = (self.base)(tenant);
        let mut tx = self.store.read(&grant.to_read()).await?;
        let partner = tx.partners().find(row.partner).await?.ok_or(Error::NotFound)?;
        let made = made(tx.as_mut(), &partner.value, &row, &delivery, base.as_deref().unwrap_or_default()).await;
        drop(tx);
        let now = self.clock.now();
        let made = match made {
            Ok(Some(made)) => made,
            Ok(None) => {
                let why = delivery.settled.is_some().then(|| TAKEN_BACK.to_owned());
                let answer = why.or_else(|| delivery.answer.clone());
                let dropped = Delivery { state: State::Dropped, answer, ..delivery };
                return self.end(&grant, &row, dropped, None).await;
            }
            Err(error) => {
                let attempts = delivery.attempts.saturating_add(1);
                let tried = Delivery { attempts, tried: Some(now.millis()), ..delivery };
                return self
                    .failed(tenant, &grant, &row, tried, &format!("it cannot be written: {}", whole(&error)))
                    .await;
            }
        };
        let lease = i64::try_from(self.attempt.as_millis()).unwrap_or(i64::MAX).saturating_mul(2);
        let until = Timestamp::from_millis(now.millis().saturating_add(lease));
        let claimed = Delivery {
            attempts: delivery.attempts.saturating_add(1),
            tried: Some(now.millis()),
            claimed: until.map(Timestamp::millis),
            settled: made.settled,
            said: Some(made.said),
            ..delivery.clone()
        };
        let claimed_row = claimed.row(row.id.clone(), row.partner, row.at, until)?;
        if !self.replace(&grant, &row, claimed_row.clone()).await? {
            // Another node has it, or it has changed: it is looked at again.
            return Ok(());
        }
        let sent = match base {
            None => {
                Attempt::Unsent("our own address is not known, which partners answer to: set server.public_url".into())
            }
            Some(_) => match self.partners.address(&caller, row.partner).await {
                Ok(at) => match timeout(self.attempt, self.host.send(&at, edition(claimed.edition), &made.event)).await
                {
                    Ok(Ok(())) => Attempt::Taken,
                    Ok(Err(NotTaken { error, has_left: true })) => Attempt::NotTaken(error.to_string()),
                    Ok(Err(NotTaken { error, has_left: false })) => Attempt::Unsent(error.to_string()),
                    Err(_) => {
                        Attempt::NotTaken(format!("the host did not answer within {} ms", self.attempt.as_millis()))
                    }
                },
                Err(Error::NotFound) => return Ok(()),
                Err(error) => Attempt::Unsent(error.to_string()),
            },
        };
        match sent {
            Attempt::Taken => {
                let answer = Some("taken".to_owned());
                let done = Delivery { state: State::Sent, answer, claimed: None, ..claimed };
                self.end(&grant, &claimed_row, done, None).await
            }
            Attempt::NotTaken(why) => self.failed(tenant, &grant, &claimed_row, claimed, &why).await,
            Attempt::Unsent(why) => {
                let claimed = Delivery { settled: delivery.settled, ..claimed };
                self.failed(tenant, &grant, &claimed_row, claimed, &why).await
            }
        }
    }

    /// Notes an attempt that came to nothing, and when the next one is made.
    async fn failed(
        &self,
        tenant: &Tenant,
        grant: &Grant<ports::Write>,
        row: &ExchangeRow,
        tried: Delivery,
        why: &str,
    ) -> Result<(), Error> {
        let chance = self.ids.random().as_bytes()[0];
        let since = tried.since.and_then(Timestamp::from_millis).unwrap_or(row.at);
        let next = backoff::next(since, self.clock.now(), tried.attempts, chance);
        let why: String = why.chars().filter(|c| !c.is_control()).take(TOLD).collect();
        let (company, event) = (tenant.slug.as_str(), row.id.as_str());
        let state = if next.is_some() { State::Waiting } else { State::GivenUp };
        if next.is_none() {
            tracing::warn!(company, event, why, "an event to a partner is given up: it was not taken for three days");
        } else {
            tracing::info!(company, event, why, "an event to a partner was not taken; it is sent again");
        }
        let failed = Delivery { state, answer: Some(why), claimed: None, ..tried };
        self.end(grant, row, failed, next).await
    }

    /// Puts off a row that cannot be read as far as one that has failed many times, so that those behind it are sent: another
    /// node, of a later release, may read it.
    async fn put_off(
        &self,
        tenant: &Tenant,
        grant: &Grant<ports::Write>,
        row: &ExchangeRow,
        error: &Error,
    ) -> Result<(), Error> {
        let (company, event) = (tenant.slug.as_str(), row.id.as_str());
        let why = whole(error);
        tracing::warn!(company, event, why, "an event to a partner cannot be read; those behind it are sent");
        let due = backoff::next(row.at, self.clock.now(), u32::MAX, self.ids.random().as_bytes()[0]);
        self.replace(grant, row, ExchangeRow { due, ..row.clone() }).await.map(drop)
    }

    /// Puts a row in the place of one that is as it was read. Whether it was.
    async fn replace(
        &self,
        grant: &Grant<ports::Write>,
        before: &ExchangeRow,
        after: ExchangeRow,
    ) -> Result<bool, Error> {
        let mut tx = begin(self.store.as_ref(), self.clock.as_ref(), grant, "send events").await?;
        let found = tx.exchange().find(before.kind, before.id.clone()).await?;
        if found.as_ref() != Some(before) {
            return Ok(false);
        }
        tx.exchange_mut().put(after).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Notes what came of an attempt, also in the request of ours that it is of. That an event was taken is noted whoever sends
    /// it meanwhile; a failure is not.
    async fn end(
        &self,
        grant: &Grant<ports::Write>,
        before: &ExchangeRow,
        after: Delivery,
        due: Option<Timestamp>,
    ) -> Result<(), Error> {
        let mut tx = begin(self.store.as_ref(), self.clock.as_ref(), grant, "send events").await?;
        let found = tx.exchange().find(before.kind, before.id.clone()).await?;
        if found.is_none() || (after.state != State::Sent && found.as_ref() != Some(before)) {
            return Ok(());
        }
        if after.what == What::Request
            && let Some(row) = tx.exchange().find(ExchangeKind::Request, before.id.clone()).await?
        {
            // One that cannot be read stays: the attempt is noted all the same, so that what is behind it is sent.
            if let Ok(request) = read::<Request>(&row)
                && let Some(state) = state_after(&request.state, &after)
            {
                let row = ExchangeRow { content: content(&Request { state, ..request })?, ..row };
                tx.exchange_mut().put(row).await?;
            }
        }
        if after.state == State::Sent {
            let (id, at, content) = (before.partner.to_string(), self.clock.now(), "{}".to_owned());
            let (kind, partner) = (ExchangeKind::Called, before.partner);
            tx.exchange_mut().put(ExchangeRow { kind, id, partner, at, due: None, content }).await?;
        }
        tx.exchange_mut().put(after.row(before.id.clone(), before.partner, before.at, due)?).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// What an attempt changes the state of our request to.
fn state_after(before: &Answered, attempt: &Delivery) -> Option<Answered> {
    match (before, attempt.state) {
        (Answered::Waiting | Answered::GivenUp { .. }, State::Sent) => Some(Answered::Sent),
        (Answered::Waiting, State::GivenUp) => {
            Some(Answered::GivenUp { why: attempt.answer.clone().unwrap_or_default() })
        }
        _ => None,
    }
}
