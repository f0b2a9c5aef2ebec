//! Exclusions: their content is in one column, in canonical form, with the nodes that they name beside it.

use domain::{Canonical as _, Exclusion, ExclusionId};
use ports::RecordKind;
use ports::repo::Use;
use ports::store::StoreError;
use rusqlite::Connection;
use rusqlite::types::Value;
use uuid::Uuid;

use crate::reference::key_of;
use crate::row::{self, Columns, Damage};
use crate::table::Table;

impl Table for Exclusion {
    const NAME: &'static str = "exclusion";
    const FROM: &'static str = "exclusion LEFT JOIN scope ON scope.key = exclusion.scope \
                                LEFT JOIN org ON org.key = exclusion.org";
    const COLUMNS: &'static str = "scope.id, org.id, exclusion.content";
    const WRITTEN: &'static [&'static str] = &["scope", "org", "content"];
    const ORDER: &'static str = "exclusion.id";
    const SYNC_ID: bool = false;

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id: ExclusionId = columns.record_id()?;
        let (scope, org) = (columns.id_optional()?, columns.id_optional()?);
        let exclusion = columns.parse(|text| Self::from_canonical(id, text))?;
        if exclusion.scope() != scope {
            return Err(Damage("scope: is not that of the content".to_owned()));
        }
        if exclusion.org == org { Ok(exclusion) } else { Err(Damage("org: is not that of the content".to_owned())) }
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        let scope = self.scope().map(|scope| key_of(conn, "scope", RecordKind::Scope, scope)).transpose()?;
        let org = self.org.map(|org| key_of(conn, "org", RecordKind::Org, org)).transpose()?;
        Ok(vec![row::integer_or_null(scope), row::integer_or_null(org), row::text(self.canonical())])
    }

    fn uses(_: &Connection, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}
