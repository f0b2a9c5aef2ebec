//! Closed periods: their content is in one column, in canonical form, with the org and what they are closed for beside it.

use domain::{Canonical as _, ClosedPeriod, ClosedPeriodId, PeriodSpan};
use ports::RecordKind;
use ports::repo::Use;
use ports::store::StoreError;
use rusqlite::Connection;
use rusqlite::types::Value;
use uuid::Uuid;

use crate::reference::key_of;
use crate::row::{self, Columns, Damage, collect};
use crate::table::Table;

impl Table for ClosedPeriod {
    const NAME: &'static str = "period";
    const FROM: &'static str = "period LEFT JOIN org ON org.key = period.org";
    const COLUMNS: &'static str = "org.id, period.span, period.content";
    const WRITTEN: &'static [&'static str] = &["org", "span", "content"];
    const ORDER: &'static str = "period.id";
    const SYNC_ID: bool = false;

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let (id, org): (ClosedPeriodId, _) = (columns.record_id()?, columns.id_optional()?);
        let span = columns.parse_optional(|text| PeriodSpan::from_canonical(id, text))?;
        let period = columns.parse(|text| Self::from_canonical(id, text))?;
        if period.org != org {
            return Err(Damage("org: is not that of the content".to_owned()));
        }
        if period.span() == span { Ok(period) } else { Err(Damage("span: is not that of the content".to_owned())) }
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        let org = self.org.map(|org| key_of(conn, "org", RecordKind::Org, org)).transpose()?;
        let span = self.span().map(|span| span.canonical());
        Ok(vec![row::integer_or_null(org), row::text_or_null(span), row::text(self.canonical())])
    }

    fn uses(_: &Connection, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}

/// What the periods are closed for that were not opened again.
pub(crate) fn closed(conn: &Connection) -> Result<Vec<PeriodSpan>, StoreError> {
    collect(conn, "SELECT id, span FROM period WHERE span IS NOT NULL ORDER BY id", [], "period", |columns| {
        let id: ClosedPeriodId = columns.id()?;
        columns.parse(|text| PeriodSpan::from_canonical(id, text))
    })
}
