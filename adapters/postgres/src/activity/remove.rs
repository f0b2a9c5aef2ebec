//! Removing many activities in one call.

use std::collections::HashMap;

use domain::{Activity, ActivityId};
use ports::store::StoreError;
use ports::{ChangeItem, Stored, Version};
use uuid::Uuid;

use super::batch::delete;
use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::error::failed;
use crate::known_references::KnownReferences;
use crate::session::Session;
use crate::table;
use crate::usage::Uses;

/// How many are read and removed at a time.
const CHUNK: usize = 4_000;

/// Removes activities, each of the version that was seen.
pub(crate) async fn remove_all(
    conn: &mut TenantConn,
    session: &mut Session,
    bulk: Bulk,
    references: &mut KnownReferences,
    removed: &[(ActivityId, Version)],
) -> Result<(), StoreError> {
    // Nothing is written before all of them were seen.
    let mut all: Vec<Stored<Activity>> = Vec::with_capacity(removed.len());
    for chunk in removed.chunks(CHUNK) {
        let ids: Vec<Uuid> = chunk.iter().map(|(id, _)| id.uuid()).collect();
        let found = table::find_all::<Activity>(conn, &ids).await?;
        let mut found: HashMap<ActivityId, _> = found.into_iter().map(|stored| (stored.value.id, stored)).collect();
        for (id, seen) in chunk {
            let stored = found.remove(id).filter(|stored| stored.version == *seen);
            all.push(stored.ok_or(StoreError::Stale)?);
        }
    }
    let series = references.number(conn, bulk, all.iter().map(|stored| stored.value.series())).await?;
    let mut uses = Uses::default();
    for chunk in all.chunks(CHUNK) {
        delete(conn, chunk.iter().map(|stored| stored.value.id.uuid()).collect()).await?;
        for stored in chunk {
            let activity = &stored.value;
            let index = series.get(&activity.series()).ok_or_else(|| failed("a series of an activity is not there"))?;
            session.draft.unpost(*index, &activity.posting());
            session.draft.note(ChangeItem::removed(stored));
            uses.take(activity);
        }
    }
    uses.write(conn, bulk).await
}
