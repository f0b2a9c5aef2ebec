//! Writing many activities in one call: everything is looked up at once, and encoded while the server works.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{Activity, Canonical as _, SeriesKey, SyncId};
use ports::Stored;
use ports::repo::ActivityWrite;
use ports::store::StoreError;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::encode::{Encoder, Sum, activity_row, activity_rows};
use super::plan::{Known, Plan, activity, check};
use crate::bulk::{Intake, Rows};
use crate::conn::{TenantConn, column, sql};
use crate::database::Bulk;
use crate::error::{failed, is_taken};
use crate::known_references::KnownReferences;
use crate::session::Session;
use crate::table;
use crate::usage::Uses;

/// How many writes are encoded before they are sent.
const CHUNK: usize = 4_000;
/// The same at first, while the server waits.
const FIRST: usize = 1_000;

/// Adds and replaces activities in order.
pub(crate) async fn put_all(
    conn: &mut TenantConn,
    session: &mut Session,
    bulk: Bulk,
    references: &mut KnownReferences,
    batch: Vec<ActivityWrite>,
) -> Result<(), StoreError> {
    if batch.is_empty() {
        return Ok(());
    }
    let mut known = look_up(conn, references, &batch).await?;
    let updates = batch.iter().any(|put| matches!(put, ActivityWrite::Update(..)));
    // New activities that collide are refused by the unique indexes. Where updates move syncIds about, the order of the
    // writes counts, which indexes do not see.
    if updates {
        look_up_holders(conn, &batch, &mut known).await?;
    }
    let steps = match check(&batch, &known, session.at(), session.version()) {
        Ok(steps) => steps,
        Err(error) if updates => return Err(error),
        Err(error) => return Err(first_obstacle(conn, &batch, known, session).await?.unwrap_or(error)),
    };
    let plan =
        Arc::new(Plan { batch, steps, known: Arc::new(known), updated: session.at(), version: session.version() });
    conn.batch("SAVEPOINT batch").await?;
    match write(conn, session, bulk, references, &plan).await {
        Ok(()) => conn.batch("RELEASE SAVEPOINT batch").await,
        Err(error) if is_taken(&error) => {
            conn.batch("ROLLBACK TO SAVEPOINT batch; RELEASE SAVEPOINT batch").await?;
            references.clear();
            let known = look_up(conn, references, &plan.batch).await?;
            Err(first_obstacle(conn, &plan.batch, known, session).await?.unwrap_or(error))
        }
        Err(error) => Err(error),
    }
}

/// Adds activities of those series as they are, without a change.
pub(crate) async fn load_all(
    conn: &mut TenantConn,
    bulk: Bulk,
    series: &HashMap<SeriesKey, u32>,
    batch: &[Stored<Activity>],
) -> Result<(), StoreError> {
    let (mut uses, mut rows) = (Uses::default(), activity_rows());
    for stored in batch {
        let Some(series) = series.get(&stored.value.series()) else {
            return Err(failed(format!("the series of activity {} was not loaded", stored.value.id)));
        };
        activity_row(&mut rows, stored, stored.digest(), *series)?;
        uses.add(&stored.value);
    }
    rows.insert(conn, bulk).await?;
    uses.write(conn, bulk).await
}

