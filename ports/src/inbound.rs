//! What callers may ask of the core: one trait per area, implemented by the use cases, called by the HTTP service, the command
//! line and whoever embeds Tonne.
//!
//! Reading an input is the caller's work and may find faults; the use case finds more. So a draft carries the faults
//! found so far, and the answer names all of them at once.

mod access;
mod activity;
mod activity_view;
mod breakdown;
mod breakdown_line;
mod breakdowns;
mod catalog;
mod catalog_import;
mod completeness;
mod credential;
mod draft;
mod exchange;
mod exclusion;
mod explanation;
mod factor_use;
mod footprint;
mod footprint_view;
mod health;
mod history;
mod import;
mod model;
mod once;
mod pact;
mod partner;
mod patience;
mod people;
mod period;
mod publish;
mod published;
mod recalculation;
mod report;
mod search;
mod session;
mod signing_key;
mod staged;
mod standard_scopes;
mod statement;
mod switch;
mod tenant;

use std::error::Error as StdError;

use crate::Denied;
use domain::{Faults, Name};
use uuid::Uuid;

use crate::store::{Conflict, PeriodClosed, StoreError};

pub use access::{Access, AccessError, ClientCredentials, Granted, PACT_SCOPE, PublicKey, TokenError, TokenRequest};
pub use activity::{Activities, ActivityDraft, ReadBack, SuppliedParts};
pub use activity_view::{ActivityView, NodePaths, NodePlace};
pub use breakdown::{Breakdown, BreakdownBy, BreakdownQuery, BreakdownRow, Label, MAX_DIMENSIONS, Only, State, Whole};
pub use breakdown_line::{BreakdownLine, LineActivity};
pub use breakdowns::Breakdowns;
pub use catalog::{
    Catalog, ClassDraft, DraftedNode, FactorDraft, NewFactor, NodeDraft, NodeView, Nodes, ProductDraft, ProductView,
    PublishedDraft, RegionDraft, SlugDraft,
};
pub use catalog_import::{
    CatalogBundle, CatalogImports, CatalogOptions, CatalogOutcome, Existing, KindOutcome, KnownAs, Placed,
    ProductFactorDraft,
};
pub use completeness::{
    Completeness, CompletenessQuery, CompletenessView, CoverageState, CoverageView, EXAMPLES, GapView,
    IncompleteExample, IncompleteReason, MOST_GAPS,
};
pub use credential::{ClientView, CredentialDraft, Credentials, KeyView, NewClient, NewKey};
pub use draft::{Field, NodeStep, Reference, Shown};
pub use exchange::{
    DeliveryState, DeliveryView, DeliveryWhat, Exchange, PartnerAnswer, RequestDraft, RequestState, RequestView,
};
pub use exclusion::{ExclusionDraft, ExclusionView, Exclusions};
pub use explanation::{
    CheckedFigures, CompositionView, ExplainedRecord, ExplanationView, Explanations, Imported, Wrong, WrongFigure,
};
pub use factor_use::{FactorUse, FactorUses, UsedFactor, UsedFor, Written};
pub use footprint::{
    FootprintBatches, FootprintDraft, FootprintPage, Footprints, InterfaceList, InterfacePage, ShownList, ShownPage,
};
pub use footprint_view::FootprintView;
pub use health::Health;
pub use history::{BlankDraft, Blanked, ChangeMark, ChangePage, ChangeView, Histories, NoChangeMark, RecordChange};
pub use import::{BatchOutcome, Import, ImportOptions, Imports, Outcome, Repeats, RowDraft, SameFile};
pub use model::{InputDraft, InputView, ModelDraft, ModelView, Models};
pub use once::{Done, Once};
pub use pact::{Pull, PullError, Pulled, RefusedFootprint, SupplierFactors};
pub use partner::{OVERLAP_MS, PartnerDraft, PartnerView, Partners, SharingDraft, SharingView};
pub use patience::{ImportPatience, UndoPatience};
pub use people::{NewLink, Standing, UserDraft, UserView, Users};
pub use period::{
    BaseYear, Cause, PeriodDraft, PeriodView, Periods, ReopenDraft, RestatedCause, RestatedLine, RestatedTotals,
    Restatement,
};
pub use publish::{PublishDraft, PublishOutcome, PublishedFootprint, SaidEarlier};
pub use published::{Beside, FactorQuestion, FactorSetImports, FoundFactor, NoSetPrefix, PublishedFactors, SetPrefix};
pub use recalculation::{
    Recalculated, RecalculatedGroup, Recalculation, RecalculationOf, RecalculationStep, UndoneRecalculation,
};
pub use report::{MarketTotals, QualityTotals, ReportBatches, ReportQuery, ReportRows, ReportView, Step, TaxonomyView};
pub use search::{FactorPlace, FactorSearch, FootprintSearch, Found, ProductFactor, ProductSearch, SearchWords};
pub use session::{
    Browser, NewPassword, NewSession, OwnDraft, PasswordSignIn, ProvenIdentity, Sessions, SignInError, SignedIn,
};
pub use signing_key::{SigningKeyView, SigningKeys};
pub use staged::{
    Again, Doubt, DoubtReading, RejectedForm, RejectedRows, RunOptions, RunRows, SniffedColumn, SniffedTable,
    StagedImports, TriedRow, TriedRows, Upload, WrittenForm,
};
pub use statement::{
    Statement, StatementBaseYear, StatementExclusion, StatementPeriod, StatementQuery, StatementSources, Statements,
};
pub use switch::{SwitchDraft, SwitchView, Switches};
pub use tenant::{ResolvedTenant, Tenants};

