//! Products.

use async_trait::async_trait;
use domain::{Canonical as _, FactorRule, Name, Product, ProductId, SyncId, Unit};
use ports::repo::Use;
use ports::store::StoreError;
use ports::{RecordKind, Stored};
use sea_orm::{ColumnTrait as _, DbBackend, QueryFilter as _, QueryOrder as _, QuerySelect as _, QueryTrait as _};
use uuid::Uuid;

use crate::conn::{TenantConn, column};
use crate::entity::Stamp;
use crate::entity::product::{Column, Entity, Model};
use crate::reference;
use crate::row::{self, Damage};
use crate::table::{self, Table};

#[async_trait]
impl Table for Product {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = Some(Column::SyncId);

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        Ok(Self::new(
            ProductId::new(row.id),
            row::parse("name", &row.name, Name::parse)?,
            row::parse("unit", &row.unit, Unit::parse)?,
        )
        .with_sync_id(row::parse_optional("sync_id", row.sync_id.as_deref(), SyncId::parse)?)
        .with_rule(row::parse_optional("rule", row.rule.as_deref(), |text| FactorRule::from_canonical((), text))?))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(Model {
            tenant_id,
            id,
            sync_id: self.sync_id.as_ref().map(SyncId::to_string),
            name: self.name.to_string(),
            unit: self.unit.code().to_owned(),
            rule: self.rule.as_ref().map(FactorRule::canonical),
            created,
            updated,
            version,
            digest,
        })
    }

    async fn uses(conn: &mut TenantConn, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let activities = reference::activities(RecordKind::Product);
        let factors = "SELECT count(*) FROM tonne.factor WHERE tenant_id = $1 AND product = $2";
        let inputs = "SELECT count(*) FROM tonne.input WHERE tenant_id = $1 AND material = $2";
        let counts = [(RecordKind::Activity, &*activities), (RecordKind::Factor, factors), (RecordKind::Input, inputs)];
        reference::uses(conn, id, &counts).await
    }
}

/// The names of all products.
pub(crate) async fn names(conn: &mut TenantConn) -> Result<Vec<(ProductId, Name)>, StoreError> {
    let select = table::select::<Product>(conn).select_only().columns([Column::Id, Column::Name]);
    let mut names = Vec::new();
    conn.each(select.build(DbBackend::Postgres), |row| {
        let (id, name): (Uuid, String) = (column(row, 0)?, column(row, 1)?);
        let damaged = |Damage(detail)| StoreError::Corrupt { subject: format!("product {id}"), detail };
        names.push((ProductId::new(id), row::parse("name", &name, Name::parse).map_err(damaged)?));
        Ok(())
    })
    .await?;
    Ok(names)
}

/// The products behind one of them, by id.
pub(crate) async fn after(
    conn: &mut TenantConn,
    after: Option<ProductId>,
    limit: u32,
) -> Result<Vec<Stored<Product>>, StoreError> {
    let mut select = table::select::<Product>(conn).order_by_asc(Column::Id).limit(u64::from(limit));
    if let Some(after) = after {
        select = select.filter(Column::Id.gt(after.uuid()));
    }
    table::query(conn, select).await
}
