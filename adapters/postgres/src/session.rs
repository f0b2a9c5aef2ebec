//! What a write transaction knows of itself: its change in the making, and how it is closed.

use domain::Timestamp;
use ports::ledger::{Closed, Draft};
use ports::store::{Intent, StoreError};
use ports::{ChainHead, Version};

use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::head::{self, HeadRow, Lock};
use crate::ledger;

/// What a write transaction knows of itself.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) draft: Draft,
    before: HeadRow,
    /// The highest number that a footprint ever had.
    pub(crate) footprints: u64,
    /// The same before the call under way.
    kept_footprints: u64,
    /// Whether it stores a first answer or an import, which make no change.
    pub(crate) writes_beside: bool,
}

impl Session {
    /// Locks the head: from here on the tenant's other writers wait, on every node.
    pub(crate) async fn open(conn: &mut TenantConn, intent: &Intent, actor: &str) -> Result<Self, StoreError> {
        Ok(Self::behind(head::read(conn, Lock::Write).await?, intent, actor))
    }

    /// The same behind a head that is locked already.
    pub(crate) fn behind(before: HeadRow, intent: &Intent, actor: &str) -> Self {
        let draft = Draft::new(before.head, intent, actor);
        Self { draft, before, footprints: before.footprints, kept_footprints: before.footprints, writes_beside: false }
    }

    /// The head before the transaction.
    pub(crate) const fn before(&self) -> ChainHead {
        self.before.head
    }

    /// The version of the records it writes.
    pub(crate) const fn version(&self) -> Version {
        self.draft.version()
    }

    /// The moment that its records get.
    pub(crate) const fn at(&self) -> Timestamp {
        self.draft.at()
    }

    /// Keeps what a call wrote, and writes the parts of the change that are full.
    pub(crate) async fn keep(&mut self, conn: &mut TenantConn) -> Result<(), StoreError> {
        self.kept_footprints = self.footprints;
        self.draft.keep()?;
        let parts = self.draft.take_full();
        ledger::write(conn, parts).await
    }

    /// Forgets what a call was about to write.
    pub(crate) fn undo(&mut self) {
        self.footprints = self.kept_footprints;
        self.draft.undo();
    }

    /// The change, closed, and the highest number that a footprint ever had; `None` where nothing was written.
    pub(crate) fn into_closed(self) -> Result<Option<(Closed, u64)>, StoreError> {
        let Self { draft, footprints, .. } = self;
        Ok(draft.close()?.map(|closed| (closed, footprints)))
    }

    /// Writes the change and moves the head. Where nothing was written the head stays.
    pub(crate) async fn close(self, conn: &mut TenantConn) -> Result<ChainHead, StoreError> {
        let before = self.before;
        let Some((Closed { change, head, parts }, footprints)) = self.into_closed()? else { return Ok(before.head) };
        ledger::write(conn, parts).await?;
        let mut changes = ledger::changes();
        ledger::change_row(&mut changes, &change)?;
        changes.insert(conn, Bulk::Rows).await?;
        head::write(conn, &HeadRow { tenant: before.tenant, head, footprints }).await?;
        Ok(head)
    }
}
