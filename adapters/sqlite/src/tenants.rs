//! The tenants whose files are open: in which order they were asked for, and which are let go.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ports::TenantId;
use ports::store::{LogFull, StoreError};
use tokio::sync::{OnceCell, Semaphore};
use uuid::Uuid;

use crate::error::{OpenError, only_read};
use crate::file::{Absent, open_as_is};
use crate::folder::open_with_head;
use crate::identity::{Identities, Identity};
use crate::migration::TENANT;
use crate::options::{Access, Options};
use crate::owner::Owner;
use crate::pool::Pool;
use crate::session::read_head;
use crate::thread::blocking;
use crate::writer::Writer;

/// A tenant's file, open since it was first needed. Whoever uses it holds it meanwhile; dropping the last hold closes
/// it.
#[derive(Debug)]
pub(crate) struct Tenant {
    /// Whose file it is.
    pub(crate) owner: Owner,
    open: OnceCell<Open>,
    identities: Identities,
}

/// The open file of a tenant.
#[derive(Debug)]
pub(crate) struct Open {
    // Closed before the writer, which empties the log only when it is the last.
    pub(crate) pool: Arc<Pool>,
    /// None where files are only read.
    writer: Option<Writer>,
}

impl Open {
    /// The way to the thread that writes.
    pub(crate) fn writer(&self) -> Result<&Writer, StoreError> {
        self.writer.as_ref().ok_or_else(only_read)
    }
}

impl Tenant {
    fn of(owner: Owner, identities: &Identities) -> Self {
        Self { owner, open: OnceCell::new(), identities: identities.clone() }
    }

    /// The file, opened unless it is. Its idle readers take their places in `idle`.
    pub(crate) async fn open(
        &self,
        absent: Absent,
        options: &Options,
        idle: &Arc<Semaphore>,
    ) -> Result<&Open, StoreError> {
        let open = || async {
            let (owner, options, idle) = (self.owner.clone(), options.clone(), Arc::clone(idle));
            let identities = self.identities.clone();
            blocking(move || open_tenant(owner, absent, &options, (idle, &identities))).await
        };
        self.open.get_or_try_init(open).await
    }

    /// Waits until the writer before has ended, if the file is open. `Busy` when that takes too long.
    pub(crate) async fn wait_for_writers(&self) -> Result<(), StoreError> {
        let Some(open) = self.open.get() else { return Ok(()) };
        let Some(writer) = &open.writer else { return Ok(()) };
        match writer.step(|_| Ok(())).await {
            // Refused when its turn came: the writer before has ended.
            Err(full) if LogFull::among_causes(&full).is_some() => Ok(()),
            Err(busy @ StoreError::Busy(_)) => Err(busy),
            // Whatever else is wrong with the file, nobody writes in it.
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Closes the readers that nobody needed since the last call.
    pub(crate) fn trim(&self) {
        if let Some(open) = self.open.get() {
            open.pool.trim();
        }
    }

    /// Closes the file for good, once the transactions that write in it have ended.
    pub(crate) fn close(&self) {
        let Some(open) = self.open.get() else { return };
        open.pool.close();
        if let Some(writer) = &open.writer {
            writer.close();
        }
    }
}

fn open_tenant(
    owner: Owner,
    absent: Absent,
    options: &Options,
    (idle, identities): (Arc<Semaphore>, &Identities),
) -> Result<Open, StoreError> {
    identities.check(owner.id)?;
    let before = Identity::of(&owner.path).ok();
    let conn = match options.access {
        Access::Read => open_as_is(&owner.path, &TENANT, options)?.into_parts().0,
        Access::Write => open_with_head(&owner.path, absent, owner.id, options)?,
    };
    owner.check(&read_head(&conn)?)?;
    let identity = Identity::of(&owner.path)?;
    if before.is_some_and(|before| before != identity) {
        return Err(OpenError::Replaced(owner.path).into());
    }
    identities.note(owner.id, identity.clone());
    let pool = Pool::new((owner.path.clone(), identity.clone()), &TENANT, options.clone(), idle);
    let writer = match options.access {
        Access::Read => None,
        Access::Write => Some(Writer::start(conn, (owner, identity), options.clone(), &pool)?),
    };
    Ok(Open { pool, writer })
}

/// The tenants that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Tenants {
    entries: HashMap<TenantId, Entry>,
    /// How often any was asked for.
    asked: u64,
    /// That number when those that nobody asked for were last let go.
    swept: u64,
    identities: Identities,
}

#[derive(Debug)]
struct Entry {
    tenant: Arc<Tenant>,
    /// The number of the question that it was last asked for by.
    used: u64,
}

impl Entry {
    /// Whether nobody holds it. It stays so while the tenants are locked.
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.tenant) == 1
    }
}