/// Writes what was planned.
async fn write(
    conn: &mut TenantConn,
    session: &mut Session,
    bulk: Bulk,
    references: &mut KnownReferences,
    plan: &Arc<Plan>,
) -> Result<(), StoreError> {
    let replaced: Vec<Uuid> = plan.replaced().collect();
    if !replaced.is_empty() {
        delete(conn, replaced).await?;
    }
    let series = references.number(conn, bulk, plan.series()).await?;
    let mut intake = Intake::new(bulk);
    let mut encoder = Encoder::new(Arc::clone(plan), series);
    let Sum { items, postings, uses } = if plan.batch.len() > CHUNK {
        let (ready, mut chunks) = mpsc::channel::<Rows>(1);
        let encoding = spawn_blocking(move || -> Result<Sum, StoreError> {
            let mut size = FIRST;
            while let Some(rows) = encoder.next(size)? {
                if ready.blocking_send(rows).is_err() {
                    break;
                }
                size = CHUNK;
            }
            Ok(encoder.finish())
        });
        while let Some(rows) = chunks.recv().await {
            intake.take(conn, rows).await?;
        }
        encoding.await.map_err(|error| StoreError::Failed(Box::new(error)))??
    } else {
        while let Some(rows) = encoder.next(CHUNK)? {
            intake.take(conn, rows).await?;
        }
        encoder.finish()
    };
    intake.close(conn).await?;
    uses.write(conn, bulk).await?;
    session.draft.note_all(items, postings)?;
    Ok(())
}

/// Removes the rows of activities whose new rows follow.
pub(super) async fn delete(conn: &mut TenantConn, ids: Vec<Uuid>) -> Result<(), StoreError> {
    let text = "DELETE FROM tonne.activity WHERE tenant_id = $1 AND id = ANY ($2)";
    let statement = sql(text, [conn.tenant().uuid().into(), ids.into()]);
    conn.execute(statement).await.map(drop)
}

/// What the batch refers to and replaces.
async fn look_up(
    conn: &mut TenantConn,
    references: &mut KnownReferences,
    batch: &[ActivityWrite],
) -> Result<Known, StoreError> {
    let present = references.look_up(conn, batch.iter().map(activity)).await?;
    let mut known = Known { present, ..Known::default() };
    look_up_replaced(conn, batch, &mut known).await?;
    Ok(known)
}

/// Which activities the batch replaces.
pub(super) async fn look_up_replaced(
    conn: &mut TenantConn,
    batch: &[ActivityWrite],
    known: &mut Known,
) -> Result<(), StoreError> {
    let replaced = batch.iter().filter_map(|put| match put {
        ActivityWrite::Add(_) => None,
        ActivityWrite::Update(activity, _) => Some(activity.id.into()),
    });
    let replaced: Vec<Uuid> = replaced.collect();
    if !replaced.is_empty() {
        let replaced = table::find_all::<Activity>(conn, &replaced).await?;
        known.replaced = replaced.into_iter().map(|stored| (stored.value.id.into(), stored)).collect();
    }
    Ok(())
}

/// Which ids and syncIds of the batch are taken.
pub(super) async fn look_up_holders(
    conn: &mut TenantConn,
    batch: &[ActivityWrite],
    known: &mut Known,
) -> Result<(), StoreError> {
    let new = batch.iter().filter_map(|put| match put {
        ActivityWrite::Add(activity) => Some(Uuid::from(activity.id)),
        ActivityWrite::Update(..) => None,
    });
    let sync_ids = batch.iter().filter_map(|put| activity(put).sync_id.as_ref().map(SyncId::to_string));
    let text = "SELECT id, NULL FROM tonne.activity WHERE tenant_id = $1 AND id = ANY ($2) \
                UNION ALL \
                SELECT id, sync_id FROM tonne.activity WHERE tenant_id = $1 AND sync_id = ANY ($3)";
    let values = [conn.tenant().uuid().into(), new.collect::<Vec<_>>().into(), sync_ids.collect::<Vec<_>>().into()];
    conn.each(sql(text, values), |row| {
        let (id, sync_id): (Uuid, Option<String>) = (column(row, 0)?, column(row, 1)?);
        match sync_id {
            None => drop(known.taken.insert(id)),
            Some(sync_id) => drop(known.holders.insert(sync_id, id)),
        }
        Ok(())
    })
    .await
}

/// The error of the first write that something stands in the way of.
async fn first_obstacle(
    conn: &mut TenantConn,
    batch: &[ActivityWrite],
    mut known: Known,
    session: &Session,
) -> Result<Option<StoreError>, StoreError> {
    look_up_holders(conn, batch, &mut known).await?;
    Ok(check(batch, &known, session.at(), session.version()).err())
}
