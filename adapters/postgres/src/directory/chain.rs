//! Where the directory's changes are written: its head is locked from before the first look until they are stored.
//!
//! Writers queue for the one row of `head`, so the chain never forks, whichever nodes they are on.

use domain::Timestamp;
use ports::Version;
use ports::directory::{DirectoryChange, DirectoryDraft, DirectoryHead, DirectoryItem};
use ports::store::StoreError;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{DbBackend, EntityTrait as _, IntoActiveModel as _, QuerySelect as _, QueryTrait as _};

use super::entity::{change, change_item, head};
use crate::conn::{Conn, sql};
use crate::error::failed;
use crate::head::check_format;
use crate::row::{self, Damage};

/// So many items go into one statement, which has at most 65,535 parameters.
const ITEMS_AT_ONCE: usize = 1_000;

/// Refuses a later format, in a transaction that waits for no other writer: none can change it until the transaction ends.
pub(super) async fn check_format_beside_writers(conn: &mut Conn) -> Result<(), StoreError> {
    conn.execute(sql("LOCK TABLE tonne_directory.head IN ROW SHARE MODE", [])).await?;
    check_format(conn).await
}

/// A transaction that changes the directory, behind the others.
pub(super) struct DirectoryWrite {
    /// Where its statements run.
    pub(super) conn: Conn,
    /// Its change in the making.
    pub(super) draft: DirectoryDraft,
}

impl DirectoryWrite {
    /// Waits until the writers before have ended, on every node.
    pub(super) async fn open(
        mut conn: Conn,
        at: Timestamp,
        actor: &str,
        cause: &'static str,
    ) -> Result<Self, StoreError> {
        let statement = head::Entity::find().lock_exclusive().build(DbBackend::Postgres);
        let head = read_head(conn.one(statement).await?)?;
        check_format(&mut conn).await?;
        Ok(Self { conn, draft: DirectoryDraft::behind(head, at, actor, cause) })
    }

    /// The version of the records that it writes.
    pub(super) const fn version(&self) -> Version {
        self.draft.version()
    }

    /// Makes durable what was written. Where something was noted, the change is appended to the chain and the version
    /// raised; else the chain stays.
    pub(super) async fn close(self) -> Result<(), StoreError> {
        let Self { mut conn, draft } = self;
        let Some(DirectoryChange { number, at, actor, cause, items, digest }) = draft.close() else {
            return conn.end().await;
        };
        let number = i64::try_from(number).map_err(|_| failed("the version is out of range"))?;
        let digest = digest.as_bytes().to_vec();
        let row = change::Model { number, at: at.instant(), actor, cause, digest: digest.clone() };
        conn.execute(change::Entity::insert(row.into_active_model()).build(DbBackend::Postgres)).await?;
        let rows: Vec<_> = items.into_iter().zip(0..).map(|(item, ordinal)| item_row(number, ordinal, item)).collect();
        for some in rows.chunks(ITEMS_AT_ONCE) {
            let some = some.iter().cloned().map(change_item::Model::into_active_model);
            conn.execute(change_item::Entity::insert_many(some).build(DbBackend::Postgres)).await?;
        }
        let row = head::ActiveModel { one: Unchanged(1), number: Set(number), digest: Set(digest) };
        let statement = head::Entity::update(row).validate().map_err(|error| failed(error.to_string()))?;
        conn.execute(statement.build(DbBackend::Postgres)).await?;
        conn.commit().await
    }
}

fn item_row(change: i64, ordinal: i32, item: DirectoryItem) -> change_item::Model {
    let DirectoryItem { verb, kind, id, digest, replaced } = item;
    let (verb, kind, digest) = (verb.as_str().to_owned(), kind.to_string(), digest.as_bytes().to_vec());
    change_item::Model { change, ordinal, verb, kind, id, digest, replaced }
}

/// Where the chain ends, in a snapshot.
pub(super) async fn read(conn: &mut Conn) -> Result<DirectoryHead, StoreError> {
    read_head(conn.one(head::Entity::find().build(DbBackend::Postgres)).await?)
}

fn read_head(row: Option<head::Model>) -> Result<DirectoryHead, StoreError> {
    let row = row.ok_or_else(|| failed("the directory has no head"))?;
    let read = || -> Result<_, Damage> {
        Ok(DirectoryHead { number: row::count("number", row.number)?, digest: row::digest("digest", &row.digest)? })
    };
    read().map_err(|Damage(detail)| StoreError::Corrupt { subject: "head".to_owned(), detail })
}
