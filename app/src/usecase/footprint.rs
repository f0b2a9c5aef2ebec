//! Footprints: records are stored as they were written, with what was found of them.

mod publish;
mod search;
pub(crate) mod shown;

use std::sync::Arc;

use async_trait::async_trait;
use domain::footprint::{Edition, Projection, Verdict, validate};
use domain::{Faults, Footprint, FootprintId, ModelId};
use ports::clock::Clock;
use ports::credential::TextSigner;
use ports::id_source::Ids;
use ports::inbound::{
    Done, Error, Field, FootprintBatches, FootprintDraft, FootprintPage, FootprintSearch, FootprintView, Footprints,
    Found, InterfaceList, InterfacePage, Once, PublishDraft, PublishOutcome, PublishedFootprint, ShownList, ShownPage,
};
use ports::repo::{Page, Query, Valid};
use ports::store::{Conflict, ReadTx, Store, WriteTx};
use ports::{Caller, Grant, Stored, Version, Write, demand, permit};

use super::activity::fresh;
use super::draft::{begin, refused, required};
use super::exchange::Wake;
use super::exchange::publish::publish as publish_events;
use super::once;
use super::partner::alias;
use super::partner::caller::{Visible, partner_of, refuse_partners};

/// Keeps footprints in a store.
pub struct FootprintService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
    /// Signs the marks of lists.
    pub marks: Arc<dyn TextSigner>,
    /// Told when there is something to tell partners.
    pub wake: Arc<Wake>,
}

impl FootprintService {
    async fn write(&self, grant: &Grant<Write>, cause: &str) -> Result<Box<dyn WriteTx>, Error> {
        begin(self.store.as_ref(), self.clock.as_ref(), grant, cause).await
    }

    /// Stores what tells partners of changed footprints, commits, and has it sent.
    async fn commit(
        &self,
        mut tx: Box<dyn WriteTx>,
        grant: &Grant<Write>,
        changed: &[FootprintId],
    ) -> Result<(), Error> {
        let is_told = publish_events(tx.as_mut(), self.ids.as_ref(), self.clock.now(), changed, None).await?;
        tx.commit().await?;
        if is_told {
            self.wake.wake(grant.tenant());
        }
        Ok(())
    }
}

#[async_trait]
impl Footprints for FootprintService {
    async fn open_page(&self, caller: &Caller, page: Page) -> Result<FootprintPage, Error> {
        let grant = permit(caller, demand::FOOTPRINT_REVIEW)?;
        let mut tx = self.store.read(&grant).await?;
        refuse_partners(tx.as_mut(), caller).await?;
        // Numbers have gaps where records were removed, so the page begins at a record that must be found.
        let number = u32::try_from(page.offset().saturating_add(1)).unwrap_or(u32::MAX);
        let alone = Query::all(Page { number, size: 1 });
        let first = tx.footprints().list(&alone).await?;
        let (after, left) = match first.data.first() {
            Some(first) => (first.value.number.saturating_sub(1), page.size),
            None => (0, 0),
        };
        Ok(FootprintPage { count: first.count, page, records: Box::new(PageRecords { tx, after, left }) })
    }

    async fn list_valid(&self, caller: &Caller, after: u64, limit: u32) -> Result<Vec<FootprintView>, Error> {
        let grant = permit(caller, demand::FOOTPRINT_READ)?;
        let mut tx = self.store.read(&grant).await?;
        refuse_partners(tx.as_mut(), caller).await?;
        let mut after = after;
        loop {
            let batch = tx.footprints().valid(Valid { after, until: u64::MAX, limit }).await?;
            let valid: Vec<_> = batch.records.into_iter().map(valid_view).collect();
            // An empty answer would mean that there are no more.
            match batch.end {
                Some(end) if valid.is_empty() => after = end,
                Some(_) | None => return Ok(valid),
            }
        }
    }

    async fn search(&self, caller: &Caller, search: &FootprintSearch) -> Result<Found<FootprintView, u64>, Error> {
        let grant = permit(caller, demand::FOOTPRINT_READ)?;
        let mut tx = self.store.read(&grant).await?;
        refuse_partners(tx.as_mut(), caller).await?;
        search::search(tx.as_mut(), caller, search).await
    }

