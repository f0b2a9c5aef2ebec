//! Sharings: their content is in one column, in canonical form; who may read a footprint stands beside, in the order of lists.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use domain::footprint::FootprintPlace;
use domain::{Canonical as _, FootprintId, PartnerId, Sharing};
use ports::Stored;
use ports::repo::Use;
use ports::store::StoreError;
use ports::store::finding::SHARING_READERS;
use sea_orm::{
    ColumnTrait as _, DbBackend, QueryFilter as _, QueryOrder as _, QuerySelect as _, QueryTrait as _, Value,
};
use uuid::Uuid;

use crate::conn::{TenantConn, column, sql};
use crate::entity::Stamp;
use crate::entity::sharing::{Column, Entity, Model};
use crate::error::failed;
use crate::row::{self, Damage};
use crate::session::Session;
use crate::table::{self, Table};

#[async_trait]
impl Table for Sharing {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = None;

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        row::parse("content", &row.content, |text| Self::from_canonical(FootprintId::new(row.id), text))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(Model { tenant_id, id, content: self.canonical(), created, updated, version, digest })
    }

    async fn uses(_: &mut TenantConn, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }

    async fn write_parts(&self, conn: &mut TenantConn) -> Result<(), StoreError> {
        remove_readers(conn, self.id.uuid()).await?;
        let text = "INSERT INTO tonne.sharing_partner (tenant_id, partner, place_us, number, footprint) \
                    SELECT $1, reader, coalesce(footprint.place_us, $4), coalesce(footprint.number, 0), $2 \
                    FROM unnest($3) AS readers (reader) \
                    LEFT JOIN tonne.footprint ON footprint.tenant_id = $1 AND footprint.id = $2";
        let readers: Vec<Uuid> = self.with.readers().into_iter().map(key).collect();
        let values: [Value; 4] = [
            conn.tenant().uuid().into(),
            self.id.uuid().into(),
            readers.into(),
            FootprintPlace::START.created_us.into(),
        ];
        conn.execute(sql(text, values)).await.map(drop)
    }

    async fn remove_parts(conn: &mut TenantConn, _: &mut Session, id: Uuid) -> Result<(), StoreError> {
        remove_readers(conn, id).await
    }
}

/// What stands for a partner that may read a footprint, or for every one.
pub(crate) fn key(reader: Option<PartnerId>) -> Uuid {
    reader.map(PartnerId::uuid).unwrap_or_default()
}

async fn remove_readers(conn: &mut TenantConn, footprint: Uuid) -> Result<(), StoreError> {
    let text = "DELETE FROM tonne.sharing_partner WHERE tenant_id = $1 AND footprint = $2";
    let statement = sql(text, [conn.tenant().uuid().into(), footprint.into()]);
    conn.execute(statement).await.map(drop)
}

/// Moves what is shared of a footprint to that place.
pub(crate) async fn place(conn: &mut TenantConn, footprint: Uuid, place: FootprintPlace) -> Result<(), StoreError> {
    let text = "UPDATE tonne.sharing_partner SET place_us = $3, number = $4 WHERE tenant_id = $1 AND footprint = $2";
    let number = row::integer(place.number)?;
    let values: [Value; 4] = [conn.tenant().uuid().into(), footprint.into(), place.created_us.into(), number];
    conn.execute(sql(text, values)).await.map(drop)
}

/// The statement of [`opened`]: each of both parts is read in the order of lists and no further.
pub(crate) const OPENED: &str = "\
    (SELECT place_us, number, footprint FROM tonne.sharing_partner \
     WHERE tenant_id = $1 AND partner = $2 AND (place_us, number) > ($4, $5) ORDER BY place_us, number LIMIT $6) \
    UNION ALL \
    (SELECT place_us, number, footprint FROM tonne.sharing_partner \
     WHERE tenant_id = $1 AND partner = $3 AND (place_us, number) > ($4, $5) ORDER BY place_us, number LIMIT $6) \
    ORDER BY place_us, number LIMIT $6";

