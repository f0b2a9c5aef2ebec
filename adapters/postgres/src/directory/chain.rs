//! The directory's change chain. Its newest number is the directory's version.
//!
//! Writers queue for the one row of `head`: what a turn reads is what no other changes before it ends, so the chain
//! never forks, whichever nodes the writers are on.

use std::fmt::Display;

use domain::{Canonical, CanonicalWriter, Digest, Timestamp};
use ports::Verb;
use ports::store::StoreError;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{DbBackend, EntityTrait as _, IntoActiveModel as _, QuerySelect as _, QueryTrait as _};

use super::entity::{change, change_item, head};
use super::entry::{Bound, Entry};
use crate::conn::Conn;
use crate::error::failed;
use crate::row::{self, Damage};

/// So many items go into one statement, which has at most 65,535 parameters.
const ITEMS_AT_ONCE: usize = 1_000;

/// One entry of a change.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) verb: Verb,
    pub(super) kind: String,
    pub(super) id: String,
    pub(super) digest: Digest,
    /// The canonical text of what was replaced or removed.
    pub(super) replaced: Option<String>,
}

impl Canonical for Item {
    fn write(&self, record: &mut CanonicalWriter) {
        record.text("verb", self.verb.as_str());
        record.text("kind", &self.kind);
        record.text("id", &self.id);
        record.text("digest", self.digest);
    }
}

/// A change as the chain binds it.
#[derive(Debug)]
pub(super) struct Link<'a> {
    pub(super) previous: Digest,
    pub(super) number: u64,
    pub(super) at: Timestamp,
    pub(super) actor: &'a str,
    pub(super) cause: &'a str,
    pub(super) items: &'a [Item],
}

impl Canonical for Link<'_> {
    fn write(&self, record: &mut CanonicalWriter) {
        record.text("previous", self.previous);
        record.text("number", self.number);
        record.text("at", self.at);
        record.text("actor", self.actor);
        record.text("cause", self.cause);
        record.records("items", self.items);
    }
}

/// The turn of a writer, with its change in the making.
pub(super) struct Turn {
    /// Where its statements run.
    pub(super) conn: Conn,
    before: (u64, Digest),
    at: Timestamp,
    actor: String,
    cause: &'static str,
    items: Vec<Item>,
}

impl Turn {
    /// Waits until the writers before have ended, on every node.
    pub(super) async fn open(
        mut conn: Conn,
        at: Timestamp,
        actor: &str,
        cause: &'static str,
    ) -> Result<Self, StoreError> {
        let statement = head::Entity::find().lock_exclusive().build(DbBackend::Postgres);
        let before = read_head(conn.one(statement).await?)?;
        Ok(Self { conn, before, at, actor: actor.to_owned(), cause, items: Vec::new() })
    }

    /// Notes that `after` is written in place of `before`, if there was one. Gives the digest of what is there now.
    pub(super) fn put<E: Entry>(&mut self, before: Option<&E>, after: &E) -> Digest {
        let verb = if before.is_some() { Verb::Updated } else { Verb::Added };
        let digest = Bound(after).digest();
        self.note(verb, E::KIND, after.id(), digest, before.map(|before| Bound(before).canonical()));
        digest
    }

    /// Notes that an entry is removed.
    pub(super) fn remove<E: Entry>(&mut self, before: &E) {
        let text = Bound(before).canonical();
        self.note(Verb::Removed, E::KIND, before.id(), Digest::of(text.as_bytes()), Some(text));
    }

    /// Notes an event that leaves no entry behind.
    pub(super) fn event(&mut self, kind: &str, id: impl Display, event: &impl Canonical) {
        self.note(Verb::Added, kind, id, event.digest(), None);
    }

    fn note(&mut self, verb: Verb, kind: &str, id: impl Display, digest: Digest, replaced: Option<String>) {
        self.items.push(Item { verb, kind: kind.to_owned(), id: id.to_string(), digest, replaced });
    }

    /// Makes durable what was written. With items the change is appended to the chain and the version raised; without
    /// any the chain stays.
    pub(super) async fn close(self) -> Result<(), StoreError> {
        let Self { mut conn, before: (before, previous), at, actor, cause, items } = self;
        if items.is_empty() {
            return conn.commit().await;
        }
        let digest = Link { previous, number: before + 1, at, actor: &actor, cause, items: &items }.digest();
        let number = i64::try_from(before + 1).map_err(|_| failed("the version is out of range"))?;
        let digest = digest.as_bytes().to_vec();
        let row = change::Model { number, at: at.instant(), actor, cause: cause.to_owned(), digest: digest.clone() };
        conn.execute(change::Entity::insert(row.into_active_model()).build(DbBackend::Postgres)).await?;
        let mut rows = Vec::with_capacity(items.len());
        for (item, ordinal) in items.into_iter().zip(0..) {
            rows.push(item_row(number, ordinal, item).into_active_model());
        }
        for some in rows.chunks(ITEMS_AT_ONCE) {
            let statement = change_item::Entity::insert_many(some.iter().cloned()).build(DbBackend::Postgres);
            conn.execute(statement).await?;
        }
        let row = head::ActiveModel { one: Unchanged(1), number: Set(number), digest: Set(digest) };
        let statement = head::Entity::update(row).validate().map_err(|error| failed(error.to_string()))?;
        conn.execute(statement.build(DbBackend::Postgres)).await?;
        conn.commit().await
    }
}

fn item_row(change: i64, ordinal: i32, item: Item) -> change_item::Model {
    let Item { verb, kind, id, digest, replaced } = item;
    let (verb, digest) = (verb.as_str().to_owned(), digest.as_bytes().to_vec());
    change_item::Model { change, ordinal, verb, kind, id, digest, replaced }
}

/// The number and the digest of the newest change, in a snapshot.
pub(super) async fn read(conn: &mut Conn) -> Result<(u64, Digest), StoreError> {
    read_head(conn.one(head::Entity::find().build(DbBackend::Postgres)).await?)
}

fn read_head(row: Option<head::Model>) -> Result<(u64, Digest), StoreError> {
    let row = row.ok_or_else(|| failed("the directory has no head"))?;
    let read = || Ok((row::count("number", row.number)?, row::digest("digest", &row.digest)?));
    read().map_err(|Damage(detail)| StoreError::Corrupt { subject: "head".to_owned(), detail })
}
