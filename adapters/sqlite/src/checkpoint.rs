//! Writing a checkpoint: step by step, each a short turn of the writing thread, so that other writers wait for one step
//! at most.

use std::sync::Arc;

use domain::{PackError, PackedCells};
use ports::Revision;
use ports::ledger::CheckpointCells;
use ports::store::StoreError;
use rusqlite::{Connection, params};
use tokio::sync::mpsc;

use crate::error::StoreErr as _;
use crate::ledger::checkpoint;
use crate::session::read_head;
use crate::thread::blocking;
use crate::writer::Writer;

/// How many rows a step writes or removes: about half a megabyte, which takes a few milliseconds.
const STEP: usize = 4;

/// Writes the cells as the checkpoint of that revision, unless there is one of that change or a later one.
pub(crate) async fn write(
    writer: &Writer,
    revision: Revision,
    cells: Arc<dyn CheckpointCells>,
) -> Result<(), StoreError> {
    if !writer.step(move |conn| is_needed(conn, revision)).await? {
        return Ok(());
    }
    let (number, mut next) = (revision.number, 0_u32);
    let (sender, mut steps) = mpsc::channel(1);
    let packing = blocking(move || pack(cells.as_ref(), &sender));
    let writing = async {
        while let Some(step) = steps.recv().await {
            let some: Vec<(u32, PackedCells)> = (next..).zip(step).collect();
            next = some.last().map_or(next, |(last, _)| last + 1);
            writer.step(move |conn| some.iter().try_for_each(|(part, cells)| put(conn, number, *part, cells))).await?;
        }
        Ok(next)
    };
    // Only when all was packed, all that was packed is all there is.
    let ((), parts) = tokio::try_join!(packing, writing)?;
    writer.step(move |conn| publish(conn, revision, parts)).await?;
    while writer.step(move |conn| remove_others(conn, number)).await? {}
    Ok(())
}

/// Packs the cells, the parts of one step ahead of those that are written, until nobody takes them any more.
fn pack(cells: &dyn CheckpointCells, steps: &mpsc::Sender<Vec<PackedCells>>) -> Result<(), StoreError> {
    let mut parts = cells.parts();
    loop {
        let step = parts.by_ref().take(STEP).collect::<Result<Vec<_>, PackError>>()?;
        if step.is_empty() || steps.blocking_send(step).is_err() {
            return Ok(());
        }
    }
}

/// Whether the revision is one of this file's, and no checkpoint covers it yet.
fn is_needed(conn: &Connection, revision: Revision) -> Result<bool, StoreError> {
    let head = read_head(conn)?.head;
    if head.epoch != revision.epoch || head.number < revision.number {
        return Err(StoreError::Stale);
    }
    // Before the first change there is nothing to keep.
    Ok(revision.number > 0 && checkpoint(conn)?.is_none_or(|newest| newest.number < revision.number))
}

/// Writes a part. Two that write the checkpoint of one revision write the same parts.
fn put(conn: &Connection, number: u64, part: u32, cells: &PackedCells) -> Result<(), StoreError> {
    conn.prepare_cached("INSERT OR REPLACE INTO checkpoint (number, part, cells, last) VALUES (?, ?, ?, 0)")
        .and_then(|mut statement| statement.execute(params![number, part, cells.as_bytes()]))
        .map(|_| ())
        .store_err()
}

/// Writes the last row, if the checkpoint is still wanted and all its parts are there: what another one removed in
/// between is not published.
fn publish(conn: &Connection, revision: Revision, parts: u32) -> Result<(), StoreError> {
    if !is_needed(conn, revision)? {
        return Ok(());
    }
    let number = revision.number;
    let kept: u32 = conn
        .prepare_cached("SELECT count(*) FROM checkpoint WHERE number = ? AND part < ?")
        .and_then(|mut statement| statement.query_row(params![number, parts], |row| row.get(0)))
        .store_err()?;
    if kept < parts {
        return Ok(());
    }
    conn.execute("DELETE FROM checkpoint WHERE number = ? AND part >= ?", params![number, parts]).store_err()?;
    conn.prepare_cached("INSERT INTO checkpoint (number, part, cells, last) VALUES (?, ?, x'', 1)")
        .and_then(|mut statement| statement.execute(params![number, parts]))
        .map(|_| ())
        .store_err()
}

/// Removes some rows of earlier checkpoints; whether there were any.
fn remove_others(conn: &Connection, number: u64) -> Result<bool, StoreError> {
    let sql = "DELETE FROM checkpoint WHERE rowid IN (SELECT rowid FROM checkpoint WHERE number < ? LIMIT ?)";
    conn.prepare_cached(sql)
        .and_then(|mut statement| statement.execute(params![number, STEP]))
        .map(|removed| removed > 0)
        .store_err()
}
