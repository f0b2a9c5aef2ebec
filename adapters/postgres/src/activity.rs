//! Activities: their rows, and the batches in which they are written.

mod batch;
mod encode;
mod group;
mod plan;
mod remove;
mod selection;
mod walk;
mod with_head;

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{
    Activity, ActivityId, Calculation, CalculationParts, Canonical as _, Co2e, Description, Incomplete, Measured,
    Measures, Moment, Name, ProductId, Quantity, SeriesKey, Span, Stated, SuppliedCo2e, SyncId, Unit,
};
use ports::repo::Use;
use ports::store::StoreError;
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::entity::Stamp;
use crate::entity::activity::{Column, Entity, Model};
use crate::error::failed;
use crate::row::{self, Damage};
use crate::series;
use crate::session::Session;
use crate::table::Table;
use crate::usage::Uses;

pub(crate) use batch::{load_all, put_all};
pub(crate) use group::{Change, MemberResult, write_group};
pub(crate) use remove::remove_all;
pub(crate) use selection::{on_days, pending, range, with_sync_ids};
pub(crate) use walk::Walk;
pub(crate) use with_head::find_with_head;

#[async_trait]
impl Table for Activity {
    type Orm = Entity;
    // The series of all rows.
    type Parts = HashMap<i32, SeriesKey>;

    const ORDER: &'static [Column] = &[Column::Id];
    const SYNC_ID: Option<Column> = Some(Column::SyncId);

    async fn parts(conn: &mut TenantConn, rows: &[Model]) -> Result<Self::Parts, StoreError> {
        let mut indexes: Vec<i32> = rows.iter().map(|row| row.series).collect();
        indexes.sort_unstable();
        indexes.dedup();
        series::keys(conn, &indexes).await
    }

    fn decode(row: Model, series: &mut Self::Parts) -> Result<Self, Damage> {
        let SeriesKey { scope, org, taxonomy } =
            *series.get(&row.series).ok_or_else(|| Damage("series: is not there".to_owned()))?;
        let co2e = |column, value| row::decimal_optional(column, value).map(|value| value.map(Co2e::new));
        let quantity = row::decimal_optional("quantity", row.quantity.as_ref())?.map(Quantity::new);
        let measured = match (quantity, row::parse_optional("unit", row.unit.as_deref(), Unit::parse)?) {
            (Some(quantity), Some(unit)) => Some(Measured { quantity, unit }),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => return Err(Damage("quantity: does not go with unit".to_owned())),
        };
        let supplied = SuppliedCo2e::default()
            .with_upstream(co2e("supplied_upstream", row.supplied_upstream.as_ref())?)
            .with_downstream(co2e("supplied_downstream", row.supplied_downstream.as_ref())?);
        let start = row::parse("start_at", &row.start_at, Moment::parse)?;
        let end = row::parse_optional("end_at", row.end_at.as_deref(), Moment::parse)?;
        let span = Span::new(start, end).map_err(|error| row::damage("end_at", error))?;
        let reason = row::parse_optional("incomplete", row.incomplete.as_deref(), Incomplete::from_code)?;
        let (upstream, downstream) =
            (co2e("upstream", row.upstream.as_ref())?, co2e("downstream", row.downstream.as_ref())?);
        let factor = row.factor.map(Into::into);
        let parts = CalculationParts::default()
            .with_supplied(supplied)
            .with_upstream(upstream)
            .with_downstream(downstream)
            .with_factor(factor)
            .with_reason(reason);
        let calculation = Calculation::from_parts(parts).map_err(|error| row::damage("upstream", error))?;
        let stated = |text: &str| Stated::from_canonical((), text);
        let measures = |text: &str| Measures::from_canonical((), text);
        if (row::day("day", row.day)?, row::day("last", row.last)?) != (span.first(), span.last()) {
            return Err(Damage("day: does not go with start_at and end_at".to_owned()));
        }
        Ok(Self::new(ActivityId::new(row.id), row::parse("name", &row.name, Name::parse)?, span)
            .with_sync_id(row::parse_optional("sync_id", row.sync_id.as_deref(), SyncId::parse)?)
            .with_description(row::parse_optional("description", row.description.as_deref(), Description::parse)?)
            .with_measured(measured)
            .with_product(row.product.map(ProductId::new))
            .with_scope(scope)
            .with_taxonomy(taxonomy)
            .with_org(org)
            .with_calculation(calculation)
            .with_stated(row::parse_optional("stated", row.stated.as_deref(), stated)?.unwrap_or_default())
            .with_measures(row::parse_optional("measures", row.measures.as_deref(), measures)?.unwrap_or_default()))
    }

    async fn row(&self, conn: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        let series = series::index_of(conn, self.series()).await?;
        let Self { sync_id, name, description, measured, product, span, calculation, stated, measures, .. } = self;
        let supplied = calculation.supplied();
        let co2e = |amount: Option<Co2e>| amount.map(|amount| amount.decimal().into());
        Ok(Model {
            tenant_id,
            id,
            day: span.first().date(),
            last: span.last().date(),
            series: i32::try_from(series).map_err(|_| failed("there are too many series"))?,
            sync_id: sync_id.as_ref().map(SyncId::to_string),
            name: name.to_string(),
            description: description.as_ref().map(Description::to_string),
            quantity: measured.map(|measured| measured.quantity.decimal().into()),
            unit: measured.map(|measured| measured.unit.code().to_owned()),
            supplied_upstream: co2e(supplied.upstream),
            supplied_downstream: co2e(supplied.downstream),
            product: product.map(Into::into),
            start_at: span.start().to_string(),
            end_at: span.end().map(|end| end.to_string()),
            upstream: co2e(calculation.upstream()),
            downstream: co2e(calculation.downstream()),
            stated: stated_column(stated),
            measures: measures_column(measures),
            factor: calculation.factor().map(Into::into),
            incomplete: calculation.reason().map(|reason| reason.code().to_owned()),
            created,
            updated,
            version,
            digest,
        })
    }

    async fn uses(_: &mut TenantConn, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }

    async fn post(
        conn: &mut TenantConn,
        session: &mut Session,
        before: Option<&Self>,
        after: Option<&Self>,
    ) -> Result<(), StoreError> {
        let mut uses = Uses::default();
        if let Some(before) = before {
            uses.take(before);
            session.draft.unpost(series::index_of(conn, before.series()).await?, &before.posting());
        }
        if let Some(after) = after {
            uses.add(after);
            session.draft.post(series::index_of(conn, after.series()).await?, &after.posting());
        }
        uses.write(conn, Bulk::Rows).await
    }
}

/// The column of what was stated of other measures: its canonical text, or NULL where nothing was.
fn stated_column(stated: &Stated) -> Option<String> {
    (!stated.is_empty()).then(|| stated.canonical())
}

/// The column of other measures: their canonical text, or NULL where there are none.
fn measures_column(measures: &Measures) -> Option<String> {
    (!measures.is_empty()).then(|| measures.canonical())
}
