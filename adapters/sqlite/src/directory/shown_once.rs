//! What requests with an `Idempotency-Key` made whose answer holds a secret.

use domain::Timestamp;
use ports::TenantId;
use ports::directory::{CredentialKind, ShownOnce};
use ports::repeat::{KeyedRequest, RequestKey, outdated_before};
use ports::store::StoreError;
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::options::Options;
use crate::row::collect;

/// What the request of that key made within the day before `now`.
pub(super) fn find(
    conn: &Connection,
    tenant: TenantId,
    key: RequestKey,
    now: Timestamp,
) -> Result<Option<ShownOnce>, StoreError> {
    let sql = "SELECT content, kind, id FROM shown_once WHERE tenant = ? AND request = ? AND at > ?";
    let key = key.digest();
    let params = params![tenant.uuid(), key.as_bytes(), outdated_before(now).millis()];
    let mut found = collect(conn, sql, params, "shown_once", |columns| {
        let content = columns.digest()?;
        let kind = columns.parse(|word| CredentialKind::parse(word).ok_or("is no kind"))?;
        Ok(ShownOnce { content, kind, id: columns.id()? })
    })?;
    Ok(found.pop())
}

/// What a request makes, at which moment.
pub(super) struct Made {
    request: Option<KeyedRequest>,
    at: Timestamp,
    kind: CredentialKind,
    id: Uuid,
}

impl Made {
    /// What is made now.
    pub(super) fn now(options: &Options, request: Option<KeyedRequest>, kind: CredentialKind, id: Uuid) -> Self {
        Self { request, at: options.clock.now(), kind, id }
    }

    /// Notes it, if the request may be sent again; a conflict where it made something before.
    pub(super) fn note(&self, conn: &Connection, tenant: TenantId) -> Result<(), StoreError> {
        let Self { request, at, kind, id } = self;
        let Some(request) = request else { return Ok(()) };
        if let Some(before) = find(conn, tenant, request.key, *at)? {
            return Err(before.conflict(request));
        }
        let sql =
            "INSERT OR REPLACE INTO shown_once (tenant, request, content, at, kind, id) VALUES (?, ?, ?, ?, ?, ?)";
        let key = request.key.digest();
        let values = params![tenant.uuid(), key.as_bytes(), request.content.as_bytes(), at.millis(), kind.as_str(), id];
        conn.execute(sql, values).map(drop).store_err()
    }
}

/// Forgets those that count no more, and gives how many.
pub(super) fn sweep(conn: &Connection, now: Timestamp) -> Result<u64, StoreError> {
    let removed = conn.execute("DELETE FROM shown_once WHERE at <= ?", [outdated_before(now).millis()]).store_err()?;
    Ok(removed as u64)
}
