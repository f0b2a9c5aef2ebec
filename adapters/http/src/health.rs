//! Whether the process lives, and whether it can answer.

use actix_web::{HttpResponse, web};
use serde::Serialize;

use crate::answer;
use crate::problem::{Kind, Problem};
use crate::routes::Operation;
use crate::service::Service;

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

/// The process lives.
async fn get_live() -> Result<HttpResponse, Problem> {
    answer::json(&WELL)
}

/// The service can answer: what it keeps can be read.
async fn get_ready(service: web::Data<Service>) -> Result<HttpResponse, Problem> {
    if let Err(error) = service.areas().access.public_keys().await {
        tracing::warn!(error = %error, "The service is not ready.");
        return Err(Problem::new(Kind::Busy, "The store cannot be read."));
    }
    answer::json(&WELL)
}
