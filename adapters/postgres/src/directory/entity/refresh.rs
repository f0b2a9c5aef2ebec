//! `tonne_directory.refresh`.

use sea_orm::entity::prelude::*;
use time::OffsetDateTime;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne_directory", table_name = "refresh")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) hash: Vec<u8>,
    pub(crate) family: Uuid,
    pub(crate) client: Uuid,
    pub(crate) tenant: Uuid,
    pub(crate) scope: String,
    pub(crate) jti: Uuid,
    pub(crate) created: OffsetDateTime,
    pub(crate) expires: OffsetDateTime,
    pub(crate) used: Option<OffsetDateTime>,
    pub(crate) revoked: Option<OffsetDateTime>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
