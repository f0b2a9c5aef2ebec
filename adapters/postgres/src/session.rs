//! A write transaction's number, its change so far, and how it is closed.

use domain::Timestamp;
use ports::store::StoreError;
use ports::{ChainHead, ChangeDigest, ChangeItem, RecordKind, Verb, Version};
use sea_orm::Value;

use crate::conn::{Conn, TenantConn, sql};
use crate::database::Bulk;
use crate::error::failed;
use crate::head::{self, HeadRow, Lock};
use crate::item::Items;
use crate::row;

/// The number that stands for a kind in a row.
pub(crate) const fn kind_code(kind: RecordKind) -> i16 {
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

/// The kind that a number in a row stands for.
pub(crate) fn kind_of(code: i16) -> Option<RecordKind> {
    RecordKind::ALL.into_iter().find(|kind| kind_code(*kind) == code)
}

/// The number that stands for a verb in a row.
pub(crate) const fn verb_code(verb: Verb) -> i16 {
    match verb {
        Verb::Added => 0,
        Verb::Updated => 1,
        Verb::Removed => 2,
    }
}

/// The verb that a number in a row stands for.
pub(crate) fn verb_of(code: i16) -> Option<Verb> {
    [Verb::Added, Verb::Updated, Verb::Removed].into_iter().find(|verb| verb_code(*verb) == code)
}

/// Who opened a transaction, and what for.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The moment that its records get.
    pub(crate) at: Timestamp,
    /// Who.
    pub(crate) actor: String,
    /// What for.
    pub(crate) cause: String,
}

/// What a write transaction knows of itself. A clone is what it knew then.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    origin: Origin,
    before: HeadRow,
    chain: ChangeDigest,
    items: u32,
    touches_catalog: bool,
    /// The highest number a footprint ever had.
    pub(crate) footprints: u64,
}

impl Session {
    /// Locks the head: from here on the tenant's other writers wait, on every node.
    pub(crate) async fn open(conn: &mut TenantConn, origin: Origin) -> Result<Self, StoreError> {
        let before = head::read(conn, Lock::Taken).await?;
        let chain =
            ChangeDigest::new(before.head.digest, before.head.number + 1, origin.at, &origin.actor, &origin.cause);
        Ok(Self { origin, before, chain, items: 0, touches_catalog: false, footprints: before.footprints })
    }

    /// The head before the transaction.
    pub(crate) const fn before(&self) -> ChainHead {
        self.before.head
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
    pub(crate) const fn at(&self) -> Timestamp {
        self.origin.at
    }

    /// Takes an item into the change, and gives its place there. Its row is the caller's to write.
    pub(crate) fn count(&mut self, item: &ChangeItem) -> Result<u32, StoreError> {
        let ordinal = self.items;
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
        Ok(ordinal)
    }

    /// Appends an item to the change.
    pub(crate) async fn note(&mut self, conn: &mut TenantConn, item: &ChangeItem) -> Result<(), StoreError> {
        let ordinal = self.count(item)?;
        let mut items = Items::new();
        items.push(self.number(), ordinal, item)?;
        items.insert(conn, Bulk::Rows).await
    }

    /// Writes the change and moves the head. Without items nothing is written and the head stays.
    pub(crate) async fn close(&self, conn: &mut Conn) -> Result<ChainHead, StoreError> {
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
        let text = "INSERT INTO tonne.change (tenant_id, number, at, actor, cause, digest) \
                    VALUES ($1, $2, $3, $4, $5, $6)";
        let Origin { at, actor, cause } = &self.origin;
        let values: [Value; 6] = [
            row.tenant.uuid().into(),
            row::integer(number)?,
            row::at(*at),
            actor.clone().into(),
            cause.clone().into(),
            row::bytes(head.digest),
        ];
        conn.execute(sql(text, values)).await?;
        head::write(conn, &row).await?;
        Ok(head)
    }
}
