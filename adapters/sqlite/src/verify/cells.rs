//! The cells against a recount of the activities, and the series against their digests.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::{PackedCells, SeriesKey};
use ports::RecordKind;
use ports::ledger::{Checkpoint, PartPlace, series_seal};
use ports::store::finding::CONTENT_DIGEST;
use ports::store::{Finding, StoreError, Verification};
use rusqlite::{Connection, OptionalExtension as _};
use uuid::Uuid;

use super::find;
use super::recount::{Both, Merge, Runs, Sums};
use crate::error::StoreErr as _;
use crate::ledger;
use crate::row::{Columns, Damage, collect};
use crate::series;
use crate::usage::Usage;

/// The index of each series, and the nodes that series name and that are not there.
type Series = (HashMap<SeriesKey, u32>, HashSet<(RecordKind, Uuid)>);

/// Checks that the series are counted from 0 without gaps, each as it was written, and gives them.
pub(super) fn check_series(conn: &Connection, report: &mut Verification) -> Result<Series, StoreError> {
    let sql = format!("SELECT {}, key, digest FROM series ORDER BY key", series::COLUMNS);
    let mut statement = conn.prepare(&sql).store_err()?;
    let mut rows = statement.query([]).store_err()?;
    let (mut series, mut expected) = (HashMap::new(), 0_u32);
    while let Some(row) = rows.next().store_err()? {
        let mut columns = Columns::new(row);
        let read = series::read(&mut columns).and_then(|key| Ok((key, columns.take::<u32>()?, columns.digest()?)));
        if let Ok((key, index, _)) = &read {
            series.insert(*key, *index);
        }
        match read {
            Err(Damage(detail)) => find(report, format!("series {expected}"), detail),
            Ok((_, index, _)) if index != expected => {
                let detail = format!("stands where series {expected} is expected");
                find(report, format!("series {index}"), detail);
                expected = index;
            }
            Ok((key, index, digest)) if series_seal(index, &key) != digest => {
                find(report, format!("series {expected}"), CONTENT_DIGEST);
            }
            Ok(_) => {}
        }
        expected = expected.saturating_add(1);
    }
    Ok((series, missing_nodes(conn)?))
}

/// The nodes that series name and that are not there: one that no activity carries any more may name such.
fn missing_nodes(conn: &Connection) -> Result<HashSet<(RecordKind, Uuid)>, StoreError> {
    let mut missing = HashSet::new();
    for kind in [RecordKind::Scope, RecordKind::Org, RecordKind::Taxonomy] {
        let sql = format!(
            "SELECT DISTINCT {kind} FROM series WHERE length({kind}) = 16 \
             AND NOT EXISTS (SELECT 1 FROM {kind} WHERE {kind}.id = series.{kind})"
        );
        let nodes = collect(conn, &sql, [], "series", |columns| Ok((kind, columns.id()?)))?;
        missing.extend(nodes);
    }
    Ok(missing)
}

/// Adds up the newest checkpoint and the later postings. What does not read is a finding.
pub(super) fn stored(conn: &Connection, report: &mut Verification) -> Result<Runs, StoreError> {
    let mut sums = Sums::open()?;
    let newest = ledger::checkpoint(conn)?;
    let Checkpoint { number, parts } = newest.unwrap_or(Checkpoint { number: 0, parts: 0 });
    for part in 0..parts {
        let subject = || format!("part {part} of the checkpoint of change {number}");
        match ledger::checkpoint_part(conn, part) {
            Ok(cells) => add(&mut sums, &cells, report, subject)?,
            Err(StoreError::Corrupt { detail, .. }) => find(report, subject(), detail),
            Err(error) => return Err(error),
        }
    }
    let mut after = PartPlace::behind(number);
    loop {
        let batch = ledger::postings_since(conn, after, 64)?;
        let Some((last, _)) = batch.last() else { break };
        after = *last;
        for (PartPlace { change, part }, cells) in &batch {
            add(&mut sums, cells, report, || format!("part {part} of the postings of change {change}"))?;
        }
    }
    let mut runs = sums.finish()?;
    for ((day, series), error) in std::mem::take(&mut runs.too_large) {
        find(report, format!("cells of series {series} on {day}"), error.to_string());
    }
    Ok(runs)
}

fn add(
    sums: &mut Sums,
    cells: &PackedCells,
    report: &mut Verification,
    subject: impl Fn() -> String,
) -> Result<(), StoreError> {
    for read in cells.cells() {
        let added = match read {
            Ok((series, day, cell)) => sums.add_cell((day, series), cell)?.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(detail) = added {
            find(report, subject(), detail);
        }
    }
    Ok(())
}

/// Compares what is stored with what the activities add up to, cell by cell.
pub(super) fn compare(
    conn: &Connection,
    stored: &Runs,
    counted: &[Runs],
    report: &mut Verification,
) -> Result<(), StoreError> {
    if let Some((_, error)) = counted.iter().flat_map(|runs| &runs.too_large).next() {
        return Err((*error).into());
    }
    let mut merge = Merge::open(stored, counted)?;
    while let Some((at, Both { stored, counted })) = merge.take()? {
        report.cells += u64::from(!stored.is_zero());
        if stored != counted {
            let names = names(conn, at.1)?;
            report.findings.push(Finding::cell(at, names.as_deref(), &stored, &counted));
        }
    }
    Ok(())
}

/// Compares how many activities are said to refer to each record with how many do.
pub(super) fn compare_usage(conn: &Connection, usage: &Usage, report: &mut Verification) -> Result<(), StoreError> {
    let sql = "SELECT kind, id, activities FROM activity_use WHERE activities <> 0";
    let counted: BTreeMap<(u8, Uuid), i64> =
        usage.counts().map(|(kind, id, count)| ((kind.code(), id), count)).collect();
    let stored = collect(conn, sql, [], "activity_use", |columns| {
        Ok(((columns.take::<u8>()?, columns.take::<Uuid>()?), columns.take::<i64>()?))
    })?;
    let stored: BTreeMap<(u8, Uuid), i64> = stored.into_iter().collect();
    let all: BTreeSet<(u8, Uuid)> = stored.keys().chain(counted.keys()).copied().collect();
    for of in all {
        let [stored, counted] = [&stored, &counted].map(|uses| uses.get(&of).copied().unwrap_or_default());
        if stored != counted {
            let kind = RecordKind::from_code(of.0).map_or("record", RecordKind::as_str);
            report.findings.push(Finding::uses(kind, of.1, stored, counted));
        }
    }
    Ok(())
}

/// What the nodes of a series are called, if it has any.
fn names(conn: &Connection, series: u32) -> Result<Option<String>, StoreError> {
    let names: Option<String> = conn
        .prepare_cached(
            "SELECT concat_ws(' / ', (SELECT name FROM scope WHERE id = series.scope), \
             (SELECT name FROM org WHERE id = series.org), \
             (SELECT name FROM taxonomy WHERE id = series.taxonomy)) FROM series WHERE series.key = ?",
        )
        .and_then(|mut statement| statement.query_row([series], |row| row.get(0)).optional())
        .store_err()?
        .flatten();
    Ok(names.filter(|names| !names.is_empty()))
}
