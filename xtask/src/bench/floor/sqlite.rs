//! The floor of an import into SQLite: the same rows into the same tables by prepared statements, without the rules.
//!
//! One thread makes rows, one writes them, one copies the log into the file, as in the program. A batch is a transaction
//! and has as many rows as the program's, with items and postings of as many bytes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OpenFlags, Transaction, params};

use super::rows::{Row, batches, reference, uses};
use crate::bench::activities::{Activity, Order};
use crate::bench::dice::Dice;
use crate::bench::store::Store;
use crate::bench::subject::Subject;

/// The program's settings, in `adapters/sqlite`.
const CACHE_KIB: i32 = 64_000;
/// Pages after which the thread that writes copies the log itself.
const LONGEST_LOG: i32 = 48_000;
/// Batches that wait for the thread that writes.
const AHEAD: usize = 2;

/// What the program wrote beside the rows when it imported them.
struct Shape {
    rows_per_batch: usize,
    items: Parts,
    postings: Parts,
    checkpoint: Parts,
}

/// Blobs of a batch: how many, and of how many bytes each.
#[derive(Clone, Copy)]
struct Parts {
    count: u32,
    bytes: usize,
}

/// How many rows a second it takes; the store is one that the program imported the same table into.
pub(in crate::bench) fn rows_per_second(subject: &Subject, store: &Store, order: Order) -> Result<f64> {
    let shape = Shape::read(&store.file(), subject.activities)?;
    let file = subject.folder.join("floor.db");
    std::fs::copy(subject.empty_file(), &file).context("no empty store")?;
    let begin = Instant::now();
    let done = import(&file, subject.activities, order, &shape);
    let took = begin.elapsed();
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(subject.folder.join(format!("floor.db{end}")));
    }
    done.map(|()| f64::from(subject.activities) / took.as_secs_f64())
}

impl Shape {
    /// As the first import into the store was.
    fn read(file: &Path, activities: u32) -> Result<Self> {
        let conn = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let import = "SELECT min(number), max(number) FROM change WHERE cause GLOB 'import ????????-*' GROUP BY cause";
        let sql = format!("{import} ORDER BY 1 LIMIT 1");
        let (first, last): (u32, u32) = conn.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let changes = last + 1 - first;
        let parts = |table: &str, column: &str, per: u32, clause: &str| {
            let sql = format!("SELECT count(*), coalesce(sum(length({column})), 0) FROM {table} WHERE {clause}");
            let (count, bytes): (u32, i64) = conn.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let bytes = usize::try_from(bytes / i64::from(count.max(1)))?;
            anyhow::Ok(Parts { count: count.div_ceil(per), bytes })
        };
        let within = format!("change BETWEEN {first} AND {last}");
        Ok(Self {
            rows_per_batch: activities.div_ceil(changes) as usize,
            items: parts("change_items", "items", changes, &within)?,
            postings: parts("posting", "postings", changes, &within)?,
            checkpoint: parts("checkpoint", "cells", 1, "1")?,
        })
    }
}

/// Imports the rows and closes the file.
fn import(file: &Path, count: u32, order: Order, shape: &Shape) -> Result<()> {
    let mut conn = open(file)?;
    conn.pragma_update_and_check(None, "wal_autocheckpoint", LONGEST_LOG, |row| row.get::<_, i64>(0))?;
    std::thread::scope(|scope| {
        let (sender, made) = mpsc::sync_channel(AHEAD);
        let size = shape.rows_per_batch;
        scope.spawn(move || {
            for batch in batches(count, order, size) {
                if sender.send(batch).is_err() {
                    break;
                }
            }
        });
        let (written, batches) = mpsc::channel();
        let copier = scope.spawn(move || -> Result<()> {
            let conn = open(file)?;
            while batches.recv().is_ok() {
                conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
            }
            Ok(())
        });
        let mut series = vec![false; 1 << 16];
        for batch in made {
            let tx = conn.transaction()?;
            write(&tx, &batch, shape, &mut series)?;
            tx.commit()?;
            let _ = written.send(());
        }
        drop(written);
        copier.join().unwrap_or_else(|_| bail!("the log could not be copied"))
    })?;
    let tx = conn.transaction()?;
    let sql = "INSERT INTO checkpoint (number, part, cells, last) VALUES ((SELECT number FROM head), ?, ?, 0)";
    fill(&tx, sql, shape.checkpoint)?;
    tx.commit()?;
    conn.close().map_err(|(_, error)| error.into())
}

