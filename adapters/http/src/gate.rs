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
pub(crate) async fn gate(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    audience: Audience,
    offers: &'static [&'static str],
) -> Result<ServiceResponse<BoxBody>, Error> {
    if audience == Audience::Callers {
        let service = request
            .app_data::<web::Data<Service>>()
            .cloned()
            .ok_or_else(|| Problem::internal("the service is not configured"))?;
        let token = caller::bearer(request.headers())?;
        let tenant = service.tenant();
        let caller = service.areas().access.authenticate(tenant, token).await.map_err(Problem::from)?;
        request.extensions_mut().insert(Caller(caller));
    }
    let accepted = media::negotiate(request.headers(), offers)?;
    request.extensions_mut().insert(accepted);
    Ok(next.call(request).await?.map_into_boxed_body())
}
