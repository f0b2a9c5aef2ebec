//! The items of changes: how they are packed into rows, and how they come out again.
//!
//! Items that follow each other in a change with the same verb and kind share a row, so that a batch of thousands costs
//! hundreds of rows.

use domain::Digest;
use ports::store::StoreError;
use ports::{ChangeItem, RecordKind, Verb};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::bulk::{Kind, Rows, Target};
use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::error::failed;
use crate::row::{self, Damage};
use crate::session::{kind_code, kind_of, verb_code, verb_of};

/// The items of all changes, each with its own ordinal: what stands behind FROM, in need of a name. It has the columns
/// `tenant_id`, `change` and those of [`ItemRow`].
pub(crate) const ITEMS: &str = "(SELECT tenant_id, change, ordinal + place::integer - 1 AS ordinal, verb, kind, \
    one.id, substring(digests FROM place::integer * 32 - 31 FOR 32) AS digest, one.replaced \
    FROM tonne.change_item, unnest(ids, replaced) WITH ORDINALITY AS one (id, replaced, place))";

/// How many items share a row: as many as stand in it without being moved out of line.
const MOST: usize = 32;

static TABLE: Target = Target {
    table: "tonne.change_item",
    columns: &[
        ("change", Kind::Bigint),
        ("ordinal", Kind::Integer),
        ("verb", Kind::Smallint),
        ("kind", Kind::Smallint),
        ("ids", Kind::Uuids),
        ("digests", Kind::Bytes),
        ("replaced", Kind::Texts),
    ],
    end: "",
};

/// An item as it is read.
#[derive(Debug, FromQueryResult)]
pub(crate) struct ItemRow {
    /// The number of its change.
    pub(crate) change: i64,
    /// Its place in the change, from 0.
    pub(crate) ordinal: i32,
    /// What was done, by [`verb_code`].
    pub(crate) verb: i16,
    /// The record's kind, by [`kind_code`].
    pub(crate) kind: i16,
    /// The record's identifier.
    pub(crate) id: Uuid,
    /// How it was left.
    pub(crate) digest: Vec<u8>,
    /// What is gone.
    pub(crate) replaced: Option<String>,
}

impl ItemRow {
    /// The item.
    pub(crate) fn read(self) -> Result<ChangeItem, Damage> {
        let (Some(verb), Some(kind)) = (verb_of(self.verb), kind_of(self.kind)) else {
            return Err(row::damage("kind", "is none"));
        };
        let digest = row::digest("item.digest", &self.digest)?;
        Ok(ChangeItem { verb, kind, id: self.id, digest, replaced: self.replaced })
    }
}

/// Items on their way into their table, in the order of their changes and places.
#[derive(Debug)]
pub(crate) struct Items {
    rows: Rows,
    run: Option<Run>,
}

/// Items that share a row.
#[derive(Debug)]
struct Run {
    change: u64,
    ordinal: u32,
    verb: Verb,
    kind: RecordKind,
    ids: Vec<Uuid>,
    digests: Vec<Digest>,
    replaced: Vec<Option<String>>,
}

impl Items {
    /// No items yet.
    pub(crate) fn new() -> Self {
        Self { rows: Rows::new(&TABLE), run: None }
    }

    /// How many rows there are about.
    pub(crate) const fn rows(&self) -> usize {
        self.rows.count()
    }

    /// How many bytes the rows have.
    pub(crate) const fn bytes(&self) -> usize {
        self.rows.bytes()
    }

    /// Appends the item that stands at that place of a change.
    pub(crate) fn push(&mut self, change: u64, ordinal: u32, item: &ChangeItem) -> Result<(), StoreError> {
        let ChangeItem { verb, kind, id, digest, replaced } = item;
        let next = self.run.take_if(|run| !run.goes_on(change, ordinal, item));
        if let Some(run) = next {
            run.write(&mut self.rows)?;
        }
        let run = self.run.get_or_insert_with(|| Run {
            change,
            ordinal,
            verb: *verb,
            kind: *kind,
            ids: Vec::new(),
            digests: Vec::new(),
            replaced: Vec::new(),
        });
        run.ids.push(*id);
        run.digests.push(*digest);
        run.replaced.push(replaced.clone());
        Ok(())
    }

    /// Writes them.
    pub(crate) async fn insert(mut self, conn: &mut TenantConn, bulk: Bulk) -> Result<(), StoreError> {
        if let Some(run) = self.run.take() {
            run.write(&mut self.rows)?;
        }
        self.rows.insert(conn, bulk).await
    }
}

impl Run {
    /// Whether the item is the next one and still fits in.
    fn goes_on(&self, change: u64, ordinal: u32, item: &ChangeItem) -> bool {
        let place = ordinal.checked_sub(self.ordinal).and_then(|place| usize::try_from(place).ok());
        self.change == change
            && (self.verb, self.kind) == (item.verb, item.kind)
            && place == Some(self.ids.len())
            && self.ids.len() < MOST
    }

    fn write(&self, rows: &mut Rows) -> Result<(), StoreError> {
        let change = i64::try_from(self.change).map_err(|_| failed("the number of a change is out of range"))?;
        let ordinal = i32::try_from(self.ordinal).map_err(|_| failed("a change has too many items"))?;
        let digests: Vec<u8> = self.digests.iter().flat_map(|digest| *digest.as_bytes()).collect();
        let replaced = self.replaced.iter().any(Option::is_some).then_some(self.replaced.as_slice());
        let mut row = rows.row();
        row.bigint(change).integer(ordinal).smallint(verb_code(self.verb)).smallint(kind_code(self.kind));
        row.ids(&self.ids).bytes(&digests).texts_or_null(replaced);
        Ok(())
    }
}
