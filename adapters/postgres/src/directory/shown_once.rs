//! What requests with an `Idempotency-Key` made whose answer holds a secret.

use domain::Timestamp;
use ports::TenantId;
use ports::directory::{CredentialKind, ShownOnce};
use ports::repeat::{KeyedRequest, RequestKey};
use ports::store::StoreError;
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use super::chain::DirectoryWrite;
use crate::answer::outdated;
use crate::conn::{Conn, sql};
use crate::row::{self, Damage};

#[derive(FromQueryResult)]
struct Columns {
    content: Vec<u8>,
    kind: String,
    id: Uuid,
}

impl Columns {
    fn read(&self) -> Result<ShownOnce, Damage> {
        let kind = row::parse("kind", &self.kind, |word| CredentialKind::parse(word).ok_or("is no kind"))?;
        Ok(ShownOnce { content: row::digest("content", &self.content)?, kind, id: self.id })
    }
}

/// What the request of that key made within the day before `now`.
pub(super) async fn find(
    conn: &mut Conn,
    tenant: TenantId,
    key: RequestKey,
    now: Timestamp,
) -> Result<Option<ShownOnce>, StoreError> {
    let text = "SELECT content, kind, id FROM tonne_directory.shown_once \
                WHERE tenant = $1 AND request = $2 AND at > $3";
    let outdated = outdated(conn, now).await?;
    let values = [tenant.uuid().into(), row::bytes(key.digest()), row::at(outdated)];
    let found: Option<Columns> = conn.one(sql(text, values)).await?;
    let damaged = |Damage(detail)| StoreError::Corrupt { subject: format!("shown_once {}", key.digest()), detail };
    found.map(|columns| columns.read().map_err(damaged)).transpose()
}

/// Notes what a request makes at that moment; a conflict where it made something before.
pub(super) async fn add(
    write: &mut DirectoryWrite,
    tenant: TenantId,
    at: Timestamp,
    request: &KeyedRequest,
    (kind, id): (CredentialKind, Uuid),
) -> Result<(), StoreError> {
    if let Some(before) = find(&mut write.conn, tenant, request.key, at).await? {
        return Err(before.conflict(request));
    }
    let text = "INSERT INTO tonne_directory.shown_once (tenant, request, content, at, kind, id) \
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant, request) DO UPDATE \
                SET content = excluded.content, at = excluded.at, kind = excluded.kind, id = excluded.id";
    let values: [Value; 6] = [
        tenant.uuid().into(),
        row::bytes(request.key.digest()),
        row::bytes(request.content),
        row::at(at),
        kind.as_str().into(),
        id.into(),
    ];
    write.conn.execute(sql(text, values)).await.map(drop)
}

/// Forgets those of a tenant.
pub(super) async fn remove_all(write: &mut DirectoryWrite, tenant: TenantId) -> Result<(), StoreError> {
    let text = "DELETE FROM tonne_directory.shown_once WHERE tenant = $1";
    write.conn.execute(sql(text, [tenant.uuid().into()])).await.map(drop)
}

/// Forgets those that count no more, and gives how many.
pub(super) async fn sweep(write: &mut DirectoryWrite, now: Timestamp) -> Result<u64, StoreError> {
    let text = "DELETE FROM tonne_directory.shown_once WHERE at <= $1";
    let outdated = outdated(&mut write.conn, now).await?;
    write.conn.execute(sql(text, [row::at(outdated)])).await
}
