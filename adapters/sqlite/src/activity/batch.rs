//! Writing many activities in one call: keys are looked up once each, no cell is looked up.

use std::collections::HashMap;

use domain::{Activity, ActivityId, Canonical as _, Digest, SeriesKey};
use ports::store::{Conflict, StoreError};
use ports::{Action, ChangeItem, Envelope, RecordKind, Replaced, Stored, Version};
use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, ErrorCode, OptionalExtension as _, params, params_from_iter};
use uuid::Uuid;

use super::encode::{self, Batch, Encoded};
use super::values;
use crate::error::{StoreErr as _, failed, of_sqlite};
use crate::keys::KnownKeys;
use crate::row;
use crate::session::Session;
use crate::table::{self, Table as _, find};
use crate::usage::Usage;

/// Adds and replaces activities in order, as they are made ready.
pub(crate) fn put_all(conn: &Connection, session: &mut Session, batch: Batch) -> Result<(), StoreError> {
    let Batch { count, mut chunks } = batch;
    let (mut writing, mut written) = (Writing::new(conn)?, 0);
    while let Some(chunk) = chunks.blocking_recv() {
        written += chunk.len();
        for encoded in chunk {
            writing.put(session, encoded)?;
        }
    }
    if written < count { Err(failed("a batch of activities could not be made ready")) } else { Ok(()) }
}

/// Removes activities, each of the version that was seen.
pub(crate) fn remove_all(
    conn: &Connection,
    session: &mut Session,
    removed: &[(ActivityId, Version)],
) -> Result<(), StoreError> {
    removed.iter().try_for_each(|(id, seen)| table::remove::<Activity>(conn, session, id.uuid(), *seen))
}

/// Adds activities of those series as they are, without a change, and counts what they refer to.
pub(crate) fn load_all(
    conn: &Connection,
    series: &HashMap<SeriesKey, u32>,
    batch: &[Stored<Activity>],
    usage: &mut Usage,
) -> Result<(), StoreError> {
    let (mut writing, mut known) = (Writing::new(conn)?, KnownKeys::default());
    for stored in batch {
        let activity = &stored.value;
        if !series.contains_key(&activity.series()) {
            return Err(failed(format!("the series of activity {} was not loaded", activity.id)));
        }
        let values = values(activity, known.of(conn, activity)?);
        writing.write(true, &Envelope::of(stored), stored.digest(), &values, activity)?;
        usage.add(activity);
    }
    Ok(())
}

/// A batch under way.
struct Writing<'c> {
    conn: &'c Connection,
    insert: CachedStatement<'c>,
    replace: CachedStatement<'c>,
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
        })
    }

    fn put(&mut self, session: &mut Session, mut encoded: Encoded) -> Result<(), StoreError> {
        let keys = session.keys.of(self.conn, &encoded.activity)?;
        encoded.set_keys(keys);
        let Encoded { activity, action, values } = &encoded;
        let (kind, id, at) = (RecordKind::Activity, activity.id.uuid(), session.at());
        let envelope = Envelope { kind, id, created: at, updated: at, version: session.version() };
        let action = match action {
            encode::Action::Add(digest) => {
                self.write(true, &envelope, *digest, values, activity)?;
                Action::Added(*digest)
            }
            encode::Action::AddAs(content) => {
                let digest = envelope.digest_around(content);
                self.write(true, &envelope, digest, values, activity)?;
                Action::Added(digest)
            }
            encode::Action::Replace(seen, content) => {
                let before = self.seen(activity, *seen)?;
                let envelope = Envelope { created: before.created, ..envelope };
                let digest = envelope.digest_around(content);
                self.write(false, &envelope, digest, values, activity)?;
                let series = session.keys.series(self.conn, before.value.series())?;
                session.unpost(series, &before.value);
                Action::Updated { digest, replaced: Replaced::new(&before) }
            }
        };
        session.post(keys.series, activity);
        session.note(ChangeItem { kind, id, action });
        Ok(())
    }

    /// The activity that stands there, if it is of that version.
    fn seen(&self, activity: &Activity, seen: Version) -> Result<Stored<Activity>, StoreError> {
        let before = find::<Activity>(self.conn, activity.id.uuid())?;
        before.filter(|before| before.version == seen).ok_or(StoreError::Stale)
    }

    /// Inserts the row of an activity that is new, or replaces that of the one with its id.
    fn write(
        &mut self,
        is_new: bool,
        envelope: &Envelope,
        digest: Digest,
        values: &[Value],
        activity: &Activity,
    ) -> Result<(), StoreError> {
        let statement = if is_new { &mut self.insert } else { &mut self.replace };
        match statement.execute(params_from_iter(columns(envelope, digest).iter().chain(values))) {
            Ok(_) => Ok(()),
            Err(error) => Err(self.in_the_way(activity, is_new, error)?),
        }
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

/// The columns that every record's row begins with.
fn columns(envelope: &Envelope, digest: Digest) -> [Value; 5] {
    [
        row::id(envelope.id),
        row::digest(digest),
        Value::Integer(envelope.created.millis()),
        Value::Integer(envelope.updated.millis()),
        row::number(envelope.version.0),
    ]
}
