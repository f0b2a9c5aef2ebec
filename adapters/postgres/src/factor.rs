//! Factors of products.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{
    Canonical as _, Choice, Day, Factor, FactorBasis, FactorData, FactorId, FactorOrigin, GwpSet, Intensity, ProductId,
    Source, SupplierFootprint, Unit,
};
use ports::repo::Use;
use ports::store::StoreError;
use ports::{RecordKind, Stored};
use sea_orm::{ColumnTrait as _, QueryFilter as _};
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::Stamp;
use crate::entity::factor::{Column, Entity, Model};
use crate::reference;
use crate::row::{self, Damage};
use crate::table::{self, Table};

#[async_trait]
impl Table for Factor {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::ValidFrom, Column::Id];
    const SYNC_ID: Option<Column> = None;
    const PARENT: Option<Column> = Some(Column::Product);

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        let terms = FactorData::new(
            row::parse("unit", &row.unit, Unit::parse)?,
            row::day("valid_from", row.valid_from)?,
            row::parse("source", &row.source, Source::parse)?,
        )
        .with_upstream(row::decimal_optional("upstream", row.upstream.as_ref())?.map(Intensity::new))
        .with_downstream(row::decimal_optional("downstream", row.downstream.as_ref())?.map(Intensity::new))
        .with_valid_to(row.valid_to.map(|day| row::day("valid_to", day)).transpose()?)
        .with_gwp(row::parse_optional("gwp", row.gwp.as_deref(), GwpSet::parse)?)
        .with_basis(row::parse("basis", &row.basis, FactorBasis::parse)?)
        .with_origin(
            row::parse_optional("origin", row.origin.as_deref(), |text| FactorOrigin::from_canonical((), text))?
                .map(Arc::new),
        )
        .with_choice(
            row::parse_optional("choice", row.choice.as_deref(), |text| Choice::from_canonical((), text))?
                .map(Arc::new),
        )
        .with_supplier(
            row::parse_optional("supplier", row.supplier.as_deref(), |text| {
                SupplierFootprint::from_canonical((), text)
            })?
            .map(Arc::new),
        );
        let (id, product) = (FactorId::new(row.id), ProductId::new(row.product));
        Self::from_stored(id, product, terms, row.corrects.map(FactorId::new))
            .map_err(|faults| Damage(faults.to_string()))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        let terms = self.data();
        Ok(Model {
            tenant_id,
            id,
            product: self.product().uuid(),
            unit: terms.unit.code().to_owned(),
            upstream: terms.upstream.map(|amount| amount.decimal().into()),
            downstream: terms.downstream.map(|amount| amount.decimal().into()),
            valid_from: terms.valid_from.date(),
            valid_to: terms.valid_to.map(Day::date),
            source: terms.source.to_string(),
            gwp: terms.gwp.map(|set| set.to_string()),
            basis: terms.basis.word().to_owned(),
            origin: terms.origin.as_deref().map(FactorOrigin::canonical),
            choice: terms.choice.as_deref().map(Choice::canonical),
            supplier: terms.supplier.as_deref().map(SupplierFootprint::canonical),
            corrects: self.corrects().map(FactorId::uuid),
            created,
            updated,
            version,
            digest,
        })
    }

    async fn uses(conn: &mut TenantConn, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let activities = reference::activities(RecordKind::Factor);
        let corrections = "SELECT count(*) FROM tonne.factor WHERE tenant_id = $1 AND corrects = $2";
        let inputs = "SELECT count(*) FROM tonne.input WHERE tenant_id = $1 AND factor = $2";
        let counts =
            [(RecordKind::Activity, &*activities), (RecordKind::Factor, corrections), (RecordKind::Input, inputs)];
        reference::uses(conn, id, &counts).await
    }
}

/// All factors of those products.
pub(crate) async fn of_products(
    conn: &mut TenantConn,
    products: &[ProductId],
) -> Result<Vec<Stored<Factor>>, StoreError> {
    if products.is_empty() {
        return Ok(Vec::new());
    }
    let rows = table::select::<Factor>(conn).filter(Column::Product.eq_any(products.iter().map(|id| id.uuid())));
    table::query(conn, rows).await
}
