//! Each record against the digest in its row and against the newest item of the chain; none missing, none too many.

use domain::{Activity, Canonical as _, Digest, Factor, Footprint, Input, Model, Node, Product, Switch};
use ports::store::{StoreError, Verification};
use ports::{RecordKind, Verb, Version};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::find;
use crate::error::Meaning as _;
use crate::row::Damage;
use crate::session::{kind_code, verb_code};
use crate::table::{Found, Table, found, select};

/// Checks the records of every kind.
pub(super) fn check(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    check_table::<Node>(conn, report)?;
    check_table::<Product>(conn, report)?;
    check_table::<Factor>(conn, report)?;
    check_table::<Model>(conn, report)?;
    check_table::<Input>(conn, report)?;
    check_table::<Switch>(conn, report)?;
    check_table::<Footprint>(conn, report)?;
    check_table::<Activity>(conn, report)?;
    check_missing(conn, report)
}

fn check_table<T: Table>(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    let mut statement = conn.prepare(&select::<T>()).meant()?;
    let mut rows = statement.query([]).meant()?;
    while let Some(row) = rows.next().meant()? {
        report.records += 1;
        let Found { id, record, digest } = match found::<T>(conn, row) {
            Ok(found) => found,
            Err(error) => {
                find(report, format!("a row of {}", T::NAME), error.to_string());
                continue;
            }
        };
        match (record, digest) {
            (Err(Damage(detail)), _) | (_, Err(Damage(detail))) => {
                see(conn, T::NAME, id)?;
                find(report, format!("{} {id}", T::NAME), detail);
            }
            (Ok(record), Ok(beside)) => {
                let (kind, digest) = (record.value.kind(), record.digest());
                let newest = take_newest(conn, kind, id)?;
                let wrong = if digest == beside {
                    against_chain(newest, digest, record.version)
                } else {
                    Some("its content does not have the digest that stands beside it")
                };
                if let Some(wrong) = wrong {
                    find(report, format!("{kind} {id}"), wrong);
                }
            }
        }
    }
    Ok(())
}

struct Newest {
    verb: i64,
    change: u64,
    digest: Digest,
}

fn against_chain(newest: Option<Newest>, digest: Digest, version: Version) -> Option<&'static str> {
    match newest {
        None => Some("is in no change of the chain"),
        Some(newest) if newest.verb == verb_code(Verb::Removed) => Some("was removed, but stands in the store"),
        Some(newest) if newest.digest != digest => Some("is not as its newest change left it"),
        Some(newest) if newest.change != version.0 => Some("its version is not its newest change"),
        Some(_) => None,
    }
}

/// Takes a record's newest item out of those that are still to be found.
fn take_newest(conn: &Connection, kind: RecordKind, id: Uuid) -> Result<Option<Newest>, StoreError> {
    conn.prepare_cached("DELETE FROM newest WHERE kind = ? AND id = ? RETURNING verb, change, digest")
        .and_then(|mut statement| {
            statement
                .query_row(params![kind_code(kind), id], |row| {
                    Ok(Newest { verb: row.get(0)?, change: row.get(1)?, digest: Digest::from_stored(row.get(2)?) })
                })
                .optional()
        })
        .meant()
}

/// A record that does not read is there all the same.
fn see(conn: &Connection, table: &str, id: Uuid) -> Result<(), StoreError> {
    for kind in RecordKind::ALL {
        let in_table = match kind {
            RecordKind::Scope | RecordKind::Org | RecordKind::Taxonomy => table == "node",
            RecordKind::Activity
            | RecordKind::Product
            | RecordKind::Factor
            | RecordKind::Model
            | RecordKind::Input
            | RecordKind::Switch
            | RecordKind::Footprint => table == kind.as_str(),
        };
        if in_table {
            take_newest(conn, kind, id)?;
        }
    }
    Ok(())
}

fn check_missing(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    let mut statement = conn.prepare("SELECT kind, id FROM newest WHERE verb <> ?").meant()?;
    let mut rows = statement.query([verb_code(Verb::Removed)]).meant()?;
    while let Some(row) = rows.next().meant()? {
        let (code, id): (i64, Uuid) = (row.get(0).meant()?, row.get(1).meant()?);
        let kind = RecordKind::ALL.into_iter().find(|kind| kind_code(*kind) == code);
        let kind = kind.map_or("record", RecordKind::as_str);
        find(report, format!("{kind} {id}"), "is in the change chain, but not in the store");
    }
    Ok(())
}