/// A record's identifier and name, as other records show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The identifier of that record.
    pub id: Uuid,
    /// What it is called.
    pub name: Name,
}

/// Why a use case did not do what was asked. Nothing was changed, unless the error says what was or,
/// with `Unknown`, that something may have been.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller lacks a permission.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// What is asked for is not given to this caller, whatever permissions it holds: why.
    #[error("{0}")]
    Refused(String),
    /// There is no such record.
    #[error("there is no such record")]
    NotFound,
    /// The parameters of a question are wrong; each fault's pointer is a parameter's name.
    #[error("the parameters are wrong: {0}")]
    Parameters(Faults),
    /// The input is wrong.
    #[error("the input is wrong: {0}")]
    Invalid(Faults),
    /// Another record stands in the way; `conflict.rs` has the sentences.
    #[error("{detail}")]
    Conflict {
        /// Where in the input, or empty.
        pointer: String,
        /// What stands in the way and how to mend it.
        detail: String,
    },
    /// A closed period stands in the way.
    #[error(transparent)]
    PeriodClosed(PeriodClosed),
    /// What was asked for belongs to a history that is no more, and what to do.
    #[error("{0}")]
    Gone(String),
    /// The record was changed since it was read.
    #[error("the record was changed since it was read")]
    Stale,
    /// The key of a request that may be sent again was used for another request.
    #[error("the Idempotency-Key was used for another request")]
    KeyReused,
    /// The service is busy, or what it stands on is away; the same call may succeed later.
    #[error("the service is busy")]
    Busy(#[source] Box<dyn StdError + Send + Sync>),
    /// Whether the change was made is not known: the store's answer to its commit was lost.
    #[error("whether the change was made is not known; look before you repeat it")]
    Unknown(#[source] Box<dyn StdError + Send + Sync>),
    /// The service failed; its operator finds the cause in the log.
    #[error("the service failed")]
    Failed(#[source] Box<dyn StdError + Send + Sync>),
}

impl From<Faults> for Error {
    fn from(faults: Faults) -> Self {
        Self::Invalid(faults)
    }
}

impl From<Conflict> for Error {
    fn from(conflict: Conflict) -> Self {
        if conflict == Conflict::KeyReused {
            return Self::KeyReused;
        }
        if let Conflict::Closed(closed) = conflict {
            return Self::PeriodClosed(closed);
        }
        Self::Conflict { pointer: pointer(&conflict).to_owned(), detail: conflict.to_string() }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(conflict) => conflict.into(),
            StoreError::Stale => Self::Stale,
            StoreError::Busy(_) => Self::Busy(Box::new(error)),
            StoreError::Unknown(_) => Self::Unknown(Box::new(error)),
            StoreError::Corrupt { .. } | StoreError::Failed(_) => Self::Failed(Box::new(error)),
        }
    }
}

/// Where in the input a conflict is, as a JSON pointer or empty.
const fn pointer(conflict: &Conflict) -> &'static str {
    match conflict {
        Conflict::SyncId { .. } => "/syncId",
        Conflict::Slug { .. } | Conflict::TenantSlug { .. } => "/slug",
        Conflict::Overlap(_) => "/validFrom",
        Conflict::Previewed { .. } => "/confirm",
        Conflict::UserName { .. } => "/name",
        Conflict::NoTenant(_)
        | Conflict::UserIdentity { .. }
        | Conflict::LastAdmin
        | Conflict::NoUser(_)
        | Conflict::Exists(_)
        | Conflict::NotEmpty
        | Conflict::InUse(_)
        | Conflict::Missing { .. }
        | Conflict::Corrected(_)
        | Conflict::Closed(_)
        | Conflict::Repeated
        | Conflict::ShownOnce { .. }
        | Conflict::KeyReused
        | Conflict::Shared => "",
    }
}
