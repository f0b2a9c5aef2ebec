//! Refresh tokens and what is revoked.

use domain::{Digest, Timestamp};
use ports::directory::{Event, MOST_REFRESHES, Refresh, Revocations};
use ports::store::StoreError;
use ports::{ClientId, FamilyId, Permissions, TenantId};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ColumnTrait as _, DbBackend, EntityTrait, IntoActiveModel as _, QueryFilter as _,
    QueryOrder as _, QueryTrait as _,
};
use uuid::Uuid;

use super::chain::DirectoryWrite;
use super::entity::{refresh, revoked_family, revoked_token};
use super::entry;
use crate::conn::{Conn, sql};
use crate::row::{self, Damage};

fn read(row: &refresh::Model) -> Result<Refresh, Damage> {
    Ok(Refresh {
        hash: row::digest("hash", &row.hash)?,
        family: FamilyId::new(row.family),
        client: ClientId::new(row.client),
        tenant: TenantId::new(row.tenant),
        scope: row::parse("scope", &row.scope, Permissions::parse)?,
        jti: row.jti,
        created: row::timestamp("created", row.created)?,
        expires: row::timestamp("expires", row.expires)?,
        used: entry::timestamp_or_null("used", row.used)?,
        revoked: entry::timestamp_or_null("revoked", row.revoked)?,
    })
}

pub(super) async fn find(conn: &mut Conn, hash: Digest) -> Result<Option<Refresh>, StoreError> {
    let select = refresh::Entity::find().filter(refresh::Column::Hash.eq(entry::bytes(hash)));
    let row: Option<refresh::Model> = conn.one(select.build(DbBackend::Postgres)).await?;
    let found = row.as_ref().map(read).transpose();
    found.map_err(|Damage(detail)| StoreError::Corrupt { subject: format!("refresh {hash}"), detail })
}

pub(super) async fn add(conn: &mut Conn, refresh: &Refresh) -> Result<(), StoreError> {
    let Refresh { hash, family, client, tenant, scope, jti, created, expires, used, revoked } = refresh;
    let row = refresh::Model {
        hash: entry::bytes(*hash),
        family: family.uuid(),
        client: client.uuid(),
        tenant: tenant.uuid(),
        scope: scope.to_string(),
        jti: *jti,
        created: created.instant(),
        expires: expires.instant(),
        used: used.map(Timestamp::instant),
        revoked: revoked.map(Timestamp::instant),
    };
    conn.execute(refresh::Entity::insert(row.into_active_model()).build(DbBackend::Postgres)).await.map(drop)
}

/// Forgets the families of the client's oldest live tokens, where with this one there are too many. One that is being
/// exchanged stays.
pub(super) async fn forget_oldest(conn: &mut Conn, newest: &Refresh) -> Result<(), StoreError> {
    let text = "DELETE FROM tonne_directory.refresh WHERE family IN (SELECT family FROM tonne_directory.refresh \
                WHERE client = $1 AND hash <> $2 AND used IS NULL AND revoked IS NULL \
                ORDER BY created DESC, hash OFFSET $3 FOR UPDATE SKIP LOCKED)";
    let most = i64::try_from(MOST_REFRESHES - 1).unwrap_or(i64::MAX);
    conn.execute(sql(text, [newest.client.uuid().into(), row::bytes(newest.hash), most.into()])).await.map(drop)
}

pub(super) async fn exchange(
    write: &mut DirectoryWrite,
    hash: Digest,
    at: Timestamp,
    next: &Refresh,
) -> Result<bool, StoreError> {
    let text = "UPDATE tonne_directory.refresh SET used = $1 \
                WHERE hash = $2 AND client = $3 AND used IS NULL AND revoked IS NULL";
    if write.conn.execute(sql(text, [row::at(at), row::bytes(hash), next.client.uuid().into()])).await? == 0 {
        return Ok(false);
    }
    write.draft.happened(&Event::Exchanged { from: hash, to: next });
    add(&mut write.conn, next).await?;
    Ok(true)
}

pub(super) async fn revoke_family(
    write: &mut DirectoryWrite,
    client: ClientId,
    family: FamilyId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let its_own = refresh::Entity::find()
        .filter(refresh::Column::Family.eq(family.uuid()))
        .filter(refresh::Column::Client.eq(client.uuid()));
    if entry::count(&mut write.conn, its_own).await? == 0 {
        return Ok(());
    }
    let row = revoked_family::Model { family: family.uuid(), at: at.instant() };
    if add_once(write, row.into_active_model(), revoked_family::Column::Family).await? == 0 {
        return Ok(());
    }
    let text = "UPDATE tonne_directory.refresh SET revoked = $1 WHERE family = $2 AND revoked IS NULL";
    write.conn.execute(sql(text, [row::at(at), family.uuid().into()])).await?;
    write.draft.happened(&Event::FamilyRevoked { family, at });
    Ok(())
}

pub(super) async fn revoke_token(write: &mut DirectoryWrite, jti: Uuid, expires: Timestamp) -> Result<(), StoreError> {
    let row = revoked_token::Model { jti, expires: expires.instant() };
    if add_once(write, row.into_active_model(), revoked_token::Column::Jti).await? > 0 {
        write.draft.happened(&Event::TokenRevoked { jti, expires });
    }
    Ok(())
}

/// Adds a row where there is none with that key, and gives the number of rows added.
async fn add_once<A: ActiveModelTrait>(
    write: &mut DirectoryWrite,
    row: A,
    key: <A::Entity as EntityTrait>::Column,
) -> Result<u64, StoreError> {
    let insert = A::Entity::insert(row).on_conflict(OnConflict::column(key).do_nothing().to_owned());
    write.conn.execute(insert.build(DbBackend::Postgres)).await
}

pub(super) async fn revocations(conn: &mut Conn) -> Result<Revocations, StoreError> {
    let revoked = revoked_token::Entity::find().order_by_asc(revoked_token::Column::Jti);
    let tokens: Vec<revoked_token::Model> = conn.all(revoked.build(DbBackend::Postgres)).await?;
    let revoked = revoked_family::Entity::find().order_by_asc(revoked_family::Column::Family);
    let families: Vec<revoked_family::Model> = conn.all(revoked.build(DbBackend::Postgres)).await?;
    Ok(Revocations {
        tokens: tokens.into_iter().map(|token| token.jti).collect(),
        families: families.into_iter().map(|family| FamilyId::new(family.family)).collect(),
    })
}

/// Removes all tokens, and what was revoked.
pub(super) async fn remove_all(write: &mut DirectoryWrite) -> Result<(), StoreError> {
    let statements = [
        refresh::Entity::delete_many().build(DbBackend::Postgres),
        revoked_family::Entity::delete_many().build(DbBackend::Postgres),
        revoked_token::Entity::delete_many().build(DbBackend::Postgres),
    ];
    for statement in statements {
        write.conn.execute(statement).await?;
    }
    Ok(())
}
