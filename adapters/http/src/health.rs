//! Whether the process lives, and whether it can answer.

use std::error::Error as _;

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde::Serialize;

use crate::answer;
use crate::problem::{Kind, Problem};
use crate::routes::Operation;
use crate::service::Service;
use crate::tenancy::Tenancy;

/// What stands outside the base address for whoever watches over the service.
pub(crate) fn operations() -> Vec<Operation> {
    let live = Operation::get("/health/live", get_live).public();
    let ready = Operation::get("/health/ready", get_ready).public();
    vec![live, ready]
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
}

const WELL: Health = Health { status: "ok" };

/// The process lives. Asks nothing of what it stands on: a store that is away is no reason to end the process.
async fn get_live() -> Result<HttpResponse, Problem> {
    answer::json(&WELL)
}

/// The service can answer: its directory can be read, and the records where there is one tenant.
async fn get_ready(service: web::Data<Service>) -> Result<HttpResponse, Problem> {
    let tenant = match &service.settings().tenancy {
        Tenancy::Single(tenant) => Some(tenant),
        Tenancy::Path | Tenancy::Host { .. } => None,
    };
    if let Err(error) = service.areas().health.check(tenant).await {
        let cause = error.source().map(ToString::to_string);
        tracing::warn!(%error, cause, "The service is not ready.");
        return Err(Problem::new(Kind::Busy, "The store cannot be read.").with_header(header::RETRY_AFTER, "1"));
    }
    answer::json(&WELL)
}