/// The places behind `after` of what is shared with the partner, in their order, at most `limit`.
pub(crate) async fn opened(
    conn: &mut TenantConn,
    partner: PartnerId,
    after: FootprintPlace,
    limit: u32,
) -> Result<Vec<(FootprintPlace, FootprintId)>, StoreError> {
    let values: [Value; 6] = [
        conn.tenant().uuid().into(),
        partner.uuid().into(),
        key(None).into(),
        after.created_us.into(),
        i64::try_from(after.number).unwrap_or(i64::MAX).into(),
        i64::from(limit).into(),
    ];
    let mut found = Vec::new();
    conn.each(sql(OPENED, values), |row| {
        let number: i64 = column(row, 1)?;
        let number = u64::try_from(number).map_err(|_| failed("a footprint has a negative number"))?;
        found.push((FootprintPlace { created_us: column(row, 0)?, number }, FootprintId::new(column(row, 2)?)));
        Ok(())
    })
    .await?;
    Ok(found)
}

/// Up to `limit` sharings that name the partner.
pub(crate) async fn naming(
    conn: &mut TenantConn,
    partner: PartnerId,
    limit: u32,
) -> Result<Vec<Stored<Sharing>>, StoreError> {
    let text = "SELECT footprint FROM tonne.sharing_partner WHERE tenant_id = $1 AND partner = $2 LIMIT $3";
    let values: [Value; 3] = [conn.tenant().uuid().into(), partner.uuid().into(), i64::from(limit).into()];
    let mut ids = Vec::new();
    conn.each(sql(text, values), |row| {
        ids.push(column(row, 0)?);
        Ok(())
    })
    .await?;
    table::find_all(conn, &ids).await
}

/// What is beside those sharings and does not follow from them, in words.
pub(crate) async fn beside(
    conn: &mut TenantConn,
    after: Option<Uuid>,
    limit: u64,
) -> Result<(Vec<(Uuid, &'static str)>, Option<Uuid>), StoreError> {
    let mut select = table::select::<Sharing>(conn).order_by_asc(Column::Id).limit(limit);
    if let Some(after) = after {
        select = select.filter(Column::Id.gt(after));
    }
    let rows: Vec<Model> = conn.all(select.build(DbBackend::Postgres)).await?;
    let last = rows.last().filter(|_| rows.len() as u64 == limit).map(|row| row.id);
    let text = "SELECT shared.footprint, shared.partner, \
                (shared.place_us, shared.number) = (footprint.place_us, footprint.number) \
                FROM tonne.sharing_partner AS shared LEFT JOIN tonne.footprint \
                ON footprint.tenant_id = shared.tenant_id AND footprint.id = shared.footprint \
                WHERE shared.tenant_id = $1 AND shared.footprint = ANY ($2)";
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let (mut readers, mut misplaced): (HashMap<Uuid, BTreeSet<Uuid>>, BTreeSet<Uuid>) = Default::default();
    let statement = sql(text, [conn.tenant().uuid().into(), ids.into()]);
    conn.each(statement, |row| {
        let footprint: Uuid = column(row, 0)?;
        readers.entry(footprint).or_default().insert(column(row, 1)?);
        let is_placed: Option<bool> = column(row, 2)?;
        misplaced.extend((is_placed == Some(false)).then_some(footprint));
        Ok(())
    })
    .await?;
    let mut wrong = Vec::new();
    for row in rows {
        let id = row.id;
        // One that does not read was reported with the records.
        let Ok(sharing) = Sharing::decode(row, &mut ()) else { continue };
        let expected = sharing.with.readers().into_iter().map(key).collect();
        if misplaced.contains(&id) || readers.remove(&id).unwrap_or_default() != expected {
            wrong.push((id, SHARING_READERS));
        }
    }
    Ok((wrong, last))
}
