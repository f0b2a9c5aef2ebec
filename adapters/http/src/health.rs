//! Whether the process lives, and whether it can answer.

use actix_web::{HttpResponse, web};

use crate::problem::{Kind, Problem};
use crate::routes::Operation;
use crate::service::Service;

const TEXT: &[&str] = &["text/plain"];

/// What stands outside the base address for whoever watches over the service.
pub(crate) fn operations() -> Vec<Operation> {
    let live = Operation::get("/health/live", get_live).public().offering(TEXT);
    let ready = Operation::get("/health/ready", get_ready).public().offering(TEXT);
    vec![live, ready]
}

/// The process lives.
async fn get_live() -> HttpResponse {
    ok()
}

/// The service can answer: what it keeps can be read.
async fn get_ready(service: web::Data<Service>) -> Result<HttpResponse, Problem> {
    match service.areas().access.public_keys().await {
        Ok(_) => Ok(ok()),
        Err(error) => {
            tracing::warn!(error = %error, "The service is not ready.");
            Err(Problem::new(Kind::Busy, "The store cannot be read."))
        }
    }
}

fn ok() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").body("ok\n")
}
