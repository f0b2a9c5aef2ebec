//! Reading activities: selected ones in order of their day, and those of given syncIds.

use std::collections::HashSet;

use domain::{Activity, Attribution, Day, FactorId, Filter, Period, ScopeId, SyncId};
use ports::Stored;
use ports::repo::{Edge, OnDays, Pending, Place, Side};
use ports::store::StoreError;
use sea_orm::sea_query::extension::postgres::PgExpr;
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ColumnTrait as _, Condition, DbBackend, EntityTrait as _, Order, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, QueryTrait as _, Select,
};
use uuid::Uuid;

use crate::conn::{TenantConn, column};
use crate::entity::activity::{Column, Entity};
use crate::entity::series;
use crate::table;

/// Up to `limit` of the selected activities on that side of a place, the nearest `offset` left out: the nearest first.
pub(crate) async fn range(
    conn: &mut TenantConn,
    filter: &Filter,
    not_spread: &HashSet<ScopeId>,
    side: Side,
    (limit, offset): (u32, u64),
) -> Result<Vec<Stored<Activity>>, StoreError> {
    let Some(rows) = select(conn, filter, not_spread, side).await? else { return Ok(Vec::new()) };
    part(conn, rows, (limit, offset)).await
}

/// The same of the activities that start on those days.
pub(crate) async fn on_days(
    conn: &mut TenantConn,
    on: &OnDays,
    side: Side,
    (limit, offset): (u32, u64),
) -> Result<Vec<Stored<Activity>>, StoreError> {
    // Days that follow each other are read in the order of the key.
    let mut rows = starting(ordered(table::select::<Activity>(conn), side), side, on.period().unwrap_or_default());
    if on.period().is_none() {
        rows = rows.filter(Column::Day.eq_any(on.days.iter().map(|day| day.date())));
    }
    if on.without_co2e {
        rows = without_co2e(rows);
    }
    if let Some(series) = &on.series {
        // No series has a key that its column cannot hold.
        let keys = series.iter().filter_map(|key| i32::try_from(*key).ok());
        rows = rows.filter(Column::Series.eq_any(keys));
    }
    part(conn, rows, (limit, offset)).await
}

async fn part(
    conn: &mut TenantConn,
    rows: Select<Entity>,
    (limit, offset): (u32, u64),
) -> Result<Vec<Stored<Activity>>, StoreError> {
    // Beyond the largest offset of the server there is nothing.
    let offset = Ord::min(offset, u64::from(u32::MAX) << 31);
    table::query(conn, rows.limit(u64::from(limit)).offset(offset)).await
}

/// Up to `limit` of the activities behind `after` that are pending in that way, by first day, then id: what
/// [`Pending::selects`] says.
pub(crate) async fn pending(
    conn: &mut TenantConn,
    pending: &Pending,
    after: Option<Place>,
    limit: u32,
) -> Result<Vec<Stored<Activity>>, StoreError> {
    let period = match pending {
        Pending::Incomplete(_, period) => *period,
        Pending::ComputedFrom(factors) => Pending::period(factors),
    };
    let filter = Filter::default().with_period(period);
    let side = Side::After(after);
    let Some(rows) = select(conn, &filter, &HashSet::new(), side).await? else { return Ok(Vec::new()) };
    let rows = match pending {
        Pending::Incomplete(product, _) => {
            let rows = without_co2e(rows).filter(Column::Quantity.is_not_null());
            match product {
                Some(product) => rows.filter(Column::Product.eq(product.uuid())),
                None => rows.filter(Column::Product.is_not_null()),
            }
        }
        Pending::ComputedFrom(factors) => {
            let of_day = |(from, factors): (Day, HashSet<FactorId>)| {
                let used = Column::Factor.eq_any(factors.iter().map(|id| id.uuid()));
                // Nothing of rows that state nothing is parsed: the operator is strict.
                let in_market = Expr::cust("stated::json #>> '{market,factor}'");
                let in_market = PgExpr::eq_any(in_market, factors.iter().map(FactorId::to_string));
                Column::Day.gte(from.date()).and(used.or(in_market))
            };
            if factors.is_empty() {
                return Ok(Vec::new());
            }
            let all = Condition::any();
            rows.filter(Pending::by_day(factors).into_iter().map(of_day).fold(all, Condition::add))
        }
    };
    table::query(conn, rows.limit(u64::from(limit))).await
}

