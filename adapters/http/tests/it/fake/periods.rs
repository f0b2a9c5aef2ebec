//! The stand-in of closed periods, exclusions and what is missing: there is none.

use async_trait::async_trait;
use ports::inbound::{Done, Error, Once};
use ports::repo::{Listing, Page};
use ports::{Caller, Version};

use super::rest::Rest;

#[async_trait]
impl ports::inbound::Periods for Rest {
    async fn list(&self, _: &Caller, page: Page) -> Result<Listing<ports::inbound::PeriodView>, Error> {
        Ok(Listing { count: 0, page, data: Vec::new() })
    }

    async fn get(&self, _: &Caller, _: domain::ClosedPeriodId) -> Result<ports::inbound::PeriodView, Error> {
        Err(Error::NotFound)
    }

    async fn close_once(
        &self,
        _: &Caller,
        _: ports::inbound::PeriodDraft,
        _: Option<Once<ports::inbound::PeriodView>>,
    ) -> Result<Done<ports::inbound::PeriodView>, Error> {
        Err(Error::NotFound)
    }

    async fn reopen_once(
        &self,
        _: &Caller,
        _: domain::ClosedPeriodId,
        _: ports::inbound::ReopenDraft,
        _: Option<Once<ports::inbound::PeriodView>>,
    ) -> Result<Done<ports::inbound::PeriodView>, Error> {
        Err(Error::NotFound)
    }

    async fn base_year(&self, _: &Caller) -> Result<ports::inbound::BaseYear, Error> {
        Err(Error::NotFound)
    }

    async fn restatement(&self, _: &Caller, _: domain::ClosedPeriodId) -> Result<ports::inbound::Restatement, Error> {
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::Exclusions for Rest {
    async fn list(&self, _: &Caller, page: Page) -> Result<Listing<ports::inbound::ExclusionView>, Error> {
        Ok(Listing { count: 0, page, data: Vec::new() })
    }

    async fn get(&self, _: &Caller, _: domain::ExclusionId) -> Result<ports::inbound::ExclusionView, Error> {
        Err(Error::NotFound)
    }

    async fn add_once(
        &self,
        _: &Caller,
        _: ports::inbound::ExclusionDraft,
        _: Option<Once<ports::inbound::ExclusionView>>,
    ) -> Result<Done<ports::inbound::ExclusionView>, Error> {
        Err(Error::NotFound)
    }

    async fn update(
        &self,
        _: &Caller,
        _: domain::ExclusionId,
        _: Option<Version>,
        _: ports::inbound::ExclusionDraft,
    ) -> Result<ports::inbound::ExclusionView, Error> {
        Err(Error::NotFound)
    }

    async fn remove(&self, _: &Caller, _: domain::ExclusionId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::Completeness for Rest {
    async fn completeness(
        &self,
        _: &Caller,
        _: ports::inbound::CompletenessQuery,
    ) -> Result<ports::inbound::CompletenessView, Error> {
        Err(Error::NotFound)
    }
}
