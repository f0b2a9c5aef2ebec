//! What requests with an `Idempotency-Key` made whose answer holds a secret.

use domain::Timestamp;
use ports::directory::{CredentialKind, ShownOnce};
use ports::repeat::{KeyedRequest, RequestKey, outdated_before};
use ports::store::StoreError;
use ports::{Grant, TenantCredentials, TenantId, Version, Write};
use uuid::Uuid;

use super::state::State;

impl State {
    /// What the request of that key made within the day before `now`.
    pub(super) fn shown_once(&self, tenant: TenantId, key: RequestKey, now: Timestamp) -> Option<ShownOnce> {
        let made = self.shown_once.get(&(tenant, key)).filter(|(at, _)| *at > outdated_before(now));
        made.map(|(_, made)| *made)
    }

    /// Does the work, and notes what the request makes by it; a conflict where it made something before.
    pub(super) fn once(
        &mut self,
        grant: &Grant<Write, TenantCredentials>,
        now: Timestamp,
        request: Option<KeyedRequest>,
        (kind, id): (CredentialKind, Uuid),
        work: impl FnOnce(&mut Self) -> Result<Version, StoreError>,
    ) -> Result<Version, StoreError> {
        let Some(request) = request else { return work(self) };
        let tenant = grant.tenant();
        if let Some(before) = self.shown_once(tenant, request.key, now) {
            return Err(before.conflict(&request));
        }
        let version = work(self)?;
        let made = ShownOnce { content: request.content, kind, id };
        self.shown_once.insert((tenant, request.key), (now, made));
        Ok(version)
    }
}
