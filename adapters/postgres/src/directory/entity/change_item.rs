//! `tonne_directory.change_item`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne_directory", table_name = "change_item")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) change: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) ordinal: i32,
    pub(crate) verb: String,
    pub(crate) kind: String,
    pub(crate) id: String,
    pub(crate) digest: Vec<u8>,
    pub(crate) replaced: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
