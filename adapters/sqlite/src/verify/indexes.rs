//! The indexes of activities against their rows: each is read once in its own order, and its entries are compared with those
//! that the rows give by count and by the sum of their hashes. `PRAGMA integrity_check` would look up each entry for
//! itself.

use std::hash::{BuildHasher as _, RandomState};

use domain::{Activity, Day};
use ports::store::{StoreError, Verification};
use rusqlite::Connection;
use uuid::Uuid;

use super::{file, find};
use crate::error::StoreErr as _;

/// An index of activities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Index {
    name: &'static str,
    /// Its key, which is unique.
    key: &'static str,
    /// The condition of those that it has.
    condition: &'static str,
}

/// Each index of activities.
pub(super) const INDEXES: [Index; 3] = [
    Index { name: "activity_id", key: "id", condition: "TRUE" },
    Index { name: "activity_sync_id", key: "sync_id", condition: "sync_id IS NOT NULL" },
    Index { name: "activity_incomplete", key: "day, id", condition: "upstream IS NULL AND downstream IS NULL" },
];

/// How entries are hashed: by keys that are made up for each verification, so that nobody can prepare entries whose hashes
/// add up to those of others.
#[derive(Clone, Debug, Default)]
pub(super) struct Hashing(RandomState);

/// What entries of an index come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    count: u64,
    hashes: u64,
}

/// What the entries come to that rows give, by index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums([Sum; INDEXES.len()]);

/// What an index was found to have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scan {
    sum: Sum,
    /// Whether each key comes behind the one before it.
    in_order: bool,
    /// How many entries its pages say they have.
    entries: u64,
}

impl Hashing {
    fn of(&self, sync_id: Option<&str>, day: i32, id: &[u8]) -> u64 {
        self.0.hash_one((sync_id, day, id))
    }
}

impl Sum {
    fn add(&mut self, hash: u64) {
        self.count += 1;
        self.hashes = self.hashes.wrapping_add(hash);
    }
}

impl Sums {
    /// Takes in the entries of an activity.
    pub(super) fn add(&mut self, hashing: &Hashing, activity: &Activity) {
        let (id, day): (Uuid, Day) = (activity.id.into(), activity.span.first());
        let (id, day) = (id.as_bytes(), day.number());
        let [of_id, of_sync_id, of_incomplete] = &mut self.0;
        of_id.add(hashing.of(None, day, id));
        if let Some(sync_id) = &activity.sync_id {
            of_sync_id.add(hashing.of(Some(sync_id.as_str()), day, id));
        }
        let calculation = &activity.calculation;
        if calculation.upstream().is_none() && calculation.downstream().is_none() {
            of_incomplete.add(hashing.of(None, day, id));
        }
    }

    /// Takes in those of other rows.
    pub(super) fn merge(&mut self, others: &Self) {
        for (sum, other) in self.0.iter_mut().zip(others.0) {
            sum.count += other.count;
            sum.hashes = sum.hashes.wrapping_add(other.hashes);
        }
    }
}

impl Index {
    /// Reads the index from its first entry to its last.
    pub(super) fn scan(&self, conn: &Connection, hashing: &Hashing) -> Result<Scan, StoreError> {
        let Self { name, key, condition } = self;
        let has_sync_id = *key == "sync_id";
        let sync_id = if has_sync_id { *key } else { "NULL" };
        let sql = format!("SELECT {sync_id}, day, id FROM activity INDEXED BY {name} WHERE {condition} ORDER BY {key}");
        let mut statement = conn.prepare(&sql).store_err()?;
        let mut rows = statement.query([]).store_err()?;
        let (mut sum, mut in_order) = (Sum::default(), true);
        let mut last: Option<(Vec<u8>, i32)> = None;
        while let Some(row) = rows.next().store_err()? {
            let sync_id = row.get_ref(0).store_err()?.as_str_or_null().map_err(|error| damaged(name, &error))?;
            let id = row.get_ref(2).store_err()?.as_blob().map_err(|error| damaged(name, &error))?;
            let day: i32 = row.get(1).store_err()?;
            sum.add(hashing.of(sync_id, day, id));
            let (bytes, first) = match *key {
                "id" => (id, 0),
                "sync_id" => (sync_id.unwrap_or_default().as_bytes(), 0),
                _ => (id, day),
            };
            let (last_bytes, last_first) = last.get_or_insert_with(|| (Vec::new(), i32::MIN));
            in_order &= (*last_first, last_bytes.as_slice()) < (first, bytes);
            last_bytes.clear();
            last_bytes.extend_from_slice(bytes);
            *last_first = first;
        }
        // What the condition leaves out is seen by the pages alone.
        let entries = conn
            .query_row("SELECT ncell FROM dbstat WHERE name = ? AND aggregate = TRUE", [name], |row| row.get(0))
            .store_err()?;
        Ok(Scan { sum, in_order, entries })
    }
}

