//! The outbox: sends events to partners until they are taken, or three days are over.
//!
//! Every node has one. An event is sent by one node at a time: whoever sends it first moves the moment that it is due behind
//! the end of the attempt, in a transaction that finds it as it was read. Whoever is killed meanwhile lets it be due again then.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::{PartnerId, Timestamp};
use ports::clock::Clock;
use ports::directory::{Directory, Tenant};
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::id_source::Ids;
use ports::inbound::{Error, Partners};
use ports::partner_host::PartnerHost;
use ports::repo::{Page, Query};
use ports::store::Store;
use ports::{Caller, Grant, Installation, Permission, TenantId, demand, permit};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::backoff;
use super::made::made;
use super::stored::{Answered, Delivery, Request, State, What, content, edition, read};
use super::wake::Wake;
use crate::usecase::access::SYSTEM;
use crate::usecase::draft::begin;

/// How often it is looked whose turn it is.
const TICK: Duration = Duration::from_secs(1);
/// When a company is looked at again that something is due for.
const SOON: Duration = Duration::from_secs(2);
/// How often companies with partners are looked at, where nobody tells that there is something to send: another process may
/// have stored it, or a node that stored it may be gone.
const IDLE: Duration = Duration::from_secs(15);
/// How often companies without partners are looked at.
const RARELY: Duration = Duration::from_mins(10);
/// How often the companies are listed.
const LISTED: Duration = Duration::from_mins(1);
/// How many events of a company are read at once.
const BATCH: u32 = 200;
/// The most partners that are sent to at once.
const AT_ONCE: usize = 32;
/// How many characters of what came are kept.
const TOLD: usize = 500;

/// Sends events to partners.
pub struct Outbox {
    /// The store of events.
    pub store: Arc<dyn Store>,
    /// Which companies there are.
    pub directory: Arc<dyn Directory>,
    /// Says what is due.
    pub clock: Arc<dyn Clock>,
    /// Spreads attempts by chance.
    pub ids: Arc<dyn Ids>,
    /// Knows partners' addresses and our secrets there.
    pub partners: Arc<dyn Partners>,
    /// Calls partners' hosts.
    pub host: Arc<dyn PartnerHost>,
    /// Tells of new events.
    pub wake: Arc<Wake>,
    /// How long an attempt may take in all.
    pub attempt: Duration,
    /// The base address of a company, where partners answer to; `None` where it is not known.
    pub base: BaseAddress,
}

/// The base address of a company, where it is known.
pub type BaseAddress = Box<dyn Fn(&Tenant) -> Option<String> + Send + Sync>;

/// What is sent at the moment.
type Sending = Arc<Mutex<HashSet<PartnerId>>>;

impl Outbox {
    /// Sends what is due, again and again. Never ends; what is sent when it is dropped is broken off.
    pub async fn run(self: &Arc<Self>) {
        let (mut tasks, sending) = (JoinSet::new(), Sending::default());
        let (mut tenants, mut listed): (Vec<Tenant>, Option<Instant>) = (Vec::new(), None);
        let mut looked: HashMap<TenantId, (Instant, Duration)> = HashMap::new();
        loop {
            let woken = self.wake.take();
            let is_old = listed.is_none_or(|at| at.elapsed() >= LISTED);
            if is_old || woken.iter().any(|id| tenants.iter().all(|tenant| tenant.id != *id)) {
                match self.directory.list_tenants(&Grant::for_maintenance(Installation, SYSTEM)).await {
                    Ok(found) => (tenants, listed) = (found, Some(Instant::now())),
                    Err(error) => {
                        tracing::warn!(%error, "the companies were not listed: no events are sent to their partners");
                    }
                }
            }
            for tenant in &tenants {
                let rests = looked.get(&tenant.id).is_some_and(|(at, wait)| at.elapsed() < *wait);
                if rests && !woken.contains(&tenant.id) {
                    continue;
                }
                let wait = match self.look(tenant).await {
                    Ok((wait, partners)) => {
                        for partner in partners {
                            self.begin(&mut tasks, &sending, tenant, partner);
                        }
                        wait
                    }
                    Err(error) => {
                        let company = tenant.slug.as_str();
                        tracing::warn!(company, %error, "events to partners were not looked for; it is tried again");
                        SOON
                    }
                };
                looked.insert(tenant.id, (Instant::now(), wait));
            }
            tokio::select! {
                () = self.wake.wait() => {}
                () = sleep(TICK) => {}
                Some(_) = tasks.join_next() => {}
            }
        }
    }

    /// Sends to one partner beside the others, unless it is sent to.
    fn begin(self: &Arc<Self>, tasks: &mut JoinSet<()>, sending: &Sending, tenant: &Tenant, partner: PartnerId) {
        if tasks.len() >= AT_ONCE || !sending.lock().unwrap_or_else(PoisonError::into_inner).insert(partner) {
            return;
        }
        let (outbox, sending, tenant) = (Arc::clone(self), Arc::clone(sending), tenant.clone());
        tasks.spawn(async move {
            let sent = outbox.send_all(&tenant, partner).await;
            sending.lock().unwrap_or_else(PoisonError::into_inner).remove(&partner);
            match sent {
                // When the next one is due is not known yet.
                Ok(()) => outbox.wake.wake(tenant.id),
                Err(error) => {
                    let company = tenant.slug.as_str();
                    tracing::warn!(company, %partner, %error, "events to a partner were not all sent; it is tried again");
                }
            }
        });
    }

