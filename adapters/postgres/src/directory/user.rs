//! Users.

use domain::{Digest, Name, Timestamp};
use ports::directory::Versioned;
use ports::people::{Identity, Locale, Rights, SignInName, User};
use ports::store::StoreError;
use ports::{TenantId, UserId, Version};
use sea_orm::{ColumnTrait as _, EntityTrait as _, IntoActiveModel as _, QueryFilter as _};

use super::credential::{ActiveModel, Column, CredentialTable};
use super::entity::user;
use super::entry::{self, EntryTable};
use crate::conn::Conn;
use crate::error::failed;
use crate::row::{self, Damage};

impl EntryTable for Versioned<User> {
    type Table = user::Entity;

    fn decode(row: &user::Model) -> Result<Self, Damage> {
        let identity = row.issuer.as_ref().map(|issuer| {
            row::parse("subject", row.subject.as_deref().unwrap_or_default(), |subject| Identity::new(issuer, subject))
        });
        let value = User {
            id: UserId::new(row.id),
            tenant: TenantId::new(row.tenant),
            name: row::parse("name", &row.name, SignInName::parse)?,
            display: row::parse("display", &row.display, Name::parse)?,
            rights: row::parse("rights", &row.rights, Rights::parse)?,
            password: row.password.as_ref().map(|bytes| row::digest("password", bytes)).transpose()?,
            identity: identity.transpose()?,
            locale: row::parse_optional("locale", row.locale.as_deref(), Locale::parse)?,
            created: row::timestamp("created", row.created)?,
            updated: row::timestamp("updated", row.updated)?,
            disabled: entry::timestamp_or_null("disabled", row.disabled)?,
            last_seen: entry::timestamp_or_null("last_used", row.last_used)?,
        };
        Ok(Self { value, version: Version(row::count("version", row.version)?) })
    }

    fn digest_beside(row: &user::Model) -> &[u8] {
        &row.digest
    }
}

impl CredentialTable for User {
    const ID: Column<Self> = user::Column::Id;
    const TENANT: Column<Self> = user::Column::Tenant;
    const LAST_USED: Column<Self> = user::Column::LastUsed;

    fn row(user: &Versioned<Self>, digest: Digest) -> Result<ActiveModel<Self>, StoreError> {
        let Self {
            id,
            tenant,
            name,
            display,
            rights,
            password,
            identity,
            locale,
            created,
            updated,
            disabled,
            last_seen,
        } = &user.value;
        let row = user::Model {
            id: id.uuid(),
            tenant: tenant.uuid(),
            name: name.to_string(),
            display: display.to_string(),
            rights: rights.to_string(),
            password: password.map(entry::bytes),
            issuer: identity.as_ref().map(|identity| identity.issuer().to_owned()),
            subject: identity.as_ref().map(|identity| identity.subject().to_owned()),
            locale: locale.as_ref().map(Locale::to_string),
            created: created.instant(),
            updated: updated.instant(),
            disabled: disabled.map(Timestamp::instant),
            last_used: last_seen.map(Timestamp::instant),
            version: i64::try_from(user.version.0).map_err(|_| failed("a version is out of range"))?,
            digest: entry::bytes(digest),
        };
        Ok(row.into_active_model())
    }
}

pub(super) async fn find_by_id(conn: &mut Conn, id: UserId) -> Result<Option<Versioned<User>>, StoreError> {
    entry::one(conn, user::Entity::find_by_id(id.uuid())).await
}

pub(super) async fn find_by_name(
    conn: &mut Conn,
    tenant: TenantId,
    name: &SignInName,
) -> Result<Option<Versioned<User>>, StoreError> {
    let its_own = user::Entity::find().filter(user::Column::Tenant.eq(tenant.uuid()));
    entry::one(conn, its_own.filter(user::Column::Name.eq(name.as_str()))).await
}

pub(super) async fn find_by_identity(
    conn: &mut Conn,
    tenant: TenantId,
    identity: &Identity,
) -> Result<Option<Versioned<User>>, StoreError> {
    let its_own = user::Entity::find().filter(user::Column::Tenant.eq(tenant.uuid()));
    let of_provider = its_own.filter(user::Column::Issuer.eq(identity.issuer()));
    entry::one(conn, of_provider.filter(user::Column::Subject.eq(identity.subject()))).await
}

/// The other users of a user's tenant.
pub(super) async fn others(conn: &mut Conn, user: &User) -> Result<Vec<User>, StoreError> {
    let its_own = user::Entity::find().filter(user::Column::Tenant.eq(user.tenant.uuid()));
    let others: Vec<Versioned<User>> = entry::all(conn, its_own.filter(user::Column::Id.ne(user.id.uuid()))).await?;
    Ok(others.into_iter().map(|other| other.value).collect())
}
