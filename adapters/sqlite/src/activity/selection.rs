//! Reading activities: selected ones in order of their day, and those of given syncIds.

use std::collections::HashSet;

use domain::{Activity, Attribution, Filter, ScopeId, SyncId};
use ports::Stored;
use ports::repo::{OnDays, Pending, Place, Side};
use ports::store::StoreError;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use uuid::Uuid;

use crate::json;
use crate::row;
use crate::table::query;

/// Up to `limit` of the selected activities on that side of a place, the nearest `offset` left out: the nearest first.
pub(crate) fn range(
    conn: &Connection,
    filter: &Filter,
    not_spread: &HashSet<ScopeId>,
    side: Side,
    limit: u32,
    offset: u64,
) -> Result<Vec<Stored<Activity>>, StoreError> {
    Terms::of(filter, not_spread).query(conn, side, limit, offset)
}

/// The same of the activities that start on those days.
pub(crate) fn on_days(
    conn: &Connection,
    on: &OnDays,
    side: Side,
    limit: u32,
    offset: u64,
) -> Result<Vec<Stored<Activity>>, StoreError> {
    Terms::of_days(on).query(conn, side, limit, offset)
}

/// Up to `limit` of the activities behind `after` that are pending in that way, by first day, then id.
pub(crate) fn pending(
    conn: &Connection,
    pending: &Pending,
    after: Option<Place>,
    limit: u32,
) -> Result<Vec<Stored<Activity>>, StoreError> {
    Terms::of_pending(pending).query(conn, Side::After(after), limit, 0)
}

/// The activities that have one of those syncIds.
pub(crate) fn with_sync_ids(conn: &Connection, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError> {
    let list = json::texts(sync_ids.iter().map(SyncId::as_str));
    query(conn, "WHERE activity.sync_id IN (SELECT value FROM json_each(?))", [list])
}

/// Conditions, and the parameters that are in them.
#[derive(Default)]
struct Terms {
    terms: Vec<&'static str>,
    params: Vec<Value>,
}

impl Terms {
    /// What [`Filter::selects`] says, in SQL.
    fn of(filter: &Filter, not_spread: &HashSet<ScopeId>) -> Self {
        let mut terms = Self::default();
        if let Some(last) = filter.period.last() {
            terms.add("activity.day <= ?", [Value::Integer(last.number().into())]);
        }
        if let Some(first) = filter.period.first() {
            let first = Value::Integer(first.number().into());
            match filter.attribution {
                Attribution::Start => terms.add("activity.day >= ?", [first]),
                Attribution::Daily => terms.add(
                    "(activity.day >= ? OR activity.last >= ? \
                     AND series.scope NOT IN (SELECT unhex(value) FROM json_each(?)))",
                    [first.clone(), first, ids(not_spread)],
                ),
            }
        }
        if let Some(scopes) = &filter.scopes {
            terms.add("series.scope IN (SELECT unhex(value) FROM json_each(?))", [ids(scopes)]);
        }
        if let Some(orgs) = &filter.orgs {
            terms.add("series.org IN (SELECT unhex(value) FROM json_each(?))", [ids(orgs)]);
        }
        if let Some(taxonomies) = &filter.taxonomies {
            terms.add("series.taxonomy IN (SELECT unhex(value) FROM json_each(?))", [ids(taxonomies)]);
        }
        terms
    }

    /// Days that follow each other are one range, in which a place is sought. Days apart are sought one by one, and the
    /// series is compared before anything else of a row is read.
    fn of_days(on: &OnDays) -> Self {
        let mut terms = Self::default();
        if let Some(period) = on.period() {
            terms = Self::of(&Filter::default().with_period(period), &HashSet::new());
        } else {
            let days = json::numbers(on.days.iter().map(|day| day.number()));
            terms.add("activity.day IN (SELECT value FROM json_each(?))", [Value::Text(days)]);
        }
        if let Some(series) = &on.series {
            let series = Value::Text(json::numbers(series));
            terms.add("activity.series IN (SELECT value FROM json_each(?))", [series]);
        }
        terms
    }

    /// What [`Pending::selects`] says, in SQL.
    fn of_pending(pending: &Pending) -> Self {
        let mut terms = Self::default();
        match pending {
            Pending::Incomplete(product, period) => {
                let filter = Filter::default().with_period(*period);
                terms = Self::of(&filter, &HashSet::new());
                // As the index activity_incomplete says it.
                terms.add("activity.upstream IS NULL AND activity.downstream IS NULL", []);
                terms.add("activity.quantity IS NOT NULL", []);
                match product {
                    Some(product) => terms.add("product.id = ?", [row::id(*product)]),
                    None => terms.add("activity.product IS NOT NULL", []),
                }
            }
            // Without the plus they would be gathered by factor and sorted anew for every step.
            Pending::ComputedFrom(factors) => terms.add(
                "+activity.factor IN (SELECT key FROM factor WHERE id IN (SELECT unhex(value) FROM json_each(?)))",
                [ids(factors)],
            ),
        }
        terms
    }

    /// Up to `limit` of the activities on that side of a place, the nearest `offset` left out: the nearest first.
    fn query(
        mut self,
        conn: &Connection,
        side: Side,
        limit: u32,
        offset: u64,
    ) -> Result<Vec<Stored<Activity>>, StoreError> {
        let (beside, order) = match side {
            Side::After(_) => ("(activity.day, activity.id) > (?, ?)", "activity.day, activity.id"),
            Side::Before(_) => ("(activity.day, activity.id) < (?, ?)", "activity.day DESC, activity.id DESC"),
        };
        if let Some(Place { day, id }) = side.place() {
            self.add(beside, [Value::Integer(day.number().into()), row::id(id)]);
        }
        let conditions = self.conditions();
        self.params.push(Value::Integer(limit.into()));
        self.params.push(Value::Integer(i64::try_from(offset).unwrap_or(i64::MAX)));
        let ordered = format!("{conditions} ORDER BY {order} LIMIT ? OFFSET ?");
        query(conn, &ordered, params_from_iter(self.params))
    }

    fn add<const N: usize>(&mut self, term: &'static str, params: [Value; N]) {
        self.terms.push(term);
        self.params.extend(params);
    }

    fn conditions(&self) -> String {
        if self.terms.is_empty() { String::new() } else { format!("WHERE {}", self.terms.join(" AND ")) }
    }
}

fn ids<Id: Copy + Into<Uuid>>(set: &HashSet<Id>) -> Value {
    Value::Text(json::ids(set.iter().map(|id| (*id).into())))
}
