//! What is asked before any handler runs and any byte of a body is read: who calls, whether they hold the permission of
//! the operation, and which form the answer can have.

use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, web};
use ports::Permission;
use ports::inbound::Error;

use crate::addressed_tenant::Addressed;
use crate::caller::{self, Caller};
use crate::measure::KnownCaller;
use crate::media;
use crate::problem::Problem;
use crate::request_id::RequestId;
use crate::request_rates::Exceeded;
use crate::security_log::{SecurityEvent, Told};
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
    if let Err(problem) = admit(&request, audience, offers).await {
        return Ok(request.error_response(problem));
    }
    let response = next.call(request).await?.map_into_boxed_body();
    let is_change = !response.request().method().is_safe() && response.status().is_success();
    // All that needs this permission is about credentials.
    if is_change && audience == Audience::Holders(Permission::Admin) {
        tell_change(response.request());
    }
    Ok(response)
}

/// Logs that a credential was changed, and by whom.
fn tell_change(request: &HttpRequest) {
    let Some(service) = request.app_data::<web::Data<Service>>() else { return };
    let extensions = request.extensions();
    let (who, id) = (extensions.get::<Caller>(), extensions.get::<RequestId>());
    service.security_log().tell(Told {
        event: SecurityEvent::CredentialChanged,
        who: who.map_or("unknown", |caller| caller.actor.as_str()),
        from: service.sender(request),
        request_id: id.map_or("unknown", RequestId::as_str),
        what: &format!("{} {}", request.method(), request.path()),
    });
}

async fn admit(request: &ServiceRequest, audience: Audience, offers: &'static [&'static str]) -> Result<(), Problem> {
    if let Audience::Holders(permission) = audience {
        let service = request.app_data::<web::Data<Service>>();
        let service = service.ok_or_else(|| Problem::internal("the service is not configured"))?;
        let access = &service.areas().access;
        let token = caller::bearer(request.headers())?;
        let Addressed { id, epoch, .. } = Addressed::of(request.request())?;
        let caller = access.authenticate(id, token).await?;
        if let Some(known) = request.extensions().get::<KnownCaller>() {
            known.note(&caller.actor);
        }
        let counted = service.request_rates().count(&caller.actor, Instant::now());
        let quota = counted.unwrap_or_else(|Exceeded(quota)| Some(quota));
        let permitted = access.check(&caller, permission);
        {
            let mut extensions = request.extensions_mut();
            extensions.insert(Caller { caller, epoch });
            if let Some(quota) = quota {
                extensions.insert(quota);
            }
        }
        counted?;
        permitted.map_err(Error::Denied)?;
    }
    let accepted = media::negotiate(request.headers(), offers)?;
    request.extensions_mut().insert(accepted);
    Ok(())
}
