//! Reading activities: selected ones in order of their day, and those of given syncIds.

use std::collections::HashSet;

use domain::{Activity, Attribution, Filter, ScopeId, SyncId};
use ports::Stored;
use ports::repo::Place;
use ports::store::StoreError;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use uuid::Uuid;

use crate::json;
use crate::row;
use crate::table::query;

/// Up to `limit` of the selected activities behind `after`, `offset` of them left out, by first day, then id.
pub(crate) fn range(
    conn: &Connection,
    filter: &Filter,
    not_spread: &HashSet<ScopeId>,
    after: Option<Place>,
    limit: u32,
    offset: u64,
) -> Result<Vec<Stored<Activity>>, StoreError> {
    let mut terms = Terms::of(filter, not_spread);
    if let Some(Place { day, id }) = after {
        terms.add("(activity.day, activity.id) > (?, ?)", [Value::Integer(day.number().into()), row::id(id)]);
    }
    let conditions = terms.conditions();
    terms.params.push(Value::Integer(limit.into()));
    terms.params.push(Value::Integer(i64::try_from(offset).unwrap_or(i64::MAX)));
    query(
        conn,
        &format!("{conditions} ORDER BY activity.day, activity.id LIMIT ? OFFSET ?"),
        params_from_iter(terms.params),
    )
}

/// The activities that have one of those syncIds.
pub(crate) fn with_sync_ids(conn: &Connection, sync_ids: &[SyncId]) -> Result<Vec<Stored<Activity>>, StoreError> {
    let list = json::texts(sync_ids.iter().map(SyncId::as_str));
    query(conn, "WHERE activity.sync_id IN (SELECT value FROM json_each(?))", [list])
}

/// Conditions, and the parameters that stand in them.
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
