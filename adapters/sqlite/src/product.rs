//! Products.

use domain::{Canonical as _, FactorRule, Name, Product, ProductId, SyncId, Unit};
use ports::repo::Use;
use ports::store::StoreError;
use ports::{RecordKind, Stored};
use rusqlite::Connection;
use rusqlite::types::Value;
use uuid::Uuid;

use crate::reference::count_uses;
use crate::row::{self, Columns, Damage, collect};
use crate::table::{self, Table};

impl Table for Product {
    const NAME: &'static str = "product";
    const COLUMNS: &'static str = "product.sync_id, product.name, product.unit, product.rule";
    const WRITTEN: &'static [&'static str] = &["sync_id", "name", "unit", "rule"];
    const ORDER: &'static str = "product.id";

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id = columns.record_id()?;
        let sync_id = columns.parse_optional(SyncId::parse)?;
        let name = columns.parse(Name::parse)?;
        let unit = columns.parse(Unit::parse)?;
        let rule = columns.parse_optional(|text| FactorRule::from_canonical((), text))?;
        Ok(Self::new(id, name, unit).with_sync_id(sync_id).with_rule(rule))
    }

    fn values(&self, _: &Connection) -> Result<Vec<Value>, StoreError> {
        Ok(vec![
            row::text_or_null(self.sync_id.as_ref()),
            row::text(&self.name),
            row::text(self.unit.code()),
            row::text_or_null(self.rule.as_ref().map(FactorRule::canonical)),
        ])
    }

    fn uses(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let counts = [
            (RecordKind::Activity, "SELECT activities FROM activity_use WHERE kind = 4 AND id = ?"),
            (RecordKind::Factor, "SELECT count(*) FROM factor WHERE product = (SELECT key FROM product WHERE id = ?)"),
            (RecordKind::Input, "SELECT count(*) FROM input WHERE material = (SELECT key FROM product WHERE id = ?)"),
        ];
        count_uses(conn, id, &counts)
    }
}

/// The names of all products.
pub(crate) fn names(conn: &Connection) -> Result<Vec<(ProductId, Name)>, StoreError> {
    collect(conn, "SELECT id, name FROM product", [], "product", |columns| {
        Ok((columns.id()?, columns.parse(Name::parse)?))
    })
}

/// The products behind one of them, by id.
pub(crate) fn after(
    conn: &Connection,
    after: Option<ProductId>,
    limit: u32,
) -> Result<Vec<Stored<Product>>, StoreError> {
    match after {
        Some(after) => table::query(
            conn,
            "WHERE product.id > ? ORDER BY product.id LIMIT ?",
            [row::id(after), Value::Integer(limit.into())],
        ),
        None => table::query(conn, "ORDER BY product.id LIMIT ?", [Value::Integer(limit.into())]),
    }
}
