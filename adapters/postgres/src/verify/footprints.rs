//! What is beside footprints and follows from them: their places in lists, their verdicts and what they are found by.

use ports::RecordKind;
use ports::store::{StoreError, Verification};

use super::find;
use crate::conn::TenantConn;
use crate::footprint::beside;

/// How many are read at a time.
const PAGE: u64 = 500;

/// Makes them anew and compares.
pub(super) async fn check(conn: &mut TenantConn, report: &mut Verification) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let (wrong, last) = beside(conn, after, PAGE).await?;
        for (id, detail) in wrong {
            find(report, format!("{} {id}", RecordKind::Footprint), detail);
        }
        if last.is_none() {
            return Ok(());
        }
        after = last;
    }
}