fn damaged(index: &str, error: &rusqlite::types::FromSqlError) -> StoreError {
    StoreError::Corrupt { subject: format!("index {index}"), detail: error.to_string() }
}

/// Compares the indexes with what the rows give. Where they differ, or one of them could not be read, SQLite looks up each
/// entry, and names the rows.
pub(super) fn compare(
    conn: &Connection,
    scans: [Option<Scan>; INDEXES.len()],
    rows: &Sums,
    rows_are_sound: bool,
    report: &mut Verification,
) -> Result<(), StoreError> {
    let mut sound = rows_are_sound && check_names(conn, report)?;
    for ((index, scan), rows) in INDEXES.iter().zip(scans).zip(rows.0) {
        let subject = || format!("index {}", index.name);
        let Some(scan) = scan else {
            sound = false;
            continue;
        };
        if !scan.in_order {
            find(report, subject(), "its entries are not in order, each once");
            sound = false;
        }
        if scan.entries != scan.sum.count {
            let detail = format!("its pages have {} entries, of which {} belong into it", scan.entries, scan.sum.count);
            find(report, subject(), detail);
            sound = false;
        }
        if rows_are_sound && scan.sum != rows {
            let detail = format!("its {} entries are not those of the {} activities", scan.sum.count, rows.count);
            find(report, subject(), detail);
            sound = false;
        }
    }
    if !sound {
        file::check_table(conn, "activity", report);
    }
    Ok(())
}

/// Finds indexes that are not there; whether there are these and no others.
fn check_names(conn: &Connection, report: &mut Verification) -> Result<bool, StoreError> {
    let mut statement =
        conn.prepare("SELECT name FROM pragma_index_list('activity') WHERE origin <> 'pk'").store_err()?;
    let names: Vec<String> = statement.query_map([], |row| row.get(0)).and_then(Iterator::collect).store_err()?;
    let mut as_expected = names.len() == INDEXES.len();
    for index in INDEXES {
        if !names.iter().any(|name| name == index.name) {
            find(report, format!("index {}", index.name), "is not there");
            as_expected = false;
        }
    }
    Ok(as_expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(conn: &Connection, index: &Index) -> String {
        let Index { name, key, condition } = index;
        let sql = format!(
            "EXPLAIN QUERY PLAN SELECT {key}, day, id FROM activity INDEXED BY {name} WHERE {condition} ORDER BY {key}"
        );
        conn.prepare(&sql).unwrap().query_map([], |row| row.get::<_, String>(3)).unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn each_index_of_activities_is_read_in_its_own_order() {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(include_str!("../../migrations/tenant/0001_initial.sql")).unwrap();
        let mut names: Vec<String> = conn
            .prepare("SELECT name FROM pragma_index_list('activity') WHERE origin <> 'pk'")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        names.sort_unstable();
        let mut known = INDEXES.map(|index| index.name);
        known.sort_unstable();
        assert_eq!(names, known);
        for index in INDEXES {
            let plan = plan(&conn, &index);
            assert!(plan.contains(index.name) && !plan.contains("TEMP B-TREE"), "{plan}");
        }
    }
}
