//! Several changes of activities in one transaction, their rows written by one statement.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::{SeriesKey, SyncId};
use ports::ledger::{Closed, Parts};
use ports::repo::ActivityWrite;
use ports::store::{Intent, StoreError};
use ports::{ChainHead, Version};
use uuid::Uuid;

use super::batch::{delete, look_up_holders, look_up_replaced};
use super::encode::{Encoder, Sum, activity_rows};
use super::plan::{Known, Plan, activity, check};
use crate::bulk::{MultiInsert, Rows};
use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::error::failed;
use crate::head::{self, HeadRow};
use crate::known_references::KnownReferences;
use crate::ledger;
use crate::session::Session;
use crate::usage::Uses;

/// A change of activities.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) intent: Intent,
    pub(crate) actor: String,
    /// The head of the snapshot that the activities were built in.
    pub(crate) since: ChainHead,
    pub(crate) writes: Vec<ActivityWrite>,
}

/// What became of a change in a group.
pub(crate) enum MemberResult {
    /// It is written, and this is the head behind it.
    Written(ChainHead),
    /// It is not written, for that reason.
    Refused(StoreError),
    /// It has to do with what an earlier one of the group writes, and is for the next group.
    NextGroup,
}

/// Writes changes in order behind that head, which is locked, each behind the one before. Says what becomes of each, and
/// what the head is behind all. Nothing is committed; on an error nothing of them can be.
pub(crate) async fn write_group(
    conn: &mut TenantConn,
    before: HeadRow,
    references: &mut KnownReferences,
    changes: &[Change],
) -> Result<(Vec<MemberResult>, ChainHead), StoreError> {
    let known = look_up(conn, references, changes).await?;
    let plans = validate(before.head, changes, &Arc::new(known));
    let keys = plans.iter().flatten().flat_map(Plan::series);
    let series = references.number(conn, Bulk::Rows, keys).await?;
    let mut group = GroupRows::new(before);
    let mut results = Vec::with_capacity(plans.len());
    for (change, plan) in changes.iter().zip(plans) {
        results.push(match plan {
            Ok(plan) => MemberResult::Written(group.add(change, plan, &series)?),
            Err(result) => result,
        });
    }
    let after = group.head.head;
    if after != before.head {
        group.write(conn).await?;
    }
    Ok((results, after))
}

/// Validates each change behind those before it: what is to be written of it, or what became of it instead.
fn validate(mut head: ChainHead, changes: &[Change], known: &Arc<Known>) -> Vec<Result<Plan, MemberResult>> {
    let (mut ids, mut sync_ids) = (HashSet::new(), HashSet::new());
    let mut validate_one = |change: &Change| {
        let Change { intent, since, writes, .. } = change;
        if !head.has_catalog_of(since) {
            return Err(MemberResult::Refused(StoreError::Stale));
        }
        let (touched, named) = touches(writes, known);
        if touched.iter().any(|id| ids.contains(id)) || named.iter().any(|name| sync_ids.contains(name)) {
            return Err(MemberResult::NextGroup);
        }
        let version = Version(head.number + 1);
        let steps = check(writes, known, intent.at, version).map_err(MemberResult::Refused)?;
        head.number += 1;
        ids.extend(touched);
        sync_ids.extend(named);
        Ok(Plan { batch: writes.clone(), steps, known: Arc::clone(known), updated: intent.at, version })
    };
    changes.iter().map(&mut validate_one).collect()
}

/// The activities that are written, and the syncIds that they have or had.
fn touches(writes: &[ActivityWrite], known: &Known) -> (Vec<Uuid>, Vec<SyncId>) {
    let ids: Vec<Uuid> = writes.iter().map(|put| activity(put).id.into()).collect();
    let before = ids.iter().filter_map(|id| known.replaced.get(id)).map(|stored| &stored.value);
    let names = writes.iter().map(activity).chain(before).filter_map(|activity| activity.sync_id.clone());
    (ids.clone(), names.collect())
}

/// The rows of a group in the making.
struct GroupRows {
    head: HeadRow,
    replaced: Vec<Uuid>,
    activities: Rows,
    items: Rows,
    postings: Rows,
    changes: Rows,
    uses: Uses,
}

impl GroupRows {
    fn new(head: HeadRow) -> Self {
        Self {
            head,
            replaced: Vec::new(),
            activities: activity_rows(),
            items: ledger::items(),
            postings: ledger::postings(),
            changes: ledger::changes(),
            uses: Uses::default(),
        }
    }

    /// Adds what a change writes, and gives the head behind it.
    fn add(
        &mut self,
        change: &Change,
        plan: Plan,
        series: &Arc<HashMap<SeriesKey, u32>>,
    ) -> Result<ChainHead, StoreError> {
        let mut session = Session::behind(self.head, &change.intent, &change.actor);
        self.replaced.extend(plan.replaced());
        let mut encoder = Encoder::new(Arc::new(plan), Arc::clone(series));
        while let Some(rows) = encoder.next(usize::MAX)? {
            self.activities.append(&rows);
        }
        let Sum { items, postings, uses } = encoder.finish();
        session.draft.note_all(items, postings)?;
        session.draft.keep()?;
        self.uses.add_all(uses);
        let Some((Closed { change, head, parts }, footprints)) = session.into_closed()? else {
            return Ok(self.head.head);
        };
        // A change that adds and replaces removes nothing, and single writes come from no file.
        let Parts { items, postings, lines: _, removals: _ } = parts;
        for (place, items) in items {
            ledger::part_row(&mut self.items, place, items.as_bytes())?;
        }
        for (place, cells) in postings {
            ledger::part_row(&mut self.postings, place, cells.as_bytes())?;
        }
        ledger::change_row(&mut self.changes, &change)?;
        self.head = HeadRow { head, footprints, ..self.head };
        Ok(head)
    }

    async fn write(self, conn: &mut TenantConn) -> Result<(), StoreError> {
        let Self { head, replaced, activities, items, postings, changes, uses } = self;
        if !replaced.is_empty() {
            delete(conn, replaced).await?;
        }
        let mut insert = MultiInsert::new(conn)?;
        for rows in [&activities, &items, &postings, &uses.into_rows(), &changes] {
            insert.rows(rows)?;
        }
        let update = head::update(&mut insert, &head)?;
        match insert.run(conn, &update).await? {
            1 => Ok(()),
            _ => Err(failed("the head of the tenant is gone")),
        }
    }
}

/// What changes refer to and replace.
async fn look_up(
    conn: &mut TenantConn,
    references: &mut KnownReferences,
    changes: &[Change],
) -> Result<Known, StoreError> {
    let writes = || changes.iter().flat_map(|change| &change.writes);
    let present = references.look_up(conn, writes().map(activity)).await?;
    let mut known = Known { present, ..Known::default() };
    let writes: Vec<ActivityWrite> = writes().cloned().collect();
    look_up_replaced(conn, &writes, &mut known).await?;
    look_up_holders(conn, &writes, &mut known).await?;
    Ok(known)
}
