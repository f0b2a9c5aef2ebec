//! The history of a tenant: its changes in order, and what became of one record.

mod blank;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{
    Activity, Canonical as _, ClosedPeriod, Digest, Exclusion, Factor, Faults, Footprint, Input, Model, Org, Partner,
    Product, Scope, Sharing, Switch, Taxonomy,
};
use ports::clock::Clock;
use ports::inbound::{
    BlankDraft, Blanked, ChangeMark, ChangePage, ChangeView, Done, Error, Histories, Once, RecordChange,
};
use ports::ledger::{PartPlace, PastVersion, PinnedHead, history};
use ports::store::{HasRepository, ReadTx, Store, StoreError};
use ports::{Caller, Change, Permission, RecordKind, Replaced, demand, permit};
use uuid::Uuid;

use super::once;

/// A page ends behind the part with which it has so many records.
const RECORDS: usize = 10_000;
/// How many parts of items are read at once.
const PARTS: u32 = 8;

/// Reads histories from a store, and blanks what of them has to be forgotten.
pub struct HistoryService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
}

#[async_trait]
impl Histories for HistoryService {
    async fn changes(&self, caller: &Caller, after: Option<ChangeMark>, limit: u32) -> Result<ChangePage, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let newest = tx.head().await?.revision();
        let after = after.unwrap_or(ChangeMark { epoch: newest.epoch, number: 0, parts: 0 });
        if after.epoch != newest.epoch {
            return Err(Error::Gone(format!(
                "The place is one of another history: the records were restored or loaded since. Read all records anew, \
                 then go on from {}.{}.",
                newest.epoch, newest.number
            )));
        }
        if after.number > newest.number || (after.number == newest.number && after.parts > 0) {
            let detail = format!("lies ahead of the newest change, {}.{}", newest.epoch, newest.number);
            return Err(Error::Parameters(Faults::one("after", detail)));
        }
        let rows = tx.ledger().changes_since(after.number, limit).await?;
        let mut page = ChangePage { newest, changes: Vec::new(), next: after, has_more: false };
        let (mut count, mut rows) = (0, rows.into_iter());
        for change in rows.by_ref() {
            let (view, next) = read(tx.as_mut(), caller, change, page.next, RECORDS - count).await?;
            count += view.records.len();
            let goes_on = view.goes_on;
            page.changes.push(view);
            page.next = next;
            if goes_on || count >= RECORDS {
                break;
            }
        }
        page.has_more = page.next.parts > 0 || page.next.number < newest.number;
        Ok(page)
    }

    async fn head(&self, caller: &Caller, number: Option<u64>) -> Result<Option<PinnedHead>, Error> {
        let grant = permit(caller, demand::ACTIVITY_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let head = tx.head().await?;
        let number = number.unwrap_or(head.number);
        let digest = match number.checked_sub(1) {
            None => Some(Digest::ZERO),
            Some(_) if number > head.number => None,
            Some(before) => {
                let change = tx.ledger().changes_since(before, 1).await?.into_iter().next();
                change.filter(|change| change.number == number).map(|change| change.digest)
            }
        };
        Ok(digest.map(|digest| PinnedHead { epoch: head.epoch, number, digest }))
    }

    async fn of_record(
        &self,
        caller: &Caller,
        kind: RecordKind,
        id: Uuid,
        limit: usize,
    ) -> Result<Vec<RecordChange>, Error> {
        caller.check(reads(kind))?;
        // Reading is all that is asked of the store, whatever the kind.
        let grant = match kind {
            RecordKind::Activity => permit(caller, demand::ACTIVITY_READ)?,
            RecordKind::Model | RecordKind::Input => permit(caller, demand::MODEL_READ)?,
            RecordKind::Switch => permit(caller, demand::SWITCH_READ)?,
            RecordKind::Footprint | RecordKind::Partner | RecordKind::Sharing => {
                permit(caller, demand::FOOTPRINT_REVIEW)?
            }
            RecordKind::ClosedPeriod => permit(caller, demand::ACTIVITY_REPORT)?,
            RecordKind::Scope
            | RecordKind::Org
            | RecordKind::Taxonomy
            | RecordKind::Product
            | RecordKind::Factor
            | RecordKind::Exclusion => permit(caller, demand::CATALOG_READ)?,
        };
        let mut tx = self.store.read(&grant).await?;
        let versions = history(tx.ledger(), kind, id, limit).await?;
        if versions.is_empty() {
            return Err(Error::NotFound);
        }
        let mut after = current(tx.as_mut(), kind, id).await?;
        let mut changes = Vec::with_capacity(versions.len());
        for PastVersion { change, item } in versions {
            let replaced = item.replaced();
            let before = replaced.and_then(|replaced| replaced.text.clone());
            let verb = item.verb();
            let left = item.left().and(after.take());
            changes.push(RecordChange {
                change,
                verb,
                replaced: replaced.map(version),
                before: before.clone(),
                after: left,
            });
            after = before;
        }
        Ok(changes)
    }

    async fn blank_once(
        &self,
        caller: &Caller,
        draft: BlankDraft,
        once: Option<Once<Blanked>>,
    ) -> Result<Done<Blanked>, Error> {
        let grant = permit(caller, demand::HISTORY_BLANK)?;
        let (store, clock) = (self.store.as_ref(), self.clock.as_ref());
        let work = blank::blank(store, clock, &grant, draft, once.as_ref());
        once::once(store, clock, &grant, once::request(once.as_ref()), work).await
    }
}

