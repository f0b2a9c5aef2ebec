//! Footprints: product carbon footprint records and which of them are valid.

use crate::{Caller, Stored, Version};
use async_trait::async_trait;
use domain::footprint::{Edition, FootprintFilter, Projection};
use domain::{Faults, Fields, Footprint, FootprintId, ModelId};

use super::draft::Field;
use super::footprint_view::FootprintView;
use super::publish::{PublishDraft, PublishedFootprint};
use super::{Done, Error, FootprintSearch, Found, Once};
use crate::repo::{Listing, Page};

/// Footprints. Reading valid ones needs `footprint:read`, reading the others `footprint:review`, writing `footprint:write`.
#[async_trait]
pub trait Footprints: Send + Sync {
    /// One page of all records, valid or not, by their number, to be read batch by batch; needs `footprint:review`.
    async fn open_page(&self, caller: &Caller, page: Page) -> Result<FootprintPage, Error>;
    /// The same page at once: up to 1 MiB for each of its records.
    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<FootprintView>, Error> {
        let FootprintPage { count, page, mut records } = self.open_page(caller, page).await?;
        Ok(Listing { count, page, data: records.next(page.size).await? })
    }
    /// Up to `limit` valid records with a number above `after`, by number: what partners may see. Fewer than `limit` does
    /// not mean that there are no more; an empty answer does.
    async fn list_valid(&self, caller: &Caller, after: u64, limit: u32) -> Result<Vec<FootprintView>, Error>;
    /// The footprints that are sought, by their number; those that are not valid only with `footprint:review`. It looks at a bounded
    /// number of records, so that there may be none and still be more behind the end.
    async fn search(&self, caller: &Caller, search: &FootprintSearch) -> Result<Found<FootprintView, u64>, Error>;
    /// A part of the same list by number, of the records that were there when the first part was read. `Parameters` names
    /// `next` when the mark is none of this list.
    async fn list_interface(&self, caller: &Caller, asked: InterfaceList) -> Result<InterfacePage, Error>;
    /// One record with its verdict; one that is not valid needs `footprint:review`.
    async fn get(&self, caller: &Caller, id: FootprintId) -> Result<FootprintView, Error>;
    /// A part of the list that an edition shows, by creation. `Parameters` names `next` when the mark is none of this list.
    async fn list_shown(&self, caller: &Caller, asked: ShownList) -> Result<ShownPage, Error>;
    /// One record as an edition shows it; `NotFound` where it does not.
    async fn get_shown(&self, caller: &Caller, edition: Edition, id: FootprintId) -> Result<Projection, Error>;
    /// Keeps a record, valid or not.
    async fn add(&self, caller: &Caller, draft: FootprintDraft) -> Result<FootprintView, Error> {
        self.add_once(caller, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_once(
        &self,
        caller: &Caller,
        draft: FootprintDraft,
        once: Option<Once<FootprintView>>,
    ) -> Result<Done<FootprintView>, Error>;
    /// Changes the status, from Active to Deprecated, and the status comment; nothing else can change.
    async fn amend(
        &self,
        caller: &Caller,
        id: FootprintId,
        seen: Option<Version>,
        status: Field<String>,
        comment: Field<String>,
        faults: Faults,
    ) -> Result<FootprintView, Error>;
    /// What [`publish_once`](Self::publish_once) would do; nothing is written.
    async fn preview(&self, caller: &Caller, model: ModelId, draft: PublishDraft) -> Result<PublishedFootprint, Error>;
    /// Makes the footprint of a model, once where the request may be sent again; needs `footprint:write`. One that was made of
    /// it before is named in `precedingPfIds` and deprecated; where nothing of that has changed, nothing happens.
    async fn publish_once(
        &self,
        caller: &Caller,
        model: ModelId,
        draft: PublishDraft,
        once: Option<Once<PublishedFootprint>>,
    ) -> Result<Done<PublishedFootprint>, Error>;
    /// Removes a record that was never listed.
    async fn remove(&self, caller: &Caller, id: FootprintId, seen: Option<Version>) -> Result<(), Error>;
}

/// One page of records, as they were when it was asked for.
pub struct FootprintPage {
    /// How many there are on all pages.
    pub count: u64,
    /// Which page it is.
    pub page: Page,
    /// Those on it. Dropping them lets their snapshot go.
    pub records: Box<dyn FootprintBatches>,
}

/// The records of a page, read batch by batch.
#[async_trait]
pub trait FootprintBatches: Send {
    /// Up to `limit` of those that were not given yet, by number; fewer only at the end, where none are left.
    async fn next(&mut self, limit: u32) -> Result<Vec<FootprintView>, Error>;
}

/// What is asked of the list that an edition shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownList {
    /// The edition.
    pub edition: Edition,
    /// Which footprints.
    pub filter: FootprintFilter,
    /// How many at most, 1 at least. There may be fewer.
    pub limit: u32,
    /// All of what is asked but the mark, as one text: a mark is good for what it was given for.
    pub asked: String,
    /// The mark of the part before, to read on from there.
    pub next: Option<String>,
}

/// A part of the list that an edition shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownPage {
    /// The footprints as the edition shows them, every reference among them a UUID.
    pub footprints: Vec<Projection>,
    /// The mark of the rest, in URL-safe characters; `None` when there is none. It can be used any number of times, and the rest
    /// is that of the records that were there when the first part was read.
    pub next: Option<String>,
}

/// What is asked of the interface's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceList {
    /// How many at most, 1 at least. There may be fewer.
    pub limit: u32,
    /// All of what is asked but the mark, as one text: a mark is good for what it was given for.
    pub asked: String,
    /// The mark of the part before, to read on from there.
    pub next: Option<String>,
}

/// A part of the interface's own list.
#[derive(Clone, Debug, PartialEq)]
pub struct InterfacePage {
    /// The footprints.
    pub footprints: Vec<Stored<Footprint>>,
    /// As in [`ShownPage`].
    pub next: Option<String>,
}

/// The members of a footprint that are given with it.
#[derive(Clone, Debug, PartialEq)]
pub struct FootprintDraft {
    /// As they were written.
    pub fields: Fields,
    /// What reading found wrong.
    pub faults: Faults,
}