    async fn list_interface(&self, caller: &Caller, asked: InterfaceList) -> Result<InterfacePage, Error> {
        let grant = permit(caller, demand::FOOTPRINT_READ)?;
        let mut tx = self.store.read(&grant).await?;
        refuse_partners(tx.as_mut(), caller).await?;
        shown::interface(tx.as_mut(), caller.tenant, self.marks.as_ref(), asked).await
    }

    async fn get(&self, caller: &Caller, id: FootprintId) -> Result<FootprintView, Error> {
        let grant = permit(caller, demand::FOOTPRINT_READ)?;
        let mut tx = self.store.read(&grant).await?;
        refuse_partners(tx.as_mut(), caller).await?;
        let mut found = view(find(tx.as_mut(), id).await?);
        found.verdict = tx.footprints().verdict(id).await?.map(Box::new);
        if !found.violations.is_empty() {
            permit(caller, demand::FOOTPRINT_REVIEW)?;
        }
        Ok(found)
    }

    async fn list_shown(&self, caller: &Caller, asked: ShownList) -> Result<ShownPage, Error> {
        let grant = permit(caller, demand::FOOTPRINT_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let marks = self.marks.as_ref();
        let Some(partner) = partner_of(tx.as_mut(), caller).await?.map(|stored| stored.value) else {
            return shown::list(tx.as_mut(), caller.tenant, marks, Visible::All, asked).await;
        };
        let (visible, filter) = (Visible::SharedWith(partner.id), alias::ours(&asked.filter, &partner));
        let ShownPage { footprints, next } =
            shown::list(tx.as_mut(), caller.tenant, marks, visible, ShownList { filter, ..asked }).await?;
        Ok(ShownPage { footprints: footprints.into_iter().map(|one| alias::theirs(one, &partner)).collect(), next })
    }

    async fn get_shown(&self, caller: &Caller, edition: Edition, id: FootprintId) -> Result<Projection, Error> {
        let grant = permit(caller, demand::FOOTPRINT_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let partner = partner_of(tx.as_mut(), caller).await?.map(|stored| stored.value);
        let found = shown::get(tx.as_mut(), edition, id).await?;
        let Some(partner) = partner else { return Ok(found) };
        if Visible::SharedWith(partner.id).has(tx.as_mut(), id).await? {
            Ok(alias::theirs(found, &partner))
        } else {
            Err(Error::Refused("The footprint is not shared with you.".to_owned()))
        }
    }

    async fn add_once(
        &self,
        caller: &Caller,
        draft: FootprintDraft,
        once: Option<Once<FootprintView>>,
    ) -> Result<Done<FootprintView>, Error> {
        let grant = permit(caller, demand::FOOTPRINT_WRITE)?;
        let work = async {
            let FootprintDraft { fields, faults } = draft;
            faults.into_result()?;
            let id = FootprintId::new(self.ids.random());
            let footprint = Footprint::new(id, 0, self.clock.now(), fields);
            let mut tx = self.write(&grant, "POST /v1/footprint").await?;
            let view = with_verdict(tx.footprints_mut().add(footprint).await?);
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            // Nobody is told: a new one is shared with nobody.
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn amend(
        &self,
        caller: &Caller,
        id: FootprintId,
        seen: Option<Version>,
        status: Field<String>,
        comment: Field<String>,
        faults: Faults,
    ) -> Result<FootprintView, Error> {
        let grant = permit(caller, demand::FOOTPRINT_WRITE)?;
        let now = self.clock.now();
        let amend = |before: &Footprint, mut faults: Faults| {
            let status = required(&mut faults, "/status", status, Some(before.status().to_owned()));
            let comment = comment.merge(before.fields.text("statusComment").map(str::to_owned));
            let amended =
                status.and_then(|status| faults.check("/status", before.amend(&status, comment.as_deref(), now)));
            if let Some(amended) = &amended {
                still_valid(before, amended, &mut faults);
            }
            match amended {
                Some(amended) if faults.is_empty() => Ok(amended),
                Some(_) | None => Err(faults),
            }
        };
        if !faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            let before = find(tx.as_mut(), id).await?;
            return Err(refused(amend(&before.value, faults)));
        }
        let mut tx = self.write(&grant, "PATCH /v1/footprint").await?;
        let before = find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let amended = amend(&before.value, faults)?;
        if amended == before.value {
            return Ok(with_verdict(before));
        }
        let stored = tx.footprints_mut().update(amended, before.version).await?;
        self.commit(tx, &grant, &[id]).await?;
        Ok(with_verdict(stored))
    }

    async fn preview(&self, caller: &Caller, model: ModelId, draft: PublishDraft) -> Result<PublishedFootprint, Error> {
        let grant = permit(caller, demand::FOOTPRINT_WRITE)?;
        let mut tx = self.store.read(&grant.to_read()).await?;
        let made = publish::made(tx.as_mut(), model, draft).await?;
        Ok(made.preview(self.clock.now()))
    }

    async fn publish_once(
        &self,
        caller: &Caller,
        model: ModelId,
        draft: PublishDraft,
        once: Option<Once<PublishedFootprint>>,
    ) -> Result<Done<PublishedFootprint>, Error> {
        let grant = permit(caller, demand::FOOTPRINT_WRITE)?;
        let work = async {
            let id = FootprintId::new(self.ids.random());
            let mut tx = self.write(&grant, "POST /v1/model/footprint").await?;
            let made = publish::made(tx.as_mut(), model, draft).await?;
            let published = made.publish(tx.as_mut(), id, self.clock.now()).await?;
            if published.outcome == PublishOutcome::Published {
                once::keep(tx.as_mut(), once.as_ref(), &published).await?;
                let changed: Vec<_> = [Some(id), published.replaces].into_iter().flatten().collect();
                self.commit(tx, &grant, &changed).await?;
            }
            Ok(published)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn remove(&self, caller: &Caller, id: FootprintId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::FOOTPRINT_WRITE)?;
        let mut tx = self.write(&grant, "DELETE /v1/footprint").await?;
        let before = find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        // What is shown stays so, so what is not was never listed. The interface lists what its own version finds valid; the lists
        // of PACT, what their edition does not hide.
        let verdict = Verdict::of(&before.value);
        if validate(&before.value).is_empty() || Edition::ALL.iter().any(|edition| verdict.is_shown(*edition)) {
            return Err(Conflict::Shared.into());
        }
        if let Some(sharing) = tx.sharings().find(id).await? {
            tx.sharings_mut().remove(id, sharing.version).await?;
        }
        tx.footprints_mut().remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }
}

async fn find(tx: &mut dyn ReadTx, id: FootprintId) -> Result<Stored<Footprint>, Error> {
    tx.footprints().find(id).await?.ok_or(Error::NotFound)
}

/// What is left of a page of a snapshot.
struct PageRecords {
    tx: Box<dyn ReadTx>,
    after: u64,
    left: u32,
}

#[async_trait]
impl FootprintBatches for PageRecords {
    async fn next(&mut self, limit: u32) -> Result<Vec<FootprintView>, Error> {
        let batch = self.tx.footprints().above(self.after, limit.min(self.left)).await?;
        if let Some(last) = batch.last() {
            self.after = last.value.number;
        }
        self.left = self.left.saturating_sub(u32::try_from(batch.len()).unwrap_or(u32::MAX));
        Ok(batch.into_iter().map(view).collect())
    }
}

fn view(footprint: Stored<Footprint>) -> FootprintView {
    FootprintView { violations: validate(&footprint.value), footprint, verdict: None }
}

/// The view of one record that is asked for or was written.
fn with_verdict(footprint: Stored<Footprint>) -> FootprintView {
    let verdict = Some(Box::new(Verdict::of(&footprint.value)));
    FootprintView { verdict, ..view(footprint) }
}

/// The view of one that the store's verdict tells to be valid.
const fn valid_view(footprint: Stored<Footprint>) -> FootprintView {
    FootprintView { violations: Vec::new(), footprint, verdict: None }
}

/// Whether an amendment leaves a valid record valid: partners who know it would lose it otherwise.
fn still_valid(before: &Footprint, amended: &Footprint, faults: &mut Faults) {
    if validate(before).is_empty() {
        for violation in validate(amended) {
            faults.add(violation.pointer, format!("would make a valid footprint invalid: {}", violation.detail));
        }
    }
}
