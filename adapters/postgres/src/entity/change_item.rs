//! `tonne.change_item`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne", table_name = "change_item")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) change: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) ordinal: i32,
    pub(crate) verb: i16,
    pub(crate) kind: i16,
    pub(crate) id: Uuid,
    pub(crate) digest: Vec<u8>,
    pub(crate) replaced: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
