//! Models, with their blocks in a table beside.

use domain::{Block, DeclaredAmount, Input, Model, Name, Quantity, SyncId, Unit};
use ports::repo::Use;
use ports::store::StoreError;
use ports::{ChangeItem, RecordKind};
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::reference::{count_uses, key_of};
use crate::row::{self, Columns, Damage};
use crate::session::Session;
use crate::table::{Table, query};

impl Table for Model {
    const NAME: &'static str = "model";
    const COLUMNS: &'static str =
        "model.key, model.sync_id, model.name, model.unit, model.amount, model.reference_date";
    const WRITTEN: &'static [&'static str] = &["sync_id", "name", "unit", "amount", "reference_date"];
    const ORDER: &'static str = "model.id";

    fn decode(conn: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let (id, key) = (columns.record_id()?, columns.take()?);
        let (sync_id, name) = (columns.parse_optional(SyncId::parse)?, columns.parse(Name::parse)?);
        let (unit, amount) = (columns.parse(Unit::parse)?, columns.parse(Quantity::parse)?);
        let amount = DeclaredAmount::new(amount).map_err(|error| Damage(format!("amount: {error}")))?;
        let reference_date = columns.day()?;
        let blocks = blocks(conn, key)?;
        Ok(Self::new(id, name, unit, reference_date).with_sync_id(sync_id).with_amount(amount).with_blocks(blocks))
    }

    fn values(&self, _: &Connection) -> Result<Vec<Value>, StoreError> {
        Ok(vec![
            row::text_or_null(self.sync_id.as_ref()),
            row::text(&self.name),
            row::text(self.unit.code()),
            row::text(self.amount),
            row::day_or_null(Some(self.reference_date)),
        ])
    }

    fn uses(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let switches = "SELECT count(DISTINCT switch) FROM switch_source \
             WHERE model = (SELECT key FROM model WHERE id = ?)";
        count_uses(conn, id, &[(RecordKind::Switch, switches)])
    }

    fn write_parts(&self, conn: &Connection) -> Result<(), StoreError> {
        let key = key_of(conn, "model", RecordKind::Model, self.id)?;
        remove_blocks(conn, key)?;
        let mut insert =
            conn.prepare_cached("INSERT INTO block (model, ordinal, id, name) VALUES (?, ?, ?, ?)").store_err()?;
        for (block, ordinal) in self.blocks.iter().zip(0_u32..) {
            insert.execute(params![key, ordinal, block.id.uuid(), block.name.as_str()]).store_err()?;
        }
        Ok(())
    }

    fn remove_parts(conn: &Connection, session: &mut Session, id: Uuid) -> Result<(), StoreError> {
        let key = key_of(conn, "model", RecordKind::Model, id)?;
        remove_blocks(conn, key)?;
        let inputs = query::<Input>(conn, "WHERE input.model = ? ORDER BY input.position, input.id", [key])?;
        conn.prepare_cached("DELETE FROM input WHERE model = ?")
            .and_then(|mut statement| statement.execute([key]))
            .store_err()?;
        for input in &inputs {
            session.note(ChangeItem::removed(input));
        }
        Ok(())
    }
}

fn remove_blocks(conn: &Connection, model: i64) -> Result<(), StoreError> {
    conn.prepare_cached("DELETE FROM block WHERE model = ?")
        .and_then(|mut statement| statement.execute([model]))
        .map(|_| ())
        .store_err()
}

fn blocks(conn: &Connection, model: i64) -> Result<Vec<Block>, Damage> {
    let damage = |error: rusqlite::Error| Damage(error.to_string());
    let mut statement =
        conn.prepare_cached("SELECT id, name FROM block WHERE model = ? ORDER BY ordinal").map_err(damage)?;
    let mut rows = statement.query([model]).map_err(damage)?;
    let mut blocks = Vec::new();
    while let Some(row) = rows.next().map_err(damage)? {
        let mut columns = Columns::new(row);
        blocks.push(Block { id: columns.id()?, name: columns.parse(Name::parse)? });
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use ports::contract::sample::{self, SampleClock, SampleIds};
    use ports::{TenantId, Version};
    use rusqlite::StatementStatus;
    use tempfile::TempDir;

    use super::*;
    use crate::file::{Absent, open_writer};
    use crate::keys::KnownKeys;
    use crate::migration::TENANT;
    use crate::options::Options;
    use crate::session::{Origin, make_head, read_head};
    use crate::table;

    #[test]
    fn the_inputs_of_a_model_go_with_it_in_one_statement() {
        let folder = TempDir::new().unwrap();
        let options = Options::new(SampleClock::shared(), SampleIds::shared());
        let conn = open_writer(&folder.path().join("a.db"), &TENANT, Absent::Make, &options).unwrap();
        let tenant: TenantId = sample::id(1);
        make_head(&conn, tenant, Uuid::nil()).unwrap();
        let origin = Origin { intent: sample::intent(), actor: "key:test".to_owned() };
        let mut session = Session::new(read_head(&conn).unwrap(), &origin, KnownKeys::default());
        let (model, material) = (sample::model(1), sample::product(1));
        table::add(&conn, &mut session, material.clone()).unwrap();
        let seen: Version = table::add(&conn, &mut session, model.clone()).unwrap().version;
        for number in 0..20 {
            let order = i32::try_from(number).unwrap();
            table::add(&conn, &mut session, sample::input(100 + number, &model, &material, order)).unwrap();
        }
        table::remove::<Model>(&conn, &mut session, model.id.into(), seen).unwrap();
        let runs = |text| conn.prepare_cached(text).unwrap().get_status(StatementStatus::Run);
        assert_eq!(runs("DELETE FROM input WHERE model = ?"), 1);
        assert_eq!(runs("DELETE FROM input WHERE id = ?"), 0);
        let left: i64 = conn.query_row("SELECT count(*) FROM input", [], |row| row.get(0)).unwrap();
        assert_eq!(left, 0);
    }
}
