//! `tonne_directory.signing_key`.

use sea_orm::entity::prelude::*;
use time::OffsetDateTime;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne_directory", table_name = "signing_key")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) ordinal: i32,
    pub(crate) kid: String,
    pub(crate) public: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
    pub(crate) created: OffsetDateTime,
    pub(crate) retired: Option<OffsetDateTime>,
    pub(crate) digest: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
