//! The tenants whose files are open: in which order they were asked for, and which are let go.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ports::TenantId;
use ports::store::StoreError;
use tokio::sync::{OnceCell, Semaphore};

use crate::file::Absent;
use crate::folder::open_with_head;
use crate::options::Options;
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
}

/// The open file of a tenant.
#[derive(Debug)]
pub(crate) struct Open {
    // Closed before the writer, which empties the log only when it is the last.
    pub(crate) pool: Arc<Pool>,
    pub(crate) writer: Writer,
}

impl Tenant {
    const fn of(owner: Owner) -> Self {
        Self { owner, open: OnceCell::const_new() }
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
            blocking(move || open_tenant(owner, absent, &options, idle)).await
        };
        self.open.get_or_try_init(open).await
    }

    /// Waits until the writer before has ended, if the file is open. `Busy` when that takes too long.
    pub(crate) async fn wait_for_writers(&self) -> Result<(), StoreError> {
        let Some(open) = self.open.get() else { return Ok(()) };
        match open.writer.step(|_| Ok(())).await {
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
        open.writer.close();
    }
}

fn open_tenant(owner: Owner, absent: Absent, options: &Options, idle: Arc<Semaphore>) -> Result<Open, StoreError> {
    let conn = open_with_head(&owner.path, absent, owner.id, options)?;
    owner.check(&read_head(&conn)?)?;
    let pool = Pool::new(owner.path.clone(), options.clone(), idle);
    Ok(Open { pool, writer: Writer::start(conn, owner, options.clone())? })
}

/// The tenants that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Tenants {
    kept: HashMap<TenantId, Kept>,
    /// How often any was asked for.
    asked: u64,
    /// That number when those that nobody asked for were last let go.
    swept: u64,
}

#[derive(Debug)]
struct Kept {
    tenant: Arc<Tenant>,
    /// The number of the question that it was last asked for by.
    used: u64,
}

impl Kept {
    /// Whether nobody holds it. It stays so while the tenants are locked.
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.tenant) == 1
    }
}

impl Tenants {
    /// The tenant, if it is kept.
    pub(crate) fn find(&mut self, id: TenantId) -> Option<Arc<Tenant>> {
        let kept = self.kept.get_mut(&id)?;
        self.asked += 1;
        kept.used = self.asked;
        Some(Arc::clone(&kept.tenant))
    }

    /// The tenant, kept from now on.
    pub(crate) fn keep(&mut self, owner: Owner) -> Arc<Tenant> {
        self.asked += 1;
        let used = self.asked;
        let kept = self.kept.entry(owner.id).or_insert_with(|| Kept { tenant: Arc::new(Tenant::of(owner)), used });
        Arc::clone(&kept.tenant)
    }

    /// Lets go of one.
    pub(crate) fn remove(&mut self, id: TenantId) -> Option<Arc<Tenant>> {
        self.kept.remove(&id).map(|kept| kept.tenant)
    }

    /// Lets go of those that had this file before that tenant.
    pub(crate) fn take_former(&mut self, id: TenantId, path: &Path) -> Vec<Arc<Tenant>> {
        self.take(|other, kept| other != id && kept.tenant.owner.path == path)
    }

    /// Lets go of idle ones, those first that were not asked for the longest, until `most` are left. More are where
    /// more are in use.
    pub(crate) fn take_beyond(&mut self, most: usize) -> Vec<Arc<Tenant>> {
        let excess = self.kept.len().saturating_sub(most);
        if excess == 0 {
            return Vec::new();
        }
        let mut idle: Vec<u64> = self.kept.values().filter(|kept| kept.is_idle()).map(|kept| kept.used).collect();
        idle.sort_unstable();
        idle.truncate(excess);
        self.take(|_, kept| idle.binary_search(&kept.used).is_ok())
    }

    /// Lets go of the idle ones that nobody asked for since the last call.
    pub(crate) fn take_unused(&mut self) -> Vec<Arc<Tenant>> {
        let since = std::mem::replace(&mut self.swept, self.asked);
        self.take(|_, kept| kept.used <= since && kept.is_idle())
    }

    /// The tenants whose files are open.
    pub(crate) fn ids(&self) -> Vec<TenantId> {
        self.kept.keys().copied().collect()
    }

    /// Those that are kept.
    pub(crate) fn all(&self) -> Vec<Arc<Tenant>> {
        self.kept.values().map(|kept| Arc::clone(&kept.tenant)).collect()
    }

    fn take(&mut self, mut goes: impl FnMut(TenantId, &Kept) -> bool) -> Vec<Arc<Tenant>> {
        self.kept.extract_if(|id, kept| goes(*id, kept)).map(|(_, kept)| kept.tenant).collect()
    }
}
