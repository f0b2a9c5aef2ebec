//! Tenants: finding the one of an address's slug.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use ports::TenantSlug;
use ports::clock::Clock;
use ports::directory::{Directory, Tenant};
use ports::inbound::{Error, ResolvedTenant, Tenants};

use super::version::DirectoryVersion;

/// Slugs that are remembered of each sort, of tenants and of nobody. Full, the sort is forgotten: it costs a look-up
/// each.
const MOST: usize = 10_000;

/// Finds tenants in a directory, and remembers them for as long as nothing changes there.
pub struct TenantService {
    directory: Arc<dyn Directory>,
    clock: Arc<dyn Clock>,
    version: Arc<DirectoryVersion>,
    known: Mutex<Known>,
}

/// What was found at one version of the directory.
#[derive(Default)]
struct Known {
    version: u64,
    tenants: HashMap<TenantSlug, ResolvedTenant>,
    nobodys: HashSet<TenantSlug>,
}

impl TenantService {
    /// Tenants of that directory. Its version is shared with the other caches.
    #[must_use]
    pub fn new(directory: Arc<dyn Directory>, clock: Arc<dyn Clock>, version: Arc<DirectoryVersion>) -> Self {
        Self { directory, clock, version, known: Mutex::default() }
    }

    /// What is known at that version; whatever was known at another is forgotten.
    fn known(&self, version: u64) -> MutexGuard<'_, Known> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.version != version {
            *known = Known { version, ..Known::default() };
        }
        known
    }
}

impl Known {
    fn put(&mut self, slug: TenantSlug, found: Option<ResolvedTenant>) {
        if let Some(tenant) = found {
            if self.tenants.len() >= MOST {
                self.tenants.clear();
            }
            self.tenants.insert(slug, tenant);
        } else {
            if self.nobodys.len() >= MOST {
                self.nobodys.clear();
            }
            self.nobodys.insert(slug);
        }
    }
}

#[async_trait]
impl Tenants for TenantService {
    async fn resolve(&self, slug: &TenantSlug) -> Result<Option<ResolvedTenant>, Error> {
        let version = self.version.read(self.directory.as_ref(), self.clock.now()).await?;
        {
            let known = self.known(version);
            if let Some(tenant) = known.tenants.get(slug) {
                return Ok(Some(tenant.clone()));
            }
            if known.nobodys.contains(slug) {
                return Ok(None);
            }
        }
        let found = self.directory.find_tenant(slug).await?;
        let found = found.map(|Tenant { id, epoch, year_start, name, statement, .. }| ResolvedTenant {
            id,
            epoch,
            year_start,
            name,
            statement,
        });
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.version == version {
            known.put(slug.clone(), found.clone());
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use domain::{Name, Timestamp};
    use ports::{Grant, Installation, TenantId};
    use uuid::Uuid;

    use super::*;

    struct TestClock(Mutex<i64>);

    impl Clock for TestClock {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(*self.0.lock().unwrap()).unwrap()
        }
    }

    struct Desk {
        directory: Arc<memory::MemoryDirectory>,
        clock: Arc<TestClock>,
        tenants: TenantService,
    }

    impl Desk {
        fn new() -> Self {
            let clock = Arc::new(TestClock(Mutex::new(1_700_000_000_000)));
            let directory = Arc::new(memory::MemoryDirectory::new(clock.clone()));
            let tenants = TenantService::new(directory.clone(), clock.clone(), Arc::default());
            Self { directory, clock, tenants }
        }

        async fn add(&self, number: u128, slug: &str) {
            let (id, slug) = (TenantId::new(Uuid::from_u128(number)), TenantSlug::parse(slug).unwrap());
            let (name, epoch) = (Name::parse("A").unwrap(), Uuid::from_u128(number));
            let (year_start, statement) = (domain::YearStart::default(), domain::StatementSettings::default());
            let tenant = Tenant { id, slug, name, created: self.clock.now(), epoch, year_start, statement };
            self.directory.add_tenant(&Grant::for_maintenance(Installation, "test"), tenant).await.unwrap();
        }

        async fn resolve(&self, slug: &str) -> Option<u128> {
            let found = self.tenants.resolve(&TenantSlug::parse(slug).unwrap()).await.unwrap();
            found.map(|tenant| tenant.id.uuid().as_u128())
        }

        fn pass(&self, millis: i64) {
            *self.clock.0.lock().unwrap() += millis;
        }
    }

    #[tokio::test]
    async fn what_another_process_adds_and_removes_is_known_within_a_second() {
        let desk = Desk::new();
        assert_eq!(desk.resolve("acme").await, None);
        desk.add(1, "acme").await;
        desk.pass(999);
        assert_eq!(desk.resolve("acme").await, Some(1));
        let grant = Grant::for_maintenance(TenantId::new(Uuid::from_u128(1)), "test");
        desk.directory.remove_tenant(&grant).await.unwrap();
        assert_eq!(desk.resolve("acme").await, Some(1), "the version is not asked for again at once");
        desk.pass(999);
        assert_eq!(desk.resolve("acme").await, None);
        desk.add(2, "acme").await;
        desk.tenants.version.expire();
        assert_eq!(desk.resolve("acme").await, Some(2), "what this process changes counts at once");
    }

    #[tokio::test]
    async fn a_flood_of_slugs_is_bounded_and_displaces_no_tenant() {
        let desk = Desk::new();
        desk.add(1, "acme").await;
        assert_eq!(desk.resolve("acme").await, Some(1));
        for number in 0..=MOST + 10 {
            assert_eq!(desk.resolve(&format!("no-{number}")).await, None);
        }
        let known = desk.tenants.known.lock().unwrap();
        assert!(known.nobodys.len() <= MOST);
        assert_eq!(known.tenants.len(), 1);
    }
}
