//! The cells against a recount of the activities, and the series against their digests.

use std::collections::{BTreeMap, BTreeSet};

use ports::RecordKind;
use ports::ledger::series_seal;
use ports::store::finding::CONTENT_DIGEST;
use ports::store::{Finding, StoreError, Verification};
use rusqlite::{Connection, OptionalExtension as _};
use uuid::Uuid;

use super::find;
use super::recount::{Both, Recount, add_kept, recount};
use crate::error::StoreErr as _;
use crate::row::{Columns, Damage, collect};
use crate::series;
use crate::usage::Usage;

/// Checks that the series are counted from 0 without gaps, each as it was written.
pub(super) fn check_series(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    let sql = format!("SELECT {}, key, digest FROM series ORDER BY key", series::COLUMNS);
    let mut statement = conn.prepare(&sql).store_err()?;
    let mut rows = statement.query([]).store_err()?;
    let mut expected = 0_u32;
    while let Some(row) = rows.next().store_err()? {
        let mut columns = Columns::new(row);
        let read = series::read(&mut columns).and_then(|key| Ok((key, columns.take::<u32>()?, columns.digest()?)));
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
    Ok(())
}

/// Recounts the activities and compares cell by cell, and use by use.
pub(super) fn check(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    let usage = recount(conn)?;
    add_kept(conn, report)?;
    let mut statement = Recount::statement(conn)?;
    let mut recount = Recount::open(&mut statement)?;
    while let Some((at, Both { stored, counted })) = recount.take()? {
        report.cells += u64::from(!stored.is_zero());
        if stored != counted {
            let names = names(conn, at.1)?;
            report.findings.push(Finding::cell(at, names.as_deref(), &stored, &counted));
        }
    }
    check_usage(conn, report, &usage)
}

/// Compares how many activities are said to refer to each record with how many do.
fn check_usage(conn: &Connection, report: &mut Verification, usage: &Usage) -> Result<(), StoreError> {
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

/// Checks that the scope, org and taxonomy of each activity are there.
pub(super) fn check_nodes(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    for kind in [RecordKind::Scope, RecordKind::Org, RecordKind::Taxonomy] {
        let sql = format!(
            "SELECT activity.id, series.{kind} FROM series JOIN activity ON activity.series = series.key \
             WHERE length(series.{kind}) = 16 \
             AND NOT EXISTS (SELECT 1 FROM {kind} WHERE {kind}.id = series.{kind}) ORDER BY activity.id"
        );
        for (activity, node) in
            collect(conn, &sql, [], "activity", |columns| Ok((columns.take::<Uuid>()?, columns.take::<Uuid>()?)))?
        {
            find(
                report,
                format!("activity {activity}"),
                format!("its {kind} is the {kind} {node}, which is not there"),
            );
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
