//! Sets of published factors, beside the directory.

use std::collections::BTreeSet;

use async_trait::async_trait;
use domain::{Canonical as _, Digest, Name, PublishedFactor};
use ports::directory::{DirectoryCheck, DirectoryDraft};
use ports::factor_sets::{
    AddedSet, FactorKey, FactorSets, FactorsCheck, InstalledSet, MOST_FACTORS, NewFactorSet, read_factor,
};
use ports::store::StoreError;
use ports::{Grant, Installation, Maintenance, Read};
use rusqlite::{Connection, OptionalExtension as _, Params, params};

use super::SqliteDirectory;
use crate::error::StoreErr as _;
use crate::row::{Columns, Damage, collect};

/// The columns that [`read`] takes.
pub(super) const COLUMNS: &str = "id, text";

pub(super) fn read(columns: &mut Columns<'_>) -> Result<InstalledSet, Damage> {
    let id = columns.digest()?;
    let installed = columns.parse(|text| InstalledSet::from_canonical((), text))?;
    if installed.set.id == id { Ok(installed) } else { Err(Damage(format!("text: is of set {}", installed.set.id))) }
}

fn query(conn: &Connection, conditions: &str, params: impl Params) -> Result<Vec<InstalledSet>, StoreError> {
    collect(conn, &format!("SELECT {COLUMNS} FROM factor_set {conditions}"), params, "factor_set", read)
}

fn find(conn: &Connection, id: Digest) -> Result<Option<InstalledSet>, StoreError> {
    Ok(query(conn, "WHERE id = ?", [id.as_bytes()])?.pop())
}

/// Checks the factors of every set whose entry can be read.
pub(super) fn check_factors(conn: &Connection, check: &mut DirectoryCheck) -> Result<(), StoreError> {
    let mut sets = conn.prepare("SELECT id, text, ordinal FROM factor_set ORDER BY id").store_err()?;
    let mut sets = sets.query([]).store_err()?;
    while let Some(row) = sets.next().store_err()? {
        let mut columns = Columns::new(row);
        let set = read(&mut columns).and_then(|set| Ok((set, columns.take::<i64>()?)));
        // One that cannot be read was found when the entries were.
        let Ok((installed, ordinal)) = set else { continue };
        let mut factors = FactorsCheck::of(&installed);
        let sql = "SELECT cell, text, digest FROM published_factor WHERE factor_set = ? ORDER BY cell";
        let mut rows = conn.prepare_cached(sql).store_err()?;
        let mut rows = rows.query([ordinal]).store_err()?;
        while let Some(row) = rows.next().store_err()? {
            let mut columns = Columns::new(row);
            let mut read = || -> Result<_, Damage> {
                Ok((columns.take::<String>()?, columns.take::<String>()?, columns.digest()?))
            };
            match read() {
                Ok((cell, text, digest)) => factors.row(check, &cell, &text, digest),
                Err(Damage(detail)) => check.damaged(&format!("a factor of set {}", installed.set.id), detail),
            }
        }
        factors.finish(check);
    }
    Ok(())
}

fn add(conn: &Connection, draft: &mut DirectoryDraft, set: &NewFactorSet, by: &str) -> Result<AddedSet, StoreError> {
    let installed = set.installed(draft.at(), by);
    if let Some(there) = find(conn, set.set().id)? {
        return Ok(AddedSet::found(there, &installed));
    }
    let digest = draft.added(&installed);
    let row = params![set.set().id.as_bytes(), installed.canonical(), digest.as_bytes()];
    conn.execute("INSERT INTO factor_set (id, text, digest) VALUES (?, ?, ?)", row).store_err()?;
    let ordinal = conn.last_insert_rowid();
    let sql = "INSERT INTO published_factor (factor_set, cell, text, digest) VALUES (?, ?, ?, ?)";
    let mut insert = conn.prepare_cached(sql).store_err()?;
    for row in set.rows() {
        insert.execute(params![ordinal, row.cell.as_str(), row.text, row.digest.as_bytes()]).store_err()?;
    }
    Ok(AddedSet::New(installed))
}