/// The activities that have one of those syncIds.
pub(crate) async fn with_sync_ids(
    conn: &mut TenantConn,
    sync_ids: &[SyncId],
) -> Result<Vec<Stored<Activity>>, StoreError> {
    if sync_ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = table::select::<Activity>(conn).filter(Column::SyncId.eq_any(sync_ids.iter().map(SyncId::to_string)));
    table::query(conn, rows).await
}

/// What [`Filter::selects`] says, on that side of a place and the nearest first; `None` when it is nothing.
pub(super) async fn select(
    conn: &mut TenantConn,
    filter: &Filter,
    not_spread: &HashSet<ScopeId>,
    side: Side,
) -> Result<Option<Select<Entity>>, StoreError> {
    let mut rows = ordered(table::select::<Activity>(conn), side);
    let Filter { period, attribution, scopes, orgs, taxonomies, .. } = filter;
    if scopes.is_some() || orgs.is_some() || taxonomies.is_some() {
        let mut series = series_of(conn);
        series = within(series, series::Column::Scope, scopes.as_ref());
        series = within(series, series::Column::Org, orgs.as_ref());
        series = within(series, series::Column::Taxonomy, taxonomies.as_ref());
        let keys = keys(conn, series).await?;
        if keys.is_empty() {
            return Ok(None);
        }
        rows = rows.filter(Column::Series.eq_any(keys));
    }
    let Some(first) = period.first().filter(|_| *attribution == Attribution::Daily) else {
        return Ok(Some(starting(rows, side, *period)));
    };
    rows = starting(rows, side, Period::new(None, period.last()).unwrap_or_default());
    let mut touches = Condition::all().add(Column::Last.gte(first.date()));
    if !not_spread.is_empty() {
        let series = within(series_of(conn), series::Column::Scope, Some(not_spread));
        touches = touches.add(Column::Series.eq_any(keys(conn, series).await?).not());
    }
    let starts = Column::Day.gte(first.date());
    Ok(Some(rows.filter(Condition::any().add(starts).add(touches))))
}

/// Those without CO2e, as the index `activity_incomplete` says it.
fn without_co2e(rows: Select<Entity>) -> Select<Entity> {
    rows.filter(Column::Upstream.is_null()).filter(Column::Downstream.is_null())
}

/// In the order of that side of a place: the nearest first.
fn ordered(rows: Select<Entity>, side: Side) -> Select<Entity> {
    let order = match side {
        Side::After(_) => Order::Asc,
        Side::Before(_) => Order::Desc,
    };
    rows.order_by(Column::Day, order.clone()).order_by(Column::Id, order)
}

/// Those whose first day lies in the period, on that side of the place.
fn starting(mut rows: Select<Entity>, side: Side, period: Period) -> Select<Entity> {
    let own = || Expr::tuple([Expr::col(Column::Day), Expr::col(Column::Id)]);
    let other = |Place { day, id }: Place| Expr::tuple([Expr::val(day.date()), Expr::val(Uuid::from(id))]);
    let (from, to) = side.within(period);
    rows = match from {
        Some(Edge::Day(day)) => rows.filter(Column::Day.gte(day.date())),
        Some(Edge::Place(place)) => rows.filter(own().gt(other(place))),
        None => rows,
    };
    match to {
        Some(Edge::Day(day)) => rows.filter(Column::Day.lte(day.date())),
        Some(Edge::Place(place)) => rows.filter(own().lt(other(place))),
        None => rows,
    }
}

fn series_of(conn: &TenantConn) -> Select<series::Entity> {
    series::Entity::find().filter(series::Column::TenantId.eq(conn.tenant().uuid()))
}

fn within<Id: Copy + Into<Uuid>>(
    series: Select<series::Entity>,
    column: series::Column,
    ids: Option<&HashSet<Id>>,
) -> Select<series::Entity> {
    match ids {
        Some(ids) => series.filter(column.eq_any(ids.iter().map(|id| (*id).into()))),
        None => series,
    }
}

async fn keys(conn: &mut TenantConn, series: Select<series::Entity>) -> Result<Vec<i32>, StoreError> {
    let mut keys: Vec<i32> = Vec::new();
    conn.each(series.select_only().column(series::Column::Key).build(DbBackend::Postgres), |row| {
        keys.push(column(row, 0)?);
        Ok(())
    })
    .await?;
    Ok(keys)
}
