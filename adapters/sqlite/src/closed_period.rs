//! Closed periods: their content is in one column, in canonical form, with the org beside it.

use domain::{Canonical as _, ClosedPeriod, ClosedPeriodId};
use ports::RecordKind;
use ports::repo::Use;
use ports::store::StoreError;
use rusqlite::Connection;
use rusqlite::types::Value;
use uuid::Uuid;

use crate::reference::key_of;
use crate::row::{self, Columns, Damage};
use crate::table::Table;

impl Table for ClosedPeriod {
    const NAME: &'static str = "period";
    const FROM: &'static str = "period LEFT JOIN org ON org.key = period.org";
    const COLUMNS: &'static str = "org.id, period.content";
    const WRITTEN: &'static [&'static str] = &["org", "content"];
    const ORDER: &'static str = "period.id";
    const SYNC_ID: bool = false;

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let (id, org): (ClosedPeriodId, _) = (columns.record_id()?, columns.id_optional()?);
        let period = columns.parse(|text| Self::from_canonical(id, text))?;
        if period.org == org { Ok(period) } else { Err(Damage("org: is not that of the content".to_owned())) }
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        let org = self.org.map(|org| key_of(conn, "org", RecordKind::Org, org)).transpose()?;
        Ok(vec![row::integer_or_null(org), row::text(self.canonical())])
    }

    fn uses(_: &Connection, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}
