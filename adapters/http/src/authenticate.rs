//! What every operation asks before its handler runs: who calls, and which form the answer can have.
//! It comes before any byte of the body is read.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};

use crate::caller::{self, Caller};
use crate::media;
use crate::problem::Problem;
use crate::service::Service;

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Whoever has valid credentials of the tenant.
    Callers,
    /// Everybody.
    Everybody,
}

/// Lets the request through to its handler, with its [`Caller`] and its [`media::Accepted`].
pub(crate) async fn authenticate(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    audience: Audience,
    offers: &'static [&'static str],
) -> Result<ServiceResponse<BoxBody>, Error> {
    match admit(&request, audience, offers).await {
        Ok(()) => Ok(next.call(request).await?.map_into_boxed_body()),
        Err(problem) => Ok(request.error_response(problem)),
    }
}

async fn admit(request: &ServiceRequest, audience: Audience, offers: &'static [&'static str]) -> Result<(), Problem> {
    if audience == Audience::Callers {
        let service = request.app_data::<web::Data<Service>>();
        let service = service.ok_or_else(|| Problem::internal("the service is not configured"))?;
        let token = caller::bearer(request.headers())?;
        let caller = service.areas().access.authenticate(Service::tenant(request.request())?, token).await?;
        request.extensions_mut().insert(Caller(caller));
    }
    let accepted = media::negotiate(request.headers(), offers)?;
    request.extensions_mut().insert(accepted);
    Ok(())
}
