//! Whether the caller of an answer that is under way may still have it: asked again and again until the answer ends.

use std::sync::Arc;
use std::time::Duration;

use actix_web::{HttpMessage, HttpRequest, web};
use async_trait::async_trait;
use ports::inbound::{Access, AccessError};
use ports::{Caller, Permission, TenantId};
use tokio::time::{Instant, sleep};

use crate::caller;
use crate::problem::Problem;
use crate::service::Service;

/// How often it is asked: with the half second that a credential may be remembered, a revocation counts within a second.
const EVERY: Duration = Duration::from_millis(250);
/// How long an answer goes on while nobody can say whether its credential is still good.
const UNKNOWN: Duration = Duration::from_secs(5);

/// Whether a caller may still have what it was let in for.
#[async_trait]
pub trait Standing: Send + Sync {
    /// The caller as it is known now; `Invalid` or `Expired` once its credential or session is not good any more.
    async fn caller(&self) -> Result<Caller, AccessError>;
}

/// A key or token that a request was sent with.
struct Bearer {
    access: Arc<dyn Access>,
    tenant: TenantId,
    token: String,
}

#[async_trait]
impl Standing for Bearer {
    async fn caller(&self) -> Result<Caller, AccessError> {
        self.access.authenticate(self.tenant, &self.token).await
    }
}

/// A credential or session, and what an answer needs of it.
pub(crate) struct CredentialWatch {
    access: Arc<dyn Access>,
    standing: Arc<dyn Standing>,
    needs: Permission,
}

impl CredentialWatch {
    /// Watches over the session that was noted for a request ([`watch`]), else over the credential that it was sent with.
    pub(crate) fn of(request: &HttpRequest, needs: Permission) -> Result<Self, Problem> {
        let service = request.app_data::<web::Data<Service>>();
        let service = service.ok_or_else(|| Problem::internal("the service is not configured"))?;
        let access = Arc::clone(&service.areas().access);
        let noted = request.extensions().get::<Arc<dyn Standing>>().cloned();
        let standing = if let Some(standing) = noted {
            standing
        } else {
            let token = caller::bearer(request.headers())?.to_owned();
            Arc::new(Bearer { access: Arc::clone(&access), tenant: Service::tenant(request)?, token })
        };
        Ok(Self { access, standing, needs })
    }

    /// Returns once the credential is revoked, has run out or has lost the permission.
    pub(crate) async fn lost(&self) {
        let mut known = Instant::now();
        loop {
            sleep(EVERY).await;
            match self.standing.caller().await {
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

/// Notes the session that a request belongs to: an answer that takes long is cut once it is not good any more.
pub fn watch(request: &HttpRequest, standing: Arc<dyn Standing>) {
    request.extensions_mut().insert(standing);
}
