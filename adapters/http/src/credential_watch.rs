//! Whether the caller of an answer that is under way may still have it: asked again and again until the answer ends.

use std::sync::Arc;
use std::time::Duration;

use actix_web::{HttpRequest, web};
use ports::inbound::{Access, AccessError};
use ports::{Permission, TenantId};
use tokio::time::{Instant, sleep};

use crate::caller;
use crate::problem::Problem;
use crate::service::Service;

/// How often it is asked: with the half second that a credential may be remembered, a revocation counts within a second.
const EVERY: Duration = Duration::from_millis(250);
/// How long an answer goes on while nobody can say whether its credential is still good.
const UNKNOWN: Duration = Duration::from_secs(5);

/// A credential and what an answer needs of it.
pub(crate) struct CredentialWatch {
    access: Arc<dyn Access>,
    tenant: TenantId,
    bearer: String,
    needs: Permission,
}

impl CredentialWatch {
    /// Watches over the credential of a request.
    pub(crate) fn of(request: &HttpRequest, needs: Permission) -> Result<Self, Problem> {
        let service = request.app_data::<web::Data<Service>>();
        let service = service.ok_or_else(|| Problem::internal("the service is not configured"))?;
        let bearer = caller::bearer(request.headers())?.to_owned();
        Ok(Self { access: Arc::clone(&service.areas().access), tenant: Service::tenant(request)?, bearer, needs })
    }

    /// Returns once the credential is revoked, has run out or has lost the permission.
    pub(crate) async fn lost(&self) {
        let mut known = Instant::now();
        loop {
            sleep(EVERY).await;
            match self.access.authenticate(self.tenant, &self.bearer).await {
                Ok(caller) if self.access.check(&caller, self.needs).is_ok() => known = Instant::now(),
                Err(AccessError::Busy(_) | AccessError::Failed(_)) if known.elapsed() < UNKNOWN => {}
                Ok(_)
                | Err(AccessError::Invalid | AccessError::Expired | AccessError::Busy(_) | AccessError::Failed(_)) => {
                    return;
                }
            }
        }
    }
}
