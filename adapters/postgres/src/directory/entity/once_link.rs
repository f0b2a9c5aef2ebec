//! `tonne_directory.once_link`.

use sea_orm::entity::prelude::*;
use time::OffsetDateTime;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne_directory", table_name = "once_link")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) hash: Vec<u8>,
    pub(crate) user_id: Uuid,
    pub(crate) tenant: Uuid,
    pub(crate) created: OffsetDateTime,
    pub(crate) expires: OffsetDateTime,
    pub(crate) used: Option<OffsetDateTime>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
