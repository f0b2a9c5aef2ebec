//! Switches, with their sources in a table beside.

use domain::{ImageAddress, ModelId, Name, Sources, Switch, SyncId, Unit};
use ports::RecordKind;
use ports::repo::Use;
use ports::store::StoreError;
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::reference::key_of;
use crate::row::{self, Columns, Damage};
use crate::session::Session;
use crate::table::Table;

impl Table for Switch {
    const NAME: &'static str = "switch";
    const COLUMNS: &'static str = "switch.key, switch.sync_id, switch.name, switch.unit, switch.image";
    const WRITTEN: &'static [&'static str] = &["sync_id", "name", "unit", "image"];
    const ORDER: &'static str = "switch.id";

    fn decode(conn: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let (id, key) = (columns.record_id()?, columns.take()?);
        let sync_id = columns.parse_optional(SyncId::parse)?;
        let name = columns.parse(Name::parse)?;
        let unit = columns.parse_optional(Unit::parse)?;
        let image = columns.parse_optional(ImageAddress::parse)?;
        let sources = Sources::new(sources(conn, key)?).map_err(|error| Damage(format!("sources: {error}")))?;
        Ok(Self::new(id, name).with_sync_id(sync_id).with_unit(unit).with_image(image).with_sources(sources))
    }

    fn values(&self, _: &Connection) -> Result<Vec<Value>, StoreError> {
        Ok(vec![
            row::text_or_null(self.sync_id.as_ref()),
            row::text(&self.name),
            row::text_or_null(self.unit.map(Unit::code)),
            row::text_or_null(self.image.as_ref()),
        ])
    }

    fn uses(_: &Connection, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }

    fn write_parts(&self, conn: &Connection) -> Result<(), StoreError> {
        let key = key_of(conn, "switch", RecordKind::Switch, self.id)?;
        remove_sources(conn, key)?;
        let mut insert =
            conn.prepare_cached("INSERT INTO switch_source (switch, ordinal, model) VALUES (?, ?, ?)").store_err()?;
        for (source, ordinal) in self.sources.as_slice().iter().zip(0_u32..) {
            let model = key_of(conn, "model", RecordKind::Model, *source)?;
            insert.execute(params![key, ordinal, model]).store_err()?;
        }
        Ok(())
    }

    fn remove_parts(conn: &Connection, _: &mut Session, id: Uuid) -> Result<(), StoreError> {
        remove_sources(conn, key_of(conn, "switch", RecordKind::Switch, id)?)
    }
}

fn remove_sources(conn: &Connection, switch: i64) -> Result<(), StoreError> {
    conn.prepare_cached("DELETE FROM switch_source WHERE switch = ?")
        .and_then(|mut statement| statement.execute([switch]))
        .map(|_| ())
        .store_err()
}

fn sources(conn: &Connection, switch: i64) -> Result<Vec<ModelId>, Damage> {
    let damage = |error: rusqlite::Error| Damage(error.to_string());
    let mut statement = conn
        .prepare_cached(
            "SELECT model.id FROM switch_source JOIN model ON model.key = switch_source.model \
             WHERE switch_source.switch = ? ORDER BY switch_source.ordinal",
        )
        .map_err(damage)?;
    let ids = statement.query_map([switch], |row| row.get::<_, Uuid>(0)).map_err(damage)?;
    ids.map(|id| id.map(ModelId::new).map_err(damage)).collect()
}
