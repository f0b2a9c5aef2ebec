//! What the change chain says of each record: how it came about, item by item, and how it was left.

use domain::Digest;
use ports::store::{StoreError, Verification};
use ports::{RecordKind, Verb};
use sea_orm::QueryResult;
use uuid::Uuid;

use super::cursor::Cursor;
use super::find;
use crate::conn::{TenantConn, column};
use crate::item::ITEMS;
use crate::row::{self, Damage};
use crate::session::{kind_code, kind_of, verb_of};

struct Columns {
    kind: i16,
    id: Uuid,
    change: i64,
    verb: i16,
    digest: Vec<u8>,
    replaced: Option<Vec<u8>>,
}

/// An item of a change, with the digest of what it replaced.
struct Item {
    kind: RecordKind,
    id: Uuid,
    change: u64,
    verb: Verb,
    digest: Digest,
    replaced: Option<Digest>,
}

/// The newest item of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newest {
    /// The record's kind.
    pub(super) kind: RecordKind,
    /// Its identifier.
    pub(super) id: Uuid,
    /// What was done to it.
    pub(super) verb: Verb,
    /// By which change.
    pub(super) change: u64,
    /// How it was left.
    pub(super) digest: Digest,
}

/// The records that the chain speaks of, in the order of kind, then identifier.
pub(super) struct History {
    items: Cursor<Columns>,
    item: Option<Item>,
    newest: Option<Newest>,
}

impl History {
    /// Begins with the first record.
    pub(super) async fn open(conn: &mut TenantConn, report: &mut Verification) -> Result<Self, StoreError> {
        let text = format!(
            "SELECT kind, id, change, verb, digest, sha256(convert_to(replaced, 'UTF8')) FROM {ITEMS} AS item \
             WHERE tenant_id = {{tenant}} ORDER BY kind, id, change, ordinal"
        );
        let items = Cursor::open(conn, "tonne_history", &text, Columns::of).await?;
        let mut history = Self { items, item: None, newest: None };
        history.item = history.next_item(conn, report).await?;
        history.advance(conn, report).await?;
        Ok(history)
    }

    /// The newest item of the next record, if that is not behind this one.
    pub(super) fn up_to(&self, kind: RecordKind, id: Uuid) -> Option<Newest> {
        self.newest.filter(|newest| (kind_code(newest.kind), newest.id) <= (kind_code(kind), id))
    }

    /// Goes on to the next record, and checks on the way that each of its items continues the one before.
    pub(super) async fn advance(&mut self, conn: &mut TenantConn, report: &mut Verification) -> Result<(), StoreError> {
        self.newest = None;
        while let Some(item) = self.item.take() {
            let Item { kind, id, change, verb, digest, .. } = item;
            let before = self.newest.filter(|before| before.verb != Verb::Removed).map(|before| before.digest);
            if !item.continues(before) {
                let detail = format!("what it replaced of {kind} {id} is not what stood there");
                find(report, format!("change {change}"), detail);
            }
            self.newest = Some(Newest { kind, id, verb, change, digest });
            self.item = self.next_item(conn, report).await?;
            if self.item.as_ref().is_none_or(|next| (next.kind, next.id) != (kind, id)) {
                break;
            }
        }
        Ok(())
    }

    /// The next item that reads.
    async fn next_item(
        &mut self,
        conn: &mut TenantConn,
        report: &mut Verification,
    ) -> Result<Option<Item>, StoreError> {
        while let Some(columns) = self.items.next(conn).await? {
            match columns.ok_or_else(|| row::damage("a column", "does not read")).and_then(Columns::read) {
                Ok(item) => return Ok(Some(item)),
                Err(Damage(detail)) => find(report, "an item of the change chain", detail),
            }
        }
        Ok(None)
    }
}

impl Columns {
    fn of(row: &QueryResult) -> Result<Self, StoreError> {
        Ok(Self {
            kind: column(row, 0)?,
            id: column(row, 1)?,
            change: column(row, 2)?,
            verb: column(row, 3)?,
            digest: column(row, 4)?,
            replaced: column(row, 5)?,
        })
    }

    fn read(self) -> Result<Item, Damage> {
        let (Some(kind), Some(verb)) = (kind_of(self.kind), verb_of(self.verb)) else {
            return Err(row::damage("kind", "is none"));
        };
        Ok(Item {
            kind,
            id: self.id,
            change: row::count("change", self.change)?,
            verb,
            digest: row::digest("digest", &self.digest)?,
            replaced: self.replaced.map(|digest| row::digest("replaced", &digest)).transpose()?,
        })
    }
}

impl Item {
    /// Whether it replaced what stood there.
    fn continues(&self, before: Option<Digest>) -> bool {
        match self.verb {
            Verb::Added => before.is_none() && self.replaced.is_none(),
            Verb::Updated => self.replaced.is_some() && self.replaced == before,
            Verb::Removed => self.replaced.is_some() && self.replaced == before && before == Some(self.digest),
        }
    }
}
