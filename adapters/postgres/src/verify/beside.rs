//! What is beside records and follows from them: places in lists, verdicts, and what they are found by.

use ports::RecordKind;
use ports::store::{StoreError, Verification};

use super::find;
use crate::conn::TenantConn;
use crate::{footprint, partner, sharing};

/// How many are read at a time.
const PAGE: u64 = 500;

/// Makes what is beside the records of a kind anew and compares, page by page.
macro_rules! compare {
    ($conn:ident, $report:ident, $kind:ident, $beside:path) => {
        let mut after = None;
        loop {
            let (wrong, last) = $beside($conn, after, PAGE).await?;
            for (id, detail) in wrong {
                find($report, format!("{} {id}", RecordKind::$kind), detail);
            }
            after = last;
            if after.is_none() {
                break;
            }
        }
    };
}

/// Makes them anew and compares.
pub(super) async fn check(conn: &mut TenantConn, report: &mut Verification) -> Result<(), StoreError> {
    compare!(conn, report, Footprint, footprint::beside);
    compare!(conn, report, Partner, partner::beside);
    compare!(conn, report, Sharing, sharing::beside);
    Ok(())
}
