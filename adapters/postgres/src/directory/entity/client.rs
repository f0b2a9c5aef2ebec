//! `tonne_directory.client`.

use sea_orm::entity::prelude::*;
use time::OffsetDateTime;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne_directory", table_name = "client")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant: Uuid,
    pub(crate) name: String,
    pub(crate) permissions: String,
    pub(crate) secret_hash: Vec<u8>,
    pub(crate) created: OffsetDateTime,
    pub(crate) updated: OffsetDateTime,
    pub(crate) expires: Option<OffsetDateTime>,
    pub(crate) partner: Option<Uuid>,
    pub(crate) last_used: Option<OffsetDateTime>,
    pub(crate) version: i64,
    pub(crate) digest: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
