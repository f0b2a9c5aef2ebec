//! Sharings: their content is in one column, in canonical form.

use domain::{Canonical as _, FootprintId, Sharing};
use ports::repo::Use;
use ports::store::StoreError;
use rusqlite::Connection;
use rusqlite::types::Value;
use uuid::Uuid;

use crate::row::{self, Columns, Damage};
use crate::table::Table;

impl Table for Sharing {
    const NAME: &'static str = "sharing";
    const FROM: &'static str = "sharing";
    const COLUMNS: &'static str = "sharing.content";
    const WRITTEN: &'static [&'static str] = &["content"];
    const ORDER: &'static str = "sharing.id";
    const SYNC_ID: bool = false;

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id: FootprintId = columns.record_id()?;
        columns.parse(|text| Self::from_canonical(id, text))
    }

    fn values(&self, _: &Connection) -> Result<Vec<Value>, StoreError> {
        Ok(vec![row::text(self.canonical())])
    }

    fn uses(_: &Connection, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }
}