    /// When the company is to be looked at again, and the partners that something is due for.
    async fn look(&self, tenant: &Tenant) -> Result<(Duration, Vec<PartnerId>), Error> {
        let grant = permit(&system(tenant.id), demand::EVENT_SEND)?;
        let mut tx = self.store.read(&grant.to_read()).await?;
        if tx.partners().list(&Query::all(Page { number: 1, size: 1 })).await?.count == 0 {
            return Ok((RARELY, Vec::new()));
        }
        let now = self.clock.now();
        let mut partners = Vec::new();
        for row in tx.exchange().due(now, BATCH).await? {
            if !partners.contains(&row.partner) {
                partners.push(row.partner);
            }
        }
        if !partners.is_empty() {
            return Ok((SOON, partners));
        }
        let next = tx.exchange().due(Timestamp::MAX, 1).await?.first().and_then(|row| row.due);
        let wait = next.and_then(|next| u64::try_from(next.millis().saturating_sub(now.millis())).ok());
        Ok((wait.map_or(IDLE, Duration::from_millis).min(IDLE), partners))
    }

    /// Sends what is due for one partner, one event after the other.
    async fn send_all(&self, tenant: &Tenant, partner: PartnerId) -> Result<(), Error> {
        let grant = permit(&system(tenant.id), demand::EVENT_SEND)?;
        loop {
            let due = self.store.read(&grant.to_read()).await?.exchange().due(self.clock.now(), BATCH).await?;
            let due: Vec<_> = due.into_iter().filter(|row| row.partner == partner).collect();
            if due.is_empty() {
                return Ok(());
            }
            for row in due {
                self.send(tenant, row).await?;
            }
        }
    }

    /// Makes one attempt.
    async fn send(&self, tenant: &Tenant, row: ExchangeRow) -> Result<(), Error> {
        let caller = system(tenant.id);
        let grant = permit(&caller, demand::EVENT_SEND)?;
        let delivery: Delivery = read(&row)?;
        let base = (self.base)(tenant);
        let mut tx = self.store.read(&grant.to_read()).await?;
        let Some(partner) = tx.partners().find(row.partner).await? else { return Ok(()) };
        let made = made(tx.as_mut(), &partner.value, &row, &delivery, base.as_deref().unwrap_or_default()).await?;
        drop(tx);
        let Some(made) = made else {
            return self.end(&grant, &row, Delivery { state: State::Dropped, ..delivery }, None).await;
        };
        let now = self.clock.now();
        let lease = i64::try_from(self.attempt.as_millis()).unwrap_or(i64::MAX).saturating_mul(2);
        let until = Timestamp::from_millis(now.millis().saturating_add(lease));
        let claimed = Delivery {
            attempts: delivery.attempts.saturating_add(1),
            tried: Some(now.millis()),
            claimed: until.map(Timestamp::millis),
            said: Some(made.said),
            ..delivery
        };
        let claimed_row = claimed.row(row.id.clone(), row.partner, row.at, until)?;
        if !self.replace(&grant, &row, claimed_row.clone()).await? {
            // Another node has it, or it has changed: it is looked at again.
            return Ok(());
        }
        let sent = match base {
            None => Err("our own address is not known, which partners answer to: set server.public_url".to_owned()),
            Some(_) => match self.partners.address(&caller, row.partner).await {
                Ok(at) => match timeout(self.attempt, self.host.send(&at, edition(claimed.edition), &made.event)).await
                {
                    Ok(sent) => sent.map_err(|error| error.to_string()),
                    Err(_) => Err(format!("the host did not answer within {} ms", self.attempt.as_millis())),
                },
                Err(Error::NotFound) => return Ok(()),
                Err(error) => Err(error.to_string()),
            },
        };
        let now = self.clock.now();
        match sent {
            Ok(()) => {
                let answer = Some("taken".to_owned());
                let done = Delivery { state: State::Sent, answer, claimed: None, ..claimed };
                self.end(&grant, &claimed_row, done, None).await
            }
            Err(why) => {
                let chance = self.ids.random().as_bytes()[0];
                let next = backoff::next(row.at, now, claimed.attempts, chance);
                let why: String = why.chars().filter(|c| !c.is_control()).take(TOLD).collect();
                let (company, event) = (tenant.slug.as_str(), row.id.as_str());
                let state = if next.is_some() { State::Waiting } else { State::GivenUp };
                if next.is_none() {
                    tracing::warn!(
                        company,
                        event,
                        why,
                        "an event to a partner is given up: it was not taken for three days"
                    );
                } else {
                    tracing::info!(company, event, why, "an event to a partner was not taken; it is sent again");
                }
                let failed = Delivery { state, answer: Some(why), claimed: None, ..claimed };
                self.end(&grant, &claimed_row, failed, next).await
            }
        }
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
            let request: Request = read(&row)?;
            let state = match (&request.state, after.state) {
                (Answered::Waiting | Answered::GivenUp { .. }, State::Sent) => Some(Answered::Sent),
                (Answered::Waiting, State::GivenUp) => {
                    Some(Answered::GivenUp { why: after.answer.clone().unwrap_or_default() })
                }
                _ => None,
            };
            if let Some(state) = state {
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

/// Who sends events: the service itself.
pub(super) fn system(tenant: TenantId) -> Caller {
    let permissions = [Permission::FootprintWrite, Permission::FootprintReview].into_iter().collect();
    Caller { tenant, actor: SYSTEM.to_owned(), permissions, partner: None }
}
