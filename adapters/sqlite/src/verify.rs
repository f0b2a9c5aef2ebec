//! Checks a tenant's file: that it is sound, that records, changes and chain fit each other, and that the cells are
//! what the activities add up to. Everything streams; what must be remembered is in temporary tables.

mod cells;
mod chain;
mod records;
mod recount;

use ports::TenantId;
use ports::store::{Finding, StoreError, Verification};
use rusqlite::Connection;

use crate::error::StoreErr as _;
use crate::session::{HeadRow, read_head};

/// Checks the whole file of a tenant in one snapshot. Damage becomes findings; an error means that it could not be
/// checked.
pub(crate) fn tenant(conn: &Connection, tenant: TenantId) -> Result<Verification, StoreError> {
    let mut report = Verification::default();
    conn.execute_batch("BEGIN DEFERRED").store_err()?;
    check_file(conn, &mut report);
    // A head that cannot be read is reported with the chain.
    if let Ok(HeadRow { tenant: found, .. }) = read_head(conn)
        && found != tenant
    {
        find(&mut report, "head", format!("the records are those of another company: of {found}, not of {tenant}"));
    }
    for step in [chain::check, records::check, cells::check_series, cells::check_nodes, cells::check] {
        match step(conn, &mut report) {
            Ok(()) => {}
            Err(StoreError::Corrupt { subject, detail }) => find(&mut report, subject, detail),
            // What is known to be damaged may fail in any way.
            Err(error) if !report.findings.is_empty() => find(&mut report, "the file", error.to_string()),
            Err(error) => return Err(error),
        }
    }
    Ok(report)
}

/// Has SQLite check the file's pages, its indexes and its references.
pub(crate) fn check_file(conn: &Connection, report: &mut Verification) {
    let mut lines = Vec::new();
    let checked = conn.prepare("PRAGMA integrity_check").and_then(|mut statement| {
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            lines.push(row.get::<_, String>(0)?);
        }
        Ok(())
    });
    lines.retain(|line| line != "ok");
    let references = conn.prepare("PRAGMA foreign_key_check").and_then(|mut statement| {
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (table, key, parent): (String, Option<i64>, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let key = key.map(|key| format!(" {key}")).unwrap_or_default();
            lines.push(format!("row{key} of {table} refers to a row of {parent} that does not exist"));
        }
        Ok(())
    });
    lines.extend([checked, references].into_iter().filter_map(Result::err).map(|error| error.to_string()));
    for line in lines {
        find(report, "the file", line);
    }
}

fn find(report: &mut Verification, subject: impl Into<String>, detail: impl Into<String>) {
    report.findings.push(Finding { subject: subject.into(), detail: detail.into() });
}
