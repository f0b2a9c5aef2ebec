//! Partners: their content is in one column, in canonical form; they are found by the clients that they name.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use domain::{Canonical as _, Partner, PartnerId};
use ports::Stored;
use ports::repo::Use;
use ports::store::StoreError;
use ports::store::finding::PARTNER_CLIENTS;
use sea_orm::{
    ColumnTrait as _, DbBackend, QueryFilter as _, QueryOrder as _, QuerySelect as _, QueryTrait as _, Value,
};
use uuid::Uuid;

use crate::conn::{TenantConn, column, sql};
use crate::entity::Stamp;
use crate::entity::partner::{Column, Entity, Model};
use crate::row::{self, Damage};
use crate::session::Session;
use crate::table::{self, Table};

#[async_trait]
impl Table for Partner {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = None;

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        row::parse("content", &row.content, |text| Self::from_canonical(PartnerId::new(row.id), text))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(Model { tenant_id, id, content: self.canonical(), created, updated, version, digest })
    }

    async fn uses(_: &mut TenantConn, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }

    async fn write_parts(&self, conn: &mut TenantConn) -> Result<(), StoreError> {
        remove_clients(conn, self.id.uuid()).await?;
        let text = "INSERT INTO tonne.partner_client (tenant_id, client, partner) \
                    SELECT DISTINCT $1, client, $2 FROM unnest($3) AS named (client)";
        let values: [Value; 3] = [conn.tenant().uuid().into(), self.id.uuid().into(), self.clients.clone().into()];
        conn.execute(sql(text, values)).await.map(drop)
    }

    async fn remove_parts(conn: &mut TenantConn, _: &mut Session, id: Uuid) -> Result<(), StoreError> {
        remove_clients(conn, id).await
    }
}

async fn remove_clients(conn: &mut TenantConn, partner: Uuid) -> Result<(), StoreError> {
    let text = "DELETE FROM tonne.partner_client WHERE tenant_id = $1 AND partner = $2";
    let statement = sql(text, [conn.tenant().uuid().into(), partner.into()]);
    conn.execute(statement).await.map(drop)
}

/// The partner that names that client.
pub(crate) async fn of_client(conn: &mut TenantConn, client: Uuid) -> Result<Option<Stored<Partner>>, StoreError> {
    let text = "SELECT partner FROM tonne.partner_client WHERE tenant_id = $1 AND client = $2 ORDER BY partner LIMIT 1";
    let statement = sql(text, [conn.tenant().uuid().into(), client.into()]);
    match conn.value(statement).await? {
        Some(partner) => table::find(conn, partner).await,
        None => Ok(None),
    }
}

/// What is beside those partners and does not follow from them, in words.
pub(crate) async fn beside(
    conn: &mut TenantConn,
    after: Option<Uuid>,
    limit: u64,
) -> Result<(Vec<(Uuid, &'static str)>, Option<Uuid>), StoreError> {
    let mut select = table::select::<Partner>(conn).order_by_asc(Column::Id).limit(limit);
    if let Some(after) = after {
        select = select.filter(Column::Id.gt(after));
    }
    let rows: Vec<Model> = conn.all(select.build(DbBackend::Postgres)).await?;
    let last = rows.last().filter(|_| rows.len() as u64 == limit).map(|row| row.id);
    let text = "SELECT partner, client FROM tonne.partner_client WHERE tenant_id = $1 AND partner = ANY ($2)";
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut clients: HashMap<Uuid, BTreeSet<Uuid>> = HashMap::new();
    let statement = sql(text, [conn.tenant().uuid().into(), ids.into()]);
    conn.each(statement, |row| {
        clients.entry(column(row, 0)?).or_default().insert(column(row, 1)?);
        Ok(())
    })
    .await?;
    let mut wrong = Vec::new();
    for row in rows {
        let id = row.id;
        // One that does not read was reported with the records.
        let Ok(partner) = Partner::decode(row, &mut ()) else { continue };
        if clients.remove(&id).unwrap_or_default() != partner.clients.into_iter().collect() {
            wrong.push((id, PARTNER_CLIENTS));
        }
    }
    Ok((wrong, last))
}
