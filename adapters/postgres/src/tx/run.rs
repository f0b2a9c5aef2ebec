//! Where the statements of a transaction run: in a snapshot, or while the tenant's other writers wait.

use std::sync::Arc;

use ports::ChainHead;
use ports::store::StoreError;

use crate::activity::Walk;
use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::error::failed;
use crate::known_references::{KnownReferences, ReferenceCache};
use crate::session::Session;

/// Where the statements of a transaction run.
pub(crate) trait Run: Send {
    /// The head at the transaction's begin.
    fn head(&self) -> ChainHead;

    fn conn(&mut self) -> &mut TenantConn;

    /// The walk along activities that goes on, where nothing is written meanwhile.
    fn walk(&mut self) -> Option<(&mut TenantConn, &mut Walk)>;
}

/// A snapshot of a tenant.
pub(crate) struct Snapshot {
    conn: TenantConn,
    head: ChainHead,
    walk: Walk,
}

impl Snapshot {
    /// The snapshot that was fixed by reading that head in it.
    pub(crate) fn new(conn: TenantConn, head: ChainHead) -> Self {
        Self { conn, head, walk: Walk::default() }
    }
}

impl Run for Snapshot {
    fn head(&self) -> ChainHead {
        self.head
    }

    fn conn(&mut self) -> &mut TenantConn {
        &mut self.conn
    }

    fn walk(&mut self) -> Option<(&mut TenantConn, &mut Walk)> {
        Some((&mut self.conn, &mut self.walk))
    }
}

/// A write transaction's time: the tenant's head is locked, and its other writers wait.
pub(crate) struct WriteSlot {
    conn: TenantConn,
    session: Session,
    bulk: Bulk,
    references: KnownReferences,
    cache: Arc<ReferenceCache>,
    // Whether a call was broken off: what it has written may be a part of what it was to write.
    torn: bool,
}

impl WriteSlot {
    /// The time of the writer that holds that head.
    pub(crate) fn new(conn: TenantConn, session: Session, bulk: Bulk, cache: Arc<ReferenceCache>) -> Self {
        let references = cache.take(conn.tenant(), session.before());
        Self { conn, session, bulk, references, cache, torn: false }
    }

    /// By which way many rows come in.
    pub(crate) const fn bulk(&self) -> Bulk {
        self.bulk
    }

    /// Begins a call that writes.
    pub(crate) const fn begin(&mut self) -> (&mut TenantConn, &mut Session) {
        self.torn = true;
        (&mut self.conn, &mut self.session)
    }

    /// Begins a call that writes many activities.
    pub(crate) const fn begin_many(&mut self) -> (&mut TenantConn, &mut Session, &mut KnownReferences) {
        self.torn = true;
        (&mut self.conn, &mut self.session, &mut self.references)
    }

    /// Forgets what was looked up: some of it may be removed.
    pub(crate) fn forget_references(&mut self) {
        self.references.clear();
    }

    /// Ends a call that writes. One that met a conflict has written nothing.
    pub(crate) async fn end<T>(&mut self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        match &done {
            Ok(_) => {
                self.session.keep(&mut self.conn).await?;
                self.torn = false;
            }
            Err(StoreError::Conflict(_) | StoreError::Stale) => {
                self.session.undo();
                self.torn = false;
            }
            Err(StoreError::Corrupt { .. } | StoreError::Busy(_) | StoreError::Unknown(_) | StoreError::Failed(_)) => {}
        }
        done
    }

    /// Makes it durable and visible.
    pub(crate) async fn commit(self) -> Result<ChainHead, StoreError> {
        let Self { mut conn, session, references, cache, torn, .. } = self;
        if torn {
            return Err(failed("a call of the transaction failed or was broken off"));
        }
        let (tenant, before, writes_beside) = (conn.tenant(), session.before(), session.writes_beside);
        let head = session.close(&mut conn).await?;
        if head == before && !writes_beside {
            conn.end().await?;
        } else {
            conn.commit().await?;
        }
        cache.keep(tenant, head, references);
        Ok(head)
    }
}

impl Run for WriteSlot {
    fn head(&self) -> ChainHead {
        self.session.before()
    }

    fn conn(&mut self) -> &mut TenantConn {
        &mut self.conn
    }

    fn walk(&mut self) -> Option<(&mut TenantConn, &mut Walk)> {
        None
    }
}
