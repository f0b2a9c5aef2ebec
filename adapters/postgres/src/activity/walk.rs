//! Walking along selected activities: from the second step on through a cursor, so that what is asked is planned and sorted once.

use std::collections::HashSet;

use domain::{Activity, Filter, ScopeId};
use ports::Stored;
use ports::repo::{Place, Side};
use ports::store::StoreError;
use sea_orm::{DbBackend, QueryTrait as _};

use super::selection::{range, select};
use crate::conn::{TenantConn, sql};
use crate::table;

/// The walk that goes on in a snapshot. Rows that are written later are not seen by it.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// How many cursors were opened. Each has a name of its own.
    cursors: u64,
    at: Option<At>,
}

#[derive(Debug)]
struct At {
    filter: Filter,
    not_spread: HashSet<ScopeId>,
    /// The last activity that was given.
    last: Place,
    /// The open cursor, whose next row is the one behind it.
    cursor: Option<u64>,
}

impl At {
    /// Whether what is asked is what follows.
    fn goes_on(&self, filter: &Filter, not_spread: &HashSet<ScopeId>, after: Option<Place>) -> bool {
        Some(self.last) == after && self.filter == *filter && self.not_spread == *not_spread
    }
}

impl Walk {
    /// Up to `limit` of the selected activities behind `after`, by first day, then id.
    pub(crate) async fn range(
        &mut self,
        conn: &mut TenantConn,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        after: Option<Place>,
        limit: u32,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let at = self.at.take();
        // FETCH 0 would give the last row again.
        let goes_on = limit > 0 && at.as_ref().is_some_and(|at| at.goes_on(filter, not_spread, after));
        let mut cursor = at.and_then(|at| at.cursor);
        let found = if goes_on {
            if cursor.is_none() {
                cursor = self.open(conn, filter, not_spread, after).await?;
            }
            fetch(conn, cursor, limit).await?
        } else {
            if let Some(open) = cursor.take() {
                conn.batch(&format!("CLOSE walk_{open}")).await?;
            }
            range(conn, filter, not_spread, Side::After(after), (limit, 0)).await?
        };
        self.at = found.last().map(|last| At {
            filter: filter.clone(),
            not_spread: not_spread.clone(),
            last: Place::of(&last.value),
            cursor,
        });
        Ok(found)
    }

    /// Opens a cursor on what lies behind that place; `None` where nothing is selected.
    async fn open(
        &mut self,
        conn: &mut TenantConn,
        filter: &Filter,
        not_spread: &HashSet<ScopeId>,
        after: Option<Place>,
    ) -> Result<Option<u64>, StoreError> {
        let Some(rows) = select(conn, filter, not_spread, Side::After(after)).await? else { return Ok(None) };
        self.cursors += 1;
        let mut statement = rows.build(DbBackend::Postgres);
        statement.sql = format!("DECLARE walk_{} NO SCROLL CURSOR FOR {}", self.cursors, statement.sql);
        conn.execute(statement).await?;
        Ok(Some(self.cursors))
    }
}

async fn fetch(conn: &mut TenantConn, cursor: Option<u64>, limit: u32) -> Result<Vec<Stored<Activity>>, StoreError> {
    let Some(cursor) = cursor else { return Ok(Vec::new()) };
    let rows = conn.all(sql(&format!("FETCH {limit} FROM walk_{cursor}"), [])).await?;
    table::records(conn, rows).await
}
