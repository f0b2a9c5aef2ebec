//! Writing many activities in one call: keys are looked up once each, no cell is looked up.

use std::collections::HashMap;

use domain::{Activity, Canonical as _, Digest, FactorId, ProductId, SeriesKey};
use ports::repo::ActivityWrite;
use ports::store::{Conflict, StoreError};
use ports::{Action, ChangeItem, RecordKind, Replaced, Stored, Version};
use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, ErrorCode, OptionalExtension as _, params, params_from_iter};
use uuid::Uuid;

use super::{Keys, values};
use crate::error::{StoreErr as _, failed, of_sqlite};
use crate::reference::key_of;
use crate::row;
use crate::series;
use crate::session::Session;
use crate::table::{Table as _, find};
use crate::usage::Usage;

/// Adds and replaces activities in order.
pub(crate) fn put_all(conn: &Connection, session: &mut Session, batch: Vec<ActivityWrite>) -> Result<(), StoreError> {
    let mut writing = Writing::new(conn)?;
    for put in batch {
        match put {
            ActivityWrite::Add(activity) => writing.add(session, activity)?,
            ActivityWrite::Update(activity, seen) => writing.update(session, activity, seen)?,
        }
    }
    Ok(())
}

/// Adds activities of those series as they are, without a change, and counts what they refer to.
pub(crate) fn load_all(
    conn: &Connection,
    series: &HashMap<SeriesKey, u32>,
    batch: &[Stored<Activity>],
    usage: &mut Usage,
) -> Result<(), StoreError> {
    let mut writing = Writing::new(conn)?;
    for stored in batch {
        if !series.contains_key(&stored.value.series()) {
            return Err(failed(format!("the series of activity {} was not loaded", stored.value.id)));
        }
        let (keys, digest) = (writing.keys(&stored.value)?, stored.digest());
        if let Err(error) = writing.insert.execute(params_from_iter(columns(stored, digest, keys))) {
            return Err(writing.in_the_way(&stored.value, true, error)?);
        }
        usage.add(&stored.value);
    }
    Ok(())
}

/// A batch under way.
struct Writing<'c> {
    conn: &'c Connection,
    insert: CachedStatement<'c>,
    replace: CachedStatement<'c>,
    series: HashMap<SeriesKey, u32>,
    products: HashMap<ProductId, i64>,
    factors: HashMap<FactorId, i64>,
}

impl<'c> Writing<'c> {
    fn new(conn: &'c Connection) -> Result<Self, StoreError> {
        let columns: Vec<&str> =
            ["id", "digest", "created", "updated", "version"].iter().chain(Activity::WRITTEN).copied().collect();
        let places = vec!["?"; columns.len()].join(", ");
        let sets: Vec<String> = columns.iter().zip(1..).map(|(column, at)| format!("{column} = ?{at}")).collect();
        let insert = format!("INSERT INTO activity ({}) VALUES ({places})", columns.join(", "));
        let replace = format!("UPDATE activity SET {} WHERE id = ?1", sets.join(", "));
        Ok(Self {
            conn,
            insert: conn.prepare_cached(&insert).store_err()?,
            replace: conn.prepare_cached(&replace).store_err()?,
            series: HashMap::new(),
            products: HashMap::new(),
            factors: HashMap::new(),
        })
    }

    fn add(&mut self, session: &mut Session, activity: Activity) -> Result<(), StoreError> {
        let at = session.at();
        let stored = Stored { value: activity, created: at, updated: at, version: session.version() };
        self.put(session, &stored, None)
    }

    fn update(&mut self, session: &mut Session, activity: Activity, seen: Version) -> Result<(), StoreError> {
        let before = find::<Activity>(self.conn, activity.id.uuid())?.filter(|before| before.version == seen);
        let before = before.ok_or(StoreError::Stale)?;
        let stored =
            Stored { value: activity, created: before.created, updated: session.at(), version: session.version() };
        self.put(session, &stored, Some(&before))
    }

    fn put(
        &mut self,
        session: &mut Session,
        stored: &Stored<Activity>,
        before: Option<&Stored<Activity>>,
    ) -> Result<(), StoreError> {
        let activity = &stored.value;
        let (keys, digest) = (self.keys(activity)?, stored.digest());
        let statement = if before.is_some() { &mut self.replace } else { &mut self.insert };
        if let Err(error) = statement.execute(params_from_iter(columns(stored, digest, keys))) {
            return Err(self.in_the_way(activity, before.is_none(), error)?);
        }
        session.post(keys.series, activity);
        let (kind, id) = (RecordKind::Activity, activity.id.uuid());
        let action = match before {
            Some(before) => {
                session.unpost(self.series_of(before.value.series())?, &before.value);
                Action::Updated { digest, replaced: Replaced::new(before) }
            }
            None => Action::Added(digest),
        };
        session.note(ChangeItem { kind, id, action });
        Ok(())
    }

    fn keys(&mut self, activity: &Activity) -> Result<Keys, StoreError> {
        let conn = self.conn;
        let product = |id| key_of(conn, "product", RecordKind::Product, id);
        let factor = |id| key_of(conn, "factor", RecordKind::Factor, id);
        Ok(Keys {
            series: self.series_of(activity.series())?,
            product: activity.product.map(|id| known(&mut self.products, id, product)).transpose()?,
            factor: activity.calculation.factor().map(|id| known(&mut self.factors, id, factor)).transpose()?,
        })
    }

    fn series_of(&mut self, key: SeriesKey) -> Result<u32, StoreError> {
        known(&mut self.series, key, |key| series::index_of(self.conn, key))
    }

    /// What a refused row collided with.
    fn in_the_way(&self, activity: &Activity, is_new: bool, error: rusqlite::Error) -> Result<StoreError, StoreError> {
        if error.sqlite_error_code() != Some(ErrorCode::ConstraintViolation) {
            return Ok(of_sqlite(error));
        }
        let id = activity.id.uuid();
        if is_new && find::<Activity>(self.conn, id)?.is_some() {
            return Ok(StoreError::Conflict(Conflict::Exists(id)));
        }
        let holder: Option<Uuid> = self
            .conn
            .prepare_cached("SELECT id FROM activity WHERE sync_id = ? AND id <> ?")
            .and_then(|mut statement| {
                let sync_id = activity.sync_id.as_ref().map(domain::SyncId::as_str);
                statement.query_row(params![sync_id, id], |row| row.get(0)).optional()
            })
            .store_err()?;
        Ok(match holder {
            Some(holder) => StoreError::Conflict(Conflict::SyncId { kind: RecordKind::Activity, holder }),
            None => of_sqlite(error),
        })
    }
}

fn columns(stored: &Stored<Activity>, digest: Digest, keys: Keys) -> impl Iterator<Item = Value> + use<> {
    let head = [
        row::id(stored.value.id),
        row::digest(digest),
        Value::Integer(stored.created.millis()),
        Value::Integer(stored.updated.millis()),
        Value::Integer(i64::try_from(stored.version.0).unwrap_or(i64::MAX)),
    ];
    head.into_iter().chain(values(&stored.value, keys))
}

fn known<K: Copy + Eq + std::hash::Hash, V: Copy>(
    map: &mut HashMap<K, V>,
    key: K,
    look_up: impl FnOnce(K) -> Result<V, StoreError>,
) -> Result<V, StoreError> {
    if let Some(value) = map.get(&key) {
        return Ok(*value);
    }
    let value = look_up(key)?;
    map.insert(key, value);
    Ok(value)
}
