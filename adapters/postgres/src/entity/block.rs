//! `tonne.block`.

use sea_orm::entity::prelude::*;

#[expect(clippy::struct_field_names, reason = "fields are named after their columns")]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne", table_name = "block")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) model: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) ordinal: i32,
    pub(crate) id: Uuid,
    pub(crate) name: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
