//! Reading activities: selected ones in order of their day, and those of given syncIds.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use domain::{Activity, Attribution, Day, FactorId, Filter, Period, ScopeId, SyncId};
use ports::Stored;
use ports::repo::{Edge, OnDays, Pending, Place, Side};
use ports::store::StoreError;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use uuid::Uuid;

use super::FROM_INCOMPLETE;
use crate::json;
use crate::row;
use crate::table::{Table as _, query, query_from};

/// Up to `limit` of the selected activities on that side of a place, the nearest `offset` left out: the nearest first.
pub(crate) fn range(
    conn: &Connection,
    filter: &Filter,
    not_spread: &HashSet<ScopeId>,
    side: Side,
    limit: u32,
    offset: u64,
) -> Result<Vec<Stored<Activity>>, StoreError> {
    Terms::of(filter, not_spread, side).query(conn, side, limit, offset)
}

/// The same of the activities that start on those days.
pub(crate) fn on_days(
    conn: &Connection,
    on: &OnDays,
    side: Side,
    limit: u32,
    offset: u64,
) -> Result<Vec<Stored<Activity>>, StoreError> {
    Terms::of_days(on, side).query(conn, side, limit, offset)
}

/// Up to `limit` of the activities behind `after` that are pending in that way, by first day, then id.
pub(crate) fn pending(
    conn: &Connection,
    pending: &Pending,
    after: Option<Place>,
    limit: u32,
) -> Result<Vec<Stored<Activity>>, StoreError> {
    let side = Side::After(after);
    Terms::of_pending(pending, side).query(conn, side, limit, 0)
}

/// The activities that have one of those syncIds.
pub(crate) fn with_sync_ids(conn: &Connection, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError> {
    let list = json::texts(sync_ids.iter().map(SyncId::as_str));
    query(conn, "WHERE activity.sync_id IN (SELECT value FROM json_each(?))", [list])
}

/// Conditions, and the parameters that are in them.
#[derive(Default)]
struct Terms {
    conditions: Vec<Cow<'static, str>>,
    params: Vec<Value>,
    /// Whether they are sought in the index of those without CO2e, which the terms must have.
    in_incomplete: bool,
}

impl Terms {
    /// What [`Filter::selects`] says on that side of a place, in SQL.
    fn of(filter: &Filter, not_spread: &HashSet<ScopeId>, side: Side) -> Self {
        let mut terms = Self::default();
        let Filter { period, attribution, .. } = filter;
        match (attribution, period.first()) {
            (Attribution::Daily, Some(first)) => {
                terms.starting(side, Period::new(None, period.last()).unwrap_or_default());
                let first = Value::Integer(first.number().into());
                terms.add(
                    "(activity.day >= ? OR activity.last >= ? \
                     AND series.scope NOT IN (SELECT unhex(value) FROM json_each(?)))",
                    [first.clone(), first, ids(not_spread)],
                );
            }
            (Attribution::Daily, None) | (Attribution::Start, _) => terms.starting(side, *period),
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
    fn of_days(on: &OnDays, side: Side) -> Self {
        let mut terms = Self::default();
        terms.starting(side, on.period().unwrap_or_default());
        if on.period().is_none() {
            let days = json::numbers(on.days.iter().map(|day| day.number()));
            terms.add("activity.day IN (SELECT value FROM json_each(?))", [Value::Text(days)]);
        }
        if on.without_co2e {
            terms.in_incomplete = true;
            terms.without_co2e();
        }
        if let Some(series) = &on.series {
            let series = Value::Text(json::numbers(series));
            terms.add("activity.series IN (SELECT value FROM json_each(?))", [series]);
        }
        terms
    }

    /// What [`Pending::selects`] says, in SQL.
    fn of_pending(pending: &Pending, side: Side) -> Self {
        let mut terms = Self::default();
        match pending {
            Pending::Incomplete(product, period) => {
                terms.starting(side, *period);
                terms.without_co2e();
                terms.add("activity.quantity IS NOT NULL", []);
                match product {
                    Some(product) => terms.add("product.id = ?", [row::id(*product)]),
                    None => terms.add("activity.product IS NOT NULL", []),
                }
            }
            // Without the plus they would be gathered by factor and sorted anew for every step.
            Pending::ComputedFrom(factors) => {
                terms.starting(side, Pending::period(factors));
                terms.computed_from(&Pending::by_day(factors));
            }
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
        let ordered = self.ordered(side, limit, offset);
        query_from(conn, self.source(), &ordered, params_from_iter(self.params))
    }

    /// What activities are read from.
    const fn source(&self) -> &'static str {
        if self.in_incomplete { FROM_INCOMPLETE } else { Activity::FROM }
    }

    /// The conditions and the order, with the limits among the parameters.
    fn ordered(&mut self, side: Side, limit: u32, offset: u64) -> String {
        let order = match side {
            Side::After(_) => "activity.day, activity.id",
            Side::Before(_) => "activity.day DESC, activity.id DESC",
        };
        let conditions = self.conditions();
        self.params.push(Value::Integer(limit.into()));
        self.params.push(Value::Integer(i64::try_from(offset).unwrap_or(i64::MAX)));
        format!("{conditions} ORDER BY {order} LIMIT ? OFFSET ?")
    }

    /// That the first day lies in the period, on that side of the place.
    fn starting(&mut self, side: Side, period: Period) {
        let (from, to) = side.within(period);
        self.edge(from, "activity.day >= ?", "(activity.day, activity.id) > (?, ?)");
        self.edge(to, "activity.day <= ?", "(activity.day, activity.id) < (?, ?)");
    }

    /// That they have no CO2e, as the index `activity_incomplete` says it.
    fn without_co2e(&mut self) {
        self.add("activity.upstream IS NULL AND activity.downstream IS NULL", []);
    }

    fn edge(&mut self, edge: Option<Edge>, of_day: &'static str, of_place: &'static str) {
        let number = |day: Day| Value::Integer(day.number().into());
        match edge {
            Some(Edge::Day(day)) => self.add(of_day, [number(day)]),
            Some(Edge::Place(Place { day, id })) => self.add(of_place, [number(day), row::id(id)]),
            None => {}
        }
    }

    /// That they were computed from one of the factors, or it counts for them in the market, on its day or a later one.
    fn computed_from(&mut self, factors: &BTreeMap<Day, HashSet<FactorId>>) {
        let of_day = "(activity.day >= ? AND (\
             +activity.factor IN (SELECT key FROM factor WHERE id IN (SELECT unhex(value) FROM json_each(?))) \
             OR activity.stated IS NOT NULL \
             AND json_extract(activity.stated, '$.market.factor') IN (SELECT value FROM json_each(?))))";
        for (from, factors) in factors {
            let in_market: Vec<String> = factors.iter().map(ToString::to_string).collect();
            let in_market = Value::Text(json::texts(in_market.iter().map(String::as_str)));
            self.params.extend([Value::Integer(from.number().into()), ids(factors), in_market]);
        }
        // None of no factors.
        let any = vec![of_day; factors.len()].join(" OR ");
        self.conditions.push(if any.is_empty() { "0".into() } else { format!("({any})").into() });
    }

    fn add<const N: usize>(&mut self, term: &'static str, params: [Value; N]) {
        self.conditions.push(term.into());
        self.params.extend(params);
    }

    fn conditions(&self) -> String {
        if self.conditions.is_empty() { String::new() } else { format!("WHERE {}", self.conditions.join(" AND ")) }
    }
}

fn ids<Id: Copy + Into<Uuid>>(set: &HashSet<Id>) -> Value {
    Value::Text(json::ids(set.iter().map(|id| (*id).into())))
}
