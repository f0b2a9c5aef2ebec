//! Activities: their rows, and the batches in which they are written.

mod batch;
mod encode;
mod selection;

use domain::{
    Activity, Calculation, CalculationParts, Canonical as _, Co2e, Description, Incomplete, Measured, Measures, Moment,
    Name, Quantity, Span, Stated, SuppliedCo2e, SyncId, Unit,
};
use ports::repo::Use;
use ports::store::StoreError;
use rusqlite::Connection;
use rusqlite::types::Value;
use uuid::Uuid;

use crate::keys::{Keys, KnownKeys};
use crate::row::{self, Columns, Damage};
use crate::series;
use crate::session::Session;
use crate::table::Table;

pub(crate) use batch::{load_all, put_all, remove_all};
pub(crate) use encode::{Batch, FEW};
pub(crate) use selection::{on_days, pending, range, with_sync_ids};

/// The columns that keys fill, by their place in [`Table::WRITTEN`].
fn key_columns(keys: Keys) -> [(usize, Value); 3] {
    let Keys { series, product, factor } = keys;
    [
        (SERIES, Value::Integer(series.into())),
        (PRODUCT, row::integer_or_null(product)),
        (FACTOR, row::integer_or_null(factor)),
    ]
}

/// The places of the keys in [`Table::WRITTEN`].
const SERIES: usize = 2;
const PRODUCT: usize = 10;
const FACTOR: usize = 17;

/// What activities are read from: they themselves first, in their own order, whatever is asked of the series.
macro_rules! from {
    ($activity:literal) => {
        concat!(
            $activity,
            " CROSS JOIN series ON series.key = activity.series LEFT JOIN product ON product.key = activity.product",
            " LEFT JOIN factor ON factor.key = activity.factor"
        )
    };
}

/// The same by the index of those without CO2e: where single days are asked for, SQLite would seek them in the table and
/// read all activities of each.
const FROM_INCOMPLETE: &str = from!("activity INDEXED BY activity_incomplete");

impl Table for Activity {
    const NAME: &'static str = "activity";
    const FROM: &'static str = from!("activity");
    const COLUMNS: &'static str = "series.scope, series.org, series.taxonomy, activity.sync_id, activity.name, \
         activity.description, activity.quantity, activity.unit, activity.supplied_upstream, \
         activity.supplied_downstream, product.id, activity.start_at, activity.end_at, activity.upstream, \
         activity.downstream, activity.stated, activity.measures, factor.id, activity.incomplete, activity.day, activity.last";
    const WRITTEN: &'static [&'static str] = &[
        "day",
        "last",
        "series",
        "sync_id",
        "name",
        "description",
        "quantity",
        "unit",
        "supplied_upstream",
        "supplied_downstream",
        "product",
        "start_at",
        "end_at",
        "upstream",
        "downstream",
        "stated",
        "measures",
        "factor",
        "incomplete",
    ];
    const ORDER: &'static str = "activity.id";

    fn decode(_: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage> {
        let id = columns.record_id()?;
        let key = series::read(columns)?;
        let (sync_id, name) = (columns.parse_optional(SyncId::parse)?, columns.parse(Name::parse)?);
        let description = columns.parse_optional(Description::parse)?;
        let (quantity, unit) = (columns.parse_optional(Quantity::parse)?, columns.parse_optional(Unit::parse)?);
        let measured = match (quantity, unit) {
            (Some(quantity), Some(unit)) => Some(Measured { quantity, unit }),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => return Err(Damage("quantity: does not go with unit".to_owned())),
        };
        let supplied = SuppliedCo2e::default()
            .with_upstream(columns.parse_optional(Co2e::parse)?)
            .with_downstream(columns.parse_optional(Co2e::parse)?);
        let product = columns.id_optional()?;
        let (start, end) = (columns.parse(Moment::parse)?, columns.parse_optional(Moment::parse)?);
        let span = Span::new(start, end).map_err(|error| Damage(format!("end_at: {error}")))?;
        let (upstream, downstream) = (columns.parse_optional(Co2e::parse)?, columns.parse_optional(Co2e::parse)?);
        let stated = columns.parse_optional(|text| Stated::from_canonical((), text))?.unwrap_or_default();
        let measures = columns.parse_optional(|text| Measures::from_canonical((), text))?.unwrap_or_default();
        let factor = columns.id_optional()?;
        let reason = columns.parse_optional(Incomplete::from_code)?;
        let parts = CalculationParts::default()
            .with_supplied(supplied)
            .with_upstream(upstream)
            .with_downstream(downstream)
            .with_factor(factor)
            .with_reason(reason);
        let calculation = Calculation::from_parts(parts).map_err(|error| Damage(format!("upstream: {error}")))?;
        if (columns.day()?, columns.day()?) != (span.first(), span.last()) {
            return Err(Damage("day: does not go with start_at and end_at".to_owned()));
        }
        let (scope, org, taxonomy) = (key.scope, key.org, key.taxonomy);
        Ok(Self::new(id, name, span)
            .with_sync_id(sync_id)
            .with_description(description)
            .with_measured(measured)
            .with_product(product)
            .with_scope(scope)
            .with_taxonomy(taxonomy)
            .with_org(org)
            .with_calculation(calculation)
            .with_stated(stated)
            .with_measures(measures))
    }

    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError> {
        Ok(values(self, KnownKeys::default().of(conn, self)?))
    }

    fn uses(_: &Connection, _: Uuid) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }

    fn post(
        conn: &Connection,
        session: &mut Session,
        before: Option<&Self>,
        after: Option<&Self>,
    ) -> Result<(), StoreError> {
        if let Some(before) = before {
            session.unpost(series::find(conn, before.series())?, before);
        }
        if let Some(after) = after {
            session.post(series::find(conn, after.series())?, after);
        }
        Ok(())
    }
}

fn values(activity: &Activity, keys: Keys) -> Vec<Value> {
    let Activity { sync_id, name, description, measured, span, calculation, stated, measures, .. } = activity;
    let supplied = calculation.supplied();
    vec![
        row::day_or_null(Some(span.first())),
        row::day_or_null(Some(span.last())),
        Value::Integer(keys.series.into()),
        row::text_or_null(sync_id.as_ref()),
        row::text(name),
        row::text_or_null(description.as_ref()),
        row::text_or_null(measured.map(|measured| measured.quantity)),
        row::text_or_null(measured.map(|measured| measured.unit.code())),
        row::text_or_null(supplied.upstream),
        row::text_or_null(supplied.downstream),
        row::integer_or_null(keys.product),
        row::text(span.start()),
        row::text_or_null(span.end()),
        row::text_or_null(calculation.upstream()),
        row::text_or_null(calculation.downstream()),
        if stated.is_empty() { Value::Null } else { Value::Text(stated.canonical()) },
        if measures.is_empty() { Value::Null } else { Value::Text(measures.canonical()) },
        row::integer_or_null(keys.factor),
        row::text_or_null(calculation.reason().map(Incomplete::code)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_into_the_columns_of_their_names() {
        let columns = [SERIES, PRODUCT, FACTOR].map(|at| Activity::WRITTEN[at]);
        assert_eq!(columns, ["series", "product", "factor"]);
    }
}
