//! Sharings: their content is in one column, in canonical form; who may read a footprint stands beside, in the order of lists.

use std::collections::BTreeSet;

use domain::footprint::FootprintPlace;
use domain::{Canonical as _, FootprintId, PartnerId, Sharing};
use ports::Stored;
use ports::repo::Use;
use ports::store::StoreError;
use ports::store::finding::SHARING_READERS;
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::row::{self, Columns, Damage};
use crate::session::Session;
use crate::table::{self, Table};

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

    fn write_parts(&self, conn: &Connection) -> Result<(), StoreError> {
        remove_readers(conn, self.id.uuid())?;
        let insert = "INSERT INTO sharing_partner (partner, place_us, number, footprint) \
                      SELECT ?1, ifnull(max(place_us), ?2), ifnull(max(number), ?3), ?4 FROM footprint WHERE id = ?4";
        let mut insert = conn.prepare_cached(insert).store_err()?;
        let FootprintPlace { created_us, number } = FootprintPlace::START;
        for reader in self.with.readers() {
            insert.execute(params![key(reader), created_us, number, self.id.uuid()]).store_err()?;
        }
        Ok(())
    }

    fn remove_parts(conn: &Connection, _: &mut Session, id: Uuid) -> Result<(), StoreError> {
        remove_readers(conn, id)
    }
}

/// What stands for a partner that may read a footprint, or for every one.
fn key(reader: Option<PartnerId>) -> Uuid {
    reader.map(PartnerId::uuid).unwrap_or_default()
}

fn remove_readers(conn: &Connection, footprint: Uuid) -> Result<(), StoreError> {
    conn.prepare_cached("DELETE FROM sharing_partner WHERE footprint = ?")
        .and_then(|mut statement| statement.execute([footprint]))
        .map(drop)
        .store_err()
}

/// Moves what is shared of a footprint to that place.
pub(crate) fn place(conn: &Connection, footprint: Uuid, place: FootprintPlace) -> Result<(), StoreError> {
    conn.prepare_cached("UPDATE sharing_partner SET place_us = ?, number = ? WHERE footprint = ?")
        .and_then(|mut statement| statement.execute(params![place.created_us, place.number, footprint]))
        .map(drop)
        .store_err()
}

/// The places behind `after` of what is shared with the partner, in their order, at most `limit`. Each of both parts is read
/// in that order and no further.
pub(crate) fn opened(
    conn: &Connection,
    partner: PartnerId,
    after: FootprintPlace,
    limit: u64,
) -> Result<Vec<(FootprintPlace, FootprintId)>, StoreError> {
    let text = "SELECT place_us, number, footprint FROM sharing_partner \
                WHERE partner = ?1 AND (place_us, number) > (?3, ?4) \
                UNION ALL \
                SELECT place_us, number, footprint FROM sharing_partner \
                WHERE partner = ?2 AND (place_us, number) > (?3, ?4) \
                ORDER BY place_us, number LIMIT ?5";
    let mut statement = conn.prepare_cached(text).store_err()?;
    let bounds = params![partner.uuid(), key(None), after.created_us, after.number, limit];
    let rows = statement.query_map(bounds, |row| {
        let place = FootprintPlace { created_us: row.get(0)?, number: row.get(1)? };
        Ok((place, FootprintId::new(row.get(2)?)))
    });
    rows.store_err()?.collect::<Result<_, _>>().store_err()
}

/// Up to `limit` sharings that name the partner.
pub(crate) fn naming(conn: &Connection, partner: PartnerId, limit: u32) -> Result<Vec<Stored<Sharing>>, StoreError> {
    let named = "WHERE sharing.id IN (SELECT footprint FROM sharing_partner WHERE partner = ? LIMIT ?)";
    table::query(conn, named, params![partner.uuid(), limit])
}

/// What is beside a sharing and does not follow from it, in words.
pub(crate) fn beside(conn: &Connection, sharing: &Sharing) -> Result<Option<&'static str>, StoreError> {
    let text = "SELECT sharing_partner.partner, \
                sharing_partner.place_us = footprint.place_us AND sharing_partner.number = footprint.number \
                FROM sharing_partner LEFT JOIN footprint ON footprint.id = sharing_partner.footprint \
                WHERE sharing_partner.footprint = ?";
    let mut statement = conn.prepare_cached(text).store_err()?;
    let rows = statement.query_map([sharing.id.uuid()], |row| Ok((row.get(0)?, row.get::<_, Option<bool>>(1)?)));
    let found: Vec<(Uuid, Option<bool>)> = rows.store_err()?.collect::<Result<_, _>>().store_err()?;
    let is_placed = found.iter().all(|(_, is_placed)| is_placed.unwrap_or(true));
    let readers: BTreeSet<_> = found.into_iter().map(|(reader, _)| reader).collect();
    let expected = sharing.with.readers().into_iter().map(key).collect();
    Ok((!is_placed || readers != expected).then_some(SHARING_READERS))
}
