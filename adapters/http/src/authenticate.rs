//! What is asked before any handler runs and any byte of a body is read: who calls, whether they hold the permission of
//! the operation, and which form the answer can have.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, web};
use ports::Permission;
use ports::inbound::Error;

use crate::addressed_tenant::Addressed;
use crate::caller::{self, Caller};
use crate::media;
use crate::problem::Problem;
use crate::service::Service;

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Whoever has valid credentials of the tenant that hold the permission.
    Holders(Permission),
    /// Clients, with their own id and secret, which the operation checks itself.
    Clients,
    /// Callers with and without credentials.
    Everybody,
}

/// Lets the request through to its handler, with its [`Caller`] and its [`media::Accepted`].
pub(crate) async fn authenticate(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    audience: Audience,
    offers: &'static [&'static str],
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    match admit(&request, audience, offers).await {
        Ok(()) => Ok(next.call(request).await?.map_into_boxed_body()),
        Err(problem) => Ok(request.error_response(problem)),
    }
}

async fn admit(request: &ServiceRequest, audience: Audience, offers: &'static [&'static str]) -> Result<(), Problem> {
    if let Audience::Holders(permission) = audience {
        let service = request.app_data::<web::Data<Service>>();
        let access = &service.ok_or_else(|| Problem::internal("the service is not configured"))?.areas().access;
        let token = caller::bearer(request.headers())?;
        let Addressed { id, epoch, .. } = Addressed::of(request.request())?;
        let caller = access.authenticate(id, token).await?;
        access.check(&caller, permission).map_err(Error::Denied)?;
        request.extensions_mut().insert(Caller { caller, epoch });
    }
    let accepted = media::negotiate(request.headers(), offers)?;
    request.extensions_mut().insert(accepted);
    Ok(())
}