const fn version(replaced: &Replaced) -> ports::Version {
    replaced.version
}

/// A change from the place on, with what it did to records that the caller may read, up to about so many; and the place
/// behind it.
async fn read(
    tx: &mut dyn ReadTx,
    caller: &Caller,
    change: Change,
    from: ChangeMark,
    most: usize,
) -> Result<(ChangeView, ChangeMark), Error> {
    let number = change.number;
    let parts = if from.number + 1 == number { from.parts } else { 0 };
    let mut mark = ChangeMark { number: number - 1, parts, ..from };
    let mut view = ChangeView { change, records: Vec::new(), goes_on: false };
    loop {
        let read = tx.ledger().items_since(mark.place(), PARTS).await?;
        let mut is_last = read.len() < PARTS as usize;
        for (PartPlace { change, .. }, part) in read {
            if change != number {
                is_last = true;
                break;
            }
            if view.records.len() >= most.max(1) {
                view.goes_on = true;
                return Ok((view, mark));
            }
            for item in part.items() {
                let damaged =
                    |error| StoreError::Corrupt { subject: format!("change {number}"), detail: format!("{error}") };
                let item = item.map_err(damaged)?;
                if caller.permissions.allows(reads(item.kind)) {
                    view.records.push((item.kind, item.id, item.verb()));
                }
            }
            mark.parts += 1;
        }
        if is_last {
            return Ok((view, ChangeMark { number, parts: 0, ..from }));
        }
    }
}

/// The permission to read records of that kind.
const fn reads(kind: RecordKind) -> Permission {
    match kind {
        RecordKind::Activity => Permission::ActivityRead,
        RecordKind::Scope
        | RecordKind::Org
        | RecordKind::Taxonomy
        | RecordKind::Product
        | RecordKind::Factor
        | RecordKind::Exclusion => Permission::CatalogRead,
        RecordKind::Model | RecordKind::Input => Permission::ModelRead,
        RecordKind::Switch => Permission::SwitchRead,
        RecordKind::Footprint | RecordKind::Partner | RecordKind::Sharing => Permission::FootprintReview,
        RecordKind::ClosedPeriod => Permission::ActivityReport,
    }
}

/// The canonical text of a record as it is, if it is there.
async fn current(tx: &mut dyn ReadTx, kind: RecordKind, id: Uuid) -> Result<Option<String>, StoreError> {
    async fn of<T: HasRepository>(tx: &mut dyn ReadTx, id: Uuid) -> Result<Option<String>, StoreError> {
        Ok(T::reader(tx).find(id.into()).await?.map(|stored| stored.canonical()))
    }
    match kind {
        RecordKind::Activity => of::<Activity>(tx, id).await,
        RecordKind::Scope => of::<Scope>(tx, id).await,
        RecordKind::Org => of::<Org>(tx, id).await,
        RecordKind::Taxonomy => of::<Taxonomy>(tx, id).await,
        RecordKind::Product => of::<Product>(tx, id).await,
        RecordKind::Factor => of::<Factor>(tx, id).await,
        RecordKind::Model => of::<Model>(tx, id).await,
        RecordKind::Input => of::<Input>(tx, id).await,
        RecordKind::Switch => of::<Switch>(tx, id).await,
        RecordKind::Footprint => of::<Footprint>(tx, id).await,
        RecordKind::ClosedPeriod => of::<ClosedPeriod>(tx, id).await,
        RecordKind::Exclusion => of::<Exclusion>(tx, id).await,
        RecordKind::Partner => of::<Partner>(tx, id).await,
        RecordKind::Sharing => of::<Sharing>(tx, id).await,
    }
}
