//! The directory's change chain. Its newest number is the directory's version.

use std::fmt::Display;

use domain::{Canonical, CanonicalWriter, Digest, Timestamp};
use ports::Verb;
use ports::store::StoreError;
use rusqlite::{Connection, params};

use crate::error::Meaning as _;

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

/// A change in the making.
#[derive(Debug)]
pub(super) struct Change {
    at: Timestamp,
    actor: String,
    cause: &'static str,
    items: Vec<Item>,
}

impl Change {
    pub(super) const fn new(at: Timestamp, actor: String, cause: &'static str) -> Self {
        Self { at, actor, cause, items: Vec::new() }
    }

    /// Notes that `after` was written in place of `before`, or `before` removed. Gives the digest of what is there now.
    pub(super) fn note(
        &mut self,
        kind: &str,
        id: &dyn Display,
        before: Option<&dyn Canonical>,
        after: Option<&dyn Canonical>,
    ) -> Digest {
        let verb = match (before, after) {
            (None, _) => Verb::Added,
            (Some(_), Some(_)) => Verb::Updated,
            (Some(_), None) => Verb::Removed,
        };
        let replaced = before.map(Canonical::canonical);
        let text = after.map(Canonical::canonical).or_else(|| replaced.clone()).unwrap_or_default();
        let digest = Digest::of(text.as_bytes());
        self.items.push(Item { verb, kind: kind.to_owned(), id: id.to_string(), digest, replaced });
        digest
    }

    /// Appends the change to the chain and raises the version; does neither without items.
    pub(super) fn close(self, conn: &Connection) -> Result<(), StoreError> {
        if self.items.is_empty() {
            return Ok(());
        }
        let (before, previous) = head(conn)?;
        let Self { at, actor, cause, items } = self;
        let number = before + 1;
        let digest = Link { previous, number, at, actor: &actor, cause, items: &items }.digest();
        conn.execute(
            "INSERT INTO change (number, at, actor, cause, digest) VALUES (?, ?, ?, ?, ?)",
            params![number, at.millis(), actor, cause, digest.as_bytes()],
        )
        .meant()?;
        let mut insert = conn
            .prepare_cached(
                "INSERT INTO change_item (change, ordinal, verb, kind, id, digest, replaced) \
                 VALUES (?, ?, ?, ?, ?, ?, ?)",
            )
            .meant()?;
        for (item, ordinal) in items.iter().zip(0_u32..) {
            let Item { verb, kind, id, digest, replaced } = item;
            insert.execute(params![number, ordinal, verb.as_str(), kind, id, digest.as_bytes(), replaced]).meant()?;
        }
        conn.execute("UPDATE head SET number = ?, digest = ?", params![number, digest.as_bytes()]).meant()?;
        Ok(())
    }
}

/// The number and the digest of the newest change.
pub(super) fn head(conn: &Connection) -> Result<(u64, Digest), StoreError> {
    conn.prepare_cached("SELECT number, digest FROM head")
        .and_then(|mut statement| statement.query_row([], |row| Ok((row.get(0)?, Digest::from_stored(row.get(1)?)))))
        .meant()
}

/// Writes the head row of a new directory, where there is none. Where there is one it takes no lock.
pub(super) fn make_head(conn: &Connection) -> Result<(), rusqlite::Error> {
    if conn.query_row("SELECT EXISTS (SELECT 1 FROM head)", [], |row| row.get(0))? {
        return Ok(());
    }
    conn.execute("INSERT OR IGNORE INTO head (one, number, digest) VALUES (1, 0, ?)", [Digest::ZERO.as_bytes()])?;
    Ok(())
}

/// Reads the rows of a query as entries of that table.
pub(super) fn collect<T>(
    conn: &Connection,
    table: &str,
    sql: &str,
    params: impl rusqlite::Params,
    read: impl Fn(&mut crate::row::Columns<'_>) -> Result<T, crate::row::Damage>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = conn.prepare_cached(sql).meant()?;
    let mut rows = statement.query(params).meant()?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next().meant()? {
        let entry = read(&mut crate::row::Columns::new(row)).map_err(|crate::row::Damage(detail)| {
            StoreError::Corrupt { subject: format!("row {} of {table}", entries.len()), detail }
        })?;
        entries.push(entry);
    }
    Ok(entries)
}
