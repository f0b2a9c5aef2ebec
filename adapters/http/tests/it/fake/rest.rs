//! Stand-ins of models and switches: one or a few known records.

use async_trait::async_trait;
use domain::{
    Co2e, Faults, ImageAddress, Incomplete, Input, InputCalculation, InputId, Issue, ModelId, Name, Quantity, Stage,
    Switch, SwitchFootprint, SwitchId, SyncId, Timestamp, Total, Unit,
};
use ports::inbound::{
    Breakdown, BreakdownQuery, Done, Error, Field, InputDraft, InputView, ModelDraft, ModelView, Named, Once,
    Reference, ResolvedTenant, SwitchDraft, SwitchView, Whole,
};
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

#[async_trait]
impl ports::inbound::Models for Rest {
    async fn list(&self, _: &Caller, _: Option<SyncId>, _: Page) -> Result<Listing<ModelView>, Error> {
        Err(Error::NotFound)
    }

    async fn get(&self, _: &Caller, _: ModelId) -> Result<ModelView, Error> {
        Err(Error::NotFound)
    }

    async fn add_once(&self, _: &Caller, _: ModelDraft, _: Option<Once<ModelView>>) -> Result<Done<ModelView>, Error> {
        Err(Error::NotFound)
    }

    async fn update(&self, _: &Caller, _: ModelId, _: Option<Version>, _: ModelDraft) -> Result<ModelView, Error> {
        Err(Error::NotFound)
    }

    async fn remove(&self, _: &Caller, _: ModelId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }

    async fn list_inputs(
        &self,
        _: &Caller,
        _: ModelId,
        _: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<InputView>, Error> {
        Ok(Listing { count: 1, page, data: vec![input()] })
    }

    async fn get_input(&self, _: &Caller, _: ModelId, _: InputId) -> Result<InputView, Error> {
        Err(Error::NotFound)
    }

    async fn add_input_once(
        &self,
        _: &Caller,
        _: ModelId,
        _: InputDraft,
        _: Option<Once<InputView>>,
    ) -> Result<Done<InputView>, Error> {
        Err(Error::NotFound)
    }

    async fn update_input(
        &self,
        _: &Caller,
        _: ModelId,
        _: InputId,
        _: Option<Version>,
        _: InputDraft,
    ) -> Result<InputView, Error> {
        Err(Error::NotFound)
    }

    async fn remove_input(&self, _: &Caller, _: ModelId, _: InputId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::Switches for Rest {
    async fn list(&self, _: &Caller, _: Option<SyncId>, _: Page) -> Result<Listing<SwitchView>, Error> {
        Err(Error::NotFound)
    }

    async fn get(&self, caller: &Caller, id: SwitchId) -> Result<SwitchView, Error> {
        permit(caller, demand::SWITCH_READ)?;
        let view = switch();
        if view.switch.value.id == id { Ok(view) } else { Err(Error::NotFound) }
    }

    async fn add_once(
        &self,
        caller: &Caller,
        _: SwitchDraft,
        _: Option<Once<SwitchView>>,
    ) -> Result<Done<SwitchView>, Error> {
        permit(caller, demand::SWITCH_WRITE)?;
        Ok(Done::New(switch()))
    }

    async fn update(&self, _: &Caller, _: SwitchId, _: Option<Version>, _: SwitchDraft) -> Result<SwitchView, Error> {
        Err(Error::NotFound)
    }

    async fn put_sources(
        &self,
        _: &Caller,
        _: SwitchId,
        _: Option<Version>,
        _: Vec<Option<Reference>>,
        _: Faults,
    ) -> Result<SwitchView, Error> {
        Err(Error::NotFound)
    }

    async fn put_image(
        &self,
        _: &Caller,
        _: SwitchId,
        _: Option<Version>,
        _: Field<ImageAddress>,
        _: Faults,
    ) -> Result<SwitchView, Error> {
        Err(Error::NotFound)
    }

    async fn remove(&self, _: &Caller, _: SwitchId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}

/// The record at its seventh version.
pub(super) fn stored<T>(value: T) -> Stored<T> {
    let at = Timestamp::parse("2025-02-03T04:05:06.789Z").unwrap();
    Stored { value, created: at, updated: at, version: Version(7) }
}

fn named(name: &str) -> Named {
    Named { id: Uuid::try_parse(SWITCH).unwrap(), name: Name::parse(name).unwrap() }
}

fn switch() -> SwitchView {
    let switch = Switch::new(SWITCH.parse().unwrap(), Name::parse("Wall").unwrap())
        .with_sync_id(Some(SyncId::parse("sw-1").unwrap()))
        .with_unit(Some(Unit::parse("kg").unwrap()));
    let footprint = SwitchFootprint::default()
        .with_product_carbon_footprint(Some(Total::parse("1.50").unwrap()))
        .with_issues(vec![Issue::NoSource]);
    SwitchView { switch: stored(switch), sources: vec![named("Model")], footprint }
}

fn input() -> InputView {
    let input = Input::new(
        SWITCH.parse().unwrap(),
        SWITCH.parse().unwrap(),
        Name::parse("Steel").unwrap(),
        SWITCH.parse().unwrap(),
        Quantity::parse("2.50").unwrap(),
        Unit::parse("kg").unwrap(),
    )
    .with_stage(Some(Stage::parse("A1").unwrap()))
    .with_order(3)
    .with_calculation(InputCalculation::Incomplete(Incomplete::NoFactor));
    InputView { input: stored(input), material: named("Steel"), block: None, co2e: Some(Co2e::parse("1e-3").unwrap()) }
}

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
