//! The tables as `SeaORM` sees them: rows with the columns that migrations give them, in the same order.

pub(crate) mod activity;
pub(crate) mod block;
pub(crate) mod change;
pub(crate) mod closed_period;
pub(crate) mod exclusion;
pub(crate) mod factor;
pub(crate) mod footprint;
pub(crate) mod footprint_product;
pub(crate) mod input;
pub(crate) mod model;
pub(crate) mod org;
pub(crate) mod partner;
pub(crate) mod product;
pub(crate) mod scope;
pub(crate) mod series;
pub(crate) mod sharing;
pub(crate) mod switch;
pub(crate) mod switch_source;
pub(crate) mod taxonomy;

use domain::Canonical;
use ports::store::StoreError;
use ports::{Stored, TenantId};
use sea_orm::{DbErr, EntityTrait, Statement};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::failed;

/// A table of records: a row is found by tenant and id, and carries what [`Stored`] does.
pub(crate) trait RecordRow: EntityTrait<Model: Sync> {
    /// The tenant that a row belongs to.
    const TENANT: Self::Column;
    const ID: Self::Column;

    /// Takes what every record's row has out of one.
    fn stamp(row: &mut Self::Model) -> Stamp;

    fn insertion(row: Self::Model) -> Statement;

    /// Replaces the row of the same tenant and id.
    fn replacement(row: Self::Model) -> Result<Statement, DbErr>;
}

/// What every record's row has.
#[derive(Debug)]
pub(crate) struct Stamp {
    /// The tenant that it belongs to.
    pub(crate) tenant: Uuid,
    pub(crate) id: Uuid,
    /// When it was added.
    pub(crate) created: OffsetDateTime,
    /// When it was last written.
    pub(crate) updated: OffsetDateTime,
    /// The change that last wrote it.
    pub(crate) version: i64,
    /// The digest of its canonical text.
    pub(crate) digest: Vec<u8>,
}

impl Stamp {
    /// What the row of a tenant's record has.
    pub(crate) fn of<T: ports::Entity>(tenant: TenantId, stored: &Stored<T>) -> Result<Self, StoreError> {
        Ok(Self {
            tenant: tenant.uuid(),
            id: stored.value.id().into(),
            created: stored.created.instant(),
            updated: stored.updated.instant(),
            version: i64::try_from(stored.version.0).map_err(|_| failed("a version is out of range"))?,
            digest: stored.digest().as_bytes().to_vec(),
        })
    }
}

/// Says of an entity of this module that it is a table of records.
macro_rules! record_row {
    () => {
        impl crate::entity::RecordRow for Entity {
            const TENANT: Column = Column::TenantId;
            const ID: Column = Column::Id;

            fn stamp(row: &mut Model) -> crate::entity::Stamp {
                crate::entity::Stamp {
                    tenant: row.tenant_id,
                    id: row.id,
                    created: row.created,
                    updated: row.updated,
                    version: row.version,
                    digest: std::mem::take(&mut row.digest),
                }
            }

            fn insertion(row: Model) -> sea_orm::Statement {
                use sea_orm::QueryTrait as _;
                Self::insert(ActiveModel::from(row)).build(sea_orm::DbBackend::Postgres)
            }

            fn replacement(row: Model) -> Result<sea_orm::Statement, sea_orm::DbErr> {
                use sea_orm::QueryTrait as _;
                let row = ActiveModel::from(row).reset_all();
                Ok(Self::update(row).validate()?.build(sea_orm::DbBackend::Postgres))
            }
        }
    };
}

pub(crate) use record_row;
