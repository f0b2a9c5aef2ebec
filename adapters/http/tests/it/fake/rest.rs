//! The stand-in of the areas that have few known answers, or none.

use async_trait::async_trait;
use domain::{InputId, ModelId, Name, SwitchId, Timestamp};
use ports::inbound::{Breakdown, BreakdownQuery, Error, Named, ResolvedTenant, Whole};
use ports::repo::{Listing, Page};
use ports::{Caller, Revision, Stored, TenantId, TenantSlug, Version, demand, permit};
use uuid::Uuid;

/// The switch that exists.
pub(crate) const SWITCH: &str = "0193d3c5-0000-7000-8000-000000000002";

/// Health, models, switches, and with the catalog and credentials what is written elsewhere.
pub(crate) struct Rest;

#[async_trait]
impl ports::inbound::Health for Rest {
    async fn check(&self, _: Option<&TenantSlug>) -> Result<(), Error> {
        Ok(())
    }
}

#[async_trait]
impl ports::inbound::Imports for Rest {
    fn begin(&self, _: &Caller, _: ports::inbound::ImportOptions) -> Result<Box<dyn ports::inbound::Import>, Error> {
        Err(Error::NotFound)
    }

    async fn find(&self, _: &Caller, _: ports::ImportId) -> Result<ports::import_batch::ImportBatch, Error> {
        Err(Error::NotFound)
    }

    async fn list(&self, _: &Caller, page: Page) -> Result<Listing<ports::import_batch::ImportBatch>, Error> {
        Ok(Listing { count: 0, page, data: Vec::new() })
    }

    async fn same_file(
        &self,
        _: &Caller,
        _: domain::Digest,
        _: Option<domain::Digest>,
    ) -> Result<Option<ports::import_batch::ImportBatch>, Error> {
        Ok(None)
    }

    async fn same_bytes(
        &self,
        _: &Caller,
        _: domain::Digest,
    ) -> Result<Option<ports::import_batch::ImportBatch>, Error> {
        Ok(None)
    }

    async fn undoing(&self, _: &Caller) -> Result<Vec<ports::import_batch::ImportBatch>, Error> {
        Ok(Vec::new())
    }

    async fn undo(
        &self,
        _: &Caller,
        _: ports::ImportId,
        _: ports::inbound::UndoPatience,
    ) -> Result<ports::import_batch::ImportBatch, Error> {
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::Histories for Rest {
    async fn head(&self, _: &Caller, _: Option<u64>) -> Result<Option<ports::ledger::PinnedHead>, Error> {
        Ok(None)
    }

    async fn changes(
        &self,
        _: &Caller,
        _: Option<ports::inbound::ChangeMark>,
        _: u32,
    ) -> Result<ports::inbound::ChangePage, Error> {
        Err(Error::Gone("There is another history.".to_owned()))
    }

    async fn of_record(
        &self,
        _: &Caller,
        _: ports::RecordKind,
        _: Uuid,
        _: usize,
    ) -> Result<Vec<ports::inbound::RecordChange>, Error> {
        Err(Error::NotFound)
    }

    async fn blank_once(
        &self,
        _: &Caller,
        _: ports::inbound::BlankDraft,
        _: Option<ports::inbound::Once<ports::inbound::Blanked>>,
    ) -> Result<ports::inbound::Done<ports::inbound::Blanked>, Error> {
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::Explanations for Rest {
    async fn activity(&self, _: &Caller, _: domain::ActivityId) -> Result<ports::inbound::ExplanationView, Error> {
        Err(Error::NotFound)
    }

    async fn input(&self, _: &Caller, _: ModelId, _: InputId) -> Result<ports::inbound::ExplanationView, Error> {
        Err(Error::NotFound)
    }

    async fn switch(&self, _: &Caller, _: SwitchId) -> Result<ports::inbound::CompositionView, Error> {
        Err(Error::NotFound)
    }

    async fn model(&self, _: &Caller, _: ModelId) -> Result<ports::inbound::CompositionView, Error> {
        Err(Error::NotFound)
    }

    async fn find(&self, _: &Caller, _: Uuid) -> Result<ports::inbound::ExplainedRecord, Error> {
        Err(Error::NotFound)
    }

    async fn check(
        &self,
        _: &Caller,
        _: &mut (dyn FnMut(ports::inbound::WrongFigure) + Send),
    ) -> Result<ports::inbound::CheckedFigures, Error> {
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::PublishedFactors for Rest {
    async fn list_factor_sets(&self, caller: &Caller) -> Result<Vec<ports::factor_sets::InstalledSet>, Error> {
        permit(caller, demand::CATALOG_READ)?;
        Ok(Vec::new())
    }

    async fn search_factors(
        &self,
        caller: &Caller,
        question: ports::inbound::FactorQuestion,
        page: Page,
    ) -> Result<Listing<ports::inbound::FoundFactor>, Error> {
        permit(caller, demand::CATALOG_READ)?;
        question.faults.into_result().map_err(Error::Parameters)?;
        Ok(Listing { count: 0, page, data: Vec::new() })
    }

    async fn get_published_factor(
        &self,
        caller: &Caller,
        _: &ports::inbound::SetPrefix,
        _: &domain::Name,
    ) -> Result<ports::inbound::FoundFactor, Error> {
        permit(caller, demand::CATALOG_READ)?;
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::Tenants for Rest {
    async fn resolve(&self, slug: &TenantSlug) -> Result<Option<ResolvedTenant>, Error> {
        let resolved = |id| {
            Ok(Some(ResolvedTenant {
                id: TenantId::new(id),
                epoch: Uuid::nil(),
                year_start: domain::YearStart::default(),
                name: domain::Name::parse("Company").unwrap(),
                statement: domain::StatementSettings::default(),
            }))
        };
        match slug.as_str() {
            "main" => resolved(Uuid::nil()),
            "acme" => resolved(Uuid::max()),
            "busy" => Err(Error::Busy("/var/lib/tonne is locked".into())),
            _ => Ok(None),
        }
    }
}

#[async_trait]
impl ports::inbound::Breakdowns for Rest {
    async fn breakdown(&self, caller: &Caller, query: BreakdownQuery) -> Result<Breakdown, Error> {
        permit(caller, demand::ACTIVITY_REPORT)?;
        query.faults.clone().into_result().map_err(Error::Parameters)?;
        let (revision, whole) = (Revision { epoch: Uuid::nil(), number: 7 }, Whole::default());
        Ok(Breakdown { revision, query, selection: Vec::new(), whole, compared: None, rows: Vec::new() })
    }

    async fn line(
        &self,
        _: &Caller,
        _: BreakdownQuery,
        _: Option<String>,
        _: Page,
    ) -> Result<ports::inbound::BreakdownLine, Error> {
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::Statements for Rest {
    async fn statement(
        &self,
        caller: &Caller,
        query: ports::inbound::StatementQuery,
    ) -> Result<ports::inbound::Statement, Error> {
        permit(caller, demand::ACTIVITY_REPORT)?;
        query.faults.clone().into_result().map_err(Error::Parameters)?;
        Err(Error::NotFound)
    }
}

/// The record at its seventh version.
pub(super) fn stored<T>(value: T) -> Stored<T> {
    let at = Timestamp::parse("2025-02-03T04:05:06.789Z").unwrap();
    Stored { value, created: at, updated: at, version: Version(7) }
}

pub(super) fn named(name: &str) -> Named {
    Named { id: Uuid::try_parse(SWITCH).unwrap(), name: Name::parse(name).unwrap() }
}
