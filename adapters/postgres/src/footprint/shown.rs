//! The lists that partners read: the company's own goes by the places of footprints, a partner's by those of what is shared
//! with it.

use domain::PartnerId;
use domain::footprint::{Edition, FootprintPlace, RULE_SET, Verdict};
use domain::{Footprint, FootprintId};
use ports::Stored;
use ports::repo::{Shown, ShownBatch};
use ports::store::StoreError;
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{
    ColumnTrait as _, Condition, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _, Select, Value,
};

use super::{outdated, product_key};
use crate::conn::TenantConn;
use crate::entity::footprint::{Column, Entity, Model};
use crate::entity::footprint_product;
use crate::{sharing, table};

/// A part of the list that an edition shows.
pub(crate) async fn shown(conn: &mut TenantConn, asked: Shown) -> Result<ShownBatch, StoreError> {
    let (rows, end) = match &asked {
        Shown { partner: Some(partner), products: None, .. } => opened(conn, &asked, *partner).await?,
        Shown { .. } => placed(conn, &asked).await?,
    };
    let outdated = outdated(&rows);
    let mut records = table::records::<Footprint>(conn, rows).await?;
    let is_shown = |record: &Stored<Footprint>| {
        !outdated.contains(&record.value.id) || Verdict::of(&record.value).is_shown(asked.edition)
    };
    records.retain(is_shown);
    Ok(ShownBatch { records, end })
}

type Part = (Vec<Model>, Option<FootprintPlace>);

/// The footprints that the edition shows, or may, in the order of the list.
fn select(conn: &TenantConn, asked: &Shown) -> Select<Entity> {
    let flag = match asked.edition {
        Edition::V2 => Column::ShownV2,
        Edition::V3 => Column::ShownV3,
    };
    table::select::<Footprint>(conn)
        .filter(Condition::any().add(flag.eq(true)).add(Column::Rules.ne(i64::from(RULE_SET))))
        .filter(Column::Number.lte(i64::try_from(asked.until).unwrap_or(i64::MAX)))
        .order_by_asc(Column::PlaceUs)
        .order_by_asc(Column::Number)
}

/// Footprints by their places, those of the products where there are any.
async fn placed(conn: &mut TenantConn, asked: &Shown) -> Result<Part, StoreError> {
    let limit = asked.limit.max(1);
    let mut select = select(conn, asked);
    if let Some(FootprintPlace { created_us, number }) = asked.after {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        // The first condition says no more than the second, but the index can begin there.
        select = select
            .filter(Column::PlaceUs.gte(created_us))
            .filter(Condition::any().add(Column::PlaceUs.gt(created_us)).add(Column::Number.gt(number)));
    }
    if let Some(products) = &asked.products {
        let with_product = footprint_product::Entity::find()
            .select_only()
            .column(footprint_product::Column::Footprint)
            .filter(footprint_product::Column::TenantId.eq(conn.tenant().uuid()))
            .filter(footprint_product::Column::Product.is_in(products.iter().map(|key| product_key(key))));
        select = select.filter(Column::Id.in_subquery(with_product.into_query()));
    }
    if let Some(partner) = asked.partner {
        select = select.filter(is_opened(conn, partner));
    }
    // One more than is asked for tells whether there are more.
    let mut rows: Vec<Model> = conn.all(select.limit(u64::from(limit) + 1).build(DbBackend::Postgres)).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let end = rows.last().filter(|_| more).map(place);
    Ok((rows, end))
}

/// Whether a footprint is shared with the partner.
fn is_opened(conn: &TenantConn, partner: PartnerId) -> SimpleExpr {
    let text = "EXISTS (SELECT FROM tonne.sharing_partner AS shared WHERE shared.tenant_id = $1 \
                AND shared.footprint = footprint.id AND shared.partner IN ($2, $3))";
    let values: [Value; 3] = [conn.tenant().uuid().into(), partner.uuid().into(), sharing::key(None).into()];
    Expr::cust_with_values(text, values)
}

/// The place of a row. No number is negative.
fn place(row: &Model) -> FootprintPlace {
    FootprintPlace { created_us: row.place_us, number: u64::try_from(row.number).unwrap_or_default() }
}

/// Footprints by the places of what is shared with the partner.
async fn opened(conn: &mut TenantConn, asked: &Shown, partner: PartnerId) -> Result<Part, StoreError> {
    let limit = asked.limit.max(1);
    let after = asked.after.unwrap_or(FootprintPlace::START);
    let mut opened = sharing::opened(conn, partner, after, limit.saturating_add(1)).await?;
    let more = opened.len() > limit as usize;
    opened.truncate(limit as usize);
    let end = opened.last().filter(|_| more).map(|(place, _)| *place);
    let ids = opened.into_iter().map(|(_, id): (_, FootprintId)| id.uuid());
    let select = select(conn, asked).filter(Column::Id.eq_any(ids));
    Ok((conn.all(select.build(DbBackend::Postgres)).await?, end))
}
