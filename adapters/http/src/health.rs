//! Whether the process lives, and whether it can answer.

use actix_web::{HttpResponse, web};
use serde::Serialize;

use crate::answer;
use crate::operation::Operation;
use crate::problem::Problem;
use crate::service::Service;
use crate::tenancy::Tenancy;

/// What is outside the base address for whoever watches over the service.
pub(crate) fn operations() -> Vec<Operation> {
    let live = Operation::public("/health/live", get_live);
    let ready = Operation::public("/health/ready", get_ready);
    vec![live, ready]
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
}

const WELL: Health = Health { status: "ok" };

/// The process lives. Asks nothing of what it stands on: a store that is away is no reason to end the process.
async fn get_live() -> Result<HttpResponse, Problem> {
    answer::ok(&WELL)
}

/// The service can answer: its directory can be read, and the records where there is one tenant.
async fn get_ready(service: web::Data<Service>) -> Result<HttpResponse, Problem> {
    let tenant = match &service.settings().tenancy {
        Tenancy::Single(tenant) => Some(tenant),
        Tenancy::Path | Tenancy::Host { .. } => None,
    };
    service.areas().health.check(tenant).await.map_err(Problem::busy)?;
    answer::ok(&WELL)
}
