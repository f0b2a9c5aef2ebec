//! Each record against the digest in its row and against the newest item of the chain; none missing, none too many.

use domain::{
    Activity, Canonical as _, Digest, Factor, Footprint, Input, Model, Org, Product, Scope, Switch, Taxonomy,
};
use ports::store::finding::CONTENT_DIGEST;
use ports::store::{StoreError, Verification};
use ports::{RecordKind, Verb, Version};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::find;
use crate::error::StoreErr as _;
use crate::row::Damage;
use crate::table::{Decoded, Table, decode_row, select};

/// Checks the records of every kind.
pub(super) fn check(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    check_table::<Scope>(conn, report)?;
    check_table::<Org>(conn, report)?;
    check_table::<Taxonomy>(conn, report)?;
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
    let mut statement = conn.prepare(&select::<T>()).store_err()?;
    let mut rows = statement.query([]).store_err()?;
    while let Some(row) = rows.next().store_err()? {
        report.records += 1;
        let Decoded { id, record, digest } = match decode_row::<T>(conn, row) {
            Ok(decoded) => decoded,
            Err(error) => {
                find(report, format!("a row of {}", T::NAME), error.to_string());
                continue;
            }
        };
        match (record, digest) {
            (Err(Damage(detail)), _) | (_, Err(Damage(detail))) => {
                take_newest(conn, T::KIND, id)?; // what does not read is there all the same
                find(report, format!("{} {id}", T::NAME), detail);
            }
            (Ok(record), Ok(beside)) => {
                let (kind, digest) = (T::KIND, record.digest());
                let newest = take_newest(conn, kind, id)?;
                let wrong =
                    if digest == beside { against_chain(newest, digest, record.version) } else { Some(CONTENT_DIGEST) };
                if let Some(wrong) = wrong {
                    find(report, format!("{kind} {id}"), wrong);
                }
            }
        }
    }
    Ok(())
}

struct Newest {
    verb: u8,
    change: u64,
    digest: Digest,
}

fn against_chain(newest: Option<Newest>, digest: Digest, version: Version) -> Option<&'static str> {
    match newest {
        None => Some("is in no change of the chain"),
        Some(newest) if newest.verb == Verb::Removed.code() => Some("was removed, but stands in the store"),
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
                .query_row(params![kind.code(), id], |row| {
                    Ok(Newest { verb: row.get(0)?, change: row.get(1)?, digest: Digest::from_stored(row.get(2)?) })
                })
                .optional()
        })
        .store_err()
}

fn check_missing(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    let mut statement = conn.prepare("SELECT kind, id FROM newest WHERE verb <> ?").store_err()?;
    let mut rows = statement.query([Verb::Removed.code()]).store_err()?;
    while let Some(row) = rows.next().store_err()? {
        let (code, id): (u8, Uuid) = (row.get(0).store_err()?, row.get(1).store_err()?);
        let kind = RecordKind::from_code(code).map_or("record", RecordKind::as_str);
        find(report, format!("{kind} {id}"), "is in the change chain, but not in the store");
    }
    Ok(())
}
