//! `tonne_directory.tenant`.

use sea_orm::entity::prelude::*;
use time::OffsetDateTime;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(schema_name = "tonne_directory", table_name = "tenant")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Uuid,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) created: OffsetDateTime,
    pub(crate) epoch: Uuid,
    pub(crate) year_start: String,
    pub(crate) consolidation: Option<String>,
    pub(crate) reporting_company: Option<String>,
    pub(crate) boundary: Option<String>,
    pub(crate) digest: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