/// Opens the file as the program's writer does.
pub(super) fn open(file: &Path) -> Result<Connection> {
    let conn = Connection::open(file)?;
    conn.pragma_update(None, "cache_size", -CACHE_KIB)?;
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}

/// Writes a batch as one change.
fn write(tx: &Transaction<'_>, batch: &[Row], shape: &Shape, series: &mut [bool]) -> Result<()> {
    tx.prepare_cached("UPDATE head SET number = number + 1")?.execute([])?;
    let sql =
        "INSERT INTO change (number, at, actor, cause, digest) SELECT number, 0, 'floor', 'floor', digest FROM head";
    tx.prepare_cached(sql)?.execute([])?;
    let number: i64 = tx.query_row("SELECT number FROM head", [], |row| row.get(0))?;
    let mut counts = BTreeMap::<_, u32>::new();
    for row in batch {
        let is_known = series.get_mut(row.series as usize).context("a series without a number")?;
        if !std::mem::replace(is_known, true) {
            add_series(tx, row)?;
        }
        add(tx, row, number)?;
        for counted in uses(row) {
            *counts.entry(counted).or_default() += 1;
        }
    }
    let sql = "INSERT INTO activity_use (kind, id, activities) VALUES (?, ?, ?)
               ON CONFLICT DO UPDATE SET activities = activities + excluded.activities";
    let mut used = tx.prepare_cached(sql)?;
    for ((kind, id), count) in counts {
        used.execute(params![kind, id, count])?;
    }
    let parts = [("change_items", "items", shape.items), ("posting", "postings", shape.postings)];
    for (table, column, parts) in parts {
        let sql = format!("INSERT INTO {table} (change, part, {column}) VALUES ((SELECT number FROM head), ?, ?)");
        fill(tx, &sql, parts)?;
    }
    Ok(())
}

/// Adds a row of the table of activities.
pub(super) fn add(conn: &Connection, row: &Row, version: i64) -> Result<()> {
    let sql = "INSERT INTO activity (id, day, last, series, sync_id, name, quantity, unit, product, start_at, upstream,
                                     downstream, factor, created, updated, version, digest)
               VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, 'kWh', ?7, ?8, ?9, ?10, ?7, ?11, ?11, ?12, ?13)";
    let created = i64::try_from(row.created)?;
    let Row { id, series, sync_id, name, quantity, start_at, upstream, downstream, digest, .. } = row;
    let (day, product) = (row.julian_day(), row.activity.product + 1);
    conn.prepare_cached(sql)?.execute(params![
        id, day, series, sync_id, name, quantity, product, start_at, upstream, downstream, created, version, digest
    ])?;
    Ok(())
}

fn add_series(tx: &Transaction<'_>, row: &Row) -> Result<()> {
    let Activity { scope, org, taxonomy, .. } = row.activity;
    let sql = "INSERT INTO series (key, scope, org, taxonomy, digest) VALUES (?, ?, ?, ?, ?)";
    let (scope, org, taxonomy) = (reference(1, scope), reference(2, org), reference(3, taxonomy));
    tx.prepare_cached(sql)?.execute(params![row.series, scope, org, taxonomy, row.digest])?;
    Ok(())
}

/// Inserts so many blobs, numbered.
fn fill(tx: &Transaction<'_>, sql: &str, parts: Parts) -> Result<()> {
    let (mut dice, mut statement) = (Dice::of(4), tx.prepare_cached(sql)?);
    let blob: Vec<u8> = std::iter::repeat_with(|| dice.next().to_le_bytes()).flatten().take(parts.bytes).collect();
    for part in 0..parts.count {
        statement.execute(params![part, blob])?;
    }
    Ok(())
}
