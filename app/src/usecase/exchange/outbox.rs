//! The outbox: sends events to partners until they are taken, or three days are over.
//!
//! Every node has one. An event is sent by one node at a time: whoever sends it first moves the moment that it is due behind
//! the end of the attempt, in a transaction that finds it as it was read. Whoever is killed meanwhile lets it be due again then.
//!
//! A partner is sent to by one task, which ends with each event: then it is the turn of whoever waits longest, so that neither
//! slow partners nor long rows of events keep the others waiting.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use domain::{PartnerId, Timestamp};
use ports::clock::Clock;
use ports::directory::{Directory, Tenant};
use ports::id_source::Ids;
use ports::inbound::{Error, Partners};
use ports::partner_host::PartnerHost;
use ports::store::Store;
use ports::{Caller, Grant, Installation, Permission, TenantId, demand, permit};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep};

use super::turns::Turns;
use super::wake::Wake;
use crate::usecase::access::SYSTEM;

/// How often it is looked whose turn it is.
const TICK: Duration = Duration::from_secs(1);
/// When a company is looked at again that something is due for.
const SOON: Duration = Duration::from_secs(2);
/// How often companies are looked at where nobody tells that there is something to send: another process may have stored it,
/// with the company's first partner, or a node that stored it may be gone. It costs one look into an index.
const IDLE: Duration = Duration::from_secs(15);
/// How often the companies are listed.
const LISTED: Duration = Duration::from_mins(1);
/// How many partners of a company are read at once that something is due for.
const PARTNERS: u32 = 10_000;
/// The most partners that are sent to at once.
const AT_ONCE: usize = 32;
/// The most of them that are of one company.
const OF_ONE_TENANT: usize = 16;

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

/// What is sent at the moment, and who had a turn when.
#[derive(Default)]
struct Sending {
    /// Each sends one event; says whether there may be more for the partner now.
    tasks: JoinSet<bool>,
    to: HashMap<Id, (TenantId, PartnerId)>,
    partners: Turns<PartnerId>,
    tenants: Turns<TenantId>,
}

impl Sending {
    /// Whether one more may be sent to.
    fn has_room(&self, tenant: TenantId) -> bool {
        self.to.len() < AT_ONCE && self.to.values().filter(|(of, _)| *of == tenant).count() < OF_ONE_TENANT
    }

    fn is_sent_to(&self, partner: PartnerId) -> bool {
        self.to.values().any(|(_, to)| *to == partner)
    }

    /// Gives back the place of what has ended, and the company, unless it is to be looked at later.
    fn end(&mut self, ended: Result<(Id, bool), JoinError>) -> Option<TenantId> {
        let (id, is_more) = match ended {
            Ok((id, is_more)) => (id, is_more),
            Err(error) => {
                if !error.is_cancelled() {
                    tracing::error!(%error, "sending an event to a partner broke off; it is tried again");
                }
                (error.id(), false)
            }
        };
        self.to.remove(&id).filter(|_| is_more).map(|(tenant, _)| tenant)
    }
}

impl Outbox {
    /// Sends what is due, again and again. Never ends; what is sent when it is dropped is broken off.
    pub async fn run(self: &Arc<Self>) {
        let mut sending = Sending::default();
        let (mut tenants, mut listed): (Vec<Tenant>, Option<Instant>) = (Vec::new(), None);
        let mut looked: HashMap<TenantId, (Instant, Duration)> = HashMap::new();
        let mut freed: HashSet<TenantId> = HashSet::new();
        loop {
            let mut woken = self.wake.take();
            woken.extend(freed.drain());
            let is_old = listed.is_none_or(|at| at.elapsed() >= LISTED);
            if is_old || woken.iter().any(|id| tenants.iter().all(|tenant| tenant.id != *id)) {
                match self.directory.list_tenants(&Grant::for_maintenance(Installation, SYSTEM)).await {
                    Ok(found) => (tenants, listed) = (found, Some(Instant::now())),
                    Err(error) => {
                        tracing::warn!(%error, "the companies were not listed: no events are sent to their partners");
                    }
                }
            }
            sending.tenants.order(&mut tenants, |tenant| tenant.id);
            for tenant in &tenants {
                let rests = looked.get(&tenant.id).is_some_and(|(at, wait)| at.elapsed() < *wait);
                if rests && !woken.contains(&tenant.id) {
                    continue;
                }
                let wait = match self.look(tenant).await {
                    Ok((wait, partners)) => {
                        self.begin(&mut sending, tenant, partners);
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
                Some(ended) = sending.tasks.join_next_with_id() => freed.extend(sending.end(ended)),
            }
            while let Some(ended) = sending.tasks.try_join_next_with_id() {
                freed.extend(sending.end(ended));
            }
        }
    }

    /// Sends an event to each of the partners beside the others, those first that wait longest for a turn, as far as there is
    /// room and they are not sent to.
    fn begin(self: &Arc<Self>, sending: &mut Sending, tenant: &Tenant, mut partners: Vec<PartnerId>) {
        sending.partners.order(&mut partners, |partner| *partner);
        for partner in partners {
            if !sending.has_room(tenant.id) {
                return;
            }
            if sending.is_sent_to(partner) {
                continue;
            }
            sending.partners.take(partner);
            sending.tenants.take(tenant.id);
            let (outbox, of) = (Arc::clone(self), tenant.clone());
            let task = sending.tasks.spawn(async move {
                let sent = outbox.send_first(&of, partner).await;
                if let Err(error) = &sent {
                    let company = of.slug.as_str();
                    tracing::warn!(company, %partner, %error, "an event to a partner was not sent; it is tried again");
                }
                sent.is_ok()
            });
            sending.to.insert(task.id(), (tenant.id, partner));
        }
    }

    /// When the company is to be looked at again, and the partners that something is due for.
    async fn look(&self, tenant: &Tenant) -> Result<(Duration, Vec<PartnerId>), Error> {
        let grant = permit(&system(tenant.id), demand::EVENT_SEND)?;
        let mut tx = self.store.read(&grant.to_read()).await?;
        let now = self.clock.now();
        let partners: Vec<_> = tx.exchange().due_partners(now, PARTNERS).await?.into_iter().map(|(id, _)| id).collect();
        if !partners.is_empty() {
            return Ok((SOON, partners));
        }
        let next = tx.exchange().due_partners(Timestamp::MAX, 1).await?.first().map(|(_, due)| *due);
        let wait = next.and_then(|next| u64::try_from(next.millis().saturating_sub(now.millis())).ok());
        Ok((wait.map_or(IDLE, Duration::from_millis).min(IDLE), partners))
    }

    /// Sends the event that is due longest for a partner.
    async fn send_first(&self, tenant: &Tenant, partner: PartnerId) -> Result<(), Error> {
        let grant = permit(&system(tenant.id), demand::EVENT_SEND)?;
        let due = self.store.read(&grant.to_read()).await?.exchange().due(partner, self.clock.now(), 1).await?;
        match due.into_iter().next() {
            Some(row) => self.send(tenant, row).await,
            None => Ok(()),
        }
    }
}

/// Who sends events: the service itself.
pub(super) fn system(tenant: TenantId) -> Caller {
    let permissions = [Permission::FootprintWrite, Permission::FootprintReview].into_iter().collect();
    Caller { tenant, actor: SYSTEM.to_owned(), permissions, partner: None }
}