fn remove(conn: &Connection, draft: &mut DirectoryDraft, id: Digest) -> Result<Option<InstalledSet>, StoreError> {
    let Some(installed) = find(conn, id)? else { return Ok(None) };
    draft.removed(&installed);
    for statement in [
        "DELETE FROM published_factor WHERE factor_set = (SELECT ordinal FROM factor_set WHERE id = ?)",
        "DELETE FROM factor_set WHERE id = ?",
    ] {
        conn.execute(statement, [id.as_bytes()]).store_err()?;
    }
    Ok(Some(installed))
}

fn find_factor(conn: &Connection, key: &FactorKey) -> Result<Option<PublishedFactor>, StoreError> {
    let sql = "SELECT text, digest FROM published_factor \
               WHERE factor_set = (SELECT ordinal FROM factor_set WHERE id = ?) AND cell = ?";
    let mut statement = conn.prepare_cached(sql).store_err()?;
    let row = params![key.set.as_bytes(), key.cell.as_str()];
    let found: Option<(String, [u8; 32])> =
        statement.query_row(row, |row| Ok((row.get(0)?, row.get(1)?))).optional().store_err()?;
    found.map(|(text, digest)| read_factor(key, &text, Digest::from_stored(digest))).transpose()
}

fn factors_behind(
    conn: &Connection,
    set: Digest,
    behind: Option<&Name>,
    limit: usize,
) -> Result<Vec<PublishedFactor>, StoreError> {
    let sql = "SELECT cell, text, digest FROM published_factor \
               WHERE factor_set = (SELECT ordinal FROM factor_set WHERE id = ?) AND cell > ? ORDER BY cell LIMIT ?";
    // No cell is empty, so all are behind the empty text.
    let row = params![set.as_bytes(), behind.map_or("", Name::as_str), limit.min(MOST_FACTORS)];
    let read =
        |columns: &mut Columns<'_>| Ok((columns.parse(Name::parse)?, columns.take::<String>()?, columns.digest()?));
    let rows = collect(conn, sql, row, "published_factor", read)?;
    let factor = |(cell, text, digest): (Name, String, Digest)| read_factor(&FactorKey { set, cell }, &text, digest);
    rows.into_iter().map(factor).collect()
}

#[async_trait]
impl FactorSets for SqliteDirectory {
    async fn list_sets(&self, _: &Grant<Read>) -> Result<Vec<InstalledSet>, StoreError> {
        self.read(|conn| query(conn, "ORDER BY id", [])).await
    }

    async fn find_set(&self, _: &Grant<Read>, id: Digest) -> Result<Option<InstalledSet>, StoreError> {
        self.read(|conn| find(conn, id)).await
    }

    async fn find_factors(
        &self,
        _: &Grant<Read>,
        keys: &[FactorKey],
    ) -> Result<Vec<(FactorKey, PublishedFactor)>, StoreError> {
        let keys: BTreeSet<&FactorKey> = keys.iter().collect();
        self.read(|conn| {
            let found = |key: &FactorKey| Ok(find_factor(conn, key)?.map(|factor| (key.clone(), factor)));
            keys.into_iter().filter_map(|key| found(key).transpose()).collect()
        })
        .await
    }

    async fn factors_behind(
        &self,
        _: &Grant<Read>,
        set: Digest,
        behind: Option<&Name>,
        limit: usize,
    ) -> Result<Vec<PublishedFactor>, StoreError> {
        self.read(|conn| factors_behind(conn, set, behind, limit)).await
    }

    async fn add_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: NewFactorSet,
    ) -> Result<AddedSet, StoreError> {
        let by = grant.actor().to_owned();
        self.write(grant.actor(), "add factor set", move |conn, draft| add(conn, draft, &set, &by)).await
    }

    async fn remove_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        id: Digest,
    ) -> Result<Option<InstalledSet>, StoreError> {
        self.write(grant.actor(), "remove factor set", move |conn, draft| remove(conn, draft, id)).await
    }
}
