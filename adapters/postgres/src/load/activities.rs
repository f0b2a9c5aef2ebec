//! The activities of a load.

use std::collections::{HashMap, HashSet};

use domain::Activity;
use ports::store::{Conflict, StoreError};
use ports::{Entity as _, RecordKind, Refers, Stored};
use uuid::Uuid;

use super::Filling;
use crate::activity::load_all;
use crate::conn::sql;
use crate::error::is_taken;
use crate::reference;

/// How many activities are sent at a time.
pub(super) const MOST: usize = 10_000;

impl Filling {
    /// Writes activities as they are.
    pub(super) async fn activities(&mut self, batch: &[Stored<Activity>]) -> Result<(), StoreError> {
        let conn = &mut self.conn;
        let mut wanted: Vec<Refers> = batch.iter().flat_map(|stored| stored.value.references()).collect();
        wanted.sort_unstable_by_key(|to| (to.kind, to.id));
        wanted.dedup();
        if let Some(missing) = reference::first_missing(conn, &wanted).await? {
            return Err(StoreError::Conflict(Conflict::Missing { kind: missing.kind, id: missing.id }));
        }
        conn.batch("SAVEPOINT batch").await?;
        match load_all(conn, self.bulk, &self.series, batch).await {
            Ok(()) => conn.batch("RELEASE SAVEPOINT batch").await,
            Err(error) if is_taken(&error) => {
                conn.batch("ROLLBACK TO SAVEPOINT batch").await?;
                Err(self.obstacle(batch).await?.map_or(error, StoreError::Conflict))
            }
            Err(error) => Err(error),
        }
    }

    /// What of the batch is taken by activities before it, or is in it twice.
    async fn obstacle(&mut self, batch: &[Stored<Activity>]) -> Result<Option<Conflict>, StoreError> {
        let kind = RecordKind::Activity;
        let (mut ids, mut holders) = (HashSet::new(), HashMap::new());
        for Activity { id, sync_id, .. } in batch.iter().map(|stored| &stored.value) {
            let id = Uuid::from(*id);
            if !ids.insert(id) {
                return Ok(Some(Conflict::Exists(id)));
            }
            if let Some(holder) = sync_id.as_ref().and_then(|sync_id| holders.insert(sync_id.as_str(), id)) {
                return Ok(Some(Conflict::SyncId { kind, holder }));
            }
        }
        let tenant = self.conn.tenant().uuid();
        let text = "SELECT id FROM tonne.activity WHERE tenant_id = $1 AND id = ANY ($2) LIMIT 1";
        let ids: Vec<Uuid> = ids.into_iter().collect();
        if let Some(id) = self.conn.value(sql(text, [tenant.into(), ids.into()])).await? {
            return Ok(Some(Conflict::Exists(id)));
        }
        let text = "SELECT id FROM tonne.activity WHERE tenant_id = $1 AND sync_id = ANY ($2) LIMIT 1";
        let sync_ids: Vec<String> = holders.into_keys().map(str::to_owned).collect();
        let holder = self.conn.value(sql(text, [tenant.into(), sync_ids.into()])).await?;
        Ok(holder.map(|holder| Conflict::SyncId { kind, holder }))
    }
}
