//! `tonne_directory.session`.

use sea_orm::entity::prelude::*;
use time::OffsetDateTime;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne_directory", table_name = "session")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) hash: Vec<u8>,
    pub(crate) user_id: Uuid,
    pub(crate) tenant: Uuid,
    pub(crate) signed_in_by: String,
    pub(crate) created: OffsetDateTime,
    pub(crate) last_seen: OffsetDateTime,
    pub(crate) expires: OffsetDateTime,
    pub(crate) agent: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
