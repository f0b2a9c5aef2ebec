//! Series: the combinations of scope, org and taxonomy in use, counted from 0 in the order of their first use.

use std::collections::{HashMap, HashSet};

use domain::{Digest, SeriesKey};
use ports::ledger::series_seal;
use ports::store::StoreError;
use sea_orm::Value;
use uuid::Uuid;

use crate::bulk::{Kind, Rows, Target};
use crate::conn::{TenantConn, column, sql};
use crate::database::Bulk;
use crate::error::failed;

/// A series with its index, which its row's digest binds together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbered {
    pub(crate) index: u32,
    pub(crate) key: SeriesKey,
}

impl Numbered {
    /// The digest that is beside it.
    pub(crate) fn seal(&self) -> Digest {
        series_seal(self.index, &self.key)
    }
}

/// The table of series.
static SERIES: Target = Target {
    table: "tonne.series",
    columns: &[
        ("key", Kind::Integer),
        ("scope", Kind::Uuid),
        ("org", Kind::Uuid),
        ("taxonomy", Kind::Uuid),
        ("digest", Kind::Bytes),
    ],
    end: "",
};

/// A series from its columns, in which the nil UUID is none.
pub(crate) fn read([scope, org, taxonomy]: [Uuid; 3]) -> SeriesKey {
    let node = |id: Uuid| (!id.is_nil()).then_some(id);
    SeriesKey {
        scope: node(scope).map(Into::into),
        org: node(org).map(Into::into),
        taxonomy: node(taxonomy).map(Into::into),
    }
}

/// The index of a series, a new one where it is not in use yet. Its nodes are there.
pub(crate) async fn index_of(conn: &mut TenantConn, key: SeriesKey) -> Result<u32, StoreError> {
    let indexes = indexes(conn, Bulk::Rows, &[key]).await?;
    indexes.get(&key).copied().ok_or_else(|| failed("a series was not found"))
}

/// The indexes of many series, new ones where they are not in use yet, in that order. Their nodes are there.
pub(crate) async fn indexes(
    conn: &mut TenantConn,
    bulk: Bulk,
    keys: &[SeriesKey],
) -> Result<HashMap<SeriesKey, u32>, StoreError> {
    let mut indexes = known(conn, keys).await?;
    let mut seen = HashSet::new();
    let new: Vec<SeriesKey> =
        keys.iter().copied().filter(|key| !indexes.contains_key(key) && seen.insert(*key)).collect();
    if new.is_empty() {
        return Ok(indexes);
    }
    let text = "SELECT coalesce(max(key) + 1, 0) FROM tonne.series WHERE tenant_id = $1";
    let statement = sql(text, [conn.tenant().uuid().into()]);
    let next: Option<i32> = conn.value(statement).await?;
    let next = u32::try_from(next.unwrap_or_default()).map_err(|_| failed("a series has a negative index"))?;
    let numbered: Vec<Numbered> = (next..).zip(new).map(|(index, key)| Numbered { index, key }).collect();
    insert(conn, bulk, &numbered).await?;
    indexes.extend(numbered.into_iter().map(|Numbered { index, key }| (key, index)));
    Ok(indexes)
}

/// Writes the rows of new series.
pub(crate) async fn insert(conn: &mut TenantConn, bulk: Bulk, series: &[Numbered]) -> Result<(), StoreError> {
    let mut rows = Rows::new(&SERIES);
    for numbered in series {
        let Numbered { index, key: SeriesKey { scope, org, taxonomy } } = *numbered;
        let index = i32::try_from(index).map_err(|_| failed("there are too many series"))?;
        let [scope, org, taxonomy] = nodes(scope.map(Into::into), org.map(Into::into), taxonomy.map(Into::into));
        rows.row().integer(index).id(scope).id(org).id(taxonomy).digest(numbered.seal());
    }
    rows.insert(conn, bulk).await
}

/// The series of those indexes.
pub(crate) async fn keys(conn: &mut TenantConn, indexes: &[i32]) -> Result<HashMap<i32, SeriesKey>, StoreError> {
    let mut keys = HashMap::new();
    if indexes.is_empty() {
        return Ok(keys);
    }
    let text = "SELECT key, scope, org, taxonomy FROM tonne.series WHERE tenant_id = $1 AND key = ANY ($2)";
    let statement = sql(text, [conn.tenant().uuid().into(), indexes.to_vec().into()]);
    conn.each(statement, |row| {
        keys.insert(column(row, 0)?, read([column(row, 1)?, column(row, 2)?, column(row, 3)?]));
        Ok(())
    })
    .await?;
    Ok(keys)
}

/// The indexes of those that are in use.
async fn known(conn: &mut TenantConn, keys: &[SeriesKey]) -> Result<HashMap<SeriesKey, u32>, StoreError> {
    let mut columns: [Vec<Uuid>; 3] = Default::default();
    for SeriesKey { scope, org, taxonomy } in keys {
        let ids = nodes(scope.map(Into::into), org.map(Into::into), taxonomy.map(Into::into));
        columns.iter_mut().zip(ids).for_each(|(column, id)| column.push(id));
    }
    let text = "SELECT key, series.scope, series.org, series.taxonomy FROM tonne.series \
                JOIN unnest($2, $3, $4) AS asked (scope, org, taxonomy) \
                ON (series.scope, series.org, series.taxonomy) = (asked.scope, asked.org, asked.taxonomy) \
                WHERE tenant_id = $1";
    let [scopes, orgs, taxonomies] = columns.map(Value::from);
    let mut indexes = HashMap::new();
    let statement = sql(text, [conn.tenant().uuid().into(), scopes, orgs, taxonomies]);
    conn.each(statement, |row| {
        let index: i32 = column(row, 0)?;
        let index = u32::try_from(index).map_err(|_| failed("a series has a negative index"))?;
        indexes.insert(read([column(row, 1)?, column(row, 2)?, column(row, 3)?]), index);
        Ok(())
    })
    .await?;
    Ok(indexes)
}

/// The columns of a series; a zero UUID where it has no node.
fn nodes(scope: Option<Uuid>, org: Option<Uuid>, taxonomy: Option<Uuid>) -> [Uuid; 3] {
    [scope, org, taxonomy].map(Option::unwrap_or_default)
}
