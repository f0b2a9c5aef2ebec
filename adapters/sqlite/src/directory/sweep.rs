//! Forgetting what has run out.

use domain::Timestamp;
use ports::directory::{SweepState, Swept};
use ports::store::StoreError;
use rusqlite::{Connection, params};

use super::session;
use crate::error::StoreErr as _;
use crate::row::{Columns, Damage, collect};

/// Forgets what had run out at a moment that is certainly past: tokens, that families were revoked which have none left, that
/// tokens were, sessions and once-links. That changes nothing a cache could hold, so it is no change of the directory.
pub(super) fn sweep(conn: &Connection, now: Timestamp) -> Result<Swept, StoreError> {
    let before = collect(conn, "SELECT latest, mark, steady_ms FROM sweep", [], "sweep", state)?.pop();
    let behind = SweepState::behind(before, now);
    let (state, past) = SweepState::advance(before, now);
    conn.execute(
        "INSERT OR REPLACE INTO sweep (one, latest, mark, steady_ms) VALUES (1, ?, ?, ?)",
        params![state.latest.millis(), state.mark.millis(), state.steady_ms],
    )
    .store_err()?;
    let removed = past.map_or(Ok(0), |past| forget(conn, past))?;
    Ok(Swept { removed, behind, past })
}

fn state(columns: &mut Columns<'_>) -> Result<SweepState, Damage> {
    Ok(SweepState { latest: columns.timestamp()?, mark: columns.timestamp()?, steady_ms: columns.take()? })
}

/// Forgets what had run out at that moment, and gives how many records that were.
fn forget(conn: &Connection, past: Timestamp) -> Result<u64, StoreError> {
    let tokens = conn.execute("DELETE FROM refresh WHERE expires <= ?", [past.millis()]).store_err()?;
    let families = conn
        .execute(
            "DELETE FROM revoked_family WHERE NOT EXISTS \
             (SELECT 1 FROM refresh WHERE refresh.family = revoked_family.family)",
            [],
        )
        .store_err()?;
    let revoked = conn.execute("DELETE FROM revoked_token WHERE expires <= ?", [past.millis()]).store_err()?;
    Ok((tokens + families + revoked) as u64 + session::forget(conn, past)?)
}
