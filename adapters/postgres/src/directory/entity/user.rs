//! `tonne_directory.user`.

use sea_orm::entity::prelude::*;
use time::OffsetDateTime;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne_directory", table_name = "user")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) tenant: Uuid,
    pub(crate) name: String,
    pub(crate) display: String,
    pub(crate) rights: String,
    pub(crate) password: Option<Vec<u8>>,
    pub(crate) issuer: Option<String>,
    pub(crate) subject: Option<String>,
    pub(crate) locale: Option<String>,
    pub(crate) created: OffsetDateTime,
    pub(crate) updated: OffsetDateTime,
    pub(crate) disabled: Option<OffsetDateTime>,
    pub(crate) last_used: Option<OffsetDateTime>,
    pub(crate) version: i64,
    pub(crate) digest: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
