//! The tenant that a request is for, once it was found.

use actix_web::{HttpMessage, HttpRequest};
use domain::{Name, StatementSettings, YearStart};
use ports::{TenantId, TenantSlug};
use uuid::Uuid;

use crate::problem::Problem;

/// The tenant that a request is for.
#[derive(Clone, Debug)]
pub(crate) struct Addressed {
    pub(crate) id: TenantId,
    pub(crate) slug: TenantSlug,
    /// The epoch that versions of its records and credentials belong to.
    pub(crate) epoch: Uuid,
    /// The day on which its fiscal years begin.
    pub(crate) year_start: YearStart,
    /// What it is called.
    pub(crate) name: Name,
    /// What it states for its inventory statements.
    pub(crate) statement: StatementSettings,
}

impl Addressed {
    /// The one that was found for the request.
    pub(crate) fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let found = request.extensions().get::<Self>().cloned();
        found.ok_or_else(|| Problem::internal("the request was given no tenant"))
    }
}
