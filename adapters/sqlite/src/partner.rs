//! Partners: their content is in one column, in canonical form; they are found by the clients that they name.

use std::collections::BTreeSet;

use domain::{Canonical as _, Partner, PartnerId};
use ports::Stored;
use ports::repo::Use;
use ports::store::StoreError;
use ports::store::finding::PARTNER_CLIENTS;
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::row::{self, Columns, Damage};
use crate::session::Session;
use crate::table::{self, Table};

impl Table for Partner {
    const NAME: &'static str = "partner";
    const FROM: &'static str = "partner";
    const COLUMNS: &'static str = "partner.content";
    const WRITTEN: &'static [&'static str] = &["content"];
    const ORDER: &'static str = "partner.id";
    const SYNC_ID: bool = false;

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id: PartnerId = columns.record_id()?;
        columns.parse(|text| Self::from_canonical(id, text))
    }

    fn values(&self, _: &Connection) -> Result<Vec<Value>, StoreError> {
        Ok(vec![row::text(self.canonical())])
    }

    fn uses(_: &Connection, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }

    fn write_parts(&self, conn: &Connection) -> Result<(), StoreError> {
        remove_clients(conn, self.id.uuid())?;
        let insert = "INSERT OR IGNORE INTO partner_client (client, partner) VALUES (?, ?)";
        let mut insert = conn.prepare_cached(insert).store_err()?;
        for client in &self.clients {
            insert.execute(params![client, self.id.uuid()]).store_err()?;
        }
        Ok(())
    }

    fn remove_parts(conn: &Connection, _: &mut Session, id: Uuid) -> Result<(), StoreError> {
        remove_clients(conn, id)
    }
}

fn remove_clients(conn: &Connection, partner: Uuid) -> Result<(), StoreError> {
    conn.prepare_cached("DELETE FROM partner_client WHERE partner = ?")
        .and_then(|mut statement| statement.execute([partner]))
        .map(drop)
        .store_err()
}

/// The partner that names that client.
pub(crate) fn of_client(conn: &Connection, client: Uuid) -> Result<Option<Stored<Partner>>, StoreError> {
    let named = "WHERE partner.id = (SELECT partner FROM partner_client WHERE client = ? ORDER BY partner LIMIT 1)";
    Ok(table::query(conn, named, [client])?.pop())
}

/// What is beside a partner and does not follow from it, in words.
pub(crate) fn beside(conn: &Connection, partner: &Partner) -> Result<Option<&'static str>, StoreError> {
    let text = "SELECT client FROM partner_client WHERE partner = ?";
    let mut statement = conn.prepare_cached(text).store_err()?;
    let rows = statement.query_map([partner.id.uuid()], |row| row.get(0)).store_err()?;
    let clients: BTreeSet<Uuid> = rows.collect::<Result<_, _>>().store_err()?;
    Ok((clients != partner.clients.iter().copied().collect()).then_some(PARTNER_CLIENTS))
}