impl Tenants {
    /// The tenant, if it has an entry.
    pub(crate) fn find(&mut self, id: TenantId) -> Option<Arc<Tenant>> {
        let entry = self.entries.get_mut(&id)?;
        self.asked += 1;
        entry.used = self.asked;
        Some(Arc::clone(&entry.tenant))
    }

    /// The tenant, which has an entry from now on.
    pub(crate) fn keep(&mut self, owner: Owner) -> Arc<Tenant> {
        self.asked += 1;
        let used = self.asked;
        let identities = &self.identities;
        let made = |owner| Entry { tenant: Arc::new(Tenant::of(owner, identities)), used };
        let entry = self.entries.entry(owner.id).or_insert_with(|| made(owner));
        Arc::clone(&entry.tenant)
    }

    /// Lets go of one, which may have another file when it comes back.
    pub(crate) fn remove(&mut self, id: TenantId) -> Option<Arc<Tenant>> {
        self.identities.forget(id);
        self.entries.remove(&id).map(|entry| entry.tenant)
    }

    /// Lets go of those that had this file before that tenant.
    pub(crate) fn take_former(&mut self, id: TenantId, path: &Path) -> Vec<Arc<Tenant>> {
        self.take(|other, entry| other != id && entry.tenant.owner.path == path)
    }

    /// Lets go of idle ones, those first that were not asked for the longest, until `most` are left. More are where
    /// more are in use.
    pub(crate) fn take_beyond(&mut self, most: usize) -> Vec<Arc<Tenant>> {
        let excess = self.entries.len().saturating_sub(most);
        if excess == 0 {
            return Vec::new();
        }
        let mut idle: Vec<u64> =
            self.entries.values().filter(|entry| entry.is_idle()).map(|entry| entry.used).collect();
        idle.sort_unstable();
        idle.truncate(excess);
        self.take(|_, entry| idle.binary_search(&entry.used).is_ok())
    }

    /// Lets go of the idle ones that nobody asked for since the last call.
    pub(crate) fn take_unused(&mut self) -> Vec<Arc<Tenant>> {
        let since = std::mem::replace(&mut self.swept, self.asked);
        self.take(|_, entry| entry.used <= since && entry.is_idle())
    }

    /// The tenants whose files are open, or were.
    pub(crate) fn ids(&self) -> Vec<TenantId> {
        let mut ids: Vec<TenantId> = self.entries.keys().copied().chain(self.identities.tenants()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Notes the epoch of a tenant, which may have another file with another one.
    pub(crate) fn settle(&self, id: TenantId, epoch: Uuid) {
        self.identities.settle(id, epoch);
    }

    /// All that have an entry.
    pub(crate) fn all(&self) -> Vec<Arc<Tenant>> {
        self.entries.values().map(|entry| Arc::clone(&entry.tenant)).collect()
    }

    fn take(&mut self, mut goes: impl FnMut(TenantId, &Entry) -> bool) -> Vec<Arc<Tenant>> {
        self.entries.extract_if(|id, entry| goes(*id, entry)).map(|(_, entry)| entry.tenant).collect()
    }
}
