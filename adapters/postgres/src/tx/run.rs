//! Where the statements of a transaction run: in a snapshot, or in the turn of a writer.

use ports::ChainHead;
use ports::store::StoreError;

use crate::activity::Walk;
use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::error::failed;
use crate::session::Session;

/// Where the statements of a transaction run.
pub(crate) trait Run: Send {
    /// The head at the transaction's begin.
    fn head(&self) -> ChainHead;

    /// Where statements go.
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

/// The turn of a write transaction: the tenant's head is locked.
pub(crate) struct Turn {
    conn: TenantConn,
    session: Session,
    bulk: Bulk,
    // Whether a call was broken off: what it has written may be a part of what it was to write.
    torn: bool,
}

impl Turn {
    /// The turn that holds that head.
    pub(crate) const fn new(conn: TenantConn, session: Session, bulk: Bulk) -> Self {
        Self { conn, session, bulk, torn: false }
    }

    /// By which way many rows come in.
    pub(crate) const fn bulk(&self) -> Bulk {
        self.bulk
    }

    /// Begins a call that writes, and gives what the transaction knows of itself before it.
    pub(crate) fn open(&mut self) -> (Session, &mut TenantConn, &mut Session) {
        self.torn = true;
        (self.session.clone(), &mut self.conn, &mut self.session)
    }

    /// Ends a call that writes. One that met a conflict has written nothing.
    pub(crate) fn settle<T>(&mut self, before: Session, done: Result<T, StoreError>) -> Result<T, StoreError> {
        match &done {
            Ok(_) => self.torn = false,
            Err(StoreError::Conflict(_) | StoreError::Stale) => {
                self.session = before;
                self.torn = false;
            }
            Err(StoreError::Corrupt { .. } | StoreError::Busy(_) | StoreError::Failed(_)) => {}
        }
        done
    }

    /// Makes it durable and visible.
    pub(crate) async fn commit(mut self) -> Result<ChainHead, StoreError> {
        if self.torn {
            return Err(failed("a call of the transaction failed or was broken off"));
        }
        let head = self.session.close(&mut self.conn).await?;
        self.conn.commit().await?;
        Ok(head)
    }
}

impl Run for Turn {
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
