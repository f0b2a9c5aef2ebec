//! A stand-in of footprints: so many valid ones, and how many of them were asked for at once.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use domain::footprint::{Edition, FOOTPRINT, FieldValue, Projection};
use domain::{Faults, Fields, Footprint, FootprintId, ModelId, Timestamp};
use ports::inbound::{
    Done, Error, Field, FootprintBatches, FootprintDraft, FootprintPage, FootprintSearch, FootprintView, Found,
    InterfaceList, InterfacePage, Once, PublishDraft, PublishedFootprint, ShownList, ShownPage,
};
use ports::repo::Page;
use ports::{Caller, Version, demand, permit};
use uuid::Uuid;

use super::rest::stored;

/// Footprints with the numbers from 1.
#[derive(Clone, Default)]
pub(crate) struct Footprints {
    /// How many there are.
    pub(crate) count: u64,
    /// The most that were asked for at once.
    pub(crate) most: Arc<AtomicU32>,
    /// The mark of the rest of a list of PACT, where it has one.
    pub(crate) next: Option<&'static str>,
}

impl Footprints {
    /// The next of those that are left, as many as are asked for.
    fn batch(&self, left: &mut Range<u64>, limit: u32) -> Vec<FootprintView> {
        self.most.fetch_max(limit, Ordering::SeqCst);
        left.take(limit as usize).map(|before| footprint(before + 1)).collect()
    }
}

struct Batches {
    footprints: Footprints,
    left: Range<u64>,
}

#[async_trait]
impl FootprintBatches for Batches {
    async fn next(&mut self, limit: u32) -> Result<Vec<FootprintView>, Error> {
        Ok(self.footprints.batch(&mut self.left, limit))
    }
}

#[async_trait]
impl ports::inbound::Footprints for Footprints {
    async fn open_page(&self, caller: &Caller, page: Page) -> Result<FootprintPage, Error> {
        permit(caller, demand::FOOTPRINT_READ)?;
        let on_page = page.offset()..(page.offset() + u64::from(page.size)).min(self.count);
        let records = Batches { footprints: self.clone(), left: on_page };
        Ok(FootprintPage { count: self.count, page, records: Box::new(records) })
    }

    async fn list_valid(&self, caller: &Caller, after: u64, limit: u32) -> Result<Vec<FootprintView>, Error> {
        permit(caller, demand::FOOTPRINT_READ)?;
        Ok(self.batch(&mut (after..self.count), limit))
    }

    async fn search(&self, _: &Caller, _: &FootprintSearch) -> Result<Found<FootprintView, u64>, Error> {
        Err(Error::NotFound)
    }

    async fn get(&self, _: &Caller, _: FootprintId) -> Result<FootprintView, Error> {
        Err(Error::NotFound)
    }

    async fn list_shown(&self, caller: &Caller, _: ShownList) -> Result<ShownPage, Error> {
        permit(caller, demand::FOOTPRINT_READ)?;
        Ok(ShownPage { footprints: Vec::new(), next: self.next.map(str::to_owned) })
    }

    async fn get_shown(&self, caller: &Caller, _: Edition, _: FootprintId) -> Result<Projection, Error> {
        permit(caller, demand::FOOTPRINT_READ)?;
        Err(Error::NotFound)
    }

    async fn add_once(
        &self,
        _: &Caller,
        _: FootprintDraft,
        _: Option<Once<FootprintView>>,
    ) -> Result<Done<FootprintView>, Error> {
        Err(Error::NotFound)
    }

    async fn amend(
        &self,
        _: &Caller,
        _: FootprintId,
        _: Option<Version>,
        _: Field<String>,
        _: Field<String>,
        _: Faults,
    ) -> Result<FootprintView, Error> {
        Err(Error::NotFound)
    }

    async fn list_interface(&self, caller: &Caller, _: InterfaceList) -> Result<InterfacePage, Error> {
        permit(caller, demand::FOOTPRINT_READ)?;
        Ok(InterfacePage { footprints: Vec::new(), next: None })
    }

    async fn preview(&self, _: &Caller, _: ModelId, _: PublishDraft) -> Result<PublishedFootprint, Error> {
        Err(Error::NotFound)
    }

    async fn publish_once(
        &self,
        _: &Caller,
        _: ModelId,
        _: PublishDraft,
        _: Option<Once<PublishedFootprint>>,
    ) -> Result<Done<PublishedFootprint>, Error> {
        Err(Error::NotFound)
    }

    async fn remove(&self, _: &Caller, _: FootprintId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}

fn footprint(number: u64) -> FootprintView {
    let mut fields = Fields::new(&FOOTPRINT);
    fields.set("companyName", FieldValue::Text(format!("Company {number}"))).unwrap();
    let created = Timestamp::parse("2025-02-03T04:05:06.789Z").unwrap();
    let footprint = Footprint::new(FootprintId::new(Uuid::nil()), number, created, fields);
    FootprintView { footprint: stored(footprint), violations: Vec::new(), verdict: None }
}
