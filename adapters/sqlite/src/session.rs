//! A write transaction on the thread that writes: its change so far, and how it is closed.

use domain::{Activity, Digest, Posting, Timestamp};
use ports::ledger::{Closed, Draft, head_seal};
use ports::store::{Intent, StoreError};
use ports::{Action, ChainHead, ChangeItem, RecordKind, TenantId, Version};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::keys::KnownKeys;
use crate::ledger::{insert_change, insert_parts};
use crate::usage::Usage;

/// The one row of `head`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadRow {
    /// Whose records the file holds.
    pub(crate) tenant: TenantId,
    pub(crate) head: ChainHead,
    /// The highest number a footprint ever had.
    pub(crate) footprints: u64,
}

impl HeadRow {
    /// Whether the tenant was removed, and the file is to go.
    pub(crate) fn is_removed(&self) -> bool {
        self.tenant.uuid().is_nil()
    }

    /// What binds the row's columns together.
    pub(crate) fn seal(&self) -> Digest {
        head_seal(self.tenant, &self.head, self.footprints)
    }
}

/// Reads the head row.
pub(crate) fn read_head(conn: &Connection) -> Result<HeadRow, StoreError> {
    let row = conn
        .prepare_cached("SELECT tenant, number, digest, epoch, catalog, footprints FROM head")
        .and_then(|mut statement| {
            statement
                .query_row([], |row| {
                    let head = ChainHead {
                        number: row.get(1)?,
                        digest: Digest::from_stored(row.get(2)?),
                        epoch: row.get(3)?,
                        catalog: row.get(4)?,
                    };
                    Ok(HeadRow { tenant: TenantId::new(row.get(0)?), head, footprints: row.get(5)? })
                })
                .optional()
        })
        .store_err()?;
    row.ok_or_else(|| StoreError::Corrupt { subject: "head".to_owned(), detail: "its row is missing".to_owned() })
}

/// Writes the head row of a new tenant, where there is none. Where there is one it takes no lock.
pub(crate) fn make_head(conn: &Connection, tenant: TenantId, epoch: Uuid) -> Result<(), rusqlite::Error> {
    if conn.query_row("SELECT EXISTS (SELECT 1 FROM head)", [], |row| row.get(0))? {
        return Ok(());
    }
    let row = HeadRow { tenant, head: ChainHead { number: 0, digest: Digest::ZERO, epoch, catalog: 0 }, footprints: 0 };
    conn.execute(
        "INSERT OR IGNORE INTO head (one, tenant, number, digest, epoch, catalog, footprints, seal) \
         VALUES (1, ?, 0, ?, ?, 0, 0, ?)",
        params![tenant.uuid(), row.head.digest.as_bytes(), epoch, row.seal().as_bytes()],
    )?;
    Ok(())
}

/// Says that the file is nobody's any more: nothing that has it open can read or write in it from then on.
pub(crate) fn mark_removed(conn: &Connection) -> Result<(), StoreError> {
    conn.execute("UPDATE head SET tenant = ?", [Uuid::nil()]).store_err()?;
    Ok(())
}

/// Puts another epoch into the head row.
pub(crate) fn renew_epoch(conn: &Connection, epoch: Uuid) -> Result<(), StoreError> {
    let row = read_head(conn)?;
    update_head(conn, &HeadRow { head: ChainHead { epoch, ..row.head }, ..row })
}

/// Writes the head row anew, all but whose it is.
pub(crate) fn update_head(conn: &Connection, row: &HeadRow) -> Result<(), StoreError> {
    let ChainHead { number, digest, epoch, catalog } = row.head;
    conn.prepare_cached("UPDATE head SET number = ?, digest = ?, epoch = ?, catalog = ?, footprints = ?, seal = ?")
        .and_then(|mut statement| {
            let seal = row.seal();
            statement.execute(params![number, digest.as_bytes(), epoch, catalog, row.footprints, seal.as_bytes()])
        })
        .map(|_| ())
        .store_err()
}

/// Who opened a transaction, and what for.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// What for, and the moment that its records get.
    pub(crate) intent: Intent,
    /// The caller, as the change names it.
    pub(crate) actor: String,
}

/// A write transaction on the thread that writes.
#[derive(Debug)]
pub(crate) struct Session {
    tenant: TenantId,
    draft: Draft,
    usage: Usage,
    /// The keys of what the activities of this change refer to.
    pub(crate) keys: KnownKeys,
    /// The highest number a footprint ever had.
    pub(crate) footprints: u64,
    /// The same before the call under way.
    footprints_before: u64,
}

impl Session {
    /// A transaction behind that head.
    pub(crate) fn new(before: HeadRow, origin: &Origin, keys: KnownKeys) -> Self {
        let draft = Draft::new(before.head, &origin.intent, &origin.actor);
        let HeadRow { tenant, footprints, .. } = before;
        let keys = keys.behind(before.head);
        Self { tenant, draft, usage: Usage::default(), keys, footprints, footprints_before: footprints }
    }

    /// The head before it.
    pub(crate) const fn before(&self) -> ChainHead {
        self.draft.before()
    }

    /// The version of the records it writes.
    pub(crate) const fn version(&self) -> Version {
        self.draft.version()
    }

    /// The moment that its records get.
    pub(crate) const fn at(&self) -> Timestamp {
        self.draft.at()
    }

    /// Notes what the call under way did with a record.
    pub(crate) fn note(&mut self, item: ChangeItem) {
        if matches!(item.action, Action::Removed(_)) && item.kind != RecordKind::Activity {
            self.keys.clear();
        }
        self.draft.note(item);
    }

    /// Notes from which lines of its file the import wrote the activities that have none yet.
    pub(crate) fn note_lines(&mut self, lines: &[u64]) {
        self.draft.note_lines(lines);
    }

    /// Notes that the call under way added an activity.
    pub(crate) fn post(&mut self, series: u32, activity: &Activity) {
        let posting: Posting = activity.posting();
        self.draft.post(series, &posting);
        self.usage.add(activity);
    }

    /// Notes that the call under way took an activity away.
    pub(crate) fn unpost(&mut self, series: u32, activity: &Activity) {
        self.draft.unpost(series, &activity.posting());
        self.usage.take(activity);
    }

    /// Writes what later calls of the transaction may ask for.
    pub(crate) fn write_usage(&mut self, conn: &Connection) -> Result<(), StoreError> {
        self.usage.write(conn)
    }

    /// Keeps what the call did, and writes what of it fills rows.
    pub(crate) fn keep(&mut self, conn: &Connection) -> Result<(), StoreError> {
        self.draft.keep()?;
        self.footprints_before = self.footprints;
        insert_parts(conn, &self.draft.take_full())
    }

    /// Forgets what the call did.
    pub(crate) fn undo(&mut self) {
        self.draft.undo();
        self.usage = Usage::default();
        self.keys.clear();
        self.footprints = self.footprints_before;
    }

    /// Writes the change and moves the head; the keys hold behind it. Without items nothing is written and the head stays.
    pub(crate) fn close(self, conn: &Connection) -> Result<(ChainHead, KnownKeys), StoreError> {
        let Self { tenant, draft, footprints, keys, .. } = self;
        let before = draft.before();
        let Some(Closed { change, head, parts }) = draft.close()? else { return Ok((before, keys.at(before))) };
        insert_change(conn, &change)?;
        insert_parts(conn, &parts)?;
        update_head(conn, &HeadRow { tenant, head, footprints })?;
        Ok((head, keys.at(head)))
    }
}
