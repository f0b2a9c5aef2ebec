//! Checks a tenant's rows: that records, changes and chain fit each other, and that checkpoint and postings come to what
//! the activities add up to, as do the counts of their uses. Everything streams in one snapshot; what must be sorted, the
//! server sorts.

mod balance;
mod beside;
mod cells;
mod chain;
mod cursor;
mod records;
mod recount;
mod stored_cells;
mod usage;

use ports::TenantId;
use ports::store::{Finding, StoreError, Verification};

use crate::database::Database;
use crate::head::{self, Lock};
use balance::Balance;

/// Cursors are read to their end; and where the server does not know yet how many rows there are, it must not compare each
/// with each.
const SETTINGS: &str = "SET LOCAL cursor_tuple_fraction = 1; \
    SET LOCAL enable_nestloop = off; SET LOCAL jit = off";

/// Checks all rows of a tenant in one snapshot. Damage becomes findings; an error means that they could not be checked.
pub(crate) async fn tenant(database: &Database, tenant: TenantId) -> Result<Verification, StoreError> {
    let mut conn = database.read(tenant).await?;
    conn.lift_limit().await?;
    conn.batch(SETTINGS).await?;
    let mut report = Verification::default();
    if let Err(error) = head::read(&mut conn, Lock::Free).await {
        note(&mut report, Err(error))?;
    }
    let mut balance = Balance::new();
    let step = chain::check(&mut conn, &mut report, &mut balance).await;
    note(&mut report, step)?;
    let step = records::check(&mut conn, &mut report, &mut balance).await;
    note(&mut report, step)?;
    let step = beside::check(&mut conn, &mut report).await;
    note(&mut report, step)?;
    let step = cells::check_series(&mut conn, &mut report).await;
    note(&mut report, step)?;
    let step = cells::check(&mut conn, &mut report).await;
    note(&mut report, step)?;
    let step = usage::check(&mut conn, &mut report).await;
    note(&mut report, step)?;
    Ok(report)
}

/// Makes damage that ended a step a finding.
fn note(report: &mut Verification, step: Result<(), StoreError>) -> Result<(), StoreError> {
    match step {
        Ok(()) => {}
        Err(StoreError::Corrupt { subject, detail }) => find(report, subject, detail),
        // What is known to be damaged may fail in any way.
        Err(error @ StoreError::Failed(_)) if !report.findings.is_empty() => {
            find(report, "the database", error.to_string());
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

fn find(report: &mut Verification, subject: impl Into<String>, detail: impl Into<String>) {
    report.findings.push(Finding { subject: subject.into(), detail: detail.into() });
}
