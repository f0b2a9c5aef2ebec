//! A write transaction on the thread that writes: its number, its change so far, and how it is closed.

use std::sync::Arc;

use domain::{Canonical, CanonicalWriter, Digest, Timestamp};
use ports::store::StoreError;
use ports::{ChainHead, Change, ChangeDigest, ChangeItem, RecordKind, TenantId, Verb, Version};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use crate::error::{Meaning as _, failed};

/// The one row of `head`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadRow {
    /// Whose records the file holds.
    pub(crate) tenant: TenantId,
    /// The head.
    pub(crate) head: ChainHead,
    /// The highest number a footprint ever had.
    pub(crate) footprints: u64,
}

impl HeadRow {
    /// Whether the tenant was removed, and the file is to go.
    pub(crate) fn is_given_up(&self) -> bool {
        self.tenant.uuid().is_nil()
    }

    /// What binds the row's columns together.
    pub(crate) fn seal(&self) -> Digest {
        self.digest()
    }
}

impl Canonical for HeadRow {
    fn write(&self, record: &mut CanonicalWriter) {
        record.text("tenant", self.tenant);
        record.text("number", self.head.number);
        record.text("digest", self.head.digest);
        record.text("epoch", self.head.epoch);
        record.text("catalog", self.head.catalog);
        record.text("footprints", self.footprints);
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
        .meant()?;
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
pub(crate) fn give_up(conn: &Connection) -> Result<(), StoreError> {
    conn.execute("UPDATE head SET tenant = ?", [Uuid::nil()]).meant()?;
    Ok(())
}

/// The number that stands for a kind in a row.
pub(crate) const fn kind_code(kind: RecordKind) -> i64 {
    match kind {
        RecordKind::Activity => 0,
        RecordKind::Scope => 1,
        RecordKind::Org => 2,
        RecordKind::Taxonomy => 3,
        RecordKind::Product => 4,
        RecordKind::Factor => 5,
        RecordKind::Model => 6,
        RecordKind::Input => 7,
        RecordKind::Switch => 8,
        RecordKind::Footprint => 9,
    }
}

/// The number that stands for a verb in a row.
pub(crate) const fn verb_code(verb: Verb) -> i64 {
    match verb {
        Verb::Added => 0,
        Verb::Updated => 1,
        Verb::Removed => 2,
    }
}

/// Who opened a transaction, and what for.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The moment that its records get.
    pub(crate) at: Timestamp,
    /// Who.
    pub(crate) actor: String,
    /// What for.
    pub(crate) cause: String,
}

/// A write transaction on the thread that writes.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    origin: Arc<Origin>,
    before: HeadRow,
    chain: ChangeDigest,
    items: u32,
    touches_catalog: bool,
    /// The highest number a footprint ever had.
    pub(crate) footprints: u64,
}

impl Session {
    /// A transaction behind that head.
    pub(crate) fn new(before: HeadRow, origin: Arc<Origin>) -> Self {
        let number = before.head.number + 1;
        let chain = ChangeDigest::new(before.head.digest, number, origin.at, &origin.actor, &origin.cause);
        Self { origin, before, chain, items: 0, touches_catalog: false, footprints: before.footprints }
    }

    /// The transaction's number.
    pub(crate) const fn number(&self) -> u64 {
        self.before.head.number + 1
    }

    /// The version of the records it writes.
    pub(crate) const fn version(&self) -> Version {
        Version(self.number())
    }

    /// The moment that its records get.
    pub(crate) fn at(&self) -> Timestamp {
        self.origin.at
    }

    /// Appends an item to the change.
    pub(crate) fn note(&mut self, conn: &Connection, item: &ChangeItem) -> Result<(), StoreError> {
        insert_item(conn, self.number(), self.items, item)?;
        self.chain.item(item);
        self.items = self.items.checked_add(1).ok_or_else(|| failed("a change has too many items"))?;
        self.touches_catalog |= match item.kind {
            RecordKind::Scope | RecordKind::Org | RecordKind::Taxonomy | RecordKind::Product => true,
            RecordKind::Activity
            | RecordKind::Factor
            | RecordKind::Model
            | RecordKind::Input
            | RecordKind::Switch
            | RecordKind::Footprint => false,
        };
        Ok(())
    }

    /// Writes the change and moves the head. Without items nothing is written and the head stays.
    pub(crate) fn close(&self, conn: &Connection) -> Result<ChainHead, StoreError> {
        if self.items == 0 {
            return Ok(self.before.head);
        }
        let number = self.number();
        let head = ChainHead {
            number,
            digest: self.chain.clone().finish(),
            epoch: self.before.head.epoch,
            catalog: if self.touches_catalog { number } else { self.before.head.catalog },
        };
        let row = HeadRow { tenant: self.before.tenant, head, footprints: self.footprints };
        let Origin { at, actor, cause } = &*self.origin;
        let (actor, cause) = (actor.clone(), cause.clone());
        insert_change(conn, &Change { number, at: *at, actor, cause, digest: head.digest })?;
        update_head(conn, &row)?;
        Ok(head)
    }
}

/// Writes the row of a change.
pub(crate) fn insert_change(conn: &Connection, change: &Change) -> Result<(), StoreError> {
    let Change { number, at, actor, cause, digest } = change;
    conn.prepare_cached("INSERT INTO change (number, at, actor, cause, digest) VALUES (?, ?, ?, ?, ?)")
        .and_then(|mut statement| statement.execute(params![number, at.millis(), actor, cause, digest.as_bytes()]))
        .map(|_| ())
        .meant()
}

/// Writes the row of a change's item.
pub(crate) fn insert_item(conn: &Connection, change: u64, ordinal: u32, item: &ChangeItem) -> Result<(), StoreError> {
    let ChangeItem { verb, kind, id, digest, replaced } = item;
    conn.prepare_cached(
        "INSERT INTO change_item (change, ordinal, verb, kind, id, digest, replaced) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .and_then(|mut statement| {
        let (verb, kind) = (verb_code(*verb), kind_code(*kind));
        statement.execute(params![change, ordinal, verb, kind, id, digest.as_bytes(), replaced])
    })
    .map(|_| ())
    .meant()
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
        .meant()
}
