//! Events to partners, with a clock that is set, into hosts that do as they are told.

mod announced;
mod once;
mod settled;
mod stand_in;
mod taken;
mod three_days;
mod turns;
mod unreadable;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use domain::footprint::Edition;
use domain::{HostAddress, Name, Partner, PartnerId, Timestamp};
use ports::clock::Clock;
use ports::contract::sample;
use ports::directory::{Directory as _, Tenant};
use ports::inbound::{DeliveryView, Error, Exchange as _, Field, RequestDraft};
use ports::partner_event::{EventData, PartnerEvent};
use ports::repo::Page;
use ports::store::Store;
use ports::{Caller, Grant, Installation};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tonne::usecase::exchange::{ExchangeService, Outbox, Wake};
use uuid::Uuid;

use self::stand_in::{Addresses, Does, StandIn};
use super::{Counting, caller};

/// How long something that comes about by itself is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
pub(super) const HOUR_MS: i64 = 60 * 60 * 1_000;

/// A clock that is set.
pub(super) struct Time(AtomicI64);

impl Time {
    fn advance(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for Time {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

/// A company that sends events.
struct Company {
    admin: Caller,
    store: Arc<dyn Store>,
    directory: Arc<memory::MemoryDirectory>,
    time: Arc<Time>,
    service: ExchangeService,
    host: Arc<StandIn>,
    attempt: Duration,
    _folder: Option<TempDir>,
}

/// An outbox that runs until it is dropped.
struct Running {
    wake: Arc<Wake>,
    task: JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Company {
    async fn memory() -> Self {
        Self::of(Arc::new(memory::MemoryStore::new(Arc::new(Counting::default()))), None).await
    }

    async fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        let options = sqlite::Options::new(Arc::new(super::Noon), Arc::new(Counting::default()));
        Self::of(Arc::new(sqlite::SqliteStore::open(folder.path(), options)), Some(folder)).await
    }

    async fn of(store: Arc<dyn Store>, folder: Option<TempDir>) -> Self {
        let time = Arc::new(Time(AtomicI64::new(1_750_000_000_000)));
        let admin = caller("admin");
        store.prepare(&Grant::for_maintenance(admin.tenant, "test")).await.unwrap();
        let directory = Arc::new(memory::MemoryDirectory::new(time.clone()));
        let tenant = Tenant { id: admin.tenant, ..sample::tenant(1, "acme") };
        directory.add_tenant(&Grant::for_maintenance(Installation, "test"), tenant).await.unwrap();
        let service = service(&store, &time);
        let (host, attempt) = (Arc::default(), Duration::from_mins(5));
        Self { admin, store, directory, time, service, host, attempt, _folder: folder }
    }

    /// What takes events for the company, once more.
    fn service_of(&self) -> ExchangeService {
        service(&self.store, &self.time)
    }

    /// An outbox of its own on the company's store.
    fn start(&self) -> Running {
        self.start_on(Arc::clone(&self.store))
    }

    /// An outbox of another node, which opened the store for itself.
    fn start_on(&self, store: Arc<dyn Store>) -> Running {
        let wake = Arc::new(Wake::default());
        let outbox = Outbox {
            store,
            directory: self.directory.clone(),
            clock: self.time.clone(),
            ids: Arc::new(Counting::default()),
            partners: Arc::new(Addresses),
            host: self.host.clone(),
            wake: Arc::clone(&wake),
            attempt: self.attempt,
            base: Box::new(|_| Some("https://acme.example".to_owned())),
        };
        Running { wake, task: tokio::spawn(async move { Arc::new(outbox).run().await }) }
    }

    /// Adds a partner of that number, whose host does so.
    async fn partner(&self, number: u64, does: Does) -> PartnerId {
        let id = PartnerId::new(Uuid::from_u128(number.into()));
        let base = HostAddress::parse(&format!("https://partner-{number}.example")).unwrap();
        let partner = Partner::new(id, Name::parse("Partner").unwrap(), base).with_clients(vec![id.uuid()]);
        let grant = Grant::for_maintenance(self.admin.tenant, "test").to_write();
        let mut tx = self.store.write(&grant, sample::intent()).await.unwrap();
        tx.partners_mut().add(partner).await.unwrap();
        tx.commit().await.unwrap();
        self.host.now(id, does);
        id
    }

    /// Takes an event of the partner's.
    async fn take(&self, partner: PartnerId, id: &str, data: EventData) -> Result<(), Error> {
        let caller = Caller { actor: format!("client:{partner}"), partner: Some(partner), ..caller("footprint:read") };
        let source = format!("https://partner-{}.example", partner.uuid().as_u128());
        self.service.take(&caller, PartnerEvent { edition: Edition::V3, id: id.to_owned(), source, data }).await
    }

    /// Asks the partner for so many footprints, each by an event of its own.
    async fn ask(&self, partner: PartnerId, count: usize) {
        for number in 0..count {
            let product_ids = Field::Given(vec![format!("urn:a:{number}")]);
            let draft = RequestDraft { product_ids, ..RequestDraft::default() };
            self.service.request(&self.admin, partner, draft, None).await.unwrap();
        }
    }

    /// The newest events to the partner.
    async fn deliveries(&self, partner: PartnerId) -> Vec<DeliveryView> {
        let page = Page { number: 1, size: 1_000 };
        self.service.deliveries(&self.admin, partner, page).await.unwrap().data
    }

    /// Waits until the outbox has looked for events once: it listens again when it has.
    async fn until_looked(&self, outbox: &Running) {
        let mut often = tokio::time::interval(Duration::from_millis(100));
        for _ in 0..5 {
            often.tick().await;
        }
        assert!(!outbox.task.is_finished());
    }

    /// Waits until it is so for the events to the partner, the outboxes being woken again and again.
    async fn until(
        &self,
        running: &[&Running],
        partner: PartnerId,
        what: &str,
        is_so: impl Fn(&[DeliveryView]) -> bool,
    ) -> Vec<DeliveryView> {
        let end = Instant::now() + PATIENCE;
        let mut often = tokio::time::interval(Duration::from_millis(10));
        loop {
            for one in running {
                one.wake.wake(self.admin.tenant);
            }
            let all = self.deliveries(partner).await;
            if is_so(&all) {
                return all;
            }
            assert!(Instant::now() < end, "{what}: {all:#?}");
            often.tick().await;
        }
    }
}

fn service(store: &Arc<dyn Store>, time: &Arc<Time>) -> ExchangeService {
    let ids = Arc::new(Counting::default());
    ExchangeService { store: Arc::clone(store), clock: time.clone(), ids, wake: Arc::default() }
}
